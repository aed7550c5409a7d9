"""Intervals of scores: where the score of a learner lies, as far as the tested rows can tell."""

from collections.abc import Sequence

import numpy as np

from satsuma.evaluate.paired_tests import difference, losses, rows_once
from satsuma.evaluate.scores import Score
from satsuma.evaluate.trial import Trial
from satsuma.measures.estimates import wilson

#: Scores from 0 to 1, or from -1 to 1.
_SHARES = ("CA", "AUC", "F1", "precision", "recall", "balanced accuracy")
_BOTH = ("MCC", "kappa")

#: Scores that are never below 0.
_POSITIVE = ("Brier", "log loss", "MAE")

Interval = tuple[float, float]


def score_interval(
    trials: Sequence[Trial], score: Score, learner: str, estimate: float, level: float = 0.95
) -> Interval:
    """Where a score lies with a certain confidence, about an estimate.

    Of accuracy it is Wilson's interval (1927); of other shares one that is even on the scale of
    log-odds; of RMSE one that is even on that of logarithms. Rows, or groups of rows, are taken as
    drawn at random; that models share training rows is left out of account, as it hardly matters
    for one learner.
    """
    if np.isnan(estimate) or score.each is None:
        return np.nan, np.nan
    values, weights = rows_once(trials, losses(trials, score, learner))
    found = difference(values, weights, np.inf)
    if not found.freedom > 0:
        return _widest(score)
    from scipy.special import stdtrit

    known = ~np.isnan(values)
    size = float(known.sum()) if weights is None else _effective(weights[known])
    z = float(stdtrit(size, (1 + level) / 2))
    if score.name == "CA" and trials[0].groups is None:
        return share_interval(estimate, size, z)
    reach = float(stdtrit(found.freedom, (1 + level) / 2)) * found.error
    if score.name == "RMSE":
        far = reach / (2 * estimate**2) if estimate else 0.0
        return estimate * float(np.exp(-far)), estimate * float(np.exp(far))
    if score.name in _SHARES:
        return _of_share(estimate, reach, size, z)
    low, high = estimate - reach, estimate + reach
    if score.name in _BOTH:
        return max(low, -1.0), min(high, 1.0)
    return (max(low, 0.0) if score.name in _POSITIVE else low), high


def share_interval(share: float, size: float, z: float) -> Interval:
    """Where a share of so many rows lies (Wilson 1927).

    Examples
    --------
    >>> [round(end, 3) for end in share_interval(0.8, 10, 1.96)]
    [0.49, 0.943]
    """
    low, high = wilson(np.array([share]), np.array([size]), z)
    return float(low[0]), float(high[0])


def _of_share(share: float, reach: float, size: float, z: float) -> Interval:
    spread = share * (1 - share)
    if not reach or not spread > 0:
        return share_interval(min(max(share, 0.0), 1.0), size, z)
    odds, far = np.log(share / (1 - share)), min(reach / spread, 700.0)
    low, high = (1 / (1 + np.exp(-np.clip(odds + end, -700, 700))) for end in (-far, far))
    return float(low), float(high)


def _effective(weights: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
    """How many rows of equal weight would say as much (Kish 1965)."""
    return float(weights.sum() ** 2 / (weights**2).sum())


def _widest(score: Score) -> Interval:
    if score.name in _SHARES:
        return 0.0, 1.0
    return (0.0 if score.name in _POSITIVE or score.name == "RMSE" else -np.inf), np.inf
