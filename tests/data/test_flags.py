"""A column of nothing but 0 and 1 is a symbol, whatever it is read from."""

import sqlite3

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

import satsuma
from satsuma.data.flags import FLAGS

#: A flag with a missing cell, a number, and a column of ones, which is no flag.
CELLS = {"paid": [1, 0, None, 1], "n": [0, 1, 2, 1], "one": [1, 1, 1, 1]}
FRAME = pd.DataFrame({name: pd.array(cells, "Int8") for name, cells in CELLS.items()})
ROWS = [dict(zip(CELLS, row, strict=True)) for row in zip(*CELLS.values(), strict=True)]


def parquet(folder):
    pq.write_table(pa.table(CELLS), folder / "t.parquet")
    return folder / "t.parquet"


def feathered(folder):
    feather.write_feather(pa.table(CELLS), str(folder / "t.feather"))
    return folder / "t.feather"


def excel(folder):
    FRAME.to_excel(folder / "t.xlsx", index=False)
    return folder / "t.xlsx"


def lines(folder):
    FRAME.to_json(folder / "t.jsonl", orient="records", lines=True)
    return folder / "t.jsonl"


def database(folder):
    with sqlite3.connect(folder / "t.db") as connection:
        FRAME.to_sql("t", connection, index=False)
    connection.close()
    return folder / "t.db"


def text(folder):
    FRAME.to_csv(folder / "t.csv", index=False)
    return folder / "t.csv"


IN_MEMORY = {
    "pandas": lambda _: FRAME,
    "floats": lambda _: FRAME.astype("float64"),
    "polars": lambda _: pl.DataFrame(CELLS),
    "arrow": lambda _: pa.table(CELLS),
    "records": lambda _: ROWS,
    "columns": lambda _: CELLS,
    "array": lambda _: np.rec.fromarrays(FRAME.astype("float64").to_numpy().T, names=[*CELLS]),
}
FILES = {each.__name__: each for each in (parquet, feathered, excel, lines, database, text)}
LAZY = {"lazy": lambda _: pl.LazyFrame(CELLS)}


def check(read):
    found = read()
    assert [v.kind for v in found.domain] == ["sym", "num", "num"]
    assert found.domain["paid"].values == FLAGS
    assert [each.code for each in found.notes if hasattr(each, "code")].count("flags") == 1
    assert read(target="paid").domain.target.kind == "sym"
    numbers = read(kinds={"paid": "num"})
    assert numbers.domain["paid"].kind == "num"
    assert read(roles={"paid": "+"}).domain.goals[0].kind == "num"
    assert not any("0 and 1" in each for each in numbers.notes)
    return found


@pytest.mark.parametrize("door", {**IN_MEMORY, **FILES, **LAZY})
def test_a_column_of_0_and_1_is_read_as_symbols(door, tmp_path):
    source = {**IN_MEMORY, **FILES, **LAZY}[door](tmp_path)
    found = check(lambda **options: satsuma.read(source, **options))
    assert found["paid"].tolist() == ["1", "0", None, "1"]


@pytest.mark.parametrize("door", [name for name in FILES if name != "excel"] + [*LAZY])
def test_a_scan_agrees(door, tmp_path):
    source = {**FILES, **LAZY}[door](tmp_path)
    found = check(lambda **options: satsuma.scan(source, **options))
    assert found.head(9).equals(satsuma.read(source))


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
@pytest.mark.parametrize("ending", ["parquet", "feather", "jsonl", "csv"])
def test_all_parts_decide_together(ending, order, tmp_path):
    """Another part may hold what no flag does, and whatever the first one is, all agree."""
    parts = {"a": [0, 1, 0], "b": [1, 5, None]}
    for name, cells in parts.items():
        table = satsuma.read({"x": cells, "y": [1, 0, 1]}, kinds={"x": "num", "y": "num"})
        bare = table.to_arrow().replace_schema_metadata()
        path = tmp_path / f"{name}.{ending}"
        if ending == "parquet":
            pq.write_table(bare, path)
        elif ending == "feather":
            feather.write_feather(bare, str(path))
        else:
            satsuma.write(table, path)
    found = satsuma.scan([tmp_path / f"{each}.{ending}" for each in order])
    assert [v.kind for v in found.domain] == ["num", "sym"]
    assert found.domain["y"].values == FLAGS
    whole = np.array([cell for each in order for cell in parts[each]], float)
    np.testing.assert_array_equal(found.head(9).column("x"), whole)


def test_numbers_that_were_said_to_be_such_are_kept(tmp_path):
    table = satsuma.read(CELLS, kinds={"paid": "num"})
    table.write(tmp_path / "t.parquet")
    assert satsuma.read(tmp_path / "t.parquet").equals(table)
    assert satsuma.scan(tmp_path / "t.parquet").domain == table.domain
    assert satsuma.read(table.to_arrow()).equals(table)


def test_arff_says_what_is_a_number():
    found = satsuma.read(b"@attribute a numeric\n@data\n0\n1\n", format="arff")
    assert found.domain["a"].kind == "num"


def test_a_new_column_is_a_flag_unless_it_replaces_numbers():
    table = satsuma.read({"n": [3, 4]})
    made = table.with_column("paid", [0, 1])
    assert made.domain["paid"].values == FLAGS
    assert made.with_kinds({"paid": "num"})["paid"].tolist() == [0, 1]
    assert table.with_column("n", [0, 1]).domain["n"].kind == "num"


def test_a_model_takes_flags_for_numbers_and_numbers_for_flags():
    """One row to predict holds no 0 and no 1 beside the other."""
    cells = {"paid": [0, 1] * 8, "n": [0, 1, 2, 3] * 4, "y": ["a", "b"] * 8}
    model = satsuma.NaiveBayes()(satsuma.read(cells, target="y"))
    asked = satsuma.read({"paid": [1, 1], "n": [1, 0]})
    assert [v.kind for v in asked.domain] == ["num", "sym"]
    assert list(model(asked)) == ["b", "b"]
    known = satsuma.read({"paid": [1, 1, 7], "n": [1, 0, 2]})
    assert list(model(known))[:2] == ["b", "b"]


def test_fit_and_predict_are_left_alone():
    frame, target = pd.DataFrame({"x": [0, 1] * 10}), np.array([0, 1] * 10)
    model = satsuma.Ridge(l2=1e-9).fit(frame, target)
    np.testing.assert_allclose(model.predict(frame), target, atol=1e-6)
