"""What a column holds is settled over all files, as reading the whole would settle it."""

import gzip
import json

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

import satsuma
from satsuma import NaiveBayes, Table
from satsuma.data import profile as look
from satsuma.data.formats.delimited import text_parts as delimited
from satsuma.data.formats.jsonl import reader as lines
from satsuma.errors import ReadError


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    """Parts so small that a test has many."""
    monkeypatch.setattr(delimited, "PART", 200)
    monkeypatch.setattr(delimited, "BLOCK", 64)
    monkeypatch.setattr(lines, "PART", 200)


def same(path, **options):
    """A scan gives the rows and the columns of a reading, whatever the number of threads."""
    table = satsuma.read(path, **options)
    for threads in (1, 3):
        source = satsuma.scan(path, threads=threads, **options)
        assert source.domain == table.domain
        assert source.shape == table.shape
        assert source.head(len(table) + 1).equals(table)
    return source, table


def written(path, *lines):
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@pytest.mark.parametrize(
    "cells",
    [
        ["1"] * 90 + ["x"],
        ["1", "2"] * 40 + ["007"],
        ["5"] * 80 + ["12345678901234567890"],
        [""] * 90,
        ["1e3", " 2 ", "?"] * 30,
        ["a" * 40 + str(k) for k in range(60)],
        ["a" * 40] * 60 + ["b" * 50],
        ["x"] * 90 + [f"a long sentence of many words, number {k}, yes" for k in range(200)],
    ],
    ids=[
        "late word",
        "leading zeros",
        "long",
        "empty",
        "spellings",
        "text",
        "no text",
        "late text",
    ],
)
def test_late_cells_decide(tmp_path, cells):
    rows = [f'"{cell}",{k % 3}' for k, cell in enumerate(cells)]
    same(written(tmp_path / "a.csv", "a,b", *rows), target="b")


def test_quoted_line_ends_do_not_mislead(tmp_path):
    rng = np.random.default_rng(3)
    rows = []
    for k in range(400):
        odd = ["plain", '"1,2\n3,4\n5,6"', '"say ""hi""\n"', '5" disk', '"\r\n\r\n"', '","']
        rows.append(f"{odd[rng.integers(len(odd))]},{k}")
    source, _ = same(written(tmp_path / "a.csv", "a,b", *rows))
    assert len(source.parts) > 20


def test_a_cell_longer_than_parts(tmp_path):
    rows = ["x,1", '"' + "long line\n" * 300 + '",2', "y,3"]
    same(written(tmp_path / "a.csv", "a,b", *rows))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(tmp_path, end):
    path = tmp_path / "a.csv"
    path.write_bytes(end.join(["a,b", *(f"{k},w{k % 7}" for k in range(300))]).encode())
    same(path)
    path.write_bytes(path.read_bytes() + end.encode())
    same(path)


def test_marks_and_headers(tmp_path):
    rows = [f"{k},{'u' if k % 2 else 'v'},{k / 2}" for k in range(200)]
    path = written(tmp_path / "a.csv", "Age,kind!,Mpg+", *rows)
    source, _ = same(path, marks=True)
    assert source.domain.target.name == "kind!"
    assert source.domain.goals[0].goal == "+"
    same(written(tmp_path / "b.csv", *rows), header=False)
    tab = written(
        tmp_path / "c.tab", "a\tb", "c\tz y x", "\tclass", *(f"{k}\tx" for k in range(99))
    )
    same(tab)


def test_bad_rows_are_kept_aside(tmp_path):
    rows = [f"{k},w" if k % 50 else f"{k}" for k in range(1, 300)]
    path = written(tmp_path / "a.csv", "a,b", "", *rows)
    source, table = same(path, bad_rows="keep aside")
    assert source.aside == table.aside
    assert len(source.notes) == 2


@pytest.mark.parametrize("form", ["csv.gz", "csv.zst", "jsonl", "jsonl.gz", "parquet", "feather"])
def test_formats(tmp_path, form):
    table = Table.of(
        [(k / 2 if k % 5 else None, "uvw"[k % 3] if k % 7 else None, k % 2) for k in range(500)],
        ["n", "s", "y"],
    )
    table.write(tmp_path / f"a.{form}")
    same(tmp_path / f"a.{form}", target="s", kinds={"y": "sym"})


def test_other_encodings(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("a,b\n1,é\n2,ü\n".encode("latin-1"))
    same(path, encoding="latin-1")
    path.write_text("a,b\n1,é\n", "utf-16")
    same(path)
    path.write_text("a,b\n1,é\n", "utf-8-sig")
    same(path)


def test_json_lines_of_many_sorts(tmp_path):
    rows = ['{"a": 1, "t": true}'] * 40 + ['{"a": "x"}', "", '{"b": 7, "t": false}'] * 20
    same(written(tmp_path / "a.jsonl", *rows))
    same(written(tmp_path / "b.jsonl", *(['{"t": true}'] * 40), '{"t": "maybe"}'))
    same(written(tmp_path / "c.jsonl", '{"n": 3}', *(['{"n": 9007199254740993}'] * 30)))


def test_arrow_columns_of_many_types(tmp_path):
    n = 300
    table = pa.table(
        {
            "whole": pa.array(range(n)),
            "late": pa.array([*range(n - 1), 2**60]),
            "flag": pa.array([None, True, False] * (n // 3)),
            "day": pa.array([k % 9 for k in range(n)], pa.date32()),
            "word": pa.array([f"w{(n - k) // 50}" for k in range(n)]),
            "dict": pa.DictionaryArray.from_arrays(
                pa.array([1, 0, None] * (n // 3), pa.int32()), pa.array(["a", "b", "never"])
            ),
            "price": pa.array([None, *range(n - 1)]).cast(pa.decimal128(25, 2)),
            "text": pa.array([f"a sentence that nobody wrote before, {k}" for k in range(n)]),
            "nothing": pa.nulls(n),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=70)
    same(tmp_path / "a.parquet")
    feather.write_feather(table, tmp_path / "a.feather", chunksize=70)
    same(tmp_path / "a.feather")


def test_numbers_in_one_file_and_words_in_the_next(tmp_path):
    pq.write_table(pa.table({"a": [1, 2], "y": ["u", "v"]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"a": ["x", "2"], "y": ["u", "late"]}), tmp_path / "2.parquet")
    source = satsuma.scan(tmp_path / "*.parquet", target="y")
    model = NaiveBayes()(source)
    assert source.domain["a"].values == ("1", "2", "x")
    assert model.classes == ("u", "v", "late")
    assert model({"a": "x"}) == "u"


def test_columns_may_stand_in_another_order(tmp_path):
    written(tmp_path / "1.csv", "a,b", "1,x")
    written(tmp_path / "2.csv", "b,a", "y,2")
    table = satsuma.scan(tmp_path / "*.csv").head(9)
    assert table["a"].tolist() == [1, 2]
    assert table["b"].tolist() == ["x", "y"]
    written(tmp_path / "3.csv", "b,c", "y,2")
    with pytest.raises(ReadError, match=r"3\.csv: there is no column 'a', which .*1\.csv has"):
        satsuma.scan(tmp_path / "*.csv")


def test_queries(tmp_path):
    duckdb, pl = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    frame = pl.DataFrame({"n": range(1000), "s": [f"v{k // 300}" for k in range(1000)]})
    frame.write_parquet(tmp_path / "a.parquet", row_group_size=100)
    table = satsuma.read(frame, target="s")
    lazy = pl.scan_parquet(tmp_path / "a.parquet")
    relation = duckdb.connect().sql(f"select * from '{tmp_path}/a.parquet'")
    dataset = ds.dataset(tmp_path / "a.parquet")
    for query in (lazy, relation, dataset):
        source = satsuma.scan(query, target="s")
        assert source.head(2000).equals(table)
        assert str(NaiveBayes()(source)) == str(NaiveBayes()(table))
    some = satsuma.scan(dataset.filter(ds.field("n") < 10))
    assert len(some) == 10


def test_too_many_strings_are_text(tmp_path, monkeypatch):
    monkeypatch.setattr(look, "MOST_CHARACTERS", 1000)
    path = written(tmp_path / "a.csv", "id,b", *(f"key{k},1" for k in range(500)))
    source = satsuma.scan(path)
    assert source.domain["id"].kind == "text"
    assert "read as text" in source.notes[0]
    assert source.head(500)["id"][499] == "key499"


def test_kinds_that_are_said_are_kept(tmp_path):
    path = written(tmp_path / "a.csv", "a,b", *(f"{k:03},1" for k in range(200)))
    same(path, kinds={"a": "num"})
    same(path, kinds={"b": "sym"})
    bad = written(tmp_path / "b.csv", "a,b", *(f"{k},1" for k in range(200)), "x,1")
    with pytest.raises(ReadError, match=r"b\.csv, line 202: column 'a' is to hold numbers"):
        len(satsuma.scan(bad, kinds={"a": "num"}))


def test_compressed_files_of_several(tmp_path):
    for k in range(3):
        with gzip.open(tmp_path / f"{k}.csv.gz", "wt") as file:
            file.write("a,b\n" + f"{k},x{k}\n" * 100)
    source = satsuma.scan(str(tmp_path / "*.gz"))
    assert len(source) == 300
    assert source.domain["b"].values == ("x0", "x1", "x2")


@pytest.mark.parametrize(
    "lines",
    [
        ["null"] * 1200 + ["true", "false"],
        ["true"] * 1200 + ["null", "2", '"x"'],
        ["1"] * 1200 + ['"x"'],
        ["true", '"a"', "7"] * 9,
    ],
    ids=["late booleans", "booleans no more", "a late word", "mixed"],
)
def test_json_lines_are_settled_as_reading_settles_them(tmp_path, lines):
    path = written(tmp_path / "a.jsonl", *(f'{{"a": {cell}, "": 1}}' for cell in lines))
    source, table = same(path)
    assert source.notes == table.notes
    direct = satsuma.read([{"a": json.loads(cell), "": 1} for cell in lines])
    assert table.equals(direct)
    assert table.notes == direct.notes


@pytest.mark.parametrize("ending", ["arff", "xlsx"])
def test_a_file_that_cannot_be_cut_is_one_part(tmp_path, ending):
    table = Table.of([(1, "a"), (None, "b"), (3, None), (4, "a")], ["n", "s"])
    table.write(tmp_path / f"a.{ending}")
    source, found = same(tmp_path / f"a.{ending}", target="s")
    assert len(source.parts) == 1
    assert (NaiveBayes()(source)(found) == NaiveBayes()(found)(found)).all()
    table.write(tmp_path / f"b.{ending}")
    with pytest.raises(ReadError, match=rf"b\.{ending}: {ending} is scanned one file at a time"):
        satsuma.scan(tmp_path / f"*.{ending}")


def test_strings_of_arrow_are_times_where_that_is_asked_for(tmp_path):
    days = [*["03.04.2024", "13.04.2024", None, ""] * 30, "01.05.2024"]
    held = pa.table(
        {"day": days, "odd": [*["2024-01-02"] * 120, "soon"], "open": ["3/4/2024"] * 121}
    )
    pq.write_table(held, tmp_path / "a.parquet", row_group_size=50)
    feather.write_feather(held, tmp_path / "a.feather")
    for source in (tmp_path / "a.parquet", tmp_path / "a.feather", ds.dataset(held)):
        kinds = {"day": "time"}
        found = satsuma.scan(source, kinds=kinds)
        assert found.head(200).equals(satsuma.read(held, kinds=kinds).with_name(found.name))
        for name, cell in {"odd": "soon", "open": "3/4/2024"}.items():
            with pytest.raises(ReadError, match=f"'{name}' is to hold times, but .*'{cell}'"):
                len(satsuma.scan(source, kinds={name: "time"}))
