"""Boosted trees: growing and asking beside LightGBM and scikit-learn, by the clock.

How good their predictions are is in `boosting_accuracy.py`.
"""

import warnings
from functools import partial

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
