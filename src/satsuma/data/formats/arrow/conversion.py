"""Arrow tables: to and from the columns of a table, with the domain as metadata."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from satsuma.data.cells import Found, as_kinds, check_kinds
from satsuma.data.columns import convert, remap
from satsuma.data.domain import Domain, distinct_names
from satsuma.data.formats.arrow.arrow_times import fitted_format, to_times
from satsuma.data.formats.arrow.arrow_types import from_chunks
from satsuma.data.notes import note
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, SatsumaError, WriteError
from satsuma.kernels.csv import TimeFormat
from satsuma.numerics.arrays import Array, Codes

if TYPE_CHECKING:
    import pyarrow as pa

#: Where an Arrow schema keeps the domain.
KEY = b"satsuma"


def to_arrow(table: Table) -> "pa.Table":
    """An Arrow table: float64, dictionaries of strings, strings, times; missing cells are null.

    Times are date32, time64 or timestamps by what their format says, with the zone of it.

    The domain goes along as metadata, so that `read` gives back an equal table.

    Examples
    --------
    >>> table = Table.of([(1, "a"), (None, "b")], ["n", "s"])
    >>> arrow = to_arrow(table)
    >>> arrow.column("n").null_count
    1
    >>> from satsuma import read
    >>> read(arrow).equals(table)
    True
    """
    import json

    import pyarrow as pa

    made = [_to_column(v, c) for v, c in zip(table.domain, table.columns, strict=True)]
    said = {"columns": [_said(variable) for variable in table.domain]}
    metadata: dict[bytes | str, bytes | str] = {KEY: json.dumps(said, ensure_ascii=True).encode()}
    fields = [pa.field(v.name, c.type) for v, c in zip(table.domain, made, strict=True)]
    return pa.Table.from_arrays(made, schema=pa.schema(fields, metadata))


def _to_column(variable: Variable, column: Array) -> Any:
    import pyarrow as pa

    try:
        variable.name.encode()
        if variable.kind == "num":
            return pa.array(column, pa.float64(), from_pandas=True)
        if variable.kind == "time":
            return to_times(variable, column)
        if variable.kind == "text":
            return pa.array(column, pa.large_string(), from_pandas=True)
        missing = column < 0
        indices = pa.array(column, mask=missing if missing.any() else None)
        encoded = cast("Any", pa.DictionaryArray)
        return encoded.from_arrays(indices, pa.array(variable.values, pa.string()))
    except UnicodeEncodeError as error:
        raise WriteError(
            f"Column {variable.name!r} holds {error.object!r}, which is not valid Unicode text. "
            "Replace the lone surrogate in it."
        ) from None


def _said(variable: Variable) -> dict[str, Any]:
    said: dict[str, Any] = {"name": variable.name, "kind": variable.kind, "role": variable.role}
    if variable.kind == "sym":
        said["values"] = variable.values
    if variable.kind == "time":
        said["format"] = astuple(variable.time_format)
    return said | ({"goal": variable.goal} if variable.goal else {})


def arrow_columns(
    data: "pa.Table", kinds: Mapping[str, str] | None
) -> tuple[list[Found], list[str]]:
    """The columns of an Arrow table, with the roles that its metadata say, and the first notes.

    Numbers and dictionaries enter without a copy where they are float64 or int32, in one chunk
    and without nulls. What `to_arrow` says of the domain is believed as far as it still fits.
    """
    index, notes = index_of(data.schema)
    data = data.drop_columns(index)
    names, renamed = distinct_names(data.column_names)
    kinds = check_kinds(kinds, names)
    found = [
        from_chunks(n, column, kinds.get(n)) for n, column in zip(names, data.columns, strict=True)
    ]
    said, doubt = read_said(data.schema)
    found = [_fitted(each, said.get(each.variable.name)) for each in found]
    domain = _with_roles([each.variable for each in found], said)
    found = [each._replace(variable=v) for each, v in zip(found, domain, strict=True)]
    return as_kinds(found, kinds), [*notes, *renamed, *doubt]


def index_of(schema: "pa.Schema") -> tuple[list[str], list[str]]:
    """The columns of a schema that are pandas' index, and what is to be said of it.

    An index says which row is which, whether it has a name or not: it is nothing to learn from.
    """
    try:
        said = cast("Mapping[str, Any]", schema.pandas_metadata or {})
    except ValueError:
        said = cast("Mapping[str, Any]", {})
    index: list[Any] = said.get("index_columns", [])
    columns = [each for each in index if isinstance(each, str) and each in schema.names]
    described: list[dict[str, Any]] = [each for each in index if isinstance(each, dict)]
    ranges = [str(each["name"]) for each in described if each.get("name") is not None]
    names = [name for name in columns if not re.fullmatch(r"__index_level_\d+__", name)] + ranges
    if columns or ranges:
        return columns, [index_note(names)]
    return [], []


def index_note(names: Sequence[str]) -> str:
    """What is to be said of an index that was left out."""
    called = f"({', '.join(map(repr, names))})" if names else "has no name and"
    return note("index", called=called)


def read_said(schema: "pa.Schema") -> tuple[dict[str, Any], list[str]]:
    """What the metadata say of each column, by name."""
    found = (schema.metadata or {}).get(KEY)
    if found is None:
        return {}, []
    import json

    try:
        return {each["name"]: _as_variable(each) for each in json.loads(found)["columns"]}, []
    except (ValueError, TypeError, KeyError, SatsumaError):
        return {}, [note("damaged metadata")]


def _as_variable(said: Mapping[str, Any]) -> Variable:
    values = tuple(map(str, said.get("values", ())))
    form = TimeFormat(*said["format"]) if "format" in said else None
    return Variable(said["name"], said["kind"], values, said["role"], said.get("goal"), form)


def _fitted(found: Found, said: Variable | None) -> Found:
    """A column with the kind and the values that are said of it, if it can have them."""
    if said is None:
        return found
    variable, column, notes, _ = found
    unknown = variable.kind == "num" and bool(np.isnan(column).all())
    if said.kind != variable.kind and (unknown or {said.kind, variable.kind} <= {"sym", "text"}):
        variable, column = convert(variable, column, said.kind)
    if variable.kind == said.kind == "time":
        form = fitted_format(variable, said.time_format, column)
        variable = Variable(variable.name, "time", format=form)
    if variable.kind == said.kind == "sym" and set(variable.values) <= set(said.values):
        if variable.values != said.values:
            codes: Codes = column
            column = remap(codes, variable.values, said.code)
        variable = Variable(variable.name, "sym", said.values)
    return Found(variable, column, notes, sure=variable.kind == said.kind)


def _with_roles(variables: Sequence[Variable], said: Mapping[str, Variable]) -> Domain:
    made: list[Variable] = []
    for variable in variables:
        with suppress(KeyError, DomainError):  # a role that fits no more is left out
            known = said[variable.name]
            variable = variable.with_role(known.role, known.goal)  # noqa: PLW2901
        made.append(variable)
    try:
        return Domain(made)
    except DomainError:
        return Domain(variables)
