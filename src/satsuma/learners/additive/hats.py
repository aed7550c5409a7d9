"""Hats: lines between points, so that a few heights make a shape of many bins."""

from functools import lru_cache

import numpy as np

from satsuma.numerics.arrays import Floats, frozen

#: A bin has so many parts of heights, so that sums of their products stay exact.
PARTS = 8


@lru_cache(maxsize=256)
def hats(bins: int, points: int) -> Floats:
    """How much of the height of each point a bin has, points being spread evenly over the bins.

    A bin lies between two points, and has of each according to how near it is. Where there are no
    more bins than points, each bin has a point of its own.

    Examples
    --------
    >>> hats(5, 3).tolist()
    [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.5], [0.0, 0.0, 1.0]]
    """
    if bins <= points:
        return frozen(np.eye(bins))
    at = np.arange(bins) * (points - 1) / (bins - 1)
    left = np.minimum(at.astype(int), points - 2)
    part = np.rint((at - left) * PARTS) / PARTS
    found = np.zeros((bins, points))
    rows = np.arange(bins)
    found[rows, left] += 1 - part
    found[rows, left + 1] += part
    return frozen(found)
