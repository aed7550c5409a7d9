"""TargetWhereMissing: what the target is in the rows where a column is missing, for each column."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Bools
from satsuma.tallies.features import attributes_of
from satsuma.tallies.moments import Moments
from satsuma.tallies.target_tallies import TargetTally


class TargetWhereMissing(TargetTally[Moments]):
    """For each attribute, the rows in which it is missing: their classes, or their numbers.

    In `held` each attribute is a column that is known where the attribute is missing. Of classes
    its weight is what counts; of numbers it is the target, which is the last column.

    Examples
    --------
    >>> rows = [(1, "no"), (None, "yes"), (None, "yes"), (None, "no")]
    >>> TargetWhereMissing.of(Table.of(rows, ["heat", "play"])).held.weight.tolist()
    [[1.0], [2.0]]
    >>> rows = [(1, 5), (None, 7), (None, 8)]
    >>> TargetWhereMissing.of(Table.of(rows, ["heat", "visitors"])).held.num("heat")
    Num(n=2, mu=7.5, sd=0.707, lo=7, hi=8)
    """

    kind: ClassVar[Any] = Moments

    def __init__(self, domain: Domain, held: Moments) -> None:
        # Columns that are known in all rows were not looked at.
        super().__init__(domain, held.within(self._recast(domain)))

    @classmethod
    def kept(cls, domain: Domain) -> list[str]:
        """The attributes, the weights and, at the end, the target."""
        others = [v.name for role in ("weight", "target") for v in domain if v.role == role]
        return [*(v.name for v in attributes_of(domain)), *others]

    def share(self, name: str) -> float:
        """The share of rows in which a column is missing."""
        missing, total = self.held.num(name).n, float(self.held.class_weight.sum())
        return missing / total if total > 0 else 0.0

    @classmethod
    def _recast(cls, domain: Domain) -> Domain:
        each = [domain[name] for name in cls.kept(domain)]
        own = [v.role == "weight" or (v.role == "target" and v.kind == "sym") for v in each]
        pairs = zip(each, own, strict=True)
        return Domain(v if as_it_is else Variable(v.name) for v, as_it_is in pairs)

    @classmethod
    def _looked_at(cls, batch: Table) -> Table:
        target, domain = batch.domain.target, cls._recast(batch.domain)
        assert target is not None, "only asked for where there is a target"
        told = batch.column(target.name) if target.kind == "num" else np.zeros(len(batch))
        attributes = {v.name for v in attributes_of(batch.domain)}
        columns = {name: np.where(at, told, np.nan) for name, at in _missing(batch)}
        kept = [v for v in domain if v.name in columns or v.name not in attributes]
        cells = [columns[v.name] if v.name in columns else batch.column(v.name) for v in kept]
        return Table(Domain(kept), cells, check=False)


def _missing(batch: Table) -> Iterator[tuple[str, Bools]]:
    """Columns that have missing cells, and where."""
    for variable in attributes_of(batch.domain):
        least = batch.column(variable.name).min(initial=0)
        if np.isnan(least) or (variable.kind == "sym" and least < 0):
            yield variable.name, batch.missing(variable.name)
