"""Booleans: what a model read as text is another thing in each database, and means the same."""

import sqlite3
from contextlib import closing

import duckdb
import numpy as np
import pandas as pd
import pytest

import satsuma

TRUTHS = (np.arange(60) % 3 == 0).tolist()
LABELS = np.where(np.array(TRUTHS) ^ (np.arange(60) % 10 == 0), "p", "q").tolist()

#: How a model may have read two truths.
LEARNED = [(False, True), ("False", "True"), ("FALSE", "TRUE"), ("no", "yes"), ("0", "1")]

#: How a database may hold them: the type of the column, and the cells of false and true.
HELD = [
    ("BOOLEAN", False, True), ("TEXT", "false", "true"), ("TEXT", "f", "t"), ("TEXT", "0", "1"),
    ("INTEGER", 0, 1), ("REAL", 0.0, 1.0),
]  # fmt: skip


def model_of(learned):
    """A model of one column, in which false and true are spelled so."""
    cells = [learned[truth] for truth in TRUTHS]
    return satsuma.NaiveBayes(satsuma.read(pd.DataFrame({"x": cells, "y": LABELS}), target="y"))


def expected(learned):
    """The probabilities of false, of true and of a missing value."""
    model = model_of(learned)
    cells = (*map(str, learned), None)
    return [list(model({"x": cell}, satsuma.GetProbabilities).values()) for cell in cells]


def rows_of(connection, mark, held):
    """A table with false, true and NULL in this order, by a number."""
    kind, *cells = held
    connection.execute("DROP TABLE IF EXISTS rows")
    connection.execute(f"CREATE TABLE rows (id INTEGER, x {kind})")
    for at, cell in enumerate((*sorted(cells), None)):
        connection.execute(f"INSERT INTO rows VALUES ({at}, {mark})", (cell,))


def check(connection, dialect, learned):
    sql = model_of(learned).to_sql(dialect, keep=["id"])
    found = sorted(connection.execute(sql).fetchall())
    assert np.abs(np.array([row[2:] for row in found]) - expected(learned)).max() < 1e-9


@pytest.mark.parametrize("held", HELD, ids=str)
@pytest.mark.parametrize("learned", LEARNED, ids=str)
def test_duckdb_and_sqlite(learned, held):
    with duckdb.connect() as duck, closing(sqlite3.connect(":memory:")) as lite:
        for connection, dialect in ((duck, "duckdb"), (lite, "sqlite")):
            rows_of(connection, "?", held)
            check(connection, dialect, learned)


def test_postgresql(postgresql):
    psycopg = pytest.importorskip("psycopg", reason="there is no psycopg")
    with psycopg.connect(postgresql) as connection:
        for held in HELD:
            rows_of(connection, "%s", held)
            for learned in LEARNED:
                check(connection, "postgresql", learned)
        connection.rollback()


@pytest.mark.parametrize("learned", LEARNED, ids=str)
def test_python_onnx_and_the_model_itself(learned):
    onnx, runtime = pytest.importorskip("onnx"), pytest.importorskip("onnxruntime")
    model, space = model_of(learned), {}
    exec(model.to_python(), space)
    graph = model.to_onnx()
    onnx.checker.check_model(graph)
    session = runtime.InferenceSession(graph.SerializeToString())
    for _, *cells in HELD:
        for cell, chances in zip((*sorted(cells), None), expected(learned), strict=True):
            row = {"x": cell}
            assert [*model(row, satsuma.GetProbabilities).values()] == chances
            assert [*space["predict"](row)[1].values()] == pytest.approx(chances, abs=1e-9)
            text = np.array([["" if cell is None else str(cell)]], object)
            assert session.run(None, row | {"x": text})[1][0] == pytest.approx(chances, abs=1e-6)


@pytest.mark.parametrize("spelled", ["TRUE/FALSE", "True/False", "yes/no"])
def test_a_file_that_duckdb_reads_as_booleans(tmp_path, spelled):
    true, false = spelled.split("/")
    cells = [true if truth else false for truth in TRUTHS]
    path = tmp_path / "rows.csv"
    pd.DataFrame({"x": cells, "y": LABELS, "id": np.arange(60) + 0.5}).to_csv(path, index=False)
    table = satsuma.read(path, target="y")
    model = satsuma.NaiveBayes(table)
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE rows AS SELECT * FROM '{path}'")
        assert connection.execute("SELECT typeof(x) FROM rows").fetchone() == ("BOOLEAN",)
        found = sorted(connection.execute(model.to_sql(keep=["id"])).fetchall())
    chances = model(table, satsuma.GetProbabilities)
    assert np.abs(np.array([row[2:] for row in found]) - chances).max() < 1e-9


def test_zeros_and_ones_as_numbers_are_truths_to_a_model():
    model = model_of(("no", "yes"))
    domain = satsuma.Domain([satsuma.Variable("x")])
    found = model(satsuma.Table(domain, [np.array([0.0, 1.0, np.nan])]), satsuma.GetProbabilities)
    assert found.tolist() == expected(("no", "yes"))
    with pytest.raises(satsuma.SatsumaError, match="was learned as 'sym', but here it is 'num'"):
        model(satsuma.Table(domain, [np.array([0.0, 1.0, 7.0])]))
