"""PostgreSQL's types: those that Arrow has no word for, cast where the query runs."""

from collections.abc import Callable
from contextlib import closing
from typing import Any

from satsuma.data.formats.database.row_batches import is_beyond

_TYPE = b"POSTGRESQL:type"

#: What a type is cast to. Money comes as a number of cents, a char with blanks at its end.
_CASTS = {"money": "numeric", "bpchar": "text", "interval": "text", "uuid": "text"}


def readable_query(connection: Any, sql: str) -> str:
    """The query with columns cast that could not be read, or not be read right.

    It is the same where the connection is not one to PostgreSQL.
    """
    if "postgres" not in str(connection.adbc_get_info().get("vendor_name", "")).lower():
        return sql
    with closing(connection.cursor()) as cursor:
        schema = cursor.adbc_execute_schema(sql)
    casts = [(quoted(field.name), _cast(field)) for field in schema]
    if not any(cast for _, cast in casts):
        return sql
    columns = ", ".join(f"{name}{cast} as {name}" for name, cast in casts)
    return f"select {columns} from ({sql}) as satsuma"  # noqa: S608 - it is the user's own


def _cast(field: Any) -> str:
    metadata: dict[bytes, bytes] = field.metadata or {}
    of = metadata.get(_TYPE, b"").decode()
    if of in _CASTS:
        return f"::{_CASTS[of]}"
    opaque = getattr(field.type, "type_name", "")
    return "::text" if opaque and opaque != "numeric" else ""


def quoted(name: str) -> str:
    """A name as SQL has it.

    Examples
    --------
    >>> print(quoted('a "b" c'))
    "a ""b"" c"
    """
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def with_numbers(batch: Any, wanted: Callable[[str], bool]) -> Any:
    """A batch whose columns of type numeric, which come as strings, are numbers where wanted.

    A column with numbers that a float cannot hold to the last digit stays strings.
    """
    for at, field in enumerate(batch.schema):
        if getattr(field.type, "type_name", "") == "numeric":
            column = batch.column(at).storage
            numbers = _numbers(column) if wanted(field.name) else None
            batch = batch.set_column(at, field.name, column if numbers is None else numbers)
    return batch


def _numbers(column: Any) -> Any:
    import pyarrow as pa

    numbers: Any = column.cast(pa.float64())
    return None if is_beyond(numbers) else numbers
