import sqlite3
from contextlib import closing

import numpy as np
import pytest

import satsuma
from satsuma.data.formats.database import declared_times, query, sessions, sqlite
from satsuma.errors import ParameterError, ReadError
from tests.cli.running import ran_well, refused

#: Rows of a batch, where a test is to have several.
BATCH = 64


@pytest.fixture
def small_batches(monkeypatch):
    for module in (declared_times, query, sessions, sqlite):
        monkeypatch.setattr(module, "BATCH", BATCH)


def url(path, more="?table=sales"):
    return f"sqlite:///{path}{more}"


def made(path, *statements, rows=()):
    with closing(sqlite3.connect(path)) as connection:
        for each in statements:
            connection.execute(each)
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            connection.executemany(f"insert into t values ({marks})", rows)
        connection.commit()
    return path


@pytest.mark.usefixtures("sqlite_driver")
def test_a_table_is_read_and_scanned_alike(shop):
    read = satsuma.read(url(shop), target="paid")
    source = satsuma.scan(url(shop), target="paid")
    assert read.name == source.name == "sales"
    assert read.shape == source.shape == (200, 4)
    assert [v.kind for v in read.domain] == ["num", "num", "sym", "sym"]
    assert source.head(200).equals(read.with_name("sales"))
    assert np.isnan(read["price"][5])
    assert str(satsuma.NaiveBayes()(source)) == str(satsuma.NaiveBayes()(read))


@pytest.mark.usefixtures("sqlite_driver")
def test_several_rounds_give_the_model_of_the_table(shop):
    read = satsuma.read(url(shop), target="paid", roles={"id": "ignore"})
    source = satsuma.scan(url(shop), target="paid", roles={"id": "ignore"})
    assert str(satsuma.Tree(max_depth=2)(source)) == str(satsuma.Tree(max_depth=2)(read))


@pytest.mark.usefixtures("sqlite_driver")
def test_a_query_in_the_address_or_beside_it(shop):
    sql = "select item, avg(price) as mean from sales group by item order by item;"
    beside = satsuma.read(str(shop), query=sql)
    within = satsuma.read(url(shop, "?query=" + sql.replace(" ", "%20")))
    assert beside.shape == (3, 2)
    assert within.equals(beside)
    assert satsuma.scan(shop, query=sql).head(3).equals(beside.with_name("query"))


def test_the_only_table_is_taken_and_told(tmp_path):
    path = made(tmp_path / "one.sqlite", "create table t(a)", rows=[(1,), (2,)])
    table = satsuma.read(path)
    assert table.name == "t"
    assert table.notes == ("The table 't' is read: it is the only one.",)


def test_what_there_is_is_named(shop, tmp_path):
    with pytest.raises(ReadError, match=r"more than one table.*table=.*'sales'"):
        satsuma.read(shop)
    with pytest.raises(ReadError, match=r"there is no table 'sale'. Did you mean 'sales'"):
        satsuma.read(shop, table="sale")
    with pytest.raises(ReadError, match=r"it has no table"):
        satsuma.read(made(tmp_path / "none.db"))
    with pytest.raises(ReadError, match=r"there is no such file"):
        satsuma.read(tmp_path / "nothing.db")
    assert not (tmp_path / "nothing.db").exists()
    (tmp_path / "text.db").write_text("a,b\n1,2\n")
    with pytest.raises(ReadError, match=r"no database of SQLite"):
        satsuma.read(tmp_path / "text.db")
    assert satsuma.read(tmp_path / "text.db", format="csv").shape == (1, 2)


def test_names_are_quoted(shop):
    assert satsuma.read(shop, table='odd "name".x')["a"].tolist() == [7]
    with pytest.raises(ReadError, match=r"there is no table"):
        satsuma.read(shop, table="sales; drop table sales")


@pytest.mark.usefixtures("sqlite_driver")
def test_a_wrong_query_is_refused_in_one_sentence(shop):
    with pytest.raises(ReadError, match=r"query: the database says: .*nothing"):
        satsuma.read(shop, query="select nothing from sales")
    with pytest.raises(ReadError, match=r"the database says"):
        satsuma.read(shop, query="delete from sales")
    assert len(satsuma.read(shop, table="sales")) == 200


def test_options_are_checked(shop):
    with pytest.raises(ParameterError, match=r"one table, or one query"):
        satsuma.read(url(shop), query="select 1")
    with pytest.raises(ParameterError, match=r"no option 'delimiter' for a database"):
        satsuma.read(url(shop), delimiter=";")
    with pytest.raises(ParameterError, match=r"no option 'tabel'"):
        satsuma.read(url(shop, "?tabel=sales"))
    with pytest.raises(ReadError, match=r"three slashes"):
        satsuma.read("sqlite://shop.db?table=sales")


@pytest.mark.usefixtures("sqlite_driver")
def test_numbers_among_words_lose_no_digit(tmp_path):
    rows = [(0.1234567890123, 2**60 + 1), ("word", 0.5), (None, None), (7, 3)]
    path = made(tmp_path / "mixed.db", "create table t(a, b)", rows=rows)
    for table in (satsuma.read(path), satsuma.scan(path).head(4)):
        assert table.domain["a"].values == ("0.1234567890123", "word", "7")
        assert table.domain["b"].values == ("1152921504606846977", "0.5", "3")
    assert "Column 'a' holds numbers and words; the numbers became symbols too." in " ".join(
        satsuma.read(path).notes
    )
    assert "Column 'a' holds numbers and words" in " ".join(satsuma.scan(path).notes)


@pytest.mark.usefixtures("sqlite_driver", "small_batches")
def test_a_type_that_changes_late_is_read_right(tmp_path):
    count = BATCH + 20
    rows = [(k, None if k < BATCH + 9 else "late") for k in range(count - 1)] + [(0.5, "last")]
    path = made(tmp_path / "late.db", "create table t(n, s)", rows=rows)
    read, source = satsuma.read(path), satsuma.scan(path)
    assert read.shape == source.shape == (count, 2)
    assert read["n"][-1] == 0.5
    assert read.domain["s"].values == source.domain["s"].values == ("late", "last")
    total = np.zeros(2)
    for batch in source.batches():
        total += np.nansum(batch["n"]), len(batch)
    assert total.tolist() == [np.nansum(read["n"]), count]


DECLARED = (
    "create table t(day DATE, at DATETIME, stamp TIMESTAMP, clock TIME, paid BOOLEAN, "
    "price DECIMAL(10, 2), code TEXT, number DATE, soon DATE, flag BOOLEAN)"
)


@pytest.mark.usefixtures("sqlite_driver")
def test_types_that_columns_are_declared_with(tmp_path):
    first = ("2024-01-02", "2024-01-02 03:04:05", "2024-01-02T03:04:05.5Z", "12:30", 1, "12.50")
    rows = [(*first, "2024-01-02", 20240102, "soon", 2), (None,) * 10]
    rows.append(
        ("2024-02-29", "2024-01-02 03:04:06", "2024-01-02T03:04:05Z", "", 0, 7, "x", 3, "", 0)
    )
    path = made(tmp_path / "t.db", DECLARED, rows=rows)
    read, source = satsuma.read(path), satsuma.scan(path)
    expected = ["time"] * 4 + ["sym", "num", "sym", "num", "sym", "num"]
    assert [variable.kind for variable in read.domain] == expected
    assert source.head(3).equals(read)
    assert read[0]["stamp"] == "2024-01-02T03:04:05.5Z"
    assert [row["day"] for row in read] == ["2024-01-02", None, "2024-02-29"]
    assert read["paid"].tolist() == ["True", None, "False"]
    for told in (read.notes, source.notes):
        assert "Column 'soon' is to hold times, but 'soon' is no time" in " ".join(told)
    assert satsuma.read(path, kinds={"day": "sym", "paid": "num"})["paid"][0] == 1
    assert satsuma.scan(path, kinds={"day": "sym"}).domain["day"].kind == "sym"
    renamed = "select day as due, count(*) as n from t where day is not null group by day"
    assert satsuma.read(path, query=renamed).domain["due"].kind == "time"


@pytest.mark.usefixtures("sqlite_driver", "small_batches")
def test_a_declared_time_that_is_none_far_down(tmp_path):
    days = np.datetime64("2024-01-01") + np.arange(BATCH + 10)
    rows = [(day,) for day in days.astype(str).tolist()]
    path = made(tmp_path / "t.db", "create table t(day DATE)", rows=[*rows, ("never",)])
    read, source = satsuma.read(path), satsuma.scan(path)
    assert read.domain == source.domain
    assert read.domain["day"].values[-1] == "never"
    for told in (read.notes, source.notes):
        assert "Column 'day' is to hold times, but 'never' is no time" in " ".join(told)


@pytest.mark.usefixtures("sqlite_driver")
def test_an_empty_table_has_its_columns(tmp_path):
    path = made(tmp_path / "empty.db", "create table t(a integer, b text)")
    assert satsuma.read(path).shape == satsuma.scan(path).shape == (0, 2)


@pytest.mark.usefixtures("sqlite_driver")
def test_rows_that_change_between_rounds_are_refused(shop):
    source = satsuma.scan(url(shop), target="paid")
    assert len(source) == 200
    with closing(sqlite3.connect(shop)) as other:
        other.execute("update sales set price = price + 1 where id = 151")
        other.commit()
    with pytest.raises(ReadError, match=r"not those of the first time.*order by"):
        satsuma.Tree(max_depth=2)(source)


@pytest.mark.usefixtures("sqlite_driver")
def test_an_order_by_chance_is_refused(shop):
    source = satsuma.scan(shop, query="select * from sales order by random()", target="paid")
    (told,) = [each for each in source.notes if each.code == "rounds"]
    assert "runs the query anew" in told
    with pytest.raises(ReadError, match=r"order by with a column that tells all rows apart"):
        satsuma.Tree(max_depth=2)(source)


def test_a_learner_of_one_round_runs_the_query_once(shop, monkeypatch):
    from satsuma.data.formats.database.sqlite import SqliteSession

    ran = []
    run = SqliteSession.run
    monkeypatch.setattr(SqliteSession, "run", lambda s, sql: ran.append(sql) or run(s, sql))
    satsuma.NaiveBayes()(satsuma.scan(shop, query="select * from sales", target="paid"))
    assert ran == ["select * from sales"]


def test_a_query_stays_here(shop):
    import pickle

    source = satsuma.scan(url(shop))
    with pytest.raises(ParameterError, match=r"cannot be sent to workers"):
        pickle.dumps(source.parts[0])
    with pytest.raises(ParameterError, match=r"cannot be sent to workers"):
        satsuma.scan(url(shop), engine="dask")


def test_the_command_looks_at_a_table(shop, capfd):
    assert ran_well(capfd, "look", url(shop), "--json").json["name"] == "sales"
    told = refused(capfd, "look", shop)
    assert "more than one table. Say which one with --read table=" in told
    assert "200 rows" in ran_well(capfd, "look", shop, "--read", "table=sales").out
