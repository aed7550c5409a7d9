"""The rows nearest to each query: compiled where it can be, else by the twin."""

from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.kernels import use_native
from satsuma.kernels.nearest.parts import TILE, parted
from satsuma.kernels.nearest.twin import Packed
from satsuma.kernels.threads import FEW_CELLS, map_tiles
from satsuma.numerics.arrays import Array, Codes, Floats, Integers

if compiled := use_native("nearest"):
    from satsuma.kernels.nearest._native import find
else:
    from satsuma.kernels.nearest.twin import find

#: Queries that look at a tile while it is near, and that a thread takes at a time: no more than an
#: eighth of all, so that a few are dealt out, too.
_QUERIES, _SHARE = 128, 8

_NONE, _MISSING, _ASKED_MISSING, _BYTES = -4.0, 255, 254, 254


class Nearest:
    """Rows of numbers from 0 to 1 and of codes, among which the nearest to others are found.

    The distance is the sum over columns of the difference to the power of p: numbers differ by
    what lies between them, symbols by 0 or `apart`. Where one number is missing, it may be as far
    away as can be; where both are, the difference is 1; a missing symbol differs from all.

    Parameters
    ----------
    number
        (rows, columns), NaN for missing.
    symbol
        (rows, columns), -1 for missing.
    p
        Above 0.
    apart
        How far two symbols that differ are apart, at most 1.

    Examples
    --------
    >>> rows = Nearest(np.array([[0.1], [0.9], [0.5]]), np.zeros((3, 0), np.int32))
    >>> sums, found = rows.find(np.array([[0.6]]), np.zeros((1, 0), np.int32), 2)
    >>> found
    array([[2, 1]])
    """

    def __init__(self, number: Floats, symbol: Codes, p: float = 2.0, apart: float = 1.0) -> None:
        holes = np.isnan(number).any(axis=0)
        # Columns in which nothing is missing come first: the loops over them are shorter.
        self._order = np.argsort(holes, kind="stable")
        number = np.ascontiguousarray(number[:, self._order])
        symbol = np.ascontiguousarray(symbol, np.int32)
        parts = parted(number)
        number, symbol = number[parts.name], symbol[parts.name]
        self.packed = Packed(
            parts.name, number, symbol, _tiles(_quick(number)), _tiles(_bytes(symbol, _MISSING)),
            parts.side, parts.box,
            int((~holes).sum()), float(p), float(apart),
        )  # fmt: skip

    def find(
        self, number: Floats, symbol: Codes, k: int, left_out: Integers | None = None
    ) -> tuple[Floats, Integers]:
        """The sums and the numbers of the k nearest rows of each query, nearest first.

        Ties go by row. Where there are fewer than k rows, the rest is infinity and -1.

        Parameters
        ----------
        number, symbol
            The queries, with the columns of the rows.
        k
            How many.
        left_out
            For each query a row that is not to be found, such as itself; -1 for none.
        """
        n = len(number)
        number = np.ascontiguousarray(number[:, self._order])
        symbol = np.ascontiguousarray(symbol, np.int32)
        quick, byte = _quick(number), _bytes(symbol, _ASKED_MISSING)
        left = np.full(n, -1, np.int64) if left_out is None else left_out
        sums, rows = np.empty((n, k)), np.empty((n, k), np.int64)

        def part(lo: int, hi: int) -> None:
            given: Any = (each[lo:hi] for each in (number, symbol, quick, byte, left, sums, rows))
            find(self.packed, *given)

        cells = n * len(self.packed.number) * (number.shape[1] + symbol.shape[1])
        map_tiles(part, n, min(_QUERIES, n // _SHARE + 1), 1 if cells < FEW_CELLS else None)
        return sums, rows


def _quick(number: Floats) -> npt.NDArray[np.float32]:
    return np.where(np.isnan(number), _NONE, number).astype(np.float32)


def _bytes(symbol: Codes, missing: int) -> npt.NDArray[np.uint8]:
    return np.where(symbol < 0, missing, symbol % _BYTES).astype(np.uint8)


def _tiles(rows: Array) -> Array:
    """Rows in tiles, each column by column; the last tile is filled up."""
    n, width = rows.shape
    count = -(-n // TILE)
    padded = np.zeros((count * TILE, width), rows.dtype)
    padded[:n] = rows
    return np.ascontiguousarray(padded.reshape(count, TILE, width).transpose(0, 2, 1))
