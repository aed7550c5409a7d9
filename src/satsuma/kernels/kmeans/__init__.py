"""Rows and the nearest of several centres: compiled where it can be, else by the twin."""

from dataclasses import dataclass

import numpy as np

from satsuma.kernels import use_native
from satsuma.kernels.kmeans.twin import TIE, Flags, Moved, nearest_of
from satsuma.kernels.threads import FEW_CELLS, map_tiles
from satsuma.numerics.arrays import Codes, Floats, Integers

if compiled := use_native("kmeans"):
    from satsuma.kernels.kmeans._native import away, batches, step
else:
    from satsuma.kernels.kmeans.twin import away, batches, step

#: Rows of a tile: sums of tiles are added in order, so that threads change nothing.
TILE = 32_768

__all__ = [
    "TIE",
    "TILE",
    "Assigning",
    "Moved",
    "Sums",
    "batches",
    "compiled",
    "distances",
    "labels",
    "nearest_of",
]


@dataclass(frozen=True)
class Sums:
    """What the rows of each centre come to, or what has changed of it.

    Parameters
    ----------
    weight
        By centre.
    known, total
        By centre and column of numbers: the weight of known cells, and their sum.
    count
        By centre, the values of all columns of symbols one after the other.
    """

    weight: Floats
    known: Floats
    total: Floats
    count: Floats

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(
            self.weight + other.weight,
            self.known + other.known,
            self.total + other.total,
            self.count + other.count,
        )


class Assigning:
    """Rows that are assigned to centres, again and again while these move.

    Parameters
    ----------
    number
        (rows, columns), NaN for missing.
    symbol
        (rows, columns), -1 for missing.
    weight
        What each row weighs; None where all weigh 1.
    offset
        Where the values of each column of symbols begin among all, and the number of all.

    Examples
    --------
    >>> rows = np.array([[0.0], [1.0], [10.0]])
    >>> codes, none = np.zeros((3, 0), np.int32), np.zeros((2, 0), np.int32)
    >>> assigning = Assigning(rows, codes, None, np.zeros(1, np.int64))
    >>> assigning.step(np.array([[0.0], [9.0]]), none).total.tolist()
    [[1.0], [10.0]]
    >>> assigning.label
    array([0, 0, 1], dtype=int32)
    """

    def __init__(
        self, number: Floats, symbol: Codes, weight: Floats | None, offset: Integers
    ) -> None:
        n = len(number)
        self.number, self.symbol, self.weight, self.offset = number, symbol, weight, offset
        self.label = np.zeros(n, np.int32)
        self._up, self._low = np.empty(n), np.empty(n)
        self._threads = _threads(number, symbol)
        holed = map_tiles(lambda lo, hi: _holed(number[lo:hi]), n, TILE, self._threads)
        self._holed: Flags = np.max(np.array(holed), axis=0)

    @property
    def complete(self) -> bool:
        """Whether no cell is missing."""
        return not self._holed.any() and not (self.symbol < 0).any()

    def step(self, at: Floats, mode: Codes, moved: Moved | None = None) -> Sums:
        """Assign all rows, into `label`, and what each centre is given.

        With `moved`, the centres have moved since the last step; then it is what has changed.
        """

        def part(lo: int, hi: int) -> Sums:
            k, width = len(at), int(at.shape[1])
            made = Sums(
                np.zeros(k),
                np.zeros((k, width)),
                np.zeros((k, width)),
                np.zeros((k, int(self.offset[-1]))),
            )
            weight = None if self.weight is None else self.weight[lo:hi]
            step(
                self.number[lo:hi], self.symbol[lo:hi], weight, self._holed, at, mode, moved,
                self.label[lo:hi], self._up[lo:hi], self._low[lo:hi],
                (made.weight, made.known, made.total, made.count, self.offset),
            )  # fmt: skip
            return made

        first, *others = map_tiles(part, len(self.number), TILE, self._threads)
        for other in others:
            first += other
        return first


def labels(number: Floats, symbol: Codes, at: Floats, mode: Codes) -> Codes:
    """The nearest centre of each row; the first of several.

    Examples
    --------
    >>> none = np.zeros((2, 0), np.int32)
    >>> labels(np.array([[3.0], [9.0]]), none, np.array([[8.0], [4.0]]), none)
    array([1, 0], dtype=int32)
    """
    found = np.zeros(len(number), np.int32)

    def part(lo: int, hi: int) -> None:
        rows, up, low = number[lo:hi], np.empty(hi - lo), np.empty(hi - lo)
        step(
            rows, symbol[lo:hi], None, _holed(rows), at, mode, None, found[lo:hi], up, low, None
        )  # fmt: skip

    map_tiles(part, len(number), TILE, _threads(number, symbol))
    return found


def distances(number: Floats, symbol: Codes, at: Floats, mode: Codes, label: Codes) -> Floats:
    """The squared distance of each row from the centre with its label.

    Examples
    --------
    >>> none = np.zeros((1, 0), np.int32)
    >>> distances(np.array([[3.0]]), none, np.array([[1.0]]), none, np.zeros(1, np.int32))
    array([4.])
    """
    out = np.empty(len(number))

    def part(lo: int, hi: int) -> None:
        away(number[lo:hi], symbol[lo:hi], at, mode, label[lo:hi], out[lo:hi])

    map_tiles(part, len(number), TILE, _threads(number, symbol))
    return out


def _holed(number: Floats) -> Flags:
    """In which columns a cell is missing: those that add up to NaN."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.isnan(number.sum(axis=0)).astype(np.uint8)


def _threads(number: Floats, symbol: Codes) -> int | None:
    return 1 if len(number) * (number.shape[1] + symbol.shape[1]) < FEW_CELLS else None
