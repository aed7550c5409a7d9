"""Scores of predicted numbers."""

import numpy as np

from satsuma.numerics.arrays import Floats


def absolute_error(predicted: Floats, truth: Floats, weights: Floats) -> float:
    """The mean distance from the truth (MAE)."""
    return _mean(distances(predicted, truth), weights)


def root_squared_error(predicted: Floats, truth: Floats, weights: Floats) -> float:
    """The root of the mean squared distance from the truth (RMSE)."""
    return float(np.sqrt(_mean(squares(predicted, truth), weights)))


def r_squared(predicted: Floats, truth: Floats, weights: Floats) -> float:
    """The share of the truth's variance that is explained (R²); NaN where it does not vary.

    Examples
    --------
    >>> r_squared(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0]), np.ones(3))
    1.0
    """
    spread = _mean((truth - _mean(truth, weights)) ** 2, weights)
    return 1 - _mean(squares(predicted, truth), weights) / spread if spread > 0 else np.nan


def distances(predicted: Floats, truth: Floats) -> Floats:
    """How far each row is from the truth."""
    return np.abs(predicted - truth)


def squares(predicted: Floats, truth: Floats) -> Floats:
    """How far each row is from the truth, squared."""
    return (predicted - truth) ** 2


def _mean(values: Floats, weights: Floats) -> float:
    total = weights.sum()
    return float(values @ weights / total) if total else np.nan
