"""Sessions: connections to databases, each of which runs queries and gives Arrow's batches."""

import weakref
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from satsuma.data.files import open_path
from satsuma.data.formats.arrow.record_batches import BATCH
from satsuma.data.formats.database.postgresql_types import quoted, readable_query
from satsuma.data.formats.database.row_batches import batch_of
from satsuma.errors import ReadError, SatsumaError, require_extra


@dataclass
class Result:
    """What a query gives: its columns, and its rows batch by batch."""

    schema: Any
    batches: Generator[Any]


def driver(module: str, what: str, package: str, extra: str) -> Any:
    """A module that talks to a database; an error that says how to install it if it is absent."""
    with require_extra(extra, what, package):
        return import_module(module)


class Session:
    """A connection that queries are run on, one after the other."""

    #: The decision that is told where rows are read in several rounds.
    decision = "rounds"

    def __init__(self, connection: Any, *, close: bool = True) -> None:
        self.connection = connection
        self.close: Callable[[], object] = (
            weakref.finalize(self, connection.close) if close else lambda: None
        )

    def run(self, sql: str) -> Result:
        """The result of a query."""
        raise NotImplementedError

    def tables(self) -> dict[str, str]:
        """The tables and views by name, each as SQL spells it."""
        raise NotImplementedError

    def declared_times(self, sql: str) -> list[str]:
        """Columns that are declared as times, and whose cells are strings all the same."""
        del sql
        return []

    def fallback(self, error: Exception) -> bool:
        """Whether another driver is taken from now on, because the first one gave up."""
        del error
        return False

    def _listed(self, sql: str) -> dict[str, str]:
        """Tables by a query for the schema of each, empty where it need not be said, and its name.

        Tables of the schema that need not be said come first.
        """
        found: dict[str, str] = {}
        for batch in self.run(sql).batches:
            for row in batch.to_pylist():
                names: list[str] = [name for name in row.values() if name]
                found[".".join(names)] = ".".join(map(quoted, names))
        return found


class ArrowSession(Session):
    """A connection of an ADBC driver."""

    def run(self, sql: str) -> Result:
        """The result of a query, streamed."""
        sql = readable_query(self.connection, sql)
        cursor = self.connection.cursor()
        try:
            self._prepare(cursor)
            cursor.execute(sql)
            reader = cursor.fetch_record_batch()
        except BaseException:
            cursor.close()
            raise
        return Result(reader.schema, _closing(reader, cursor))

    def _prepare(self, cursor: Any) -> None:
        """Set what a driver needs to know."""


def _closing(reader: Any, cursor: Any) -> Generator[Any]:
    with closing(cursor):
        yield from reader


class RowSession(Session):
    """A connection of DB-API, which gives rows of Python's cells."""

    def run(self, sql: str) -> Result:
        """The result of a query, some thousand rows at a time."""
        cursor = self._cursor()
        try:
            cursor.execute(sql)
            rows = cursor.fetchmany(BATCH)
            names = _described(cursor)
        except BaseException:
            cursor.close()
            raise
        first = batch_of(names, rows)
        return Result(first.schema, self._batches(names, first, cursor))

    def _cursor(self) -> Any:
        """A cursor; one on the server where an ordinary one would fetch all rows at once."""
        if type(self.connection).__module__.startswith("psycopg"):
            return self.connection.cursor(name="satsuma")
        return self.connection.cursor()

    @staticmethod
    def _batches(names: Sequence[str], first: Any, cursor: Any) -> Generator[Any]:
        with closing(cursor):
            yield first
            while rows := cursor.fetchmany(BATCH):
                yield batch_of(names, rows)


def _described(cursor: Any) -> list[str]:
    if not cursor.description:
        raise ReadError("this gives no rows", remedy="Write a query that starts with select.")
    return [str(column[0]) for column in cursor.description]


class DuckSession(Session):
    """A connection of duckdb."""

    def run(self, sql: str) -> Result:
        """The result of a query, streamed."""
        import pyarrow as pa

        relation = self.connection.sql(sql)
        if relation is None:
            raise ReadError("this gives no rows", remedy="Write a query that starts with select.")
        reader = pa.RecordBatchReader.from_stream(relation)
        return Result(reader.schema, (batch for batch in reader))

    def tables(self) -> dict[str, str]:
        """The tables and views by name, each as SQL spells it."""
        return self._listed(
            "select case table_schema when 'main' then '' else table_schema end as s, "
            "table_name as t from information_schema.tables order by s, t"
        )


def duck_session(path: str) -> DuckSession:
    """A session with a file of duckdb."""
    duckdb = driver("duckdb", "A file of DuckDB", "duckdb", "duckdb")
    open_path(path).close()
    return DuckSession(duckdb.connect(path, read_only=True))


@contextmanager
def in_our_words(label: str, clean: Callable[[object], str]) -> Generator[None]:
    """Say with the place, and without credentials, what a database says is wrong."""
    try:
        yield
    except ReadError as error:
        raise ReadError(error.what, file=error.file or label, remedy=error.remedy) from None
    except (SatsumaError, NameError, AttributeError, AssertionError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - each driver has errors of its own
        raise ReadError(
            f"the database says: {clean(error)}".rstrip(". "),
            file=label,
            remedy="Mend the query, the name of the table, or the address.",
        ) from None


class PostgresSession(ArrowSession):
    """A connection to PostgreSQL: all queries see the database as it was at the first one."""

    decision = "transaction"

    def __init__(self, url: str) -> None:
        package = "adbc-driver-postgresql"
        dbapi = driver("adbc_driver_postgresql.dbapi", "PostgreSQL", package, "postgresql")
        super().__init__(dbapi.connect(url))
        with closing(self.connection.cursor()) as cursor:
            cursor.execute("set transaction isolation level repeatable read, read only")
            # Rows of a table come in the order in which they are stored, each time.
            cursor.execute("set local synchronize_seqscans = off")
            cursor.execute("set local max_parallel_workers_per_gather = 0")

    def tables(self) -> dict[str, str]:
        """The tables and views by name, each as SQL spells it."""
        return self._listed(
            "select case when table_schema = current_schema() then '' else table_schema::text end "
            "as s, table_name::text as t from information_schema.tables "
            "where table_schema not in ('pg_catalog', 'information_schema') order by s, t"
        )
