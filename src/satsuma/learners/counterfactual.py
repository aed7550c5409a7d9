"""Counterfactual: the smallest change to a row that changes what a model predicts for it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from satsuma.data.columns import spell
from satsuma.data.grids import grid_html
from satsuma.data.result_frame import ResultFrame
from satsuma.data.row import Cell, Row
from satsuma.data.summary import short_number
from satsuma.data.table import Table
from satsuma.data.time_features import time_of_feature
from satsuma.errors import NoSuchColumn, ParameterError
from satsuma.learners.model import Classifier, Model, Query
from satsuma.learners.predictions import codes_of, numbers_of, probabilities_of
from satsuma.learners.queries import compared
from satsuma.measures.marginals import Marginal, Marginals
from satsuma.numerics.arrays import Array, Bools, Floats, Integers

if TYPE_CHECKING:
    import pandas as pd

#: Columns whose pairs and triples are gone through, and values of each that are tried there.
_COLUMNS, _TRIED = 8, 8

#: Rows that a model is asked about at a time.
_ROWS = 4096


@dataclass(frozen=True)
class Change:
    """What is to be done in one column.

    Parameters
    ----------
    column
        Whose cell is to be changed.
    now
        What it is; None where that is not known.
    to
        What would do: a value that occurs.
    condition
        All that would do, as a person would write it.
    """

    column: str
    now: Cell
    to: Cell
    condition: str

    def __str__(self) -> str:
        now = "as it is (unknown)" if self.now is None else spell(self.now)
        return f"do {self.column} {self.condition}, not {now}"


@dataclass(frozen=True)
class Counterfactual(ResultFrame):
    """What would change a prediction: as few cells as can be, and these by as little as can be.

    That is how the model answers. What to do where a table has goals, from rows that were seen to
    be better, is what `advise` says.

    Parameters
    ----------
    changes
        The cells; none where no change was found.
    predicted
        What the model predicts for the row as it is.
    then
        What it predicts for the row with the changes, which it was asked.
    probability
        Of the class that is predicted then; None for numbers.
    row
        The row with the changes, by column.
    tried
        How many rows the model was asked about.
    wanted
        What was searched for, in words.
    already
        Whether the row has it as it is.
    """

    changes: tuple[Change, ...]
    predicted: str | float
    then: str | float
    probability: float | None
    row: Mapping[str, Cell]
    tried: int
    wanted: str
    already: bool = False

    def __bool__(self) -> bool:
        """Whether a change was found."""
        return bool(self.changes)

    def __str__(self) -> str:
        if self.already:
            return f"It is {self.wanted} already."
        if not self.changes:
            return (
                f"No change was found that makes it {self.wanted}: {self.tried:,} rows were tried."
            )
        cells = [
            f"{each.column} {each.condition} (not {_shown(each.now, each.to)})"
            for each in self.changes
        ]
        then = f"{self.then:.6g}" if isinstance(self.then, float) else self.then
        sure = "" if self.probability is None else f", with probability {self.probability:.0%}"
        return f"It would be {then}{sure}, if {' and '.join(cells)}."

    def to_pandas(self) -> "pd.DataFrame":
        """A data frame: a row for each change, with what the cell is, and what would do."""
        import pandas as pd

        rows = [(each.now, each.to, each.condition) for each in self.changes]
        index = pd.Index([each.column for each in self.changes], name="column")
        return pd.DataFrame(rows, index, ["now", "to", "condition"])

    def _repr_html_(self) -> str:
        lines = [[each.column, _shown(each.now, each.to), each.condition] for each in self.changes]
        return grid_html(str(self), [["column", "now", "change"], *lines], (0, 1, 2))


def _shown(cell: Cell, other: Cell) -> str:
    """A cell with the digits that a reader needs to tell it from another."""
    if cell is None:
        return "missing"
    if isinstance(cell, float):
        short = short_number(cell)
        if not isinstance(other, float) or short != short_number(other):
            return short
    return spell(cell)


def cell_of(batch: Table, query: Query, name: str) -> Any:
    """What a row holds: also a value that the model does not know, missing in its batch."""
    if isinstance(query, Row):
        return query[name] if name in query.table.domain else batch.cell(0, name)
    given: Any = query.get(name, batch.cell(0, name))
    if isinstance(given, float) and np.isnan(given):
        return None
    return float(given) if isinstance(given, int) and not isinstance(given, bool) else given


class _Candidates(NamedTuple):
    """Values of a column that the row may take on, and how far each is."""

    name: str
    cells: Array
    distance: Floats


def counterfactual(
    model: Model,
    query: Query,
    *,
    to: Any = None,
    change: str | Iterable[str] | None = None,
    fixed: str | Iterable[str] = (),
    table: Table | None = None,
) -> Counterfactual:
    """The nearest row that a model predicts otherwise; see `satsuma.explain`.

    First every change of a single cell is tried; then pairs, and triples, of the columns whose
    single changes come nearest to it, the most important ones where these are equal; then cells
    are changed greedily, one after the other. Of changes of equally many cells, it is the one that
    is nearest: numbers by their share of the range, a symbol counts 1. Whatever is found was
    predicted by the model.

    Parameters
    ----------
    model
        What predicts.
    query
        The row.
    to
        What is to be predicted: a class, any other unless given; of numbers, ``(low, high)``,
        either of which may be None.
    change
        The columns that may be changed; all unless given, but for features of times.
    fixed
        Columns that may not be changed.
    table
        Rows that have the values which may be taken on; those that the model was learned from
        unless given.

    Examples
    --------
    >>> import satsuma
    >>> days = satsuma.load("tennis")
    >>> print(counterfactual(satsuma.NaiveBayes(days), days[0]))
    It would be yes, with probability 65%, if outlook = overcast (not sunny).
    """
    search = _Search(model, query, to)
    held = model.marginals if table is None else Marginals.of(compared(table, model.domain))
    names = _allowed(model, change, fixed)
    return search.found([_candidates(search.row, held[name]) for name in names if name in held])


def _allowed(model: Model, change: Any, fixed: Any) -> list[str]:
    """The columns that may be changed."""
    names = [v.name for v in model.domain.attributes if v.kind in ("num", "sym")]
    given = None if change is None else [change] if isinstance(change, str) else list(change)
    kept = [fixed] if isinstance(fixed, str) else list(fixed)
    if unknown := [name for name in (*(given or ()), *kept) if name not in names]:
        raise NoSuchColumn(unknown[0], names)
    free = [n for n in names if time_of_feature(n) is None] if given is None else given
    return [name for name in free if name not in kept]


def _candidates(row: Table, held: Marginal) -> _Candidates:
    """The values of a column that occur, but for the one that the row has."""
    variable, now = row.domain[held.name], row.column(held.name)[0]
    if variable.kind == "sym":
        codes = [variable.codes[v] for v in held.values if v in variable.codes]
        cells = np.array([code for code in codes if code != now], np.int32)
        return _Candidates(held.name, cells, np.ones(len(cells)))
    cells = held.points[held.points != now]
    scale = held.quantile(0.95) - held.quantile(0.05)
    if not scale > 0:
        scale = float(np.ptp(held.points)) if len(held.points) else 1.0
    far = np.ones(len(cells)) if np.isnan(now) else np.abs(cells - now) / (scale or 1.0)
    order = np.argsort(far, kind="stable")
    return _Candidates(held.name, cells[order], far[order])


class _Search:
    """A row, what is wanted of it, and how near changes come to that."""

    def __init__(self, model: Model, query: Query, to: Any) -> None:
        asked: Any = model
        self.model, self.tried = asked, 0
        self.query, self.row = query, cast("Table", asked.rows_of(query))
        if isinstance(model, Classifier):
            self.now = int(codes_of(model, self.row)[0])
            self.predicted: str | float = model.classes[self.now]
            self.to = None if to is None else model.target.code(to)
            self.wanted = f"anything but {self.predicted}" if to is None else str(to)
        else:
            self.predicted = float(numbers_of(asked, self.row)[0])
            self.low, self.high = _limits(to)
            self.wanted = _range_text(self.low, self.high)

    def found(self, columns: Sequence[_Candidates]) -> Counterfactual:
        """The nearest change that does it."""
        columns = [each for each in columns if len(each.cells)]
        nearness = list[tuple[float, float, _Candidates]]()
        matters: dict[str, float] = getattr(self.model, "importances", dict)()
        best: tuple[float, dict[str, Any]] | None = None
        if self._does(self._shortfall(self.row))[0]:
            return replace(self._told({}), already=True)
        for each in columns:
            gaps = self._shortfall(self._with([(each.name, each.cells)]))
            does = np.flatnonzero(self._does(gaps))
            if len(does) and (best is None or each.distance[does].min() < best[0]):
                at = does[each.distance[does].argmin()]
                best = float(each.distance[at]), {each.name: each.cells[at]}
            rank = -matters.get(each.name, 0.0)  # below other branches of a tree, singles are equal
            nearness.append((float(gaps.min()), rank, _thinned(each, gaps)))
        if best is not None:
            return self._told(best[1])
        nearness.sort(key=lambda found: found[:2])
        near = [each for *_, each in nearness]
        for count in (2, 3):
            found = self._together(near[: _COLUMNS if count == 2 else _COLUMNS // 2], count)
            if found is not None:
                return self._told(found)
        return self._told(self._greedy(near))

    def _together(self, columns: Sequence[_Candidates], count: int) -> dict[str, Any] | None:
        """The nearest change of several cells at once."""
        best: tuple[float, dict[str, Any]] | None = None
        for some in combinations(columns, count):
            grid = np.meshgrid(*(np.arange(len(each.cells)) for each in some), indexing="ij")
            places = [each.ravel() for each in grid]
            cells = [(each.name, each.cells[at]) for each, at in zip(some, places, strict=True)]
            does = np.flatnonzero(self._does(self._shortfall(self._with(cells))))
            if len(does):
                apart = [each.distance[at] for each, at in zip(some, places, strict=True)]
                far: Floats = np.sum(apart, axis=0)
                at = does[far[does].argmin()]
                if best is None or far[at] < best[0]:
                    best = float(far[at]), {name: column[at] for name, column in cells}
        return None if best is None else best[1]

    def _greedy(self, columns: Sequence[_Candidates]) -> dict[str, Any]:
        """Cells changed one after the other, each as helps most; nothing where that is no use."""
        chosen: dict[str, Any] = {}
        gap = float(self._shortfall(self.row)[0])
        while len(chosen) < len(columns):
            best: tuple[float, str, Any] | None = None
            for each in columns:
                if each.name in chosen:
                    continue
                fixed = [(n, np.repeat(c, len(each.cells))) for n, c in chosen.items()]
                gaps = self._shortfall(self._with([*fixed, (each.name, each.cells)]))
                at = int(gaps.argmin())
                if best is None or gaps[at] < best[0]:
                    best = float(gaps[at]), each.name, each.cells[at]
            if best is None or best[0] >= gap:
                return {}
            gap, chosen[best[1]] = best[0], best[2]
            if gap <= 0:
                return self._pruned(chosen)
        return {}

    def _pruned(self, chosen: dict[str, Any]) -> dict[str, Any]:
        """The same changes without those that are not needed."""
        for name in list(chosen):
            fewer = {n: c for n, c in chosen.items() if n != name}
            rows = self._with([(n, np.array([c])) for n, c in fewer.items()])
            if fewer and self._does(self._shortfall(rows))[0]:
                chosen = fewer
        return chosen

    def _with(self, cells: Sequence[tuple[str, Array]]) -> Table:
        """The row again and again, with other cells."""
        n = len(cells[0][1]) if cells else 1
        columns: list[Array] = [np.repeat(column, n) for column in self.row.columns]
        for name, values in cells:
            at = self.row.domain.index(name)
            columns[at] = values.astype(columns[at].dtype)
        return Table(self.row.domain, columns, check=False)

    def _shortfall(self, rows: Table) -> Floats:
        """How far rows are from what is wanted; 0 and less where they have it."""
        self.tried += len(rows)
        parts = [self._gaps(rows[lo : lo + _ROWS]) for lo in range(0, len(rows), _ROWS)]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _gaps(self, rows: Table) -> Floats:
        if not isinstance(self.model, Classifier):
            numbers = numbers_of(self.model, rows)
            return np.maximum(np.maximum(self.low - numbers, numbers - self.high), 0.0)
        chances = probabilities_of(self.model, rows)
        codes = self.model.codes_given(chances, rows)
        wanted = codes != self.now if self.to is None else codes == self.to
        mine = chances[:, self.now] if self.to is None else 1 - chances[:, self.to]
        return np.where(wanted, 0.0, np.maximum(mine, 1e-12))

    def _does(self, gaps: Floats) -> Bools:
        return gaps <= 0

    def _told(self, cells: dict[str, Any]) -> Counterfactual:
        """A change, verified by asking the model once more."""
        rows = self._with([(name, np.array([cell])) for name, cell in cells.items()])
        names = [v.name for v in rows.domain]
        row = {name: rows.cell(0, name) for name in names}
        changes = tuple(
            Change(name, now, row[name], f"= {_shown(row[name], now)}")
            for name in sorted(cells, key=names.index)
            for now in [cell_of(self.row, self.query, name)]
        )
        probability, then = None, self.predicted
        if isinstance(self.model, Classifier):
            then = self.model.classes[int(codes_of(self.model, rows)[0])]
            chances = probabilities_of(self.model, rows)[0]
            probability = float(chances[self.model.target.code(then)])
        else:
            then = float(numbers_of(self.model, rows)[0])
        return Counterfactual(
            changes, self.predicted, then, probability, row, self.tried, self.wanted
        )


def _thinned(column: _Candidates, gaps: Floats) -> _Candidates:
    """The values that come nearest to what is wanted, and of these the nearest ones."""
    order = np.argsort(gaps, kind="stable")[: _TRIED // 2]
    spread = np.linspace(0, len(gaps) - 1, min(_TRIED // 2, len(gaps))).round().astype(np.intp)
    kept: Integers = np.unique(np.concatenate([order, spread]))
    return _Candidates(column.name, column.cells[kept], column.distance[kept])


def _limits(to: Any) -> tuple[float, float]:
    given: list[Any] = list(to) if isinstance(to, tuple | list) else []  # pyright: ignore[reportUnknownArgumentType]
    if len(given) != 2 or given == [None, None]:
        raise ParameterError(
            f"to must be (low, high) for a number that is predicted; one of them may be None. "
            f"Got {to!r}."
        )
    low, high = given
    return (-np.inf if low is None else float(low)), (np.inf if high is None else float(high))


def _range_text(low: float, high: float) -> str:
    if np.isinf(high):
        return f"{low:.6g} or more"
    return f"{high:.6g} or less" if np.isinf(low) else f"{low:.6g} to {high:.6g}"
