import datetime as dt
import decimal
import sqlite3
import uuid
from contextlib import closing

import pytest

import satsuma
from satsuma.errors import ParameterError, ReadError

SQL = "select * from sales"


def test_a_connection_of_python(shop):
    with closing(sqlite3.connect(shop)) as connection:
        table = satsuma.read(connection, query=SQL, target="paid")
        source = satsuma.scan(connection, query=SQL, target="paid")
        assert table.equals(satsuma.read(shop, table="sales", target="paid").with_name("query"))
        assert str(satsuma.Tree(max_depth=2)(source)) == str(satsuma.Tree(max_depth=2)(table))
        assert connection.execute("select 1").fetchall() == [(1,)]  # it is left open


def test_a_connection_of_adbc(shop):
    dbapi = pytest.importorskip("adbc_driver_sqlite.dbapi", reason="no adbc-driver-sqlite")
    with dbapi.connect(str(shop)) as connection:
        assert satsuma.read(connection, query=SQL).shape == (200, 4)
        assert len(satsuma.scan(connection, query=SQL)) == 200


def test_a_connection_of_adbc_that_would_round(tmp_path):
    dbapi = pytest.importorskip("adbc_driver_sqlite.dbapi", reason="no adbc-driver-sqlite")
    with closing(sqlite3.connect(tmp_path / "t.db")) as made:
        made.execute("create table t(a, b, wide, named)")
        rows = [(0.1234567890123, 2**60 + 1, 1e300, "1.234568e-01"), ("word", 0.5, 3, "b")]
        made.executemany("insert into t values (?, ?, ?, ?)", rows)
        made.commit()
    with dbapi.connect(str(tmp_path / "t.db")) as connection:
        for call in (satsuma.read, satsuma.scan):
            for name in "ab":
                with pytest.raises(ReadError, match=f"column '{name}' holds cells of several"):
                    call(connection, query=f"select {name}, wide from t")
            exact = call(connection, query="select wide, named from t").head(2)
            assert exact["wide"].tolist() == [1e300, 3]
            assert exact["named"].tolist() == ["1.234568e-01", "b"]


def test_a_connection_of_duckdb():
    import duckdb

    with duckdb.connect() as connection:
        connection.execute(
            "create table t as select range as n, 'x' || range % 2 as s from range(9)"
        )
        assert satsuma.read(connection, query="select * from t").shape == (9, 2)
        assert satsuma.scan(connection, query="select * from t").shape == (9, 2)
        with pytest.raises(ReadError, match="the database says"):
            satsuma.read(connection, query="select * from nothing")


def test_a_connection_needs_a_query(shop):
    with closing(sqlite3.connect(shop)) as connection:
        with pytest.raises(ParameterError, match="goes with query="):
            satsuma.read(connection)
        with pytest.raises(ReadError, match="this gives no rows"):
            satsuma.read(connection, query="create table more(a)")


class Connection:
    """What DB-API asks for, and no more."""

    def __init__(self, rows, names):
        self.rows, self.description, self.at = rows, [(name,) for name in names], 0

    def cursor(self):
        return Connection(self.rows, [each[0] for each in self.description])

    def execute(self, sql):
        assert sql == SQL

    def fetchmany(self, size):
        self.at += size
        return self.rows[self.at - size : self.at]

    def close(self):
        pass


def test_cells_of_every_type():
    day, moment = dt.date(2024, 1, 2), dt.datetime(2024, 1, 2, 3, 4)  # noqa: DTZ001
    rows = [
        (1, decimal.Decimal("12.50"), True, day, moment, uuid.UUID(int=7), day),
        (2**70, decimal.Decimal(3), False, None, None, None, moment),
    ]
    connection = Connection(rows, ["big", "money", "flag", "day", "moment", "key", "either"])
    table = satsuma.read(connection, query=SQL)
    assert table.domain["big"].values == ("1", "1180591620717411303424")
    assert table["money"].tolist() == [12.5, 3.0]
    assert table.domain["flag"].values == ("False", "True")
    assert table[0]["key"] == "00000000-0000-0000-0000-000000000007"
    assert table.domain["either"].values == ("2024-01-02", "2024-01-02 03:04:00")


def test_two_columns_of_one_name():
    connection = Connection([(1, 2)], ["a", "a"])
    assert satsuma.read(connection, query=SQL).domain.names[0] == "a"
    with pytest.raises(ReadError, match="2 columns are called 'a'"):
        satsuma.scan(connection, query=SQL)


@pytest.mark.parametrize("ending", ["", "?table=main.t"])
def test_a_file_of_duckdb(tmp_path, ending):
    import duckdb

    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as made:
        made.execute("create table t as select range as n, date '2024-01-02' as d from range(99)")
    table = satsuma.read(path) if not ending else satsuma.read(f"duckdb:///{path}?table=t")
    source = satsuma.scan(f"duckdb:///{path}", query="select n from t order by n")
    assert table.shape == (99, 2)
    assert source.head(2)["n"].tolist() == [0, 1]
    with pytest.raises(ReadError, match="no table 'tt'"):
        satsuma.read(path, table="tt")


def test_a_server_cursor_for_psycopg(postgresql, in_postgres):
    psycopg = pytest.importorskip("psycopg", reason="no psycopg")
    in_postgres("create table p as select generate_series(1, 9) as n")
    with psycopg.connect(postgresql) as connection:
        assert satsuma.read(connection, query="select * from p")["n"].tolist() == [*range(1, 10)]
        assert satsuma.scan(connection, query="select * from p").shape == (9, 1)


@pytest.mark.parametrize("digits", [20, 36])
def test_whole_numbers_beyond_2_53_are_symbols_in_a_scan_too(digits):
    import duckdb

    query = f"select k * 1{'0' * digits}::hugeint as h, k::hugeint as n from range(1, 30) as r(k)"
    with duckdb.connect() as connection:
        for call in (satsuma.read, satsuma.scan):
            found = call(connection, query=query)
            assert [each.kind for each in found.domain] == ["sym", "num"]
            assert [each.startswith("Column 'h'") for each in found.notes].count(True) == 1
            assert found.head(1)["h"][0] == f"1{'0' * digits}"


def test_types_of_duckdb():
    import duckdb

    with duckdb.connect() as connection:
        for call in (satsuma.read, satsuma.scan):
            found = call(connection, query=DUCK_TYPES).head(1)
            kinds = [*["time"] * 4, "num", *["sym"] * 3]
            assert [each.kind for each in found.domain] == kinds
            assert tuple(found[0]) == (
                "2024-01-02", "2024-01-02 03:04:05.5", "12:30:00", "2024-01-02 03:04:05.123456789",
                12.5, "sad", "True", "1066-10-14",
            )  # fmt: skip
            for cell, told in DUCK_REFUSED.items():
                with pytest.raises(ReadError, match=f"column 'a' holds {told}"):
                    call(connection, query=f"select {cell} as a")


DUCK_TYPES = """select date '2024-01-02' as d, timestamp '2024-01-02 03:04:05.5' as t,
    time '12:30' as c, '2024-01-02 03:04:05.123456789'::timestamp_ns as n,
    12.50::decimal(9, 2) as x,
    'sad'::enum('sad', 'glad') as e, true as b, date '1066-10-14' as f"""
DUCK_REFUSED = {
    "[1, 2]": "nested values",
    "{'k': 1}": "nested values",
    "'x'::blob": "bytes",
    "interval 1 day": "what is neither",
    "timestamp 'infinity'": "a time that is in no calendar",
}
