"""Sums: by index, over few columns, of x log x, and with what rounding takes from them."""

from typing import Any

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


#: Up to how many columns NumPy adds one after the other, as `row_sums` does.
_FEW = 7


def row_sums(cells: Floats) -> Floats:
    """The sums over the last axis, to the same bits; over few columns in a tenth of the time.

    Examples
    --------
    >>> row_sums(np.array([[1.0, 2.0], [0.5, 0.25]])).tolist()
    [3.0, 0.75]
    """
    width = cells.shape[-1]
    if not 0 < width <= _FEW:
        return np.asarray(cells.sum(axis=-1))
    total = cells[..., 0]
    for column in range(1, width):
        total = total + cells[..., column]
    return np.asarray(total)


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


def x_log_x(x: Any) -> Floats:
    """Each number times its logarithm to base 2, and 0 for 0.

    Examples
    --------
    >>> x_log_x(np.array([0.0, 1.0, 4.0])).tolist()
    [0.0, 0.0, 8.0]
    """
    return x * np.log2(np.where(x > 0, x, 1.0))


def information(weight: Floats) -> Floats:
    """The entropy of each row of weights, in bits, times what the row weighs."""
    return x_log_x(row_sums(weight)) - row_sums(x_log_x(weight))
