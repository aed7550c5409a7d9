"""RowSample: some of the rows themselves, chosen by what is in them, as a tally that adds up."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from satsuma.data.columns import remap
from satsuma.data.domain import Domain
from satsuma.data.fields import Field, FloatArray, IntArray
from satsuma.data.matrix import MatrixColumns
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ReadError
from satsuma.numerics.arrays import DTYPES, Array, Floats, Hashes, Integers, frozen
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
from satsuma.tallies.row_keys import GREATEST, RowKeys, counting

#: Distinct rows that are kept, at most.
LIMIT = 1000

#: A row that weighs less, as a share of the one that weighs most, makes no difference.
_TRIFLE = 1e-9

#: Rows of a stream that wait, at most, until they are put in order.
_LATER = 128


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
        cells = columns if isinstance(columns, MatrixColumns) else tuple(map(frozen, columns))
        #: Rows in order, and such as were added one by one since then: a pair, for threads.
        self._held: tuple[_Rows, tuple[_Rows, ...]] = (
            _Rows(frozen(hashes), frozen(weight), cells),
            (),
        )

    @property
    def hashes(self) -> Hashes:
        """A number for each row, in rising order."""
        return self._settled().hashes

    @property
    def weight(self) -> Floats:
        """What rows with the same cells weigh."""
        return self._settled().weight

    @property
    def columns(self) -> Sequence[Array]:
        """The cells of attributes and target, in the order of the domain."""
        return self._settled().columns

    def _settled(self) -> "_Rows":
        """All rows, in order."""
        rows, later = self._held
        if later:
            rows = _least([rows, *later])
            self._held = rows, ()
        return rows

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
        return cls._split(batch, None, 1)[0]

    @classmethod
    def by_fold(cls, batch: Table, folds: Folds, k: int) -> Sequence[Self]:
        """The tallies of the rows of fold 0, 1, … k - 1; each row is hashed once."""
        return cls._split(batch, checked_folds(folds, len(batch), k), k)

    @classmethod
    def _split(cls, batch: Table, folds: Folds | None, k: int) -> list[Self]:
        made, weights = RowKeys.of(batch.domain), weights_of(batch)
        # Of many rows, few can be among the least of their fold.
        share = 4 * LIMIT * k / max(len(batch), 1)
        limit = GREATEST if share >= 1 else int(share * GREATEST)
        while True:
            rows, hashes = made.below(batch, limit)
            some = counting(batch, rows, folds)
            if not some.all():
                rows, hashes = rows[some], hashes[some]
            found = [
                cls._of_rows(batch, made, rows[at], hashes[at], weights)
                for at in _in(rows, folds, k)
            ]
            if limit == GREATEST or all(len(each.hashes) == LIMIT for each in found):
                return found
            limit = GREATEST

    @classmethod
    def _of_rows(
        cls, batch: Table, made: RowKeys, rows: Integers, hashes: Hashes, weights: Floats | None
    ) -> Self:
        weight = np.ones(len(rows)) if weights is None else weights[rows]
        if len(rows) > 1:
            hashes, first, weight = _once(hashes, weight)
            rows = rows[first]
        if isinstance(batch.columns, MatrixColumns) and len(made.kept) == len(batch.columns):
            return cls(batch.domain, hashes, weight, _taken(batch.columns, rows))
        cells = [batch.column(v.name)[rows] for v in made.kept]
        return cls(batch.domain, hashes, weight, cells)

    def __add__(self, other: Any) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        domain, (mine, _) = unify(self.domain, other.domain), self._held
        if len(mine.hashes) == LIMIT and not (other.hashes <= mine.hashes[-1]).any():
            return self if domain is self.domain else self._within(domain)
        (rows, later), more = self._within(domain)._held, other._within(domain)._settled()
        later = (*later, more)
        if len(later) >= _LATER or len(more.hashes) >= _LATER:
            rows, later = _least([rows, *later]), ()
        made = type(self)(domain, *rows)
        made._held = rows, later
        return made

    def __sub__(self, other: Any) -> Self:
        """Without some rows; where more were tallied than are kept, fewer are left than could be.

        What was not kept cannot be missed: tallies beside this one know whether it was there.
        """
        if type(other) is not type(self):
            return NotImplemented
        less = dict(zip(other.hashes.tolist(), other.weight.tolist(), strict=True))
        weight = self.weight - [less.get(each, 0.0) for each in self.hashes.tolist()]
        some = np.flatnonzero(weight > 1e-12 * self.weight)
        return type(self)(self.domain, self.hashes[some], weight[some], _taken(self.columns, some))

    def scaled(self, factor: float) -> Self:
        """The tally of the same rows, each of which weighs so many times as much.

        Rows that have come to weigh next to nothing are dropped.
        """
        weight = self.weight * factor
        some = np.flatnonzero(weight > _TRIFLE * weight.max(initial=0.0))
        return type(self)(self.domain, self.hashes[some], weight[some], _taken(self.columns, some))

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


class _Rows(NamedTuple):
    """Rows, each once, in the order of their hashes."""

    hashes: Hashes
    weight: Floats
    columns: Sequence[Array]


def _least(parts: list[_Rows]) -> _Rows:
    """The rows of all parts whose hashes are least."""
    hashes, first, weight = _once(
        np.concatenate([each.hashes for each in parts]),
        np.concatenate([each.weight for each in parts]),
    )
    return _Rows(hashes, weight, _taken(_joined([each.columns for each in parts]), first))


def _once(hashes: Hashes, weights: Floats) -> tuple[Hashes, Array, Floats]:
    """The least hashes, each once; where each is first, and the sum of its weights."""
    distinct, first, which = np.unique(hashes, return_index=True, return_inverse=True)
    weight = np.bincount(which, weights, len(distinct)).astype(np.float64)
    return distinct[:LIMIT], first[:LIMIT], weight[:LIMIT]


def _joined(parts: list[Sequence[Array]]) -> Sequence[Array]:
    """The columns of several parts, one below the other."""
    arrays = [each for each in parts if isinstance(each, MatrixColumns)]
    if len(arrays) == len(parts):
        others = zip(*(each.others for each in arrays), strict=True)
        matrix = np.concatenate([each.matrix for each in arrays])
        return MatrixColumns(matrix, [np.concatenate(each) for each in others])
    return [np.concatenate(each) for each in zip(*parts, strict=True)]


def _taken(columns: Sequence[Array], rows: Array) -> Sequence[Array]:
    """The cells of some rows, copied."""
    if isinstance(columns, MatrixColumns):
        return MatrixColumns(columns.matrix[rows], [each[rows] for each in columns.others])
    return tuple(frozen(each[rows]) for each in columns)


def _in(rows: Integers, folds: Array | None, k: int) -> list[Any]:
    """Which of some rows are in each fold."""
    if folds is None:
        return [slice(None)]
    mine = folds[rows]
    return [mine == fold for fold in range(k)]


def _kept(domain: Domain) -> tuple[Variable, ...]:
    """Attributes of numbers and symbols, and the target, as they stand."""
    return RowKeys.of(domain).kept
