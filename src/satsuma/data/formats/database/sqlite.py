"""SQLite: files read by the ADBC driver where it is there and loses nothing, else by Python."""

import weakref
from collections.abc import Generator
from contextlib import closing, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from satsuma.data.columns import WHOLE
from satsuma.data.files import open_path
from satsuma.data.formats.arrow.record_batches import BATCH
from satsuma.data.formats.database.postgresql_types import quoted
from satsuma.data.formats.database.row_batches import is_beyond
from satsuma.data.formats.database.sessions import ArrowSession, Result, RowSession, Session
from satsuma.errors import ReadError

#: How the ADBC driver of SQLite spells a number among strings.
_ROUNDED = r"^-?\d\.\d{6}e[+-]\d{2,3}$"


_TYPES = "select name, type from pragma_table_info('satsuma_declared', 'temp')"


class SqliteSession(Session):
    """A file of SQLite, read by the ADBC driver or else by Python's own module."""

    def __init__(self, path: str) -> None:
        check_sqlite(path)
        self._types: dict[str, dict[str, str]] = {}
        self._flagged: dict[str, list[str]] = {}
        self._uri = f"{_absolute_uri(path)}?mode=ro"
        try:
            dbapi: Any = import_module("adbc_driver_sqlite.dbapi")
        except ImportError:
            super().__init__(self._plain())
            self._runner: Session = RowSession(self.connection, close=False)
        else:
            super().__init__(dbapi.connect(self._uri, autocommit=True))
            self._runner = ArrowSqlite(self.connection, close=False)

    def _plain(self) -> Any:
        import sqlite3

        return sqlite3.connect(self._uri, uri=True, check_same_thread=False)

    def run(self, sql: str) -> Result:
        """The result of a query, streamed."""
        found, flags = self._runner.run(sql), self._flags(sql)
        return _with_flags(found, flags) if flags else found

    def declared_times(self, sql: str) -> list[str]:
        """Columns that are declared as dates or times, for which SQLite has no type of its own."""
        return [name for name, of in self._declared(sql).items() if "DATE" in of or "TIME" in of]

    def _flags(self, sql: str) -> list[str]:
        """Columns that are declared as booleans and hold 0 and 1 alone."""
        if sql not in self._flagged:
            names = [name for name, of in self._declared(sql).items() if of.startswith("BOOL")]
            self._flagged[sql] = [name for name in names if not self._asked(_no_flag(sql, name))]
        return self._flagged[sql]

    def _declared(self, sql: str) -> dict[str, str]:
        """The types that the columns of a result were declared with, where they are of a table."""
        if sql not in self._types:
            told = list[tuple[Any, ...]]()
            with suppress(self.connection.Error):  # as for what is no query
                self._asked(f"create temp view satsuma_declared as {sql}")
                told = self._asked(_TYPES)
            with suppress(self.connection.Error):
                self._asked("drop view temp.satsuma_declared")
            self._types[sql] = {str(name): str(of).upper() for name, of in told}
        return self._types[sql]

    def _asked(self, sql: str) -> list[tuple[Any, ...]]:
        with closing(self.connection.cursor()) as cursor:
            cursor.execute(sql)
            return cursor.fetchall() if cursor.description else []

    def fallback(self, error: Exception) -> bool:
        """Whether the ADBC driver met a cell of another type than that of the first rows."""
        if not is_mixture(error) or not isinstance(self._runner, ArrowSqlite):
            return False
        self.close()
        self.connection = self._plain()
        self.close = weakref.finalize(self, self.connection.close)
        self._runner = RowSession(self.connection, close=False)
        return True

    def tables(self) -> dict[str, str]:
        """The tables and views by name, each as SQL spells it."""
        return self._listed(
            "select '' as s, name as t from sqlite_master where type in ('table', 'view') "
            "and name not like 'sqlite\\_%' escape '\\' order by t"
        )


def _no_flag(sql: str, name: str) -> str:
    """A query for a cell that is neither 0 nor 1."""
    cell = quoted(name)
    other = f"{cell} is not null and (typeof({cell}) <> 'integer' or {cell} not in (0, 1))"
    return f"select 1 from ({sql}) where {other} limit 1"  # noqa: S608 - it is the user's own


def _with_flags(found: Result, names: list[str]) -> Result:
    """A result whose columns of 0 and 1 are booleans."""

    def schema(of: Any) -> Any:
        import pyarrow as pa

        flags = [pa.field(each.name, pa.bool_()) if each.name in names else each for each in of]
        return pa.schema(flags, of.metadata)

    batches = (each.cast(schema(each.schema)) for each in found.batches)
    return Result(schema(found.schema), batches)


class ArrowSqlite(ArrowSession):
    """The ADBC driver, which takes the types of columns from the first rows.

    It spells a number among strings with six digits, and makes a float of an integer among floats.
    """

    def run(self, sql: str) -> Result:
        """The result of a query, streamed as long as no digit is lost."""
        found = super().run(sql)
        return Result(found.schema, self._exact(found.batches, sql))

    def _prepare(self, cursor: Any) -> None:
        """Set how many rows tell the types of the columns."""
        cursor.adbc_statement.set_options(**{"adbc.sqlite.query.batch_rows": str(BATCH)})

    def _exact(self, batches: Generator[Any], sql: str) -> Generator[Any]:
        sure = set[str]()
        with closing(batches):
            for batch in batches:
                for name, column in zip(batch.schema.names, batch.columns, strict=True):
                    if name not in sure and (where := _loss(column, quoted(name))):
                        self._check(sql, name, where)
                        sure.add(name)
                yield batch

    def _check(self, sql: str, name: str, where: str) -> None:
        asked = f"select 1 from ({sql}) where {where} limit 1"  # noqa: S608 - it is the user's own
        with closing(self.connection.cursor()) as cursor:
            cursor.execute(asked)
            if cursor.fetchone() is not None:
                raise MixedTypes(name)

    def fallback(self, error: Exception) -> bool:
        """Raise where there is no other driver, as on a connection of somebody else."""
        if not is_mixture(error):
            return False
        column = f"column {error.args[0]!r}" if isinstance(error, MixedTypes) else "a column"
        raise ReadError(
            f"{column} holds cells of several types, which the ADBC driver would round",
            remedy="Pass a connection of sqlite3, or the file itself.",
        )


class MixedTypes(Exception):
    """A column holds cells of several types, which the driver would bring to one with a loss."""


def is_mixture(error: Exception) -> bool:
    """Whether the ADBC driver met cells of several types."""
    return isinstance(error, MixedTypes) or "Type mismatch" in str(error)


def _loss(column: Any, name: str) -> str:
    """A condition on the cells that lost digits, where a column looks like some did."""
    import pyarrow.types as t

    if t.is_string(column.type):
        import pyarrow.compute as pc

        match: Any = pc.match_substring_regex
        return f"typeof({name}) = 'real'" if match(column, _ROUNDED).true_count else ""
    if t.is_floating(column.type) and is_beyond(column):
        return f"typeof({name}) = 'integer' and {name} not between -{WHOLE} and {WHOLE}"
    return ""


def _absolute_uri(path: str) -> str:
    return Path(path).absolute().as_uri()


def check_sqlite(path: str) -> None:
    """Raise unless a file is a database of SQLite."""
    with open_path(path) as stream:
        start = stream.read(16)
    if start and start != b"SQLite format 3\0":
        raise ReadError(
            "this is no database of SQLite", file=path, remedy="Say what it is with format=."
        )
