"""Scores of predicted numbers."""

from collections.abc import Callable

import numpy as np

from satsuma.data.columns import Floats

#: A score of what was said, given the truth and the weights.
OfNumbers = Callable[[Floats, Floats, Floats], float]


def absolute_error(said: Floats, truth: Floats, weights: Floats) -> float:
    """The mean distance from the truth."""
    return _mean(distances(said, truth), weights)


def root_squared_error(said: Floats, truth: Floats, weights: Floats) -> float:
    """The root of the mean squared distance from the truth."""
    return float(np.sqrt(_mean(squares(said, truth), weights)))


def r_squared(said: Floats, truth: Floats, weights: Floats) -> float:
    """The share of the variance of the truth that is told; NaN where the truth does not vary.

    Examples
    --------
    >>> r_squared(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0]), np.ones(3))
    1.0
    """
    spread = _mean((truth - _mean(truth, weights)) ** 2, weights)
    return 1 - _mean(squares(said, truth), weights) / spread if spread > 0 else np.nan


def distances(said: Floats, truth: Floats) -> Floats:
    """How far each row is from the truth."""
    return np.abs(said - truth)


def squares(said: Floats, truth: Floats) -> Floats:
    """How far each row is from the truth, squared."""
    return (said - truth) ** 2


def _mean(values: Floats, weights: Floats) -> float:
    total = weights.sum()
    return float(values @ weights / total) if total else np.nan
