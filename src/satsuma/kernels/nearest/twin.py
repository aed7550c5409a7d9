"""The rows nearest to each query, in plain NumPy: the definition of the kernel."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Packed:
    """Rows that are searched, laid out for the loops.

    Parameters
    ----------
    number
        (rows, columns): numbers from 0 to 1, NaN for missing.
    symbol
        (rows, columns): codes, -1 for missing.
    tile, byte
        The same in tiles, (tiles, columns, rows of a tile), for the loops in C: floats with -4
        for missing, and codes modulo 254 with 255 for missing.
    whole
        How many columns of numbers, the first ones, have no missing cell.
    p
        The power of the distance.
    """

    number: Floats
    symbol: Codes
    tile: npt.NDArray[np.float32]
    byte: npt.NDArray[np.uint8]
    whole: int
    p: float


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


def sums(
    number: Floats, symbol: Codes, asked: Floats, asked_symbol: Codes, p: float
) -> npt.NDArray[np.float64]:
    """The sum over columns of differences to the power of p, of each row from one query."""
    total = np.zeros(len(number))
    for j in range(number.shape[1]):
        away = difference(number[:, j], asked[j])
        total += away * away if p == 2 else away if p == 1 else away**p
    differ = (symbol != asked_symbol) | (symbol < 0)
    return total + differ.sum(axis=1)


def find(  # noqa: PLR0917 - as the kernel has them
    packed: Packed,
    number: Floats,
    symbol: Codes,
    quick: npt.NDArray[np.float32],  # noqa: ARG001 - for the loops in C
    byte: npt.NDArray[np.uint8],  # noqa: ARG001
    left_out: npt.NDArray[np.int64],
    sums_out: Floats,
    rows: npt.NDArray[np.int64],
) -> None:
    """The nearest rows of each query, by sum, then by row; infinity and -1 where none is left."""
    k = sums_out.shape[1]
    sums_out[:], rows[:] = np.inf, -1
    for at in range(len(number)):
        total = sums(packed.number, packed.symbol, number[at], symbol[at], packed.p)
        if left_out[at] >= 0:
            total[left_out[at]] = np.inf
        found = np.argsort(total, kind="stable")[:k]
        found = found[total[found] < np.inf]
        sums_out[at, : len(found)], rows[at, : len(found)] = total[found], found
