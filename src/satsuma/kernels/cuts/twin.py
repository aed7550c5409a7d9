"""The best cut among several, in plain NumPy: the definition of the kernel."""

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def x_log_x(x: Any) -> Floats:
    """X log2 x; 0 for 0.

    Examples
    --------
    >>> x_log_x(np.array([0.0, 2.0]))
    array([0., 2.])
    """
    return x * np.log2(np.where(x > 0, x, 1.0))


def information(weight: Floats) -> Floats:
    """The entropy of each row of weights, in bits, times what the row weighs."""
    return x_log_x(weight.sum(axis=1)) - x_log_x(weight).sum(axis=1)


def best(
    upto: Floats,
    lo: int,
    hi: int,
    table: Floats,  # noqa: ARG001 - for the loops in C
) -> int:
    """Where to cut numbers so that least entropy is left, the first of several places; -1 for none.

    Parameters
    ----------
    upto
        (numbers + 1, classes): what the numbers before each place weigh.
    lo, hi
        The first of the numbers that are cut, and the one behind the last.
    table
        x log2 x of 0, 1, … where all weights are whole numbers, else empty; for the loops in C.
    """
    if hi - lo < 2:
        return -1
    left, right = upto[lo + 1 : hi] - upto[lo], upto[hi] - upto[lo + 1 : hi]
    # Differences of running sums that are no whole numbers may be off by a rounding error.
    right = np.where(right > 1e-12 * (upto[hi] - upto[lo]), right, 0.0)
    return lo + 1 + int((information(left) + information(right)).argmin())
