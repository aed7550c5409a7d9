"""Row mutation: rows moved a little, so that they can be shared; and what that hides."""

from collections.abc import Sequence

import numpy as np

from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, NoSuchColumn, ParameterError
from satsuma.learners.takes import training_rows
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Array, Bools, Codes, Indices

#: Intervals that numbers are told by in a question.
_INTERVALS = 10


def mutate_rows(table: Table, *, low: float = 0.15, high: float = 0.35, seed: int = 0) -> Table:
    """Rows that are moved away from, or towards, the nearest row of another class.

    A number moves by a share of its difference from that row's, between `low` and `high`, up or
    down; a symbol becomes that row's with such a probability. So no row is left as it was, and none
    gets far towards another class: models of mutated rows are nearly as good (Peters, Menzies and
    Layman 2015). What is missing stays so. The target stays as it is, and only attributes and
    target are there.

    Parameters
    ----------
    table
        With a target: of a number, rows above and below its median are unlike.
    low, high
        By what share of the difference cells move; 0 to 1.
    seed
        Where chance starts from. Keep it to yourself.

    Examples
    --------
    >>> from satsuma import load, mutate_rows
    >>> iris = load("iris")
    >>> shared = mutate_rows(iris, seed=1)
    >>> bool((shared["Petal.Length"] != iris["Petal.Length"]).all())
    True
    """
    if not 0 <= low <= high <= 1:
        raise ParameterError(
            f"low and high must be shares, from 0 to 1, that rise. Got {low!r}, {high!r}."
        )
    rows, rng = training_rows(table, "mutate_rows"), np.random.default_rng(seed)
    target = rows.domain.target
    assert target is not None
    near, columns = _nearest_unlike(rows, target), list[Array]()
    kept = [*rows.domain.attributes, target]
    for variable in kept:
        column = rows.column(variable.name)
        columns.append(
            column if variable is target else _moved(variable, column, near, low, high, rng)
        )
    return Table(rows.select([v.name for v in kept]).domain, columns, check=False)


def _moved(  # noqa: PLR0917 - all that a move depends on
    variable: Variable,
    column: Array,
    near: Indices,
    low: float,
    high: float,
    rng: np.random.Generator,
) -> Array:
    share = rng.uniform(low, high, len(column))
    if variable.kind == "num":
        gap = np.nan_to_num(column - column[near])
        spread = np.nanstd(column) if len(column) else 0.0
        gap = np.where(gap == 0, spread * rng.uniform(0, low, len(column)), gap)
        return column + rng.choice([-1.0, 1.0], len(column)) * share * gap
    taken = (rng.random(len(column)) < share) & (column >= 0) & (column[near] >= 0)
    return np.where(taken, column[near], column).astype(column.dtype)


def _nearest_unlike(rows: Table, target: Variable) -> Indices:
    """The nearest row whose target is another, for each row."""
    values = rows.column(target.name)
    group: Codes = values if target.kind == "sym" else (values > np.median(values)).astype(np.int32)
    if len(np.unique(group)) < 2:
        raise DomainError(
            f"All rows have the same {target.name!r}: there is no row that is unlike others."
        )
    distance, found = Distance.of(rows), np.empty(len(rows), np.intp)
    for each in np.unique(group):
        mine, theirs = np.flatnonzero(group == each), np.flatnonzero(group != each)
        found[mine] = theirs[distance.nearest(rows[mine], rows[theirs])[1][:, 0]]
    return found


def privacy_ratio(
    table: Table,
    shared: Table,
    sensitive: str,
    *,
    known: Sequence[str] | None = None,
    width: int = 2,
    questions: int = 1000,
    seed: int = 0,
) -> float:
    """The share of questions about a sensitive column that shared rows do not answer right.

    Somebody knows some cells of a row, and asks which value of the sensitive column is most
    frequent among rows that have these. The answer is right if the shared rows give the same one as
    the rows themselves (increased privacy ratio; Peters and Menzies 2012). 0 tells all; above 0.6
    or so little is told.

    Parameters
    ----------
    table, shared
        The rows, and what is shared of them.
    sensitive
        The column that nobody is to learn.
    known
        The columns that somebody may know; all other attributes unless given.
    width
        How many cells are known.
    questions
        How many are asked; the cells are those of rows drawn at random.
    seed
        Where chance starts from.

    Examples
    --------
    >>> from satsuma import load, mutate_rows, privacy_ratio
    >>> heart = load("heart_disease")
    >>> privacy_ratio(heart, heart, "age")
    0.0
    >>> privacy_ratio(heart, mutate_rows(heart), "age") > 0.3
    True
    """
    for name in (sensitive, *(known or ())):
        if name not in table.domain:
            raise NoSuchColumn(name, [v.name for v in table.domain])
    names = [v.name for v in table.domain.attributes if v.name != sensitive]
    names = list(known) if known is not None else names
    if not 1 <= width <= len(names):
        raise ParameterError(f"width must be from 1 to {len(names)}, the columns. Got {width!r}.")
    rng = np.random.default_rng(seed)
    cells = {name: _coded(table, shared, name) for name in (*names, sensitive)}
    right = 0
    for _ in range(questions):
        row = int(rng.integers(len(table)))
        asked = rng.choice(names, width, replace=False).tolist()
        there, here = (_alike(cells, asked, row, side) for side in (0, 1))
        truth = _most_frequent(cells[sensitive][0][there])
        right += truth is not None and truth == _most_frequent(cells[sensitive][1][here])
    return 1 - right / questions


def _coded(table: Table, shared: Table, name: str) -> tuple[Array, Array]:
    """A column of both tables as codes: values of symbols, or intervals of the first table."""
    one, other = table.column(name), shared.column(name)
    if table.domain[name].kind == "sym":
        return table[name], shared[name]
    ends = np.unique(np.nanquantile(one, np.linspace(0, 1, _INTERVALS + 1)[1:-1]))
    return tuple(np.where(np.isnan(each), -1, np.searchsorted(ends, each)) for each in (one, other))  # pyright: ignore[reportReturnType]


def _alike(
    cells: dict[str, tuple[Array, Array]], asked: Sequence[str], row: int, side: int
) -> Bools:
    parts = [cells[name][side] == cells[name][0][row] for name in asked]
    return np.logical_and.reduce(parts)


def _most_frequent(values: Array) -> object:
    """The most frequent value, the first in order of several; None of nothing."""
    if not len(values):
        return None
    found, counts = np.unique(values.astype(str), return_counts=True)
    return found[counts.argmax()]
