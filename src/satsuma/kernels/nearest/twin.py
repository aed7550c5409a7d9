"""The rows nearest to each query, in plain NumPy: the definition of the kernel."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from satsuma.numerics.arrays import Codes, Floats, Integers
from satsuma.numerics.differences import difference_sums


@dataclass(frozen=True)
class Packed:
    """Rows that are searched, laid out for the loops.

    Parameters
    ----------
    name
        The number by which each row is known.
    number
        (rows, columns): numbers from 0 to 1, NaN for missing.
    symbol
        (rows, columns): codes, -1 for missing.
    tile, byte
        The same in tiles, (tiles, columns, rows of a tile), for the loops in C: floats with -4
        for missing, and codes modulo 254 with 255 for missing.
    side, box
        The boxes around parts of the rows, for the loops in C: see `Parts`.
    whole
        How many columns of numbers, the first ones, have no missing cell.
    p
        The power of the distance.
    apart
        How far two symbols that differ are apart, at most 1.
    """

    name: Integers
    number: Floats
    symbol: Codes
    tile: npt.NDArray[np.float32]
    byte: npt.NDArray[np.uint8]
    side: Integers
    box: npt.NDArray[np.float32]
    whole: int
    p: float
    apart: float


def find(  # noqa: PLR0917 - as the kernel has them
    packed: Packed,
    number: Floats,
    symbol: Codes,
    quick: npt.NDArray[np.float32],  # noqa: ARG001 - for the loops in C
    byte: npt.NDArray[np.uint8],  # noqa: ARG001
    left_out: Integers,
    sums_out: Floats,
    rows: Integers,
) -> None:
    """The nearest rows of each query, by sum, then by row; infinity and -1 where none is left."""
    k = sums_out.shape[1]
    sums_out[:], rows[:] = np.inf, -1
    for at in range(len(number)):
        rows_of = packed.number, packed.symbol
        total = np.empty(len(packed.name))
        total[packed.name] = difference_sums(
            *rows_of, number[at], symbol[at], packed.p, apart=packed.apart
        )
        if left_out[at] >= 0:
            total[left_out[at]] = np.inf
        found = np.argsort(total, kind="stable")[:k]
        found = found[total[found] < np.inf]
        sums_out[at, : len(found)], rows[at, : len(found)] = total[found], found
