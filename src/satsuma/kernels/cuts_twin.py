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
    places: npt.NDArray[np.int64],
    lo: int,
    hi: int,
    table: Floats,  # noqa: ARG001 - for the loops in C
) -> int:
    """Which of some cuts leaves least entropy, the first of several; -1 where there is none.

    Parameters
    ----------
    upto
        (numbers + 1, classes): what the numbers before each place weigh.
    places
        Where cuts may be, increasing, between `lo` and `hi`.
    lo, hi
        The numbers that are cut.
    table
        x log2 x of 0, 1, … where all weights are whole numbers, else empty; for the loops in C.
    """
    if not len(places):
        return -1
    left, right = upto[places] - upto[lo], upto[hi] - upto[places]
    # Differences of running sums that are no whole numbers may be off by a rounding error.
    right = np.where(right > 1e-12 * (upto[hi] - upto[lo]), right, 0.0)
    return int((information(left) + information(right)).argmin())
