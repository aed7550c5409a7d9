"""Sums by index, and sums with what rounding takes from them."""

import numpy as np

from satsuma.numerics.arrays import Array, Floats


def weighted_bincount(index: Array, weights: Floats, count: int) -> Floats:
    """The sum of the weights at each index below a count.

    Examples
    --------
    >>> weighted_bincount(np.array([0, 2, 2]), np.array([1.0, 2.0, 3.0]), 3).tolist()
    [1.0, 0.0, 5.0]
    """
    return np.asarray(np.bincount(index, weights, count), np.float64)


def two_sum(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """A sum as it is rounded, and what the rounding took away (Knuth 1969).

    Examples
    --------
    >>> total, lost = two_sum(np.array([1e16]), np.array([1.0]))
    >>> float(total[0]), float(lost[0])
    (1e+16, 1.0)
    """
    total = a + b
    from_b = total - a
    return total, (a - (total - from_b)) + (b - from_b)
