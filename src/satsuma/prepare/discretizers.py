"""Discretizers: ways of cutting numbers into intervals, by width, by frequency, by MDL."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.engines import Source, reduce
from satsuma.errors import DomainError, check_number
from satsuma.measures.cut_points import halfway, mdl_cuts
from satsuma.numerics.arrays import Floats, Indices
from satsuma.prepare.intervals import Intervals
from satsuma.tallies.by_class import numbers_of
from satsuma.tallies.moments import Moments
from satsuma.tallies.quantiles import Quantiles
from satsuma.tallies.values import Values


class Discretizer(ABC):
    """A way of discretization, of cutting numbers: parameters, which are called with data.

    Cuts are learned from a tally, and so from tables, files and clusters alike.
    """

    #: What is to be known of the rows.
    tally_kind: ClassVar[Any]

    #: Whether the cuts depend on classes.
    by_class: ClassVar[bool] = False

    def check(self) -> None:  # noqa: B027 - some have no parameters
        """Raise a `ParameterError` if a parameter has a value that it cannot have."""

    @abstractmethod
    def cuts(self, tally: Any, name: str) -> Floats:
        """The cuts of a column, increasing, none of them outside of its numbers."""

    def tally(self, batch: Table) -> Any:
        """What is to be known of a batch of rows; those without a target are left out."""
        target = batch.domain.target
        if target is not None and target.kind == "num":  # classes see to it themselves
            batch = batch[np.flatnonzero(~batch.missing(target.name))]
        return self.tally_kind.of(batch)

    def intervals(self, tally: Any) -> Intervals:
        """The cuts of all numeric attributes."""
        names = [v.name for v in numbers_of(tally.domain)]
        return Intervals({name: self.cuts(tally, name) for name in names})

    def check_domain(self, domain: Domain) -> None:
        """Raise if there are no classes to cut by."""
        target = domain.target
        if self.by_class and (target is None or target.kind != "sym"):
            raise DomainError(
                f"{type(self).__name__} cuts numbers by their classes, and there is no target of "
                f"symbols. Name one, or use EqualFrequency."
            )

    def __call__(self, data: Table | Source) -> Intervals:
        """Learn the cuts of all numeric attributes of a table or a source."""
        self.check()
        self.check_domain(data.domain)
        return self.intervals(reduce(data, self.tally))


@dataclass(frozen=True)
class EqualWidth(Discretizer):
    """Intervals of the same width from the least number to the greatest.

    Parameters
    ----------
    n
        How many. A column that never varies is one interval.

    Examples
    --------
    >>> from satsuma import EqualWidth, Table
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
class EqualFrequency(Discretizer):
    """Intervals that hold about as many rows each; equal numbers are never parted.

    Exact where a column has up to 1024 distinct numbers, else by a sketch of its quantiles.

    Parameters
    ----------
    n
        How many; fewer where numbers are equal.

    Examples
    --------
    >>> from satsuma import EqualFrequency, Table
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
        at = _equal_parts(sketch.count, self.n)
        return halfway(sketch.hi[at], sketch.lo[at + 1])


def _equal_parts(weight: Floats, n: int) -> Indices:
    """Behind which places to cut, so that about as much weight lies in each of n parts."""
    upto = np.cumsum(weight)
    wanted = np.arange(1, n) / n * upto[-1]
    return np.unique(np.abs(upto[:-1, None] - wanted).argmin(axis=0))


@dataclass(frozen=True)
class MDL(Discretizer):
    """Cuts that make classes plainer by more than it takes to describe them (Fayyad, Irani 1993).

    A column that is not worth a cut is one interval. Every distinct number is kept until the cuts
    are found: for a source larger than memory, round its columns or use `ChiMerge`.

    Parameters
    ----------
    n
        Into how many intervals a column is cut at least, or about: one that holds more than its
        share of the rows is cut further, into parts of equal frequency. What is of no use on its
        own may be of use with another column.

    Examples
    --------
    >>> from satsuma import MDL, load
    >>> MDL()(load("iris"))
    Sepal.Length  <= 5.55 | (5.55, 6.15] | > 6.15
    Sepal.Width   <= 2.95 | (2.95, 3.35] | > 3.35
    Petal.Length  <= 2.45 | (2.45, 4.75] | > 4.75
    Petal.Width   <= 0.8 | (0.8, 1.75] | > 1.75
    """

    n: int = 1
    tally_kind: ClassVar[Any] = Values
    by_class: ClassVar[bool] = True

    def check(self) -> None:
        """One interval or more."""
        check_number(self, "n", low=1, whole=True)

    def cuts(self, tally: Values, name: str) -> Floats:
        """Where the gain exceeds the description, and further ones in large intervals."""
        value, weight = tally[name].merged()
        found = mdl_cuts(value, weight)
        return found if self.n == 1 else self._refined(found, value, weight.sum(axis=1))

    def _refined(self, cuts: Floats, value: Floats, weight: Floats) -> Floats:
        edges = [0, *np.searchsorted(value, cuts, side="right").tolist(), len(value)]
        found, share = [cuts], self.n / max(weight.sum(), 1e-300)
        for low, high in pairwise(edges):
            parts = round(float(weight[low:high].sum()) * share)
            if high - low > 1 and parts > 1:
                at = low + _equal_parts(weight[low:high], parts)
                found.append(halfway(value[at], value[at + 1]))
        return np.unique(np.concatenate(found))
