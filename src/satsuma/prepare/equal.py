"""EqualWidth and EqualFrequency: cuts that do not look at classes."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from satsuma.data.columns import Floats
from satsuma.errors.parameters import check_number
from satsuma.measures.mdl import halfway
from satsuma.prepare.cutting import Cutting
from satsuma.tallies.moments import Moments
from satsuma.tallies.quantiles import Quantiles


@dataclass(frozen=True)
class EqualWidth(Cutting):
    """Intervals of the same width from the least number to the greatest.

    Parameters
    ----------
    n
        How many. A column that never varies is one interval.

    Examples
    --------
    >>> from satsuma import Table
    >>> EqualWidth(4)(Table.of([(0,), (8,)], ["size"], target=None))
    size  <= 2 | (2, 4] | (4, 6] | > 6
    """

    n: int = 10
    tally_kind: ClassVar[Any] = Moments

    def check(self) -> None:
        """One interval or more."""
        check_number(self, "n", low=1, whole=True)

    def cuts(self, tally: Moments, name: str) -> Floats:
        """Equal steps."""
        at = tally.names.index(name)
        low, high = float(tally.lo[:, at].min()), float(tally.hi[:, at].max())
        if not low < high:
            return np.zeros(0)
        share = np.arange(1, self.n) / self.n
        found = low * (1 - share) + high * share
        return np.unique(found[(found >= low) & (found < high)])


@dataclass(frozen=True)
class EqualFrequency(Cutting):
    """Intervals that hold about as many rows each; equal numbers are never parted.

    Exact where a column has up to 1024 distinct numbers, else by a sketch of its quantiles.

    Parameters
    ----------
    n
        How many; fewer where numbers are equal.

    Examples
    --------
    >>> from satsuma import Table
    >>> EqualFrequency(2)(Table.of([(1,), (2,), (2,), (9,)], ["size"], target=None))
    size  <= 1.5 | > 1.5
    """

    n: int = 4
    tally_kind: ClassVar[Any] = Quantiles

    def check(self) -> None:
        """One interval or more."""
        check_number(self, "n", low=1, whole=True)

    def cuts(self, tally: Quantiles, name: str) -> Floats:
        """Between the numbers where the weight so far is nearest to what it should be."""
        sketch = tally.sketch(name)
        share = np.arange(1, self.n) / self.n
        if len(sketch.count) < 2 or not len(share):
            return np.zeros(0)
        if sketch.dropped:  # more distinct numbers than the sketch can tell apart
            return np.unique(sketch.quantile(share))
        upto = np.cumsum(sketch.count)
        wanted = share * upto[-1]
        nearest = np.abs(upto[:-1, None] - wanted).argmin(axis=0)
        at = np.unique(nearest)
        return halfway(sketch.hi[at], sketch.lo[at + 1])
