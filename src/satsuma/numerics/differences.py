"""How far rows of numbers and symbols are apart, column by column; a cell may be missing."""

from typing import Any

import numpy as np

from satsuma.numerics.arrays import Codes, Floats


def difference(a: Any, b: Any) -> Floats:
    """How far numbers from 0 to 1 are apart; a missing one may be as far away as can be.

    Examples
    --------
    >>> difference(np.array([0.2, np.nan, np.nan]), np.array([0.5, 0.3, np.nan]))
    array([0.3, 0.7, 1. ])
    """
    far = np.maximum(np.fmax(a, b), 1 - np.fmin(a, b))  # where one is missing, that of the other
    missing = np.isnan(a) | np.isnan(b)
    return np.where(missing, np.where(np.isnan(far), 1.0, far), np.abs(a - b))


def difference_sums(
    number: Floats,
    symbol: Codes,
    asked: Floats,
    asked_symbol: Codes,
    p: float,
    *,
    apart: float = 1.0,
) -> Floats:
    """The sum over columns of differences to the power of p, of each row from one query.

    The p-th root of it is Minkowski's distance; symbols differ by 0 or by what is
    `apart`, and by that where one is missing.
    """
    total = np.zeros(len(number))
    for j in range(number.shape[1]):
        total += to_power(difference(number[:, j], asked[j]), p)
    differ = (symbol != asked_symbol) | (symbol < 0)
    return total + apart**p * differ.sum(axis=1)


def to_power(away: Floats, p: float) -> Floats:
    """Differences to the power of p."""
    return away * away if p == 2 else away if p == 1 else away**p
