import re
import sqlite3
from contextlib import closing

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import satsuma
from satsuma import SatsumaError, Table
from satsuma.export.dialects import DIALECTS
from satsuma.learners.baselines import MajorityModel
from tests.export.cases import CASES, EVERY, NAMES, asked, check, model_of


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def answers(rows):
    """What is predicted, and the rest as numbers; rows are known by their first column."""
    place = {key: at for at, key in enumerate(asked()["number"])}
    rows = sorted(rows, key=lambda row: place[row[0]])
    assert [row[0] for row in rows] == asked()["number"]
    return [row[1] for row in rows], [row[2:] for row in rows]


@pytest.fixture(scope="module")
def in_duckdb():
    with duckdb.connect() as connection:
        connection.register("rows", pa.table(asked()))
        yield connection


@pytest.fixture(scope="module")
def in_sqlite():
    connection = sqlite3.connect(":memory:")
    put_rows(connection, "?", {float: "REAL", str: "TEXT", bool: "BOOLEAN"})
    yield connection
    connection.close()


@pytest.fixture(scope="module")
def in_postgresql(postgresql):
    psycopg = pytest.importorskip("psycopg", reason="there is no psycopg")
    with psycopg.connect(postgresql) as connection:
        put_rows(connection.cursor(), "%s", {float: "float8", str: "text", bool: "boolean"})
        yield connection


def put_rows(connection, mark, kinds):
    """Make the table of the rows that are asked about."""
    cells = asked()
    kind = {name: kinds[type(next(c for c in column if c is not None))]
            for name, column in cells.items()}  # fmt: skip
    told = ", ".join(f"{quoted(name)} {each}" for name, each in kind.items())
    connection.execute(f"CREATE TABLE rows ({told})")
    marks = ", ".join([mark] * len(cells))
    rows = list(zip(*cells.values(), strict=True))
    connection.executemany(f"INSERT INTO rows VALUES ({marks})", rows)


@pytest.mark.parametrize("at", EVERY, ids=NAMES)
def test_duckdb_predicts_the_same(in_duckdb, at):
    found = in_duckdb.execute(model_of(at).to_sql("duckdb", keep=["number"])).fetchall()
    check(at, *answers(found), close=1e-9)


@pytest.mark.parametrize("at", EVERY, ids=NAMES)
def test_sqlite_predicts_the_same(in_sqlite, at):
    found = in_sqlite.execute(model_of(at).to_sql("sqlite", keep=["number"])).fetchall()
    check(at, *answers(found), close=1e-9)


@pytest.mark.parametrize("at", EVERY, ids=NAMES)
def test_postgresql_predicts_the_same(in_postgresql, at):
    found = in_postgresql.execute(model_of(at).to_sql("postgresql", keep=["number"])).fetchall()
    check(at, *answers(found), close=1e-9)


def test_columns_that_are_kept_and_names(in_duckdb):
    model = model_of(NAMES.index("NaiveBayes-two-False"))
    found = in_duckdb.execute(model.to_sql(keep=["sort", "two"]))
    names = [each[0] for each in found.description]
    assert names == ["sort", "two", "two predicted", "two = no", "two = yes"]
    assert [row[0] for row in found.fetchall()] == asked()["sort"]


def test_a_file_is_a_table_to_duckdb(tmp_path):
    import pyarrow.parquet as pq

    path = tmp_path / "some rows.parquet"
    pq.write_table(pa.table(asked()), path)
    found = duckdb.sql(model_of(0).to_sql(table=str(path), keep=["number"])).fetchall()
    check(0, *answers(found), close=1e-9)


def test_nan_is_missing():
    table = Table.of([(1.0, 2), (2.0, 3), (None, 9)], ["x", "y"])
    model = satsuma.Ridge(table)
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE rows AS SELECT 'nan'::DOUBLE AS x")
        ((found,),) = connection.execute(model.to_sql()).fetchall()
    assert found == pytest.approx(model({"x": None}), abs=1e-12)


def test_sqlite_takes_texts_that_are_numbers():
    model = satsuma.Ridge(Table.of([(1.0, 2), (2.0, 3), (4.0, 9)], ["x", "y"]))
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE rows (x TEXT)")
    connection.executemany("INSERT INTO rows VALUES (?)", [("3.5",), ("",), ("?",), (None,)])
    found = [row[0] for row in connection.execute(model.to_sql("sqlite"))]
    connection.close()
    assert found == pytest.approx([model({"x": 3.5}), *[model({"x": None})] * 3])


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_flags_that_are_held_as_floats(dialect):
    table = Table.of([("0", "a"), ("1", "b"), ("1", "b"), ("0", "a")], ["x", "y"])
    sql = satsuma.NaiveBayes(table).to_sql(dialect)
    for kind in ("1", "1.0"):
        if dialect == "duckdb":
            as_ = "DOUBLE" if "." in kind else "INT"
            with duckdb.connect() as connection:
                connection.execute(f"CREATE TABLE rows AS SELECT CAST({kind} AS {as_}) AS x")
                (found,) = connection.execute(sql).fetchall()
        else:
            with closing(sqlite3.connect(":memory:")) as connection:
                connection.execute(f"CREATE TABLE rows AS SELECT {kind} AS x")
                (found,) = connection.execute(sql).fetchall()
        assert found[0] == "b"


def test_thresholds_are_exact():
    """Numbers next to each other are told apart, whatever a database makes of a decimal."""
    rng = np.random.default_rng(0)
    numbers = [
        *rng.normal(size=50),
        *(10.0 ** rng.uniform(-30, 30, 50)),
        0.1,
        1 / 3,
        float(2**60 + 2**9),
    ]
    with duckdb.connect() as duck, closing(sqlite3.connect(":memory:")) as lite:
        for x in [float(each) for each in numbers]:
            for connection, dialect in ((duck, "duckdb"), (lite, "sqlite")):
                told = DIALECTS[dialect].number(x, exact=True)
                assert connection.execute(f"SELECT {told}").fetchall() == [(x,)]


def test_deep_trees(in_sqlite, in_duckdb):
    """One division inside of the other, hundreds of times."""
    rows = [(float(x), "ab"[x % 2]) for x in range(400)]
    model = satsuma.Tree(min_leaf=1, prune=None)(Table.of(rows, ["a", "y"]))
    assert model.depth > 8
    told = asked()["a"]
    expected = [model({"a": cell}, satsuma.GetProbabilities)["a"] for cell in told[:200]]
    for connection, dialect in ((in_sqlite, "sqlite"), (in_duckdb, "duckdb")):
        found = connection.execute(model.to_sql(dialect)).fetchall()
        assert [row[1] for row in found[:200]] == pytest.approx(expected, abs=1e-9)


def test_a_long_select_is_refused(monkeypatch):
    monkeypatch.setattr("satsuma.export.sql._MOST", 1000)
    with pytest.raises(SatsumaError, match="fewer trees"):
        model_of(0).to_sql()


def test_gaussians_of_many_columns_together_are_refused():
    rng = np.random.default_rng(0)
    rows = [(*row, "ab"[row[0] > 0]) for row in rng.normal(size=(200, 15)).tolist()]
    model = satsuma.LDA(Table.of(rows, [*(f"x{at}" for at in range(15)), "y"]))
    with pytest.raises(SatsumaError, match="Select fewer columns"):
        model.to_sql()


def test_an_unknown_dialect_is_refused():
    with pytest.raises(SatsumaError, match="no dialect 'mysql'"):
        model_of(0).to_sql("mysql")


def test_a_model_without_sql_names_those_that_have():
    table = Table.of([(1.0, "a"), (2.0, "b")], ["x", "y"])
    with pytest.raises(
        SatsumaError, match=r"KNNClassifier cannot be written as SQL.*NaiveBayes, AnDE"
    ):
        satsuma.KNN(table).to_sql()


def test_a_part_without_sql_is_named():
    table = Table.of([(1.0, "a"), (2.0, "b"), (3.0, "b")], ["x", "y"])
    with pytest.raises(SatsumaError, match=re.escape("a part that cannot be exported")):
        satsuma.NaiveBayes(number="kde")(table).to_sql()


def test_a_model_of_ones_own_is_refused():
    class Mine(MajorityModel):
        """May predict anything."""

    made = Mine(np.array([1.0]))
    with pytest.raises(SatsumaError, match="A Mine cannot be written"):
        made.to_sql()


def test_names_that_differ_by_case_alone():
    rng = np.random.default_rng(0)
    rows = [(a, b, "pq"[a + b > 0]) for a, b in rng.normal(size=(100, 2)).tolist()]
    model = satsuma.Tree(Table.of(rows, ["x", "X", "y"]))
    for dialect in ("duckdb", "sqlite"):
        with pytest.raises(SatsumaError, match="takes the columns 'x' and 'X' for the same one"):
            model.to_sql(dialect)
    assert 'r."X"' in model.to_sql("postgresql")
    other = satsuma.Tree(Table.of(rows, ["\u00e4", "\u00c4", "y"]))
    for dialect, connection in (
        ("duckdb", duckdb.connect()),
        ("sqlite", sqlite3.connect(":memory:")),
    ):
        with closing(connection):
            connection.execute('CREATE TABLE rows ("\u00c4" REAL, "\u00e4" REAL)')
            connection.execute("INSERT INTO rows VALUES (-0.5, 2.5)")
            ((found, *_),) = connection.execute(other.to_sql(dialect)).fetchall()
        assert found == other({"\u00e4": 2.5, "\u00c4": -0.5})
    with pytest.raises(SatsumaError, match="takes the columns 'y' and 'Y' for the same one"):
        other.to_sql(keep=["Y"])


def test_time_features_are_refused():
    from datetime import date

    rows = [(date(2024, 1 + x % 12, 1 + x % 28), "ab"[x % 2]) for x in range(60)]
    table = satsuma.with_time_features(Table.of(rows, ["day", "y"]))
    model = satsuma.NaiveBayes()(table)
    with pytest.raises(SatsumaError, match="worked out from a time"):
        model.to_sql()


def test_case_names_are_distinct():
    assert len(set(NAMES)) == len(CASES)
