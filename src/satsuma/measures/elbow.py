"""Elbow: where a falling curve bends most."""

import numpy as np

from satsuma.numerics.arrays import Floats


def knee(x: Floats, y: Floats) -> int:
    """The point farthest below the line between the first and the last.

    Examples
    --------
    >>> knee(np.array([1.0, 2, 3, 4, 5]), np.array([100.0, 50, 10, 8, 6]))
    2
    """
    fall = y[0] - y[-1]
    if not fall > 0:
        return 0
    across, down = (x - x[0]) / (x[-1] - x[0]), (y - y[-1]) / fall
    return int(np.argmax(1 - across - down))
