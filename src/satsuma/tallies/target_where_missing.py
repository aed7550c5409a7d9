"""TargetWhereMissing: what the target is in the rows where a column is missing, for each column."""

from typing import Any, ClassVar

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array, Floats
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
        target, attributes = batch.domain.target, attributes_of(batch.domain)
        assert target is not None, "only asked for where there is a target"
        told = batch.column(target.name) if target.kind == "num" else np.zeros(len(batch))
        nothing = np.full(len(batch), np.nan)
        columns: list[Array] = [_where(batch.missing(v.name), told, nothing) for v in attributes]
        columns += [batch.column(name) for name in cls.kept(batch.domain)[len(attributes) :]]
        return Table(cls._recast(batch.domain), columns, check=False)


def _where(missing: Array, told: Floats, nothing: Floats) -> Floats:
    return np.where(missing, told, np.nan) if missing.any() else nothing
