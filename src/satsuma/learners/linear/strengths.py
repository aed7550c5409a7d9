"""Strengths of L1 regularization, and the path of slopes along them."""

from typing import NamedTuple

import numpy as np

from satsuma.numerics.arrays import Floats

#: Strengths on a path, and the least of them as a share of the greatest.
_STRENGTHS, _LEAST = 50, 1e-3


class Path(NamedTuple):
    """The slopes at each of many strengths of regularization, from the strongest on.

    Parameters
    ----------
    strengths
        The values of `l1`.
    slopes
        (strengths, features): what a standard deviation of a number, or a value of a symbol, adds.
    names
        The features.
    errors
        In rows that were not learned from, at each strength: the mean squared error, or of classes
        the mean negative log-likelihood. None where `l1` was given.
    """

    strengths: Floats
    slopes: Floats
    names: tuple[str, ...]
    errors: Floats | None


def strengths_below(most: float) -> Floats:
    """From that at which all slopes are 0, downwards by equal factors.

    Examples
    --------
    >>> strengths_below(8.0)[[0, 1, -1]].round(3).tolist()
    [8.0, 6.948, 0.008]
    """
    return most * np.geomspace(1.0, _LEAST, _STRENGTHS)
