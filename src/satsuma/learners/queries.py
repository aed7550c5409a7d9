"""Queries: rows that a model is asked about, made to have the columns of the model."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np

from satsuma.data.columns import WHOLE, from_cells, remap, time_cells
from satsuma.data.domain import Domain
from satsuma.data.flags import FLAGS, OTHER, bits_of, flag_codes
from satsuma.data.row import Row
from satsuma.data.synonyms import synonyms, truths
from satsuma.data.table import Table
from satsuma.data.time_features import TimeFeatures, time_of_feature
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, NoSuchColumn
from satsuma.numerics.arrays import DTYPES, MISSING, Array, Codes


def plain_row(query: Mapping[str, object], domain: Domain) -> Table | None:
    """`fitted(one_row(query, domain), domain)` where all cells are plain; else None.

    Plain are Python's own numbers, strings that are values of the domain, and None.

    Examples
    --------
    >>> domain = Domain([Variable("sky", "sym", ("rain", "sun")), Variable("heat")])
    >>> plain_row({"heat": 30, "sky": "sun"}, domain)[0]
    Row(sky='sun', heat=30)
    >>> plain_row({"heat": "30", "sky": "sun"}, domain) is None
    True
    """
    columns = list[Array]()
    for variable in domain.attributes:
        column = _plain_cell(query.get(variable.name, query), variable)
        if column is None:
            return None
        columns.append(column)
    return Table(domain.asked, columns, check=False) if columns else None


def _plain_cell(cell: object, variable: Variable) -> Array | None:
    if cell is None:
        return missing_column(variable, 1) if variable.kind in ("num", "sym") else None
    if variable.kind == "num":
        plain = type(cell) in (float, int) and not abs(cast("float", cell)) >= WHOLE
        return np.array([cell], np.float64) if plain else None
    code = variable.codes.get(cell) if variable.kind == "sym" and isinstance(cell, str) else None
    return None if code is None else np.array([code], np.int32)


def one_row(query: Row | Mapping[str, object], domain: Domain) -> Table:
    """A table of one row; the cells of a mapping are of the kinds of a domain.

    Examples
    --------
    >>> domain = Domain([Variable("zip", "sym", ("7", "8"))])
    >>> one_row({"zip": 7}, domain)[0]
    Row(zip='7')
    """
    if isinstance(query, Row):
        return query.table[query.index : query.index + 1]
    asked: Any = query
    if not isinstance(asked, Mapping):
        raise DomainError(
            f"A model is asked about a row, a dict, or a table, not about a "
            f"{type(asked).__name__}. Arrays go to fit and predict."
        )
    if not query:  # without a column a table would have no row either
        return Table(Domain([Variable("row")]), [np.zeros(1)])
    made = [_one_cell(name, cell, domain) for name, cell in query.items()]
    return Table(Domain(variable for variable, _ in made), (column for _, column in made))


def _one_cell(name: str, cell: object, domain: Domain) -> tuple[Variable, Array]:
    if name not in domain:
        return from_cells(name, [cell])
    known = domain[name]
    if known.kind == "time":
        return time_cells(name, [cell], known.time_format)
    return from_cells(name, [cell], known.kind)


def check_known(query: Row | Mapping[str, object], domain: Domain) -> None:
    """Raise if a mapping says nothing of an attribute: what is not known is given as None.

    Examples
    --------
    >>> check_known({"sky": "sun"}, Domain([Variable("sky", "sym", ("sun",)), Variable("heat")]))
    Traceback (most recent call last):
        ...
    satsuma.errors.NoSuchColumn: There is no column 'heat'. There are: 'sky'. Where a value is not
    known, give None.
    """
    if not isinstance(query, Row):
        times = TimeFeatures.of_domain(domain).by_time
        for variable in domain.attributes:
            if variable.name not in query:
                time = time_of_feature(variable.name)
                name = time if time in times else variable.name
                if name not in query:
                    raise NoSuchColumn(name, query, "Where a value is not known, give None.")


def fitted(table: Table, domain: Domain, unseen: int = -1) -> Table:
    """The rows of a table under the attributes of a domain, found by name.

    Symbols get the codes of the domain; a value that it does not know gets the code `unseen`, and
    is missing unless that is said to be another.

    Examples
    --------
    >>> domain = Domain([Variable("sky", "sym", ("rain", "sun")), Variable("heat")])
    >>> asked = fitted(Table.of([("sun", "30")], ["sky", "x"]).with_roles({"x": "meta"}), domain)
    Traceback (most recent call last):
        ...
    satsuma.errors.NoSuchColumn: There is no column 'heat'. There are: 'sky', 'x'.
    """
    if table.domain is domain or table.domain == domain:
        return table
    wanted = domain.attributes
    if not wanted:
        return table
    if times := TimeFeatures.of_domain(domain):
        table = times.asked(table, domain)
        for name, features in times.by_time.items():
            if name not in table.domain and any(v.name not in table.domain for v in features):
                raise NoSuchColumn(name, table.domain.names)
    columns = [_fitted_column(table, variable, unseen) for variable in wanted]
    return Table(domain.asked, columns, name=table.name, check=False)


def filled(table: Table, domain: Domain) -> Table:
    """The rows of a table under the attributes of a domain; those that it lacks are missing.

    Examples
    --------
    >>> domain = Domain([Variable("sky", "sym", ("rain", "sun")), Variable("heat")])
    >>> filled(Table.of([(30,)], ["heat"], target=None), domain)[0]
    Row(sky=?, heat=30)
    """
    if not domain.attributes:
        return table  # without a column there would be no rows
    table = TimeFeatures.of_domain(domain).asked(table, domain)
    columns = [
        _fitted_column(table, v, -1) if v.name in table.domain else missing_column(v, len(table))
        for v in domain.attributes
    ]
    return Table(domain.asked, columns, check=False)


def compared(table: Table, domain: Domain) -> Table:
    """The rows of a table under the columns of a domain, to be compared with others that had them.

    Symbols keep their own values, also those that the domain does not know. A target need not be
    there.

    Examples
    --------
    >>> domain = Domain([Variable("sky", "sym", ("rain", "sun"))])
    >>> compared(Table.of([("snow", 1)], ["sky", "x"], target=None), domain)[0]
    Row(sky='snow')
    """
    table = TimeFeatures.of_domain(domain).asked(table, domain)
    target = (
        [] if domain.target is None or domain.target.name not in table.domain else [domain.target]
    )
    wanted = [*domain.attributes, *target]
    variables, columns = list[Variable](), list[Array]()
    for each in wanted:
        same = each.name in table.domain and table.domain[each.name].kind == each.kind
        variables.append(replace(table.domain[each.name], role=each.role) if same else each)
        columns.append(table.column(each.name) if same else _fitted_column(table, each, -1))
    weight = table.domain.weight
    if weight is not None and weight.name not in {v.name for v in wanted}:
        variables.append(weight)
        columns.append(table.column(weight.name))
    return Table(Domain(variables), columns, name=table.name, check=False)


def missing_column(wanted: Variable, rows: int) -> Array:
    """A column of a kind, with every value missing."""
    return np.full(rows, MISSING[wanted.kind], DTYPES[wanted.kind])


def _fitted_column(table: Table, wanted: Variable, unseen: int) -> Array:
    if wanted.name not in table.domain:
        names = table.domain.names  # features of times are not the user's
        raise NoSuchColumn(wanted.name, [n for n in names if time_of_feature(n) not in names])
    given, column = table.domain[wanted.name], table.column(wanted.name)
    if given.kind == wanted.kind:
        if given.kind != "sym" or given.values == wanted.values:
            return column
        codes: Codes = column
        known = wanted.codes
        if not known.keys() >= {*given.values}:
            known = {**synonyms(wanted.values), **known}
        return remap(codes, given.values, lambda value: known.get(value, unseen))
    if (given.kind, wanted.kind) == ("sym", "text"):
        return table[wanted.name]  # a symbol is a short text, and loses nothing as one
    if (flags := _fitted_flags(given, column, wanted, unseen)) is not None:
        return flags
    if table.missing(wanted.name).all():  # nothing there that could be of the wrong kind
        return missing_column(wanted, len(table))
    raise DomainError(
        f"Column {wanted.name!r} was learned as {wanted.kind!r}, but here it is {given.kind!r}. "
        f"Use table.with_kinds({{{wanted.name!r}: {wanted.kind!r}}})."
    )


def _fitted_flags(given: Variable, column: Array, wanted: Variable, unseen: int) -> Array | None:
    """Flags as numbers, or numbers as truths: few rows may hold a 1 alone, or no 2."""
    if wanted.kind == "num" and given.kind == "sym" and {*given.values} <= {*FLAGS}:
        return np.array([*map(float, given.values), np.nan])[column]
    which = truths(wanted.values) if wanted.kind == "sym" and given.kind == "num" else []
    if len(which) == len(FLAGS) and ({*wanted.values} == {*FLAGS} or not bits_of(column) & OTHER):
        codes = flag_codes(column)
        table = np.array([which.index(False), which.index(True), -1], np.int32)
        return np.where((codes < 0) & ~np.isnan(column), unseen, table[codes]).astype(np.int32)
    return None
