"""RowSample: some of the rows themselves, chosen by what is in them, as a tally that adds up."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from satsuma.data.columns import remap
from satsuma.data.domain import Domain
from satsuma.data.fields import Field, FloatArray, IntArray
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ReadError
from satsuma.numerics.arrays import DTYPES, Array, Bools, Floats, Hashes, frozen
from satsuma.tallies.base import (
    Folds,
    State,
    Tally,
    checked_folds,
    domain_from_state,
    domain_state,
    unify,
)
from satsuma.tallies.by_class import near, weights_of
from satsuma.tallies.content_hashes import hashes_of

#: Distinct rows that are kept, at most.
LIMIT = 1000


class RowSample(Tally):
    """Distinct rows of a known class and what each weighs, up to a thousand of them.

    Of more, those are kept whose hashes are least (a bottom-k sample; Cohen and Kaplan 2007). What
    is kept depends on what is in the rows, and neither on their order nor on who tallies which; it
    is as good as chosen at random. A row that is kept weighs as much as all rows that are like it.

    Parameters
    ----------
    domain
        The columns that were tallied.
    hashes
        A number for each row that depends on its cells, in rising order.
    weight
        What rows with these cells weigh.
    columns
        The cells of attributes and target, in the order of the domain.

    Examples
    --------
    >>> days = Table.of([("hot", "no"), ("mild", "yes"), ("hot", "no")], ["temp", "play"])
    >>> sample = RowSample.of(days)
    >>> sorted(zip(sample.rows["temp"], sample.weight.tolist()))
    [('hot', 2.0), ('mild', 1.0)]
    """

    def __init__(
        self, domain: Domain, hashes: Hashes, weight: Floats, columns: Sequence[Array]
    ) -> None:
        self.domain = domain
        self.hashes, self.weight = frozen(hashes), frozen(weight)
        self.columns = tuple(map(frozen, columns))

    @classmethod
    def schema_in(cls, domain: Domain) -> Schema:
        """The rows, and what each weighs."""
        cells: dict[str, Field] = {
            f"column_{at}": FloatArray("rows", missing=True)
            if variable.kind == "num"
            else IntArray("rows", low=-1, below=len(variable.values))
            for at, variable in enumerate(_kept(domain))
        }
        hashes = IntArray("rows", dtypes=(np.uint64,))
        return Schema("rows", hashes=hashes, weight=FloatArray("rows", low=0), **cells)

    @property
    def complete(self) -> bool:
        """Whether all rows are kept."""
        return len(self.hashes) < LIMIT

    @property
    def rows(self) -> Table:
        """The rows, each once."""
        return Table(Domain(_kept(self.domain)), self.columns, check=False)

    def weighing(self, weight: Floats) -> Table:
        """The rows with weights; without those that weigh nothing."""
        kept, some = _kept(self.domain), np.flatnonzero(weight > 0)
        name = "weight"
        while name in self.domain:
            name += "_"
        domain = Domain([*kept, Variable(name, role="weight")])
        columns = [each[some] for each in (*self.columns, weight)]
        return Table(domain, columns, check=False)

    @classmethod
    def zero(cls, domain: Domain) -> Self:
        """The tally of no rows."""
        none = [np.zeros(0, DTYPES[v.kind]) for v in _kept(domain)]
        return cls(domain, np.zeros(0, np.uint64), np.zeros(0), none)

    @classmethod
    def of(cls, batch: Table) -> Self:
        """The tally of a batch of rows."""
        return cls._split(batch, _counting(batch), np.zeros(len(batch), np.int8), 1)[0]

    @classmethod
    def by_fold(cls, batch: Table, folds: Folds, k: int) -> Sequence[Self]:
        """The tallies of the rows of fold 0, 1, … k - 1; each row is hashed once."""
        folds = checked_folds(folds, len(batch), k)
        return cls._split(batch, _counting(batch) & (folds >= 0), folds, k)

    @classmethod
    def _split(cls, batch: Table, counts: Bools, folds: Array, k: int) -> list[Self]:
        kept, weights = _kept(batch.domain), weights_of(batch)
        hashes = hashes_of(batch, _in_order(kept))
        # Of many rows, few can be among the least of their fold.
        share = 4 * LIMIT * k / max(len(batch), 1)
        few = hashes < np.uint64(share * 2.0**64) if share < 1 else np.ones(len(batch), bool)
        while True:
            low = np.flatnonzero(few & counts)
            found = [
                cls._least(batch, kept, hashes, weights, low[folds[low] == at]) for at in range(k)
            ]
            if few.all() or all(len(each.hashes) == LIMIT for each in found):
                return found
            few = np.ones(len(batch), bool)

    @classmethod
    def _least(
        cls,
        batch: Table,
        kept: Sequence[Variable],
        hashes: Hashes,
        weights: Floats | None,
        at: Array,
    ) -> Self:
        distinct, first, which = np.unique(hashes[at], return_index=True, return_inverse=True)
        weight = np.bincount(which, None if weights is None else weights[at], len(distinct))
        rows = at[first[:LIMIT]]
        cells = [batch.column(v.name)[rows] for v in kept]
        return cls(batch.domain, distinct[:LIMIT], weight[:LIMIT].astype(np.float64), cells)

    def __add__(self, other: Any) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        domain = unify(self.domain, other.domain)
        if len(self.hashes) == LIMIT and not (other.hashes <= self.hashes[-1]).any():
            return self if domain is self.domain else self._within(domain)
        a, b = self._within(domain), other._within(domain)
        hashes = np.concatenate([a.hashes, b.hashes])
        distinct, first, which = np.unique(hashes, return_index=True, return_inverse=True)
        both: Floats = np.concatenate([a.weight, b.weight])
        weight = np.bincount(which, both, len(distinct)).astype(np.float64)
        at = first[:LIMIT]
        columns = [np.concatenate(pair)[at] for pair in zip(a.columns, b.columns, strict=True)]
        return type(self)(domain, distinct[:LIMIT], weight[:LIMIT], columns)

    def __sub__(self, other: Any) -> Self:
        """Without some rows; where more were tallied than are kept, fewer are left than could be.

        What was not kept cannot be missed: tallies beside this one know whether it was there.
        """
        if type(other) is not type(self):
            return NotImplemented
        less = dict(zip(other.hashes.tolist(), other.weight.tolist(), strict=True))
        weight = self.weight - [less.get(each, 0.0) for each in self.hashes.tolist()]
        some = np.flatnonzero(weight > 1e-12 * self.weight)
        columns = [each[some] for each in self.columns]
        return type(self)(self.domain, self.hashes[some], weight[some], columns)

    def _within(self, domain: Domain) -> Self:
        """The same rows, their symbols as codes of a domain that has all of their values."""
        if domain is self.domain:
            return self
        pairs = zip(_kept(self.domain), self.columns, strict=True)
        cells = {
            v.name: each if v.kind == "num" else remap(each, v.values, domain[v.name].code)
            for v, each in pairs
        }
        return type(self)(domain, self.hashes, self.weight, [cells[v.name] for v in _kept(domain)])

    def state(self) -> State:
        """All there is to it, as arrays and what JSON can hold."""
        cells = {f"column_{at}": each for at, each in enumerate(self.columns)}
        return {
            "domain": domain_state(self.domain),
            "hashes": self.hashes,
            "weight": self.weight,
            **cells,
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """The tally whose `state` that is."""
        arrays = {name: np.asarray(each) for name, each in state.items() if name != "domain"}
        domain = domain_from_state(state["domain"])
        cls.schema_in(domain).check(arrays, {}, cls.__name__)
        hashes = arrays["hashes"]
        if len(hashes) > LIMIT or (hashes[1:] <= hashes[:-1]).any():
            raise ReadError("the rows of RowSample are too many, or not in order")
        columns = [arrays[f"column_{at}"] for at in range(len(_kept(domain)))]
        return cls(domain, hashes, arrays["weight"], columns)

    def close_to(self, other: Any, rel: float = 1e-9) -> bool:
        """Whether the same rows are kept, and weigh the same but for rounding."""
        if type(other) is not type(self):
            return False
        try:
            unify(self.domain, other.domain)
        except DomainError:
            return False
        same = np.array_equal(self.hashes, other.hashes)
        return same and near(self.weight, other.weight, rel)

    def __repr__(self) -> str:
        return f"RowSample({len(self.hashes)} rows)"


def _kept(domain: Domain) -> list[Variable]:
    """Attributes of numbers and symbols, and the target, as they stand."""
    kinds = ("num", "sym")
    return [v for v in domain if v.role in ("x", "target") and v.kind in kinds]


def _in_order(kept: Sequence[Variable]) -> list[Variable]:
    """The target last, wherever it stands, and the rest by name: what hashes must not depend on."""
    return sorted(kept, key=lambda v: (v.role == "target", v.name))


def _counting(batch: Table) -> Bools:
    """Whether each row has a class and weighs anything."""
    target, weights = batch.domain.target, batch.weights
    known = np.ones(len(batch), bool) if target is None else ~batch.missing(target.name)
    return known if weights is None else known & (weights > 0)
