"""Databases: tables and queries where they live."""

import os
from typing import Any, cast

from satsuma.data.urls import scheme_of

#: The databases by their schemes, and by the endings of their files.
SCHEMES = {
    "sqlite": "sqlite",
    "duckdb": "duckdb",
    "postgresql": "postgresql",
    "postgres": "postgresql",
}
ENDINGS = {".sqlite": "sqlite", ".sqlite3": "sqlite", ".db": "sqlite", ".duckdb": "duckdb"}


def is_database(source: Any) -> bool:
    """Whether something leads to a database: an address, a file of one, or a connection.

    Examples
    --------
    >>> is_database("sqlite:///shop.db?table=sales"), is_database("shop.duckdb")
    (True, True)
    >>> is_database("sales.csv")
    False
    """
    if isinstance(source, str | os.PathLike):
        return bool(database_of(str(os.fspath(cast("str | os.PathLike[str]", source)))))
    return callable(getattr(source, "cursor", None))


def database_of(path: str) -> str:
    """Which database an address or a path leads to; empty where it leads to none.

    Examples
    --------
    >>> database_of("postgresql+psycopg://db.org/shop")
    'postgresql'
    """
    if scheme := scheme_of(path):
        return SCHEMES.get(scheme.partition("+")[0], "")
    return ENDINGS.get(os.path.splitext(path)[1].lower(), "")  # noqa: PTH122 - any string
