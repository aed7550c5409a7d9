"""Space: rows as k-means sees them, numbers scaled and symbols as codes; how far they extend."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from satsuma.data.columns import refuse_infinite
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import DomainError
from satsuma.kernels import tally
from satsuma.kernels.kmeans import TIE
from satsuma.kernels.tally import GroupMoments, merge_moments
from satsuma.kernels.threads import FEW_CELLS, map_tiles
from satsuma.measures.distance import LEAST
from satsuma.numerics.arrays import Array, Codes, Floats
from satsuma.tallies.by_class import columns_of, numbers_of, symbols_of, weights_of

#: Numbers beyond this have squares that floats cannot hold.
GREATEST = 1e150

#: Rows that are scaled at a time.
_TILE = 2048


class Cells(NamedTuple):
    """Rows: numbers as the distance sees them, NaN for missing, and codes, -1 for missing."""

    number: Floats
    symbol: Codes

    def of(self, which: slice | Array) -> "Cells":
        """Some of the rows."""
        return Cells(self.number[which], self.symbol[which])


@dataclass(frozen=True)
class Extent:
    """How far columns extend, and where their middle is: a tally, which adds up.

    Parameters
    ----------
    moments
        Of the columns of numbers, in one group.
    counts
        The weight of each value, by column of symbols.
    """

    moments: GroupMoments
    counts: tuple[Floats, ...]

    @classmethod
    def of(cls, batch: Table) -> "Extent":
        """The extent of a batch; infinite numbers are refused, and those that cannot be squared."""
        numbers, weights = columns_of(batch, "num"), weights_of(batch)
        one = np.zeros(len(batch), np.int32)
        moments = tally.moments(numbers, one, 1, weights)
        levels = [len(v.values) for v in symbols_of(batch.domain)]
        _, counts = tally.counts(columns_of(batch, "sym"), levels, one, 1, weights)
        refuse_beyond(batch.domain, moments.lo[0], moments.hi[0], numbers)
        return cls(moments, tuple(each[0] for each in counts))

    def __add__(self, other: "Extent") -> "Extent":
        counts = zip(self.counts, other.counts, strict=True)
        moments = merge_moments([self.moments, other.moments])
        return Extent(moments, tuple(a + b for a, b in counts))

    @property
    def weight(self) -> float:
        """What all rows weigh."""
        return float(self.moments.total[0])

    @property
    def middle(self) -> tuple[Floats, Codes]:
        """Means, 0 where nothing is known, and modes."""
        modes = [int(most_frequent(each)) for each in self.counts]
        return self.moments.mean[0], np.array(modes, np.int32)


def refuse_beyond(domain: Domain, lo: Floats, hi: Floats, numbers: Sequence[Array]) -> None:
    """Raise if a number is infinite, or too large to be squared, and name its column."""
    size = np.where(lo <= hi, np.maximum(-lo, hi), 0.0)
    for at in np.flatnonzero(size > GREATEST).tolist():
        name = numbers_of(domain)[at].name
        refuse_infinite(name, numbers[at])
        raise DomainError(
            f"Column {name!r} holds numbers beyond {GREATEST:g}, whose squares are too large. "
            f"Divide it by something."
        )


def most_frequent(counts: Floats) -> Array:
    """The first of the values that are most frequent, along the last dimension.

    Examples
    --------
    >>> most_frequent(np.array([[1.0, 3.0, 3.0], [0.0, 0.0, 0.0]]))
    array([1, 0])
    """
    if not counts.shape[-1]:
        return np.full(counts.shape[:-1], -1)
    return np.argmax(counts >= counts.max(axis=-1, keepdims=True) * (1 - TIE), axis=-1)


@dataclass(frozen=True)
class Space:
    """How rows become cells between which squared differences add up to a distance.

    Parameters
    ----------
    domain
        The columns.
    lo, hi
        The range of each column of numbers; inf and -inf where nothing is known.
    scale
        ``range`` to bring numbers to 0..1; None to leave them as they are.

    Examples
    --------
    >>> table = Table.of([(5, "a"), (15, "b")], ["n", "s"], target=None)
    >>> space = Space(table.domain, np.array([5.0]), np.array([15.0]), "range")
    >>> space.cells(table).number.round(3).tolist()
    [[0.0], [1.0]]
    """

    domain: Domain
    lo: Floats
    hi: Floats
    scale: str | None

    @cached_property
    def shift(self) -> Floats:
        """What is subtracted from numbers: squares lose fewer digits near zero."""
        known = self.lo <= self.hi
        lo, hi = np.where(known, self.lo, 0.0), np.where(known, self.hi, 0.0)
        return lo if self.scale else lo / 2 + hi / 2

    @cached_property
    def width(self) -> Floats:
        """What numbers are divided by."""
        known = (self.lo <= self.hi) & (self.scale is not None)
        return np.where(known, np.where(known, self.hi, 0) - np.where(known, self.lo, 0) + LEAST, 1)

    @cached_property
    def offset(self) -> Array:
        """Where the values of each column of symbols begin among all, and the number of all."""
        levels = [len(v.values) for v in symbols_of(self.domain)]
        return np.cumsum([0, *levels], dtype=np.int64)

    @cached_property
    def across(self) -> float:
        """The farthest that two rows can be apart."""
        known = self.lo <= self.hi
        wide = (np.where(known, self.hi, 0) - np.where(known, self.lo, 0)) / self.width
        return float(np.sqrt((wide * wide).sum() + len(self.offset) - 1))

    def cells(self, table: Table) -> Cells:
        """The rows of a table that has these columns; numbers beyond a range are brought to it."""
        n, numbers = len(table), columns_of(table, "num")
        symbols, rows = columns_of(table, "sym"), one_matrix(numbers)
        number, symbol = np.empty((n, len(numbers))), np.empty((n, len(symbols)), np.int32)

        def part(lo: int, hi: int) -> None:
            if rows is not None:
                np.subtract(rows[lo:hi], self.shift, out=number[lo:hi])
            for at, column in enumerate(numbers if rows is None else ()):
                np.subtract(column[lo:hi], self.shift[at], out=number[lo:hi, at])
            for at, column in enumerate(symbols):
                symbol[lo:hi, at] = column[lo:hi]
            if self.scale:
                number[lo:hi] /= self.width
                np.clip(number[lo:hi], 0.0, 1.0, out=number[lo:hi])

        threads = 1 if number.size + symbol.size < FEW_CELLS else None
        map_tiles(part, n, _TILE, threads)
        return Cells(number, symbol)

    def scaled(self, at: Floats) -> Floats:
        """Centres as the distance sees them."""
        return (at - self.shift) / self.width

    def plain(self, at: Floats) -> Floats:
        """Centres in the units of the table."""
        return at * self.width + self.shift


def one_matrix(columns: Sequence[Array]) -> Floats | None:
    """Columns of one array, as that array; None where they are no such thing.

    Examples
    --------
    >>> array = np.arange(6.0).reshape(3, 2)
    >>> one_matrix([array[:, 0], array[:, 1]]).tolist()
    [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]
    >>> one_matrix([array[:, 1], array[:, 0]])
    """
    base = columns[0].base if columns else None
    if base is None or any(c.base is not base or c.dtype != np.float64 for c in columns):
        return None
    first, rows = columns[0], len(columns[0])
    begin, stride = first.ctypes.data, first.strides[0]
    if any(c.strides[0] != stride for c in columns) or stride < 8 * len(columns):
        return None
    if any(c.ctypes.data != begin + 8 * at for at, c in enumerate(columns)):
        return None
    return np.lib.stride_tricks.as_strided(first, (rows, len(columns)), (stride, 8))
