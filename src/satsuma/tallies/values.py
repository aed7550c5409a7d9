"""Values: every distinct number of every numeric attribute, and what it weighs in each class."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Self

import numpy as np

from satsuma.data.columns import refuse_infinite
from satsuma.data.domain import Domain
from satsuma.data.fields import Field, FloatArray, IntArray
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import NoSuchColumn, ReadError, SatsumaError
from satsuma.kernels.runs import runs_of
from satsuma.kernels.threads import FEW_CELLS, map_tiles
from satsuma.numerics.arrays import Array, frozen
from satsuma.tallies.base import places
from satsuma.tallies.by_class import (
    ByClass,
    Floats,
    classes_of,
    left_over,
    near,
    numbers_of,
    weights_of,
)
from satsuma.tallies.runs import Room, Run, Runs


class Values(ByClass):
    """The distinct known numbers of each numeric attribute, by class, and what each weighs.

    It is exact, and so as large as there are distinct numbers: for a source larger than memory
    it serves where columns are rounded. An infinite number is refused.

    Parameters
    ----------
    domain
        The columns that were tallied.
    class_weight
        The weight of each class, also of rows whose numbers are missing.
    runs
        For each numeric attribute, in order, its `Runs`.

    Examples
    --------
    >>> from satsuma import Table
    >>> from satsuma.extend import Values
    >>> rows = [(30, "no"), (20, "yes"), (20, "yes"), (None, "no")]
    >>> values = Values.of(Table.of(rows, ["heat", "play"]))
    >>> distinct, weight = values["heat"].merged()
    >>> distinct.tolist(), weight.tolist()
    ([20.0, 30.0], [[0.0, 2.0], [1.0, 0.0]])
    """

    def __init__(self, domain: Domain, class_weight: Floats, runs: Sequence[Runs]) -> None:
        self.domain = domain
        self.class_weight = frozen(class_weight)
        self.runs = tuple(Runs(*map(frozen, each)) for each in runs)

    @classmethod
    def schema_in(cls, domain: Domain) -> Schema:
        """The distinct numbers of each column, by class, and what each weighs."""
        parts: dict[str, Field] = {}
        for at in range(len(numbers_of(domain))):
            parts |= {
                f"value_{at}": FloatArray(f"values_{at}"),
                f"weight_{at}": FloatArray(f"values_{at}", low=0),
                f"starts_{at}": IntArray("classes+1", dtypes=(np.int64,)),
            }
        return Schema(class_weight=FloatArray("classes", low=0), **parts)

    @classmethod
    def check_links(cls, arrays: Mapping[str, Array]) -> None:
        """The classes share out the numbers, which are in order."""
        for name, starts in arrays.items():
            if name.startswith("starts_"):
                value = arrays[name.replace("starts", "value")]
                sizes = np.diff(starts)
                if starts[0] != 0 or starts[-1] != len(value) or (sizes < 0).any():
                    raise ReadError("the classes of Values do not share out its numbers")
                of = np.repeat(np.arange(len(sizes)), sizes)
                if ((np.diff(value) <= 0) & (np.diff(of) == 0)).any():
                    raise ReadError("the numbers of Values are not in order")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the numeric attributes, in the order of `runs`."""
        return tuple(v.name for v in numbers_of(self.domain))

    def __getitem__(self, name: str) -> Runs:
        """The numbers of one attribute."""
        if name not in self.names:
            raise NoSuchColumn(name, self.names)
        return self.runs[self.names.index(name)]

    @classmethod
    def zero(cls, domain: Domain) -> Self:
        """The tally of no rows."""
        n = len(classes_of(domain))
        nothing = Runs(np.zeros(0), np.zeros(0), np.zeros(n + 1, np.int64))
        return cls(domain, np.zeros(n), [nothing for _ in numbers_of(domain)])

    @classmethod
    def split(cls, batch: Table, groups: Array, k: int) -> Sequence[Self]:
        """The tallies of `k` sets of rows, where groups are ``set * classes + class``."""
        domain = batch.domain
        n, names = len(classes_of(domain)), [v.name for v in numbers_of(domain)]
        weights = weights_of(batch)
        order, starts = _sorted_by(groups, k * n)
        total = np.diff(starts).astype(np.float64)
        if weights is not None:
            weights = weights[order]
            edges = pairwise(starts)
            total = np.array([weights[lo:hi].sum() for lo, hi in edges])
        room = Room(np.tile(np.diff(starts), len(names)).tolist())

        def of_columns(lo: int, hi: int) -> None:
            for at in range(lo, hi):
                mine = slice(at * k * n, (at + 1) * k * n)
                column = batch.column(names[at])
                out = room.of_run(mine.start, mine.stop)
                room.found[mine] = runs_of(_aligned(column), order, starts, weights, *out)
                _refuse_infinite_runs(names[at], column, room, mine)

        _over_columns(of_columns, len(names), len(batch) * len(names))
        return [
            cls(
                domain,
                total[fold * n : fold * n + n],
                [room.taken(at, at + n) for at in range(fold * n, len(names) * k * n, k * n)],
            )
            for fold in range(k)
        ]

    def _spread(self, domain: Domain) -> Self:
        wide = type(self).zero(domain)
        classes = places(self.classes, wide.classes)
        class_weight = wide.class_weight.copy()
        class_weight[classes] = self.class_weight
        runs: list[Runs] = []
        for name in wide.names:
            each: list[Run] = [(np.zeros(0), np.zeros(0)) for _ in wide.classes]
            for mine, place in enumerate(classes):
                each[place] = self[name].of_class(mine)
            runs.append(Runs.of(each))
        return type(self)(domain, class_weight, runs)

    def _plus(self, other: Any) -> Self:
        n, width = len(self.classes), len(self.runs)
        pairs = list(zip(self.runs, other.runs, strict=True))
        sizes = [np.diff(a.starts) + np.diff(b.starts) for a, b in pairs]
        room = Room(np.concatenate([np.zeros(0, np.int64), *sizes]).tolist())

        def of_columns(lo: int, hi: int) -> None:
            for at in range(lo, hi):
                for code in range(n):
                    room.add(at * n + code, *(each.of_class(code) for each in pairs[at]))

        _over_columns(of_columns, width, int(room.starts[-1]))
        runs = [room.taken(at, at + n) for at in range(0, width * n, n)]
        return type(self)(self.domain, self.class_weight + other.class_weight, runs)

    def _minus(self, other: Any) -> Self:
        runs: list[Runs] = []
        for name, a, b in zip(self.names, self.runs, other.runs, strict=True):
            rest = a.without(b)
            if rest is None:
                raise SatsumaError(
                    f"Rows cannot be taken out that were never put in: column {name!r} holds "
                    f"numbers that were not tallied, or not so often."
                )
            runs.append(rest)
        return type(self)(self.domain, left_over(self.class_weight, other.class_weight), runs)

    def _arrays(self) -> dict[str, Array]:
        out: dict[str, Array] = {"class_weight": self.class_weight}
        for at, runs in enumerate(self.runs):
            out |= {f"{part}_{at}": each for part, each in runs._asdict().items()}
        return out

    @classmethod
    def _made(cls, domain: Domain, arrays: Mapping[str, Array]) -> Self:
        runs = [
            Runs(*(arrays[f"{part}_{at}"] for part in Runs._fields))
            for at in range(len(numbers_of(domain)))
        ]
        return cls(domain, arrays["class_weight"], runs)

    def agrees(self, other: Any, rel: float) -> bool:
        """Whether a tally of the same domain says the same."""
        return near(self.class_weight, other.class_weight, rel) and all(
            np.array_equal(a.starts, b.starts)
            and np.array_equal(a.value, b.value)
            and near(a.weight, b.weight, rel)
            for a, b in zip(self.runs, other.runs, strict=True)
        )


def _sorted_by(groups: Array, count: int) -> tuple[Array, Array]:
    """The rows of group 0, 1, … in order, and where each group starts and the last ends."""
    # Short codes are sorted by counting.
    codes = groups.astype(np.int16) if count < 2**15 else groups
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(count + 1))
    return order[starts[0] :], starts - starts[0]


def _refuse_infinite_runs(name: str, column: Floats, room: Room, runs: slice) -> None:
    """Raise if the first or last number of a run is infinite."""
    for at in range(runs.start, runs.stop):
        value, n = room.of_run(at, at + 1)[0], int(room.found[at])
        if n and not (value[0] > -np.inf and value[n - 1] < np.inf):
            refuse_infinite(name, column)


def _aligned(column: Floats) -> Floats:
    return column if column.flags.aligned else column.copy()


def _over_columns(function: Callable[[int, int], None], width: int, cells: int) -> None:
    map_tiles(function, width, 1, threads=1 if cells < FEW_CELLS else None)
