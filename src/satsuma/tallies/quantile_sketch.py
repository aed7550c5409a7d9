"""Quantile sketch: a column of numbers in little memory, for approximate quantiles."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from satsuma.errors import DomainError
from satsuma.numerics.arrays import Floats, Integers

#: How many cells a sketch may have. While there are no more distinct numbers, it is exact.
CELLS = 1024


@dataclass(frozen=True, eq=False)
class QuantileSketch:
    """The weight, least and greatest of the numbers in each cell, in order.

    A cell holds the numbers whose bits agree but for the last `dropped`, and as few bits are
    dropped as leave no more than `CELLS` cells. So a sketch depends on what was counted and on
    nothing else: not on the order, nor on how the numbers were cut into batches. Within a cell,
    numbers are taken as spread evenly between the least and the greatest.

    Examples
    --------
    >>> import numpy as np
    >>> from satsuma.extend import QuantileSketch
    >>> sketch = QuantileSketch.of(np.arange(1.0, 101)) + QuantileSketch.of(np.arange(101.0, 201))
    >>> sketch.quantile(0.5), sketch.cdf(50), sketch.weight
    (100.0, 0.25, 200.0)
    """

    dropped: int
    count: Floats
    lo: Floats
    hi: Floats

    @classmethod
    def zero(cls) -> "QuantileSketch":
        """The sketch of no numbers."""
        nothing = np.zeros(0)
        return cls(0, nothing, nothing, nothing)

    @classmethod
    def of(cls, values: Floats, weights: Floats | None = None) -> "QuantileSketch":
        """The sketch of some numbers; NaN is missing, a weight of 0 leaves a number out."""
        known = ~np.isnan(values) if weights is None else ~np.isnan(values) & (weights > 0)
        x = values[known] + 0.0  # no -0.0, whose bits are far from those of 0.0
        if weights is None:
            x.sort()
            count = np.ones(len(x))
        else:
            order = np.argsort(x, kind="stable")
            x, count = x[order], weights[known][order]
        return _in_cells(x, x, count, 0)

    def __add__(self, other: "QuantileSketch") -> "QuantileSketch":
        """The sketch of the numbers of both."""
        if not len(self.count) or not len(other.count):
            return self if len(self.count) else other
        lo = np.concatenate((self.lo, other.lo))
        order = np.argsort(lo, kind="stable")
        hi = np.concatenate((self.hi, other.hi))[order]
        count = np.concatenate((self.count, other.count))[order]
        return _in_cells(lo[order], hi, count, max(self.dropped, other.dropped))

    @property
    def weight(self) -> float:
        """How much was counted."""
        return float(self.count.sum())

    def quantile(self, q: Any) -> Any:
        """The least number that a share `q` of the weight does not exceed; NaN for no numbers.

        Parameters
        ----------
        q
            A share from 0 to 1, or an array of them.
        """
        share = np.asarray(q, np.float64)
        if not ((share >= 0) & (share <= 1)).all():
            raise DomainError(f"A quantile is asked for by a share from 0 to 1. Got {q!r} instead.")
        if not len(self.count):
            return _as_given(np.full(share.shape, np.nan))
        upto: Floats = np.cumsum(self.count)
        wanted = share * upto[-1]
        at = cast("npt.NDArray[np.intp]", np.searchsorted(upto[:-1], wanted * (1 - 1e-15)))
        inside = np.clip((wanted - (upto[at] - self.count[at])) / self.count[at], 0, 1)
        return _as_given(self.lo[at] * (1 - inside) + self.hi[at] * inside)

    def cdf(self, x: Any) -> Any:
        """The share of the weight that lies at or below `x`; NaN for no numbers.

        Parameters
        ----------
        x
            A number, or an array of them.
        """
        value = np.asarray(x, np.float64)
        if not len(self.count):
            return _as_given(np.full(value.shape, np.nan))
        upto = np.concatenate(([0.0], np.cumsum(self.count)))
        at = np.searchsorted(self.lo, value, side="right") - 1
        cell = np.maximum(at, 0)
        width = self.hi[cell] - self.lo[cell]
        inside = np.where(width > 0, (value - self.lo[cell]) / np.where(width > 0, width, 1), 1)
        below = upto[cell] + self.count[cell] * np.clip(inside, 0, 1)
        return _as_given(np.where(at < 0, 0, np.minimum(below / upto[-1], 1)))


def _as_given(array: Floats) -> Any:
    return float(array) if array.ndim == 0 else array


def _ordered(x: Floats) -> Integers:
    """The bits of floats as whole numbers that have the same order."""
    bits = np.ascontiguousarray(x).view(np.int64)
    return np.where(bits < 0, bits ^ np.int64(2**63 - 1), bits)


def _length(bits: npt.NDArray[np.uint64]) -> npt.NDArray[Any]:
    """How many bits whole numbers below 2**32 take."""
    return np.frexp(bits.astype(np.float64))[1]


def _in_cells(lo: Floats, hi: Floats, count: Floats, dropped: int) -> QuantileSketch:
    """Cells from pieces of cells, which are in order; more bits are dropped if need be."""
    if not len(lo):
        return QuantileSketch.zero()
    keys = _ordered(lo)
    differ = (keys[1:] ^ keys[:-1]).view(np.uint64)
    # How many of the last bits must be dropped to make neighbours one.
    top, bottom = (differ >> np.uint64(32)), differ & np.uint64(2**32 - 1)
    apart = np.where(top > 0, _length(top) + 32, _length(bottom))
    if (apart > dropped).sum() >= CELLS:
        dropped = int(np.partition(apart, len(apart) - CELLS)[len(apart) - CELLS])
    start = np.concatenate(([0], np.flatnonzero(apart > dropped) + 1))
    return QuantileSketch(
        dropped, np.add.reduceat(count, start), lo[start], np.maximum.reduceat(hi, start)
    )
