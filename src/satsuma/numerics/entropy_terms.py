"""Entropy of weights, in bits."""

from typing import Any

import numpy as np

from satsuma.numerics.arrays import Floats


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
    return x_log_x(weight.sum(axis=1)) - x_log_x(weight).sum(axis=1)
