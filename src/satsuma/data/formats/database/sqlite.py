"""SQLite: files read by the ADBC driver where it is there and loses nothing, else by Python."""

import weakref
from collections.abc import Generator
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

from satsuma.data.files import open_path
from satsuma.data.formats.arrow.record_batches import BATCH
from satsuma.data.formats.database.row_batches import is_beyond
from satsuma.data.formats.database.sessions import ArrowSession, Result, RowSession, Session
from satsuma.errors import ReadError

#: How the ADBC driver of SQLite spells a number among strings.
_ROUNDED = r"^-?\d\.\d{6}e[+-]\d{2,3}$"


class SqliteSession(Session):
    """A file of SQLite, read by the ADBC driver or else by Python's own module."""

    def __init__(self, path: str) -> None:
        check_sqlite(path)
        self._uri = f"{_absolute_uri(path)}?mode=ro"
        try:
            dbapi: Any = import_module("adbc_driver_sqlite.dbapi")
        except ImportError:
            super().__init__(self._plain())
            self._runner: Session = RowSession(self.connection, close=False)
        else:
            super().__init__(dbapi.connect(self._uri, autocommit=True))
            self._runner = _SqliteArrow(self.connection, close=False)

    def _plain(self) -> Any:
        import sqlite3

        return sqlite3.connect(self._uri, uri=True, check_same_thread=False)

    def run(self, sql: str) -> Result:
        """The result of a query, streamed."""
        return self._runner.run(sql)

    def fallback(self, error: Exception) -> bool:
        """Whether the ADBC driver met a cell of another type than that of the first rows."""
        mixed = isinstance(error, MixedTypes) or "Type mismatch" in str(error)
        if not mixed or not isinstance(self._runner, _SqliteArrow):
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


class _SqliteArrow(ArrowSession):
    """The ADBC driver, which takes the types of columns from the first rows."""

    def run(self, sql: str) -> Result:
        """The result of a query, streamed as long as no digit is lost."""
        found = super().run(sql)
        return Result(found.schema, _exact(found.batches))

    def _prepare(self, cursor: Any) -> None:
        """Set how many rows tell the types of the columns."""
        cursor.adbc_statement.set_options(**{"adbc.sqlite.query.batch_rows": str(BATCH)})


class MixedTypes(Exception):
    """A column holds cells of several types, which the driver would bring to one with a loss."""


def _exact(batches: Generator[Any]) -> Generator[Any]:
    """The batches, up to one in which the driver has rounded numbers.

    It spells a number among strings with six digits, and makes a float of an integer among floats.
    """
    with closing(batches):
        for batch in batches:
            if any(map(_is_rounded, batch.columns)):
                raise MixedTypes
            yield batch


def _is_rounded(column: Any) -> bool:
    import pyarrow.types as t

    if t.is_string(column.type):
        import pyarrow.compute as pc

        match: Any = pc.match_substring_regex
        return bool(match(column, _ROUNDED).true_count)
    return t.is_floating(column.type) and is_beyond(column)


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
