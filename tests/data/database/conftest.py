import sqlite3
from contextlib import closing

import pytest

from tests.data.database import postgres


@pytest.fixture(scope="session")
def postgresql():
    """The URL of a PostgreSQL server, with user and password."""
    pytest.importorskip("adbc_driver_postgresql", reason="there is no adbc-driver-postgresql")
    if postgres.programs() is None:
        pytest.skip("there is no PostgreSQL here: apt-get install postgresql")
    if postgres.other_user() is None and postgres.os.getuid() == 0:
        pytest.skip("PostgreSQL is not run by root, and there is nobody else")
    with postgres.server() as place:
        yield f"postgresql://{postgres.USER}:{postgres.ENCODED}@{place}"


@pytest.fixture
def in_postgres(postgresql):
    """Run statements of SQL on the server."""
    from adbc_driver_postgresql import dbapi

    def run(*statements):
        with (
            dbapi.connect(postgresql, autocommit=True) as connection,
            connection.cursor() as cursor,
        ):
            for each in ("set lock_timeout = 5000", *statements):
                cursor.execute(each)

    return run


@pytest.fixture(params=["adbc", "python"])
def sqlite_driver(request, monkeypatch):
    """Each of the two drivers that read files of SQLite."""
    if request.param == "python":
        monkeypatch.setitem(__import__("sys").modules, "adbc_driver_sqlite.dbapi", None)
    else:
        pytest.importorskip("adbc_driver_sqlite", reason="there is no adbc-driver-sqlite")
    return request.param


@pytest.fixture
def shop(tmp_path):
    """A file of SQLite with two tables."""
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as made:
        made.execute("create table sales(id integer, price real, item text, paid text)")
        rows = [(k, k / 4 if k % 5 else None, f"item {k % 3}", "yn"[k % 2]) for k in range(200)]
        made.executemany("insert into sales values (?, ?, ?, ?)", rows)
        made.execute('create table "odd ""name"".x"(a integer)')
        made.execute('insert into "odd ""name"".x" values (7)')
        made.commit()
    return path
