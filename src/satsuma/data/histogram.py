"""Histogram: how many numbers lie in each of some ranges, whose ends are short decimals."""

from dataclasses import dataclass
from decimal import Decimal
from itertools import count, pairwise
from math import ceil, floor

import numpy as np

from satsuma.numerics.arrays import Array, Floats, Times

#: What a range of numbers that are not whole may span, times a power of ten.
_STEPS = tuple(map(Decimal, ("1", "1.2", "1.5", "2", "2.5", "3", "4", "5", "6", "8")))

#: Beyond it, whole numbers are not told from others.
_WHOLE = 2.0**53


@dataclass(frozen=True)
class Histogram:
    """Ranges side by side, and how many numbers lie in each.

    Parameters
    ----------
    edges
        Where the ranges start, and where the last one ends.
    counts
        How many numbers there are from one edge on and below the next.
    whole
        Whether all are whole numbers, so that a range holds its edge and those before the next.
    """

    edges: tuple[Decimal, ...]
    counts: Array
    whole: bool

    @classmethod
    def of(cls, known: Floats, most: int) -> "Histogram":
        """The histogram of finite numbers, not all the same, in so many ranges at most.

        Whole numbers have a range each, or ranges of a whole width. Every count is exact.

        Examples
        --------
        >>> made = Histogram.of(np.array([1.0, 2.0, 2.0, 4.0]), most=8)
        >>> [made.label(at) for at in range(4)], made.counts.tolist()
        (['1', '2', '3', '4'], [1, 2, 0, 1])
        >>> made = Histogram.of(np.array([0.31, 0.4, 0.52]), most=2)
        >>> [made.label(at) for at in range(2)], made.counts.tolist()
        (['0.3 to below 0.45', '0.45 to below 0.6'], [2, 1])
        """
        low, high = float(known.min()), float(known.max())
        whole = _as_whole(known, low, high)
        if whole is not None:
            width = _width(int(high) - int(low) + 1, most)
            edges = tuple(map(Decimal, [*range(int(low), int(high) + 1, width), int(high) + 1]))
            return cls(edges, np.bincount((whole - int(low)) // width), True)
        edges = _edges(low, high, most)
        at = np.searchsorted(np.array([float(edge) for edge in edges]), known, side="right") - 1
        return cls(edges, np.bincount(at, minlength=len(edges) - 1), False)

    @property
    def widths(self) -> Floats:
        """How wide each range is, the first being 1: the last of whole numbers may be short."""
        steps = [b - a for a, b in pairwise(self.edges)]
        return np.array([float(step / steps[0]) for step in steps])

    @property
    def heights(self) -> Floats:
        """How densely numbers lie in each range: its count by its width."""
        return self.counts / self.widths

    def label(self, at: int) -> str:
        """The range, as it is written; its numbers are those that it says and no others."""
        low, high = self.edges[at], self.edges[at + 1]
        if not self.whole:
            return f"{_written(low)} to below {_written(high)}"
        last = high - 1
        return _written(low) if low == last else f"{_written(low)} to {_written(last)}"


def as_ticks(known: Times) -> tuple[np.timedelta64, Floats]:
    """A length of time, and how many of it have passed at some times since 1970.

    It is the longest of a day, an hour, a minute, a second and less of which there are whole
    numbers: so ranges of times begin with one of them.

    Examples
    --------
    >>> as_ticks(np.array(["1970-01-02", "1970-01-03"], "datetime64[ns]"))
    (np.timedelta64(1,'D'), array([1., 2.]))
    """
    values = known.view(np.int64)
    for unit in ("D", "h", "m", "s", "ms", "us"):
        tick = np.timedelta64(1, unit)
        size = int(tick.astype("timedelta64[ns]").astype(np.int64))
        if not (values % size).any():
            return tick, (values // size).astype(np.float64)
    return np.timedelta64(1, "ns"), values.astype(np.float64)


def _as_whole(known: Floats, low: float, high: float) -> Array | None:
    """The numbers as integers, if all are whole."""
    # A look at the first ones spares most columns the look at all.
    if max(-low, high) > _WHOLE or (np.floor(known[:100]) != known[:100]).any():
        return None
    whole = known.astype(np.int64)
    return whole if (whole == known).all() else None


def _width(span: int, most: int) -> int:
    """A whole width of ranges: of those that will do, one that leaves no short range."""
    least = ceil(span / most)
    # Of wide ranges, none is short by more than a trifle.
    widths = range(least, 2 * least if least <= most else least + 1)
    return min(widths, key=lambda each: (-span % each / each, each))


def _edges(low: float, high: float, most: int) -> tuple[Decimal, ...]:
    """Multiples of the least step of short decimals with which so many ranges are enough."""
    first, last = Decimal(repr(low)), Decimal(repr(high))
    power = ((last - first) / most).adjusted()
    for wide in (step.scaleb(tens) for tens in count(power) for step in _STEPS):
        start, end = floor(first / wide), floor(last / wide)
        if end - start < most:
            edges = tuple(wide * at for at in range(start, end + 2))
            # Decimals that are nearer to each other than numbers are set no bounds.
            if high < float(edges[-1]) and float(edges[0]) < float(edges[1]):
                return edges
    raise AssertionError  # some width is enough


def _written(edge: Decimal) -> str:
    if edge and not Decimal("1e-4") <= abs(edge) < Decimal("1e12"):
        text = f"{edge.normalize():e}"
    else:
        text = f"{edge.normalize():,f}"
    return text.replace("-", "\N{MINUS SIGN}")
