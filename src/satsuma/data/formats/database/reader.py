"""Opening a table or a query of a database, by its address or on a connection."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast
from urllib.parse import parse_qsl, unquote, urlencode

from satsuma.data.formats import check_options
from satsuma.data.formats.arrow.reader import open_arrow
from satsuma.data.formats.database import database_of, sessions
from satsuma.data.formats.database.declared_times import columns_with_times, opened_with_times
from satsuma.data.formats.database.query import Query
from satsuma.data.formats.database.sessions import PostgresSession
from satsuma.data.formats.database.sqlite import ArrowSqlite, SqliteSession
from satsuma.data.notes import note
from satsuma.data.parts import Opened
from satsuma.data.urls import (
    check_connection_string,
    check_credentials,
    public_name,
    scheme_of,
    without_secrets,
)
from satsuma.errors import ParameterError, ReadError, hint

#: What opens a file of each database.
_FILES: dict[str, Callable[[str], sessions.Session]] = {
    "sqlite": SqliteSession,
    "duckdb": sessions.duck_session,
}


@dataclass(frozen=True)
class Address:
    """Where a database is, and what of it is wanted; whatever may be secret stays inside."""

    kind: str
    label: str
    open: Callable[[], sessions.Session]
    clean: Callable[[object], str]
    table: str | None = None
    query: str | None = None


def open_database(
    source: Any,
    kinds: Mapping[str, str] | None,
    options: Mapping[str, Any],
    *,
    whole: bool = False,
) -> Opened:
    """A table or a query as one part, or as columns in memory.

    Parameters
    ----------
    source
        An address, a path, or a connection.
    kinds
        As in `satsuma.read`.
    options
        The table or the query, where the address does not say it.
    whole
        Whether all rows are wanted at once.
    """
    check_options(options, ("table", "query"), "a database")
    address = _wanted(_address(source), **options)
    with sessions.in_our_words(address.label, address.clean):
        session = address.open()
    (table, sql), notes = _table_of(address, session)
    sql = (address.query or sql).strip().rstrip(";")
    query = Query(session, sql, address.label, table, address.clean)
    if whole:
        try:
            with sessions.in_our_words(query.place, address.clean):
                rows, mixed = query.whole()
                found, told = columns_with_times(rows, kinds, session.declared_times(sql))
        finally:
            session.close()
        return Opened.holding(found, [*notes, *told, *mixed], file=query.place, name=_name(table))
    head = query.head()
    with sessions.in_our_words(query.place, address.clean):
        opened = open_arrow([head], head.schema, query.place)
        declared = [each for each in session.declared_times(sql) if each not in (kinds or ())]
        opened = opened_with_times(opened, declared)
    told = [*notes, *opened.notes, note(session.decision)]
    return replace(opened, parts=[query], notes=told, name=_name(table))


def _address(source: Any) -> Address:
    if not isinstance(source, str | os.PathLike):
        label = f"<{type(source).__module__.partition('.')[0].lstrip('_')}>"
        return Address("connection", label, lambda: _session_with(source), without_secrets)
    path = str(os.fspath(cast("str | os.PathLike[str]", source)))
    kind = database_of(path)
    if not scheme_of(path):
        check_connection_string(path)
        return Address(kind, path, partial(_FILES[kind], path), without_secrets)
    base, _, parameters = path.partition("?")
    given = dict(parse_qsl(parameters, keep_blank_values=True))
    table, query = given.pop("table", None), given.pop("query", None)
    if kind == "postgresql":
        check_credentials(path)
        _, _, place = base.partition("://")
        url = f"postgresql://{place}{'?' if given else ''}{urlencode(given)}"
        clean = partial(without_secrets, url=path)
        return Address(kind, public_name(path), partial(PostgresSession, url), clean, table, query)
    check_options(given, ("table", "query"), f"an address of {kind}")
    file = _file_of(base)
    return Address(kind, file, partial(_FILES[kind], file), without_secrets, table, query)


def _session_with(connection: Any) -> sessions.Session:
    """A session on a connection that somebody else has opened, and will close."""
    family = type(connection).__module__.partition(".")[0]
    if family in ("duckdb", "_duckdb"):
        return sessions.DuckSession(connection, close=False)
    if not hasattr(connection, "adbc_get_info"):
        return sessions.RowSession(connection, close=False)
    vendor = str(connection.adbc_get_info().get("vendor_name", "")).lower()
    return (ArrowSqlite if vendor == "sqlite" else sessions.ArrowSession)(connection, close=False)


def _file_of(base: str) -> str:
    """The path in an address: behind three slashes, with a fourth one where it is absolute."""
    scheme, _, rest = base.partition("://")
    if not rest.startswith("/") or rest == "/":
        raise ReadError(
            "the address of a file has three slashes",
            file=base,
            remedy=f"Write {scheme}:///folder/file, and {scheme}:////folder/file from the root.",
        )
    return unquote(rest[1:])


def _wanted(address: Address, table: str | None = None, query: str | None = None) -> Address:
    """The address with the table or query that an option names."""
    said = [each for each in (address.table, table, address.query, query) if each is not None]
    if len(said) > 1:
        raise ParameterError("Name one table, or one query. Got both, or more than one.")
    if address.kind == "connection" and query is None:
        raise ParameterError("A connection goes with query=, as in query='select * from sales'.")
    return replace(address, table=table or address.table, query=query or address.query)


def _table_of(address: Address, session: sessions.Session) -> tuple[tuple[str, str], list[str]]:
    """The table that is asked for, if one is, and the query for all of it; notes on the choice."""
    if address.query is not None:
        return ("", ""), []
    with sessions.in_our_words(address.label, address.clean):
        known = session.tables()
    if address.table in known:
        return (address.table, _all_of(known[address.table])), []
    if address.table is not None:
        raise ReadError(
            f"there is no table {address.table!r}",
            file=address.label,
            remedy=hint(address.table, known, most=20),
        )
    if len(known) == 1:
        ((table, spelled),) = known.items()
        return (table, _all_of(spelled)), [note("only table", table=table)]
    what = "it has more than one table" if known else "it has no table"
    remedy = f"Say which one with table=. {hint('', known, most=20)}" if known else ""
    raise ReadError(what, file=address.label, remedy=remedy)


def _all_of(table: str) -> str:
    return f"select * from {table}"  # noqa: S608 - the name is quoted


def _name(table: str) -> str:
    return table.rpartition(".")[2] or table or "query"
