"""Fold plans: which rows are tested in which part, and which are learned from for it.

Folds are dealt at random, or come from a column, from the order of time, from a splitter of
scikit-learn or from pairs of row numbers.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import from_cells
from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError, described, hint
from satsuma.evaluate.request import KnownRows, check_whole, group_codes, is_whole
from satsuma.folds import Folds, Strata, deal, deal_groups
from satsuma.numerics.arrays import Array, Indices

#: What `folds` may be, for messages.
_MAY_BE = (
    "a whole number of at least 2, the name of a column, a fold for each row, a splitter of "
    "scikit-learn, or pairs of rows to learn from and rows to test"
)


@dataclass(frozen=True)
class FoldPlan:
    """The part in which each row is tested, and the rows that are learned from for it.

    Parameters
    ----------
    parts
        The part of each row, from 0; -1 for a row that is not tested.
    count
        How many parts there are.
    training
        The rows learned from, for each part; unless given, those of all other parts, so that
        tallies can be merged.
    """

    parts: Folds
    count: int
    training: Sequence[Indices] | None = None

    @property
    def ratio(self) -> float:
        """Rows tested for each row learned from."""
        if self.training is None:
            return 1 / (self.count - 1)
        learned = sum(map(len, self.training))
        return float((self.parts >= 0).sum() / learned)


@dataclass(frozen=True)
class FoldRequest:
    """How rows are to be parted, as `cross_validate` and `compare` are asked.

    Parameters
    ----------
    folds
        A number, a column, a fold for each row, a splitter, or pairs of rows.
    stratified, repeats, groups, time, window, seed
        As in `cross_validate`.
    """

    folds: Any = 10
    stratified: bool = True
    repeats: int = 1
    groups: Any = None
    time: Any = None
    window: int | None = None
    seed: int = 0

    def check(self) -> None:
        """Raise if what is asked for contradicts itself, or is nothing that can be asked for."""
        check_whole("cross_validate", "repeats", self.repeats, 1)
        check_whole("cross_validate", "seed", self.seed, 0)
        if self.window is not None:
            check_whole("cross_validate", "window", self.window, 1)
            if self.time is None:
                raise ParameterError("window= goes with time=: which column has the order?")
        if self.time is not None and self.groups is not None:
            raise ParameterError(
                "time= and groups= do not go together: folds follow the order of time, or keep "
                "groups together. Give one of them."
            )
        if not self.dealt and self.repeats > 1:
            raise ParameterError(
                "repeats= deals rows anew at random, and these folds are fixed. Leave it out."
            )
        if self.by_number:
            check_whole("cross_validate", "folds", self.folds, 2)
        elif self.time is not None:
            raise ParameterError(
                "With time= the 'folds' parameter of cross_validate must be a whole number: how "
                f"many stretches of time are tested. Got {described(self.folds)} instead."
            )

    @property
    def by_number(self) -> bool:
        """Whether there are so and so many folds, rather than folds that are fixed."""
        return is_whole(self.folds) or isinstance(self.folds, bool | float | None)

    @property
    def dealt(self) -> bool:
        """Whether rows are dealt at random."""
        return self.by_number and self.time is None

    def arguments(self) -> dict[str, Any]:
        """What `cross_validate` is to be called with."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def set_aside(self, table: Table) -> Table:
        """The table, whose columns of folds or groups are nothing to learn from."""
        if isinstance(self.folds, str) and self.folds not in table.domain:
            raise ParameterError(
                f"The 'folds' parameter of cross_validate must be {_MAY_BE}. There is no column "
                f"{self.folds!r}. {hint(self.folds, table.domain.names)}"
            )
        named = [each for each in (self.folds, self.groups) if isinstance(each, str)]
        roles = {each: "meta" for each in named if table.domain[each].role == "x"}
        return table.with_roles(roles) if roles else table

    def groups_of(self, table: Table) -> Strata | None:
        """The group of each row, where there are groups."""
        return None if self.groups is None else group_codes(self.groups, table)

    def plans(self, table: Table, rows: KnownRows) -> tuple[list[FoldPlan], str]:
        """A plan for each repeat, and in a few words what is done."""
        if self.time is not None:
            return self._by_time(table, rows)
        if self.by_number:
            return self._by_chance(table, rows)
        if hasattr(self.folds, "split") and not isinstance(self.folds, str):
            return self._by_splitter(table, rows)
        if _is_pairs(self.folds):
            found = plans_of_splits(_pairs(self.folds), rows.used)
            return found, f"{sum(each.count for each in found)} given splits"
        codes, count, name = fold_codes(self.folds, table)
        return [_of_codes(codes, count, rows.used)], f"{count} folds of {name}"

    def _by_chance(self, table: Table, rows: KnownRows) -> tuple[list[FoldPlan], str]:
        rng, strata = np.random.default_rng(self.seed), rows.strata(self.stratified)
        together = self.groups_of(table)
        deals: Callable[[], Folds] = (
            (lambda: deal(strata, self.folds, rng))
            if together is None
            else (lambda: deal_groups(together, strata, self.folds, rng))
        )
        times = "" if self.repeats == 1 else f", {self.repeats} times"
        by = f" by {self.groups!r}" if isinstance(self.groups, str) else ""
        what = f"{self.folds}-fold cross-validation{by}{times}"
        return [FoldPlan(deals(), self.folds) for _ in range(self.repeats)], what

    def _by_time(self, table: Table, rows: KnownRows) -> tuple[list[FoldPlan], str]:
        times, name = _times(self.time, table)
        blocks = _stretches(times, rows.used, self.folds + 1)
        count, every = int(blocks.max()), np.arange(len(blocks))
        back = count if self.window is None else self.window
        training = [
            every[(blocks >= max(0, at - back)) & (blocks < at)] for at in range(1, count + 1)
        ]
        parts = np.where(blocks > 0, blocks - 1, -1).astype(np.int16)
        known = "all before" if self.window is None else f"the last {self.window} before"
        what = f"{count} stretches by {name}, each tested with what was learned from {known}"
        return [FoldPlan(parts, count, training)], what

    def _by_splitter(self, table: Table, rows: KnownRows) -> tuple[list[FoldPlan], str]:
        there, together = np.flatnonzero(rows.used), self.groups_of(table)
        groups = None if together is None else together[there]
        split = self.folds.split(np.zeros((len(there), 1)), rows.truth[there], groups)
        pairs = [(there[train], there[test]) for train, test in split]
        what = f"{len(pairs)} splits of {type(self.folds).__name__}"
        return plans_of_splits(pairs, rows.used), what


def plans_of_splits(
    pairs: Iterable[tuple[Indices, Indices]], used: npt.NDArray[np.bool_]
) -> list[FoldPlan]:
    """Plans of pairs of rows to learn from and to test; a row is tested once in each plan.

    Where every row is tested once, with what was learned from all others, the plan says no more
    than the fold of each row.

    Examples
    --------
    >>> half, rest = np.array([0, 1]), np.array([2, 3])
    >>> (plan,) = plans_of_splits([(half, rest), (rest, half)], np.ones(4, bool))
    >>> plan.parts.tolist(), plan.training
    ([1, 1, 0, 0], None)
    >>> len(plans_of_splits([(half, rest), (half, rest)], np.ones(4, bool)))
    2
    """
    found, together = list[FoldPlan](), list[tuple[Indices, Indices]]()
    tested = np.zeros(len(used), bool)
    for at, (train, test) in enumerate(pairs, start=1):
        learned, asked = _rows(train, used, at), _rows(test, used, at)
        if not learned.size or not asked.size:
            lacking = "test" if learned.size else "learn from"
            raise ParameterError(f"Split {at} has no rows with a known target to {lacking}.")
        if np.isin(asked, learned).any():
            raise ParameterError(f"Split {at} tests rows that it learns from.")
        if tested[asked].any():
            found.append(_of_pairs(together, used))
            together, tested = [], np.zeros(len(used), bool)
        together.append((learned, asked))
        tested[asked] = True
    if not together:
        raise ParameterError("There is no split: the folds are empty.")
    return [*found, _of_pairs(together, used)]


def _rows(given: Any, used: npt.NDArray[np.bool_], at: int) -> Indices:
    """The rows that count, of some that are given by their numbers or by a mask."""
    rows: Any = np.asarray(given)
    rows = np.flatnonzero(rows) if rows.dtype == bool else rows
    whole = rows.ndim == 1 and (not rows.size or np.issubdtype(rows.dtype, np.integer))
    if not whole or (rows.size and not -1 < rows.min() <= rows.max() < len(used)):
        raise ParameterError(
            f"Split {at} must be two arrays of row numbers, from 0 to {len(used) - 1:,}: those to "
            f"learn from, and those to test."
        )
    return np.sort(rows[used[rows.astype(np.intp)]]).astype(np.intp)


def _of_pairs(pairs: Sequence[tuple[Indices, Indices]], used: npt.NDArray[np.bool_]) -> FoldPlan:
    parts: Folds = np.full(len(used), -1, np.int32)
    for at, (_, test) in enumerate(pairs):
        parts[test] = at
    total = int(used.sum())
    parted = len(pairs) > 1 and (parts[used] >= 0).all()
    if parted and all(len(train) + len(test) == total for train, test in pairs):
        return FoldPlan(parts, len(pairs))
    return FoldPlan(parts, len(pairs), [train for train, _ in pairs])


def fold_codes(folds: Any, table: Table) -> tuple[Folds, int, str]:
    """The fold of each row from 0, how many there are, and what they are called.

    A row without a fold, or with -1, is learned from in every fold and never tested.

    Examples
    --------
    >>> days = Table.of([("hot", "no"), ("mild", "yes"), ("hot", "no")], "tp")
    >>> codes, count, name = fold_codes([7, 3, 7], days)
    >>> codes.tolist(), count, name
    ([1, 0, 1], 2, 'your own')
    """
    name = "your own"
    if isinstance(folds, str):
        name = f"column {folds!r}"
        folds = table[folds]
    try:
        cells: list[Any] = list(folds)
    except TypeError:
        cells = []
    if len(cells) != len(table):
        got = f"{len(cells):,} values" if cells else described(folds)
        raise ParameterError(
            f"The 'folds' parameter of cross_validate must be {_MAY_BE}. Got {got} for "
            f"{len(table):,} rows."
        )
    cells = [None if each in (-1, "-1") else each for each in map(_plain, cells)]
    variable, codes = from_cells("folds", cells, "sym")
    order = sorted(range(len(variable.values)), key=lambda at: _key(variable.values[at]))
    place = np.append(np.argsort(order), -1).astype(np.int32)
    if len(variable.values) < 2:
        raise ParameterError(
            f"Cross-validation needs two folds at least, and {name} has "
            f"{len(variable.values) or 'none'}."
        )
    return place[codes], len(variable.values), name


def _plain(cell: Any) -> Any:
    """A number as it is written without a fraction, where it has none."""
    found: Any = cast("Any", cell).item() if isinstance(cell, np.generic) else cell
    if isinstance(found, float):
        return None if np.isnan(found) else int(found) if found.is_integer() else found
    return found


def _key(value: str) -> tuple[float, str]:
    try:
        return float(value), value
    except ValueError:
        return np.inf, value


def _of_codes(codes: Folds, count: int, used: npt.NDArray[np.bool_]) -> FoldPlan:
    """Fixed folds; rows of none are learned from in all of them."""
    empty = [at for at in range(count) if not (used & (codes == at)).any()]
    if empty:
        raise DomainError(f"Fold {empty[0] + 1} of {count} has no row with a known target.")
    if (codes[used] >= 0).all():
        return FoldPlan(np.where(used, codes, -1).astype(codes.dtype), count)
    training = [np.flatnonzero(used & (codes != at)) for at in range(count)]
    return FoldPlan(np.where(used, codes, -1).astype(codes.dtype), count, training)


def _times(time: Any, table: Table) -> tuple[Array, str]:
    """Where each row stands in time, and what that is called."""
    name = "your order"
    if isinstance(time, str):
        variable = table.domain[table.domain.index(time)]
        name = repr(variable.name)
        if variable.kind not in ("num", "time"):
            raise DomainError(
                f"Column {name} has symbols, which have no order in time. Read it as times: "
                f"table.with_kinds({{{name}: 'time'}})."
            )
        time = table.column(variable.name)
    found: Any = np.asarray(time)
    if found.shape != (len(table),) or found.dtype.kind not in "iufM":
        raise ParameterError(
            f"time= must be the name of a column, or a number or time for each of the "
            f"{len(table):,} rows."
        )
    if (np.isnat(found) if found.dtype.kind == "M" else np.isnan(found)).any():
        raise DomainError(f"Some rows have no time in {name}. Fill these in, or leave them out.")
    return found, name


def _stretches(times: Array, used: npt.NDArray[np.bool_], count: int) -> Folds:
    """The stretch of time of each row that counts, about equally long in rows; -1 for others."""
    moments, inverse, sizes = np.unique(times[used], return_inverse=True, return_counts=True)
    if len(moments) < count:
        raise DomainError(
            f"{count - 1} stretches of time to test, and one to learn from first, need {count} "
            f"different times at least. There are {len(moments)}. Use fewer folds."
        )
    before = np.cumsum(sizes) - sizes
    _, block = np.unique(before * count // sizes.sum(), return_inverse=True)
    found: Folds = np.full(len(times), -1, np.int32)
    found[used] = block[inverse]
    return found


def _is_pairs(folds: Any) -> bool:
    """Whether something is a list or a generator of pairs, rather than a fold for each row."""
    if isinstance(folds, str) or not hasattr(folds, "__iter__"):
        return False
    if not hasattr(folds, "__len__"):
        return True
    first = next(iter(cast("list[Any]", folds)), None) if isinstance(folds, list | tuple) else None
    return isinstance(first, list | tuple) and len(cast("list[Any]", first)) == 2


def _pairs(folds: Any) -> list[tuple[Any, Any]]:
    found: list[Any] = list(folds)
    for at, each in enumerate(found, start=1):
        if not isinstance(each, tuple | list) or len(cast("Any", each)) != 2:
            raise ParameterError(
                f"Split {at} must be a pair: rows to learn from, and rows to test. "
                f"Got {described(cast('object', each))}."
            )
    return found
