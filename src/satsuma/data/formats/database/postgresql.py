"""PostgreSQL: one transaction for all rounds, in which rows come in the same order each time."""

from contextlib import closing

from satsuma.data.formats.database.sessions import ArrowSession, driver


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
