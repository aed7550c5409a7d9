"""JointCounts: how often values of several columns come together, in each class."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Self

import numpy as np

from satsuma.data.breaks import interval_codes
from satsuma.data.domain import Domain
from satsuma.data.fields import Field, FloatArray, Maybe
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ReadError
from satsuma.kernels import tally
from satsuma.numerics.arrays import Array, Codes, frozen
from satsuma.tallies.base import Folds, places
from satsuma.tallies.bins import Edges, checked_edges
from satsuma.tallies.by_class import (
    ByClass,
    Floats,
    classes_of,
    groups_of,
    left_over,
    near,
    numbers_of,
    weights_of,
)

#: Columns of a joint count, by their places among the columns that are counted.
Places = tuple[int, ...]

#: Columns that can be counted together.
MOST_COLUMNS = 4


class JointCounts(ByClass):
    """The weight of each class, and of each combination of values of up to `order` columns in it.

    Symbols are counted by value, and numbers by the interval that they lie in, where there are
    cuts for them; a number on a cut is below it. A row in which one of the columns of a
    combination is missing is not counted there. Only counts on the same cuts add up.

    Parameters
    ----------
    domain
        The columns that were tallied.
    cuts
        Increasing numbers, by the name of the attribute; one without is not counted.
    order
        How many columns are counted together, at most.
    class_weight
        The weight of each class.
    counts
        By the places of the columns among `names`, an array (values of the first, of the second,
        …, classes).

    Examples
    --------
    >>> from satsuma import Table
    >>> from satsuma.extend import JointCounts
    >>> rows = [("hot", 30, "no"), ("mild", 20, "yes"), ("hot", 24, "yes")]
    >>> days = Table.of(rows, ["temp", "heat", "play"])
    >>> counts = JointCounts.on({"heat": [25]}).of(days)
    >>> counts["temp"].tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    >>> counts["temp", "heat"][0].tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """

    def __init__(
        self,
        domain: Domain,
        cuts: Edges,
        order: int,
        class_weight: Floats,
        counts: Mapping[Places, Floats],
    ) -> None:
        self.domain, self.order = domain, order
        self.cuts = {name: frozen(each) for name, each in checked_edges(domain, cuts).items()}
        self.class_weight = frozen(class_weight)
        self.counts = {at: frozen(np.ascontiguousarray(each)) for at, each in counts.items()}

    @classmethod
    def on(cls, cuts: Edges | None = None, order: int = 2) -> "JointCountsOn":
        """The kind of tally that counts so; it has `zero`, `of` and `by_fold`."""
        return JointCountsOn(dict(cuts or {}), order)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The attributes that are counted, in order."""
        return _counted_variables(self.domain, self.cuts)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the attributes that are counted, in order."""
        return tuple(v.name for v in self.variables)

    @property
    def levels(self) -> tuple[int, ...]:
        """How many values, or intervals, each of them has."""
        return _levels(self.variables, self.cuts)

    def __getitem__(self, names: str | tuple[str, ...]) -> Floats:
        """The counts of columns together: an array (values of each, classes)."""
        asked = (names,) if isinstance(names, str) else names
        at = [self.names.index(self.domain[name].name) for name in asked]
        order = np.argsort(at)
        found = self.counts[tuple(sorted(at))]
        return found.transpose(*np.argsort(order), len(at))

    def codes(self, batch: Table) -> list[Codes]:
        """The value or interval of each cell of the columns that are counted; -1 if missing."""
        return _codes(batch, self.variables, self.cuts)

    @classmethod
    def schema_in(cls, domain: Domain) -> Schema:
        """The weight of each class, and of each combination of values in it."""
        cuts: dict[str, Field] = {
            f"cuts_{v.name}": Maybe(FloatArray(f"cuts of {v.name}"), optional=True)
            for v in numbers_of(domain)
        }
        return Schema(
            class_weight=FloatArray("classes", low=0),
            order=FloatArray(1, low=1, high=MOST_COLUMNS),
            counts=FloatArray("cells", low=0),
            **cuts,
        )

    @classmethod
    def zero(cls, domain: Domain, cuts: Edges | None = None, order: int = 2) -> Self:
        """The tally of no rows."""
        n, cuts = len(classes_of(domain)), checked_edges(domain, cuts or {})
        levels = _levels(_counted_variables(domain, cuts), cuts)
        counts = {at: np.zeros((*(levels[i] for i in at), n)) for at in _places(len(levels), order)}
        return cls(domain, cuts, order, np.zeros(n), counts)

    @classmethod
    def split(cls, batch: Table, groups: Array, k: int) -> Sequence[Self]:
        """The tallies of `k` sets of rows, where groups are ``set * classes + class``."""
        return cls._counted(batch, groups, k, {}, 2)

    @classmethod
    def _counted(
        cls, batch: Table, groups: Array, k: int, cuts: Edges, order: int
    ) -> Sequence[Self]:
        domain, n = batch.domain, len(classes_of(batch.domain))
        cut = checked_edges(domain, cuts)
        variables = _counted_variables(domain, cut)
        levels = _levels(variables, cut)
        columns = _Columns(_codes(batch, variables, cut), levels, weights_of(batch))
        total, _ = tally.counts([], [], groups, k * n, columns.weights)
        counts = dict(columns.joint(groups, k * n, order))
        rows = [slice(fold * n, fold * n + n) for fold in range(k)]
        return [
            cls(
                domain,
                cut,
                order,
                total[each],
                {at: np.moveaxis(counts[at][each], 0, -1) for at in _places(len(levels), order)},
            )
            for each in rows
        ]

    def _spread(self, domain: Domain) -> Self:
        wide = type(self).zero(domain, self.cuts, self.order)
        classes = places(self.classes, wide.classes)
        class_weight = wide.class_weight.copy()
        class_weight[classes] = self.class_weight
        values = [
            places(mine.values, domain[mine.name].values) if mine.kind == "sym" else np.arange(size)
            for mine, size in zip(self.variables, self.levels, strict=True)
        ]
        counts: dict[Places, Floats] = {}
        for at, empty in wide.counts.items():
            each = empty.copy()
            each[np.ix_(*(values[i] for i in at), classes)] = self.counts[at]
            counts[at] = each
        return type(self)(domain, self.cuts, self.order, class_weight, counts)

    def _alike(self, other: Any) -> bool:
        return JointCountsOn(self.cuts, self.order) == JointCountsOn(other.cuts, other.order)

    def scaled(self, factor: float) -> Self:
        """The tally of the same rows, each of which weighs so many times as much."""
        counts = {at: each * factor for at, each in self.counts.items()}
        weight = self.class_weight * factor
        return type(self)(self.domain, self.cuts, self.order, weight, counts)

    def _with(self, other: Any, join: Any) -> Self:
        if not self._alike(other):
            raise DomainError("Joint counts on different cuts cannot be added: use the same.")
        counts = {at: join(each, other.counts[at]) for at, each in self.counts.items()}
        weight = join(self.class_weight, other.class_weight)
        return type(self)(self.domain, self.cuts, self.order, weight, counts)

    def _plus(self, other: Any) -> Self:
        return self._with(other, np.add)

    def _minus(self, other: Any) -> Self:
        return self._with(other, left_over)

    def _arrays(self) -> dict[str, Array]:
        cuts = {f"cuts_{name}": each for name, each in self.cuts.items()}
        flat = np.concatenate([np.zeros(0), *(each.ravel() for each in self.counts.values())])
        order = np.array([float(self.order)])
        return {"class_weight": self.class_weight, "order": order, "counts": flat, **cuts}

    @classmethod
    def _made(cls, domain: Domain, arrays: Mapping[str, Array]) -> Self:
        cuts: dict[str, Any] = {
            name.removeprefix("cuts_"): each
            for name, each in arrays.items()
            if name.startswith("cuts_")
        }
        try:
            cut = checked_edges(domain, cuts)
        except DomainError as wrong:
            raise ReadError(str(wrong)) from None
        order, flat = int(arrays["order"][0]), arrays["counts"]
        levels, n = _levels(_counted_variables(domain, cut), cut), len(classes_of(domain))
        if cells_of(levels, order) * n != len(flat):
            raise ReadError("JointCounts has the counts of other columns")
        counts: dict[Places, Floats] = {}
        start = 0
        for at in _places(len(levels), order):
            shape = (*(levels[i] for i in at), n)
            counts[at] = flat[start : (start := start + math.prod(shape))].reshape(shape)
        return cls(domain, cut, order, arrays["class_weight"], counts)

    def agrees(self, other: Any, rel: float) -> bool:
        """Whether a tally of the same domain says the same."""
        return (
            self._alike(other)
            and near(self.class_weight, other.class_weight, rel)
            and all(near(each, other.counts[at], rel) for at, each in self.counts.items())
        )


@dataclass(frozen=True, eq=False)
class JointCountsOn:
    """The tally `JointCounts` on certain cuts; two are equal where their counts add up.

    Examples
    --------
    >>> kind = JointCountsOn({"heat": [25]})
    >>> days = Table.of([(30, "no"), (20, "yes")], ["heat", "play"])
    >>> (kind.of(days) + kind.zero(days.domain)).close_to(kind.of(days))
    True
    >>> kind == JointCountsOn({"heat": np.array([25.0])})
    True
    """

    cuts: Edges = field(default_factory=dict[str, Any])
    order: int = 2

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, JointCountsOn)
            and self.order == other.order
            and self.cuts.keys() == other.cuts.keys()
            and all(np.array_equal(each, other.cuts[name]) for name, each in self.cuts.items())
        )

    def __hash__(self) -> int:
        return hash((self.order, frozenset(self.cuts)))

    def levels(self, domain: Domain) -> tuple[int, ...]:
        """How many values, or intervals, each column that is counted has."""
        return _levels(_counted_variables(domain, self.cuts), self.cuts)

    def zero(self, domain: Domain) -> JointCounts:
        """The tally of no rows."""
        return JointCounts.zero(domain, self.cuts, self.order)

    def of(self, batch: Table) -> JointCounts:
        """The tally of a batch of rows."""
        return self._split(batch, groups_of(batch), 1)[0]

    def by_fold(self, batch: Table, folds: Folds, k: int) -> Sequence[JointCounts]:
        """The tallies of the rows of fold 0, 1, … k - 1, in one pass."""
        return self._split(batch, groups_of(batch, folds, k), k)

    def _split(self, batch: Table, groups: Array, k: int) -> Sequence[JointCounts]:
        return JointCounts._counted(batch, groups, k, self.cuts, self.order)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]


def cells_of(levels: Sequence[int], order: int) -> int:
    """How many combinations of values there are of up to `order` columns.

    Examples
    --------
    >>> cells_of([2, 3, 4], 1), cells_of([2, 3, 4], 2)
    (9, 35)
    """
    by_size = [1, *[0] * order]
    for level in levels:
        for size in range(order, 0, -1):
            by_size[size] += level * by_size[size - 1]
    return sum(by_size[1:])


def _counted_variables(domain: Domain, cuts: Mapping[str, Any]) -> tuple[Variable, ...]:
    return tuple(v for v in domain.attributes if v.kind == "sym" or v.name in cuts)


def _levels(variables: Sequence[Variable], cuts: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(len(v.values) if v.kind == "sym" else len(cuts[v.name]) + 1 for v in variables)


def _places(columns: int, order: int) -> Iterator[Places]:
    for size in range(1, order + 1):
        yield from combinations(range(columns), size)


def _codes(batch: Table, variables: Sequence[Variable], cuts: Mapping[str, Floats]) -> list[Codes]:
    return [
        batch.column(v.name)
        if v.kind == "sym"
        else interval_codes(batch.column(v.name), cuts[v.name])
        for v in variables
    ]


@dataclass(frozen=True)
class _Columns:
    """Columns to be counted together: their codes, how many values each has, and the weights."""

    codes: Sequence[Codes]
    levels: Sequence[int]
    weights: Floats | None

    def joint(
        self, groups: Array, count: int, order: int, chosen: Places = ()
    ) -> Iterator[tuple[Places, Floats]]:
        """The counts (groups, values of each) of columns behind those chosen, with these.

        What is chosen already is part of the groups, so that each step counts single columns.
        """
        behind = range(chosen[-1] + 1 if chosen else 0, len(self.codes))
        parts = [self.levels[at] for at in chosen]
        finest = count * math.prod(parts)
        codes, levels = [self.codes[at] for at in behind], [self.levels[at] for at in behind]
        _, each = tally.counts(codes, levels, groups, finest, self.weights)
        for at, found in zip(behind, each, strict=True):
            yield (*chosen, at), found.reshape(count, *parts, self.levels[at])
        if len(chosen) + 1 < order:
            for at in behind[:-1]:
                finer = tally.fold_groups(self.codes[at], groups, self.levels[at], finest)
                yield from self.joint(finer, count, order, (*chosen, at))
