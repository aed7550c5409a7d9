"""Tables to check a learner on, made from what it says it takes."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Kind, Variable
from satsuma.learners.takes import Takes
from satsuma.numerics.arrays import DTYPES, MISSING, Array

ROWS = 60
_NAMES = ("a", "b", "c", "d", "e", "f")
_ODD_NAMES = ("größe", "名前", "a b", "'\"", "y", "x\\n")
_CLASSES = ("one", "other", "third", "very", "zero")
_ODD_CLASSES = ("non", "はい", "a=b")


def tables(takes: Takes, *, holes: bool = True, weighted: bool = True) -> list[Table]:
    """Small tables of every sort that a learner takes, each under a name of its own.

    Those with holes and those with weights can be left out, for a law that is not about them.

    Examples
    --------
    >>> [table.name for table in tables(Takes(kinds=("num",), missing=False, weights=False))]
    ['plain', 'unequal classes', 'five classes', 'odd names']
    """
    both = "num" in takes.kinds and "sym" in takes.kinds
    made = [table_of(takes, "mixed" if both else "plain")]
    if both:
        made += [table_of(takes, "numbers", kinds=["num"] * 3, classes=2)]
        made += [table_of(takes, "symbols", kinds=["sym"] * 3, classes=2)]
    if takes.missing and holes:
        made += [table_of(takes, "holes", holes=0.3)]
    if takes.weights and weighted:
        made += [table_of(takes, "weighted", weighted=True)]
    if takes.target == "classes":
        made += [table_of(takes, "unequal classes", shares=(50, 9, 1))]
        made += [table_of(takes, "five classes", classes=5)]
    if takes.unlabelled:
        known = table_of(takes, "few labels")
        made += [with_hole(known, "aim", np.arange(len(known)) % 3 > 0)]
    return [*made, table_of(takes, "odd names", odd=True)]


def table_of(
    takes: Takes,
    name: str,
    *,
    rows: int = ROWS,
    kinds: Sequence[str] = (),
    classes: int = 3,
    shares: Sequence[int] = (),
    holes: float = 0.0,
    weighted: bool = False,
    odd: bool = False,
) -> Table:
    """One table: its columns say something of the target, and never all of it."""
    rng = np.random.default_rng(len(name))
    shares = shares or [1] * classes
    group = np.sort(np.arange(rows) % sum(shares))
    group = rng.permutation(np.searchsorted(np.cumsum(shares), group, side="right"))
    names = _ODD_NAMES if odd else _NAMES
    columns: list[tuple[Variable, Array]] = []
    for at, kind in enumerate(kinds or _kinds(takes)):
        columns.append(_MAKERS[kind](names[at], at, group, rng))
    columns = [(variable, _with_holes(column, holes, rng)) for variable, column in columns]
    columns += _target(takes, group, len(shares), rng, _ODD_CLASSES if odd else _CLASSES)
    if weighted:
        weight = rng.choice([0.0, 0.5, 1.0, 2.0, 3.0], rows)
        columns.append((Variable("weight", "num", role="weight"), weight))
    return Table(Domain(v for v, _ in columns), (column for _, column in columns), name=name)


def _kinds(takes: Takes) -> list[str]:
    many = 2 if len(takes.kinds) > 1 else 3
    return [kind for _ in range(many) for kind in takes.kinds]


def _number(name: str, at: int, group: Array, rng: np.random.Generator) -> tuple[Variable, Array]:
    column = rng.normal(group, 1.0 + 0.2 * group)
    # Far from zero, a variance by subtraction of squares shows; whole numbers tie.
    column = np.round(column * 2) if at % 3 == 1 else column + 30_000.0 * (at % 3 == 2)
    return Variable(name), column


def _symbol(name: str, at: int, group: Array, rng: np.random.Generator) -> tuple[Variable, Array]:
    values = ("red", "green", "blue", "never")[at % 2 :]  # the last one is declared and never seen
    seen = len(values) - 1
    said = np.where(rng.random(len(group)) < 0.5, group % seen, rng.integers(0, seen, len(group)))
    return Variable(name, "sym", values), said.astype(np.int32)


def _text(name: str, at: int, group: Array, rng: np.random.Generator) -> tuple[Variable, Array]:
    words = ["the", "of", "small", "orange", "peel"]
    column = np.empty(len(group), object)
    column[:] = [
        " ".join(words[w] for w in [*rng.integers(0, 5, 4).tolist(), g % 5, at % 5])
        for g in group.tolist()
    ]
    return Variable(name, "text"), column


_MAKERS: dict[str, Callable[[str, int, Array, np.random.Generator], tuple[Variable, Array]]] = {
    "num": _number,
    "sym": _symbol,
    "text": _text,
}


def _target(
    takes: Takes, group: Array, classes: int, rng: np.random.Generator, names: Sequence[str]
) -> list[tuple[Variable, Array]]:
    if takes.target == "nothing":
        return []
    if takes.target == "number":
        return [(Variable("aim", role="target"), 10.0 + 3 * group + rng.normal(size=len(group)))]
    return [(Variable("aim", "sym", tuple(names[:classes]), "target"), group.astype(np.int32))]


def _with_holes(column: Array, share: float, rng: np.random.Generator) -> Array:
    if not share:
        return column
    holes = rng.random(len(column)) < share
    kinds: dict[str, Kind] = {"f": "num", "i": "sym", "O": "text"}
    made = column.copy()
    made[holes] = MISSING[kinds[column.dtype.kind]]
    return made


def with_column(table: Table, variable: Variable, column: Any) -> Table:
    """A table with a column replaced, or with one more."""
    made = dict(zip(table.domain.names, zip(table.domain, table.columns, strict=True), strict=True))
    filled = cast("npt.NDArray[Any]", np.empty(len(table), DTYPES[variable.kind]))
    filled[:] = column
    made[variable.name] = (variable, filled)
    variables, columns = zip(*made.values(), strict=True)
    return Table(Domain(variables), columns, name=table.name, check=False)


def attributes_of(table: Table) -> Table:
    """The columns that are learned from, alone."""
    return table.select(v.name for v in table.domain.attributes)


def with_hole(table: Table, name: str, rows: Any) -> Table:
    """A table in which some cells of a column are missing."""
    variable = table.domain[name]
    column = table.column(name).copy()
    column[rows] = MISSING[variable.kind]
    return with_column(table, variable, column)
