"""Expressions: values for the rows of a table, given as they are or worked out from the table."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from satsuma.data.cells import Found
from satsuma.data.columns import is_missing
from satsuma.data.flags import FLAGS, flag_codes, flag_names
from satsuma.data.notes import note
from satsuma.data.objects import column_from, has_cells
from satsuma.data.variable import Variable
from satsuma.data.verbs.arithmetic import Arithmetic
from satsuma.errors import DomainError, ParameterError
from satsuma.numerics.arrays import Bools

if TYPE_CHECKING:
    from satsuma.data.table import Table

#: What a column can be made of: cells, one cell for all rows, arithmetic, a function of the table.
Expression = Any


def evaluate(table: "Table", expression: Expression) -> Any:
    """What an expression gives for a table: itself, unless it is a function or arithmetic.

    Examples
    --------
    >>> from satsuma import Table
    >>> days = Table.of([(3,), (4,)], ["a"], target=None)
    >>> evaluate(days, lambda t: t["a"] * 2), evaluate(days, "a * 2")
    (array([6., 8.]), array([6., 8.]))
    """
    given: Any = expression
    if isinstance(given, str):
        return Arithmetic(table, given).result
    if callable(given):
        given = cast("Callable[[Table], Any]", given)(table)
    # An array without dimensions is a single value.
    return given.item() if getattr(given, "shape", None) == () else given


def new_column(table: "Table", name: str, values: Expression) -> Found:
    """A column for the rows of a table; one value alone stands in all of them."""
    sum_ = Arithmetic(table, values) if isinstance(values, str) else None
    given = evaluate(table, values) if sum_ is None else sum_.result
    cells = given if has_cells(given) else [given] * len(table)
    found = _with_flag(table, column_from(name, cells, None))
    if len(found.column) != len(table):
        raise DomainError(
            f"Column {name!r} is given {len(found.column)} cells, but the table has {len(table)} "
            f"rows. Give one for each row, or a single value for all."
        )
    if sum_ is None or not (count := int(sum_.undefined.sum())):
        return found
    row = int(sum_.undefined.argmax())
    rows = "1 row" if count == 1 else f"{count:,} rows"
    told = note("no result", name=name, rows=rows, row=row, text=sum_.text)
    return found._replace(notes=(*found.notes, told))


def _with_flag(table: "Table", found: Found) -> Found:
    """A column of 0 and 1 as symbols, unless it takes the place of numbers."""
    variable, column, notes, _ = found
    replaced = variable.name in table.domain and table.domain[variable.name].kind == "num"
    if replaced or not flag_names([variable], [column]):
        return found
    told = note("new flag", name=variable.name)
    return Found(Variable(variable.name, "sym", FLAGS), flag_codes(column), (*notes, told))


def row_mask(table: "Table", rows: Expression) -> Bools:
    """Which rows are chosen: True or False for each; a missing one is False."""
    given = evaluate(table, rows)
    if not has_cells(given):
        raise _no_mask(given)
    if isinstance(given, np.ndarray) and given.dtype == np.bool_:
        mask = cast("Bools", given)
    else:
        mask = np.array([_truth(cell) for cell in _plain_cells(given)], np.bool_)
    if mask.shape != (len(table),):
        raise DomainError(
            f"The rows to keep are given by {mask.size} values, but the table has {len(table)} "
            f"rows. Give True or False for each row."
        )
    return mask


def _plain_cells(given: Any) -> Iterable[Any]:
    if hasattr(given, "to_pylist"):  # Arrow's cells are objects of its own
        return given.to_pylist()
    return np.ma.filled(given.astype(object), None) if np.ma.isMaskedArray(given) else given


def _truth(cell: Any) -> bool:
    if is_missing(cell):
        return False
    if type(cell) not in (bool, np.bool_):
        raise _no_mask(cell)
    return bool(cell)


def _no_mask(given: object) -> ParameterError:
    return ParameterError(
        f"filter takes True or False for each row, or a function of the table that gives them, "
        f"such as lambda t: t['age'] > 30. Got {given!r:.60}. Rows by number are table[[0, 3]]."
    )
