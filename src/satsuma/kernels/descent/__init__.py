"""Coordinate descent on a quadratic with L1 regularization: compiled where it can be, or the twin.

What is minimised over the slopes b is ``b G b / 2 - c b + l2 b² / 2 + l1 |b|``.
"""

import numpy as np

from satsuma.kernels import use_native
from satsuma.numerics.arrays import Floats

if compiled := use_native("descent"):
    from satsuma.kernels.descent._native import sweep
else:
    from satsuma.kernels.descent.twin import sweep

#: Sweeps over all slopes, at most.
SWEEPS = 10_000


def descend(
    gram: Floats, with_target: Floats, l1: Floats, l2: Floats, start: Floats, *, tolerance: float
) -> Floats:
    """The slopes at which the sum is least, from others.

    Parameters
    ----------
    gram
        G: (columns, columns), symmetric.
    with_target
        c.
    l1, l2
        What each slope costs, and its square.
    start
        Where to begin.
    tolerance
        The last sweep moves no slope by more, times the root of its curvature.

    Examples
    --------
    >>> none = np.zeros(2)
    >>> descend(np.eye(2), np.array([3.0, 0.5]), none + 1, none, none, tolerance=1e-9).tolist()
    [2.0, 0.0]
    """
    slopes = np.array(start, np.float64)
    left = with_target - gram @ slopes
    sweep(np.ascontiguousarray(gram), l1, l2, slopes, left, tolerance, SWEEPS)
    return slopes
