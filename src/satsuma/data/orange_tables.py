"""Tables of Orange 3, from and to ours: the same columns, kinds, values, roles and weights."""

from importlib import import_module
from math import isnan
from typing import Any

import numpy as np

from satsuma.data.domain import Domain, free_name
from satsuma.data.table import Table
from satsuma.data.variable import Role, Variable
from satsuma.errors import DomainError, SatsumaError
from satsuma.numerics.arrays import MISSING, TIME, Array, Floats

#: Nanoseconds in a second.
_SECOND = 1e9


def from_orange(orange_table: Any) -> Table:
    """A table of Orange 3 as a table.

    Discrete variables are symbols with the same values in the same order, continuous ones are
    numbers, those of time are times, and strings are texts. The class is the target, and of several
    the first; the others and metas have the role ``meta``. Weights become a column.

    Parameters
    ----------
    orange_table
        An ``Orange.data.Table``.

    Examples
    --------
    >>> from importlib.util import find_spec
    >>> if find_spec("Orange"):
    ...     from Orange.data import Table as OrangeTable
    ...
    ...     assert from_orange(OrangeTable("iris")).domain.target.name == "iris"
    """
    domain: Any = getattr(orange_table, "domain", None)
    if not hasattr(domain, "class_vars") or not hasattr(orange_table, "metas"):
        raise DomainError(
            f"from_orange takes an Orange.data.Table, not {type(orange_table).__name__}. Other "
            f"objects are read by satsuma.read."
        )
    variables, columns = list[Variable](), list[Array]()
    parts: list[tuple[Role, Any, Any]] = [
        ("x", domain.attributes, orange_table.X),
        ("target", domain.class_vars, orange_table.Y),
        ("meta", domain.metas, orange_table.metas),
    ]
    for role, others, cells in parts:
        by_row = _dense(cells, len(others))
        for at, other in enumerate(others):
            beside = role == "target" and at > 0
            variables.append(_variable(other, "meta" if beside else role))
            columns.append(_column(variables[-1], by_row[:, at]))
    if orange_table.has_weights():
        name = free_name("weight", [variable.name for variable in variables])
        variables.append(Variable(name, role="weight"))
        columns.append(np.array(orange_table.W, np.float64).ravel())
    name = getattr(orange_table, "name", "") or ""
    return Table(Domain(variables), columns, name=str(name))


def to_orange(table: Table) -> Any:
    """A table as an ``Orange.data.Table``, which must be installed (``pip install Orange3``).

    The target is the class, and what is learned from are the attributes. Texts, and columns of
    other roles, are metas; a column of weights weighs the rows.

    Parameters
    ----------
    table
        The rows.

    Examples
    --------
    >>> from importlib.util import find_spec
    >>> import satsuma
    >>> if find_spec("Orange"):
    ...     there = to_orange(satsuma.load("heart_disease"))
    ...     assert satsuma.from_orange(there).domain == satsuma.load("heart_disease").domain
    """
    try:
        orange: Any = import_module("Orange.data")
    except ImportError:
        raise SatsumaError(
            "Orange is not installed. Install it: pip install Orange3, or write a .tab file, which "
            "Orange reads: satsuma.write(table, 'rows.tab')."
        ) from None
    parts = dict[str, list[Variable]](x=[], target=[], meta=[])
    for variable in table.domain:
        role = variable.role if variable.kind != "text" else "meta"
        if role != "weight":
            parts[role if role in parts else "meta"].append(variable)
    domain = orange.Domain(*([_orange(orange, v) for v in each] for each in parts.values()))
    x, y = (_numbers(table, parts[role]) for role in ("x", "target"))
    made = orange.Table.from_numpy(domain, x, y, _metas(table, parts["meta"]), W=table.weights)
    made.name = table.name or "untitled"
    return made


def _dense(cells: Any, width: int) -> Array:
    """The cells as rows by columns."""
    found = cells.toarray() if hasattr(cells, "toarray") else np.asarray(cells)
    return found.reshape(len(found), width)


def _variable(other: Any, role: Role) -> Variable:
    if other.is_discrete:
        return Variable(other.name, "sym", tuple(map(str, other.values)), role)
    if getattr(other, "is_time", False):
        return Variable(other.name, "time", role=role)
    if other.is_continuous:
        return Variable(other.name, role=role)
    if other.is_string:
        return Variable(other.name, "text", role=role)
    raise DomainError(
        f"Column {other.name!r} is a {type(other).__name__}, which is neither discrete, "
        f"continuous, a time nor a string. Leave it out."
    )


def _column(variable: Variable, cells: Array) -> Array:
    if variable.kind == "text":
        known = [None if _is_missing(cell) else str(cell) for cell in cells]
        return np.array(known, object)
    numbers = cells.astype(np.float64)
    lost = np.isnan(numbers)
    if variable.kind == "num":
        return numbers
    if variable.kind == "sym":
        return np.where(lost, MISSING["sym"], np.where(lost, 0, numbers)).astype(np.int32)
    times = np.round(np.where(lost, 0.0, numbers) * 1e6).astype("datetime64[us]").astype(TIME)
    times[lost] = MISSING["time"]
    return times


def _is_missing(cell: Any) -> bool:
    return cell is None or cell == "" or (isinstance(cell, float) and isnan(cell))


def _orange(orange: Any, variable: Variable) -> Any:
    """Orange's variable."""
    if variable.kind == "sym":
        return orange.DiscreteVariable(variable.name, values=variable.values)
    if variable.kind == "time":
        return orange.TimeVariable(variable.name, have_date=1, have_time=1)
    if variable.kind == "text":
        return orange.StringVariable(variable.name)
    return orange.ContinuousVariable(variable.name)


def _numbers(table: Table, variables: list[Variable]) -> Floats:
    found = np.empty((len(table), len(variables)))
    for at, variable in enumerate(variables):
        column = table.column(variable.name)
        if variable.kind == "time":
            seconds = column.astype(np.int64) / _SECOND
            found[:, at] = np.where(np.isnat(column), np.nan, seconds)
        else:
            found[:, at] = column
            found[table.missing(variable.name), at] = np.nan
    return found


def _metas(table: Table, variables: list[Variable]) -> Array:
    found = np.empty((len(table), len(variables)), object)
    for at, variable in enumerate(variables):
        if variable.kind == "text":
            cells = table.column(variable.name)
            found[:, at] = ["" if cell is None else cell for cell in cells]
        else:
            found[:, at] = _numbers(table, [variable])[:, 0]
    return found
