"""Models as SQL over 100,000 rows with missing and unseen values, in each of the databases."""

import sqlite3
from contextlib import closing

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from tests.export.cases import CASES, NAMES, asked, check, model_of

ROWS = 100_000

#: The first case of each of twelve learners.
LEARNERS = ("NaiveBayes", "AnDE", "LDA", "Logistic", "Additive", "Tree", "Forest", "BoostedTrees",
            "Rules", "Ridge", "RegressionTree", "KMeans")  # fmt: skip
FIRST = [[name for name, *_ in CASES].index(name) for name in LEARNERS]


@pytest.fixture(scope="module")
def in_duckdb():
    with duckdb.connect() as connection:
        connection.register("rows", pa.table(asked(ROWS)))
        yield lambda sql: connection.execute(sql).fetchall()


@pytest.fixture(scope="module")
def in_sqlite():
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE TABLE rows ({_columns({})})")
        marks = ", ".join("?" * len(asked(ROWS)))
        rows = zip(*asked(ROWS).values(), strict=True)
        connection.executemany(f"INSERT INTO rows VALUES ({marks})", rows)
        yield lambda sql: connection.execute(sql).fetchall()


@pytest.fixture(scope="module")
def in_postgresql(postgresql):
    psycopg = pytest.importorskip("psycopg", reason="there is no psycopg")
    with psycopg.connect(postgresql) as connection, connection.cursor(binary=True) as cursor:
        columns = _columns({str: "text", bool: "boolean", float: "float8"})
        cursor.execute(f"CREATE TEMPORARY TABLE rows ({columns})")
        with cursor.copy("COPY rows FROM STDIN") as copy:
            for row in zip(*asked(ROWS).values(), strict=True):
                copy.write_row(row)
        yield lambda sql: cursor.execute(sql).fetchall()


def _columns(kinds):
    """The columns of the table, with their types as far as they are known."""
    found = []
    for name, cells in asked(ROWS).items():
        kind = type(next(cell for cell in cells if cell is not None))
        quoted = name.replace('"', '""')
        found.append(f'"{quoted}" {kinds.get(kind, "")}')
    return ", ".join(found)


@pytest.mark.parametrize("at", FIRST, ids=[NAMES[at] for at in FIRST])
@pytest.mark.parametrize("database", ["duckdb", "sqlite", "postgresql"])
def test_predictions_of_many_rows_are_the_same(database, at, request):
    query = request.getfixturevalue(f"in_{database}")
    found = query(model_of(at).to_sql(database, keep=["number"]))
    keys, classes, *numbers = zip(*found, strict=True)
    order = np.empty(ROWS, int)
    order[np.argsort(asked(ROWS)["number"])] = np.argsort(keys)
    assert np.array_equal(np.array(keys)[order], asked(ROWS)["number"])
    probabilities = np.array(numbers, float).reshape(-1, ROWS).T
    check(at, np.array(classes)[order], probabilities[order], close=1e-9, rows=ROWS)


def test_some_cells_are_missing_and_some_were_never_seen():
    cells = asked(ROWS)
    assert cells["colour"].count("never") > ROWS / 10
    assert min(cells[name].count(None) for name in ("a", "c", "colour", "flag")) > ROWS / 20
