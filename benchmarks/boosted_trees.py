"""Boosted trees: growing and asking beside LightGBM and scikit-learn, and log loss on small tables.

The defaults for small tables were chosen on tables of 150 to 4,200 rows, one of them left out in
turn: `python -m benchmarks.boosted_trees FOLDER` says how good they are on tables in a folder.
"""

import sys
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.harness import OURS, Report, Row, compare

N, WIDTH, ROUNDS, LEAVES, LEAF, THREADS = 1_000_000, 20, 100, 31, 20, 2
THEIRS, HISTOGRAM = "LightGBM, 2 threads", "scikit-learn histogram"


def run(report: Report) -> None:
    """A million rows: learning, predicting, and the loss of rows that were not learned from."""
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    x, y = _rows(rng, N)
    fresh, truth = _rows(rng, N // 5)
    models = {OURS: _ours(), THEIRS: _lightgbm(), HISTOGRAM: _histogram()}
    workloads = {who: partial(model.fit, x, y) for who, model in models.items()}
    compare(report, "boosting, 1e6 x 20, 100 rounds, fit", workloads, {THEIRS: 2}, 2)
    asked = {who: partial(model.predict_proba, x) for who, model in models.items()}
    compare(report, "boosting, 1e6 x 20, 100 rounds, predict", asked, {THEIRS: 3}, 3)
    for who, model in models.items():
        loss = _log_loss(model.predict_proba(fresh), truth)
        wanted = "within 0.5 % of LightGBM" if who == OURS else ""
        report.add(Row("boosting, log loss of fresh rows", who, f"{loss:.5f}", "", wanted))


def _rows(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Steps, curves and a few columns that matter only where others are large."""
    x = rng.normal(size=(n, WIDTH))
    score = x[:, 0] + np.sin(2 * x[:, 3]) + 0.3 * np.abs(x[:, 6])
    score += 0.5 * x[:, 1] * (x[:, 2] > 0) + 0.5 * x[:, 5] * (x[:, 4] > 0.5)
    return x, (rng.random(n) < 1 / (1 + np.exp(-1.5 * score))).astype(int)


def _ours() -> object:
    from satsuma import BoostedTrees

    return BoostedTrees(
        rounds=ROUNDS,
        learning_rate=0.1,
        leaves=LEAVES,
        min_leaf=LEAF,
        l2=0.0,
        early_stopping=False,
    )


def _lightgbm() -> object:
    from lightgbm import LGBMClassifier

    return LGBMClassifier(n_estimators=ROUNDS, n_jobs=THREADS, verbose=-1)


def _histogram() -> object:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(max_iter=ROUNDS, early_stopping=False)


def _log_loss(chances: np.ndarray, truth: np.ndarray) -> float:
    return float(-np.log(np.clip(chances[np.arange(len(truth)), truth], 1e-6, 1)).mean())


def on_tables(folder: Path) -> None:
    """The log loss, or the error over the spread, of each table in a folder: five folds."""
    import satsuma

    warnings.simplefilter("ignore")
    peers = {
        OURS: _satsuma_fit,
        "LightGBM": partial(_peer_fit, "lightgbm"),
        "histogram": partial(_peer_fit, "histogram"),
    }
    print(f"{'table':24}", *(f"{who:>10}" for who in peers))
    for path in sorted(folder.iterdir()):
        table = satsuma.read(path)
        print(f"{path.stem[:24]:24}", *(f"{_score(table, fit):10.4f}" for fit in peers.values()))


def _score(table: object, fit: Callable[..., np.ndarray]) -> float:
    target = table.domain.target
    truth, rng = table.column(target.name), np.random.default_rng(0)
    order = rng.permutation(len(table))
    if target.kind == "sym":
        order = order[np.argsort(truth[order], kind="stable")]
    fold = np.empty(len(table), int)
    fold[order] = np.arange(len(table)) % 5
    losses = []
    for each in range(5):
        kept, asked = np.flatnonzero(fold != each), np.flatnonzero(fold == each)
        found = fit(table[kept], table[asked])
        if target.kind == "sym":
            losses.append(_log_loss(found, truth[asked]))
        else:
            losses.append(np.sqrt(np.mean((found - truth[asked]) ** 2)) / truth.std())
    return float(np.mean(losses))


def _satsuma_fit(table: object, asked: object) -> np.ndarray:
    from satsuma import BoostedTrees, GetProbabilities

    model = BoostedTrees()(table)
    classes = table.domain.target.kind == "sym"
    return model(asked, GetProbabilities) if classes else model(asked)


def _peer_fit(who: str, table: object, asked: object) -> np.ndarray:
    import lightgbm
    from sklearn import ensemble

    target = table.domain.target
    x, named = _matrix(table)
    y, classes = table.column(target.name), target.kind == "sym"
    if who == "lightgbm":
        kind = lightgbm.LGBMClassifier if classes else lightgbm.LGBMRegressor
        model = kind(n_jobs=1, verbose=-1).fit(x, y, categorical_feature=named)
    else:
        name = "HistGradientBoosting" + ("Classifier" if classes else "Regressor")
        model = getattr(ensemble, name)(categorical_features=named or None).fit(x, y)
    z = _matrix(asked)[0]
    if not classes:
        return model.predict(z)
    found = np.zeros((len(z), len(target.values)))
    found[:, model.classes_] = model.predict_proba(z)
    return found


def _matrix(table: object) -> tuple[np.ndarray, list[int]]:
    """Numbers and codes as floats, NaN where missing; and which columns are codes."""
    columns, named = [], []
    for at, variable in enumerate(table.domain.attributes):
        column = table.column(variable.name).astype(np.float64)
        if variable.kind == "sym":
            column[column < 0] = np.nan
            named.append(at)
        columns.append(column)
    return np.stack(columns, axis=1), named


if __name__ == "__main__":
    on_tables(Path(sys.argv[1]))
