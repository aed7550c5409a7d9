import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

from satsuma import Table, Variable, read
from satsuma.errors import DomainError, NoSuchColumn, ParameterError, ReadError


def rows(table):
    return [list(row) for row in table]


def test_records_take_the_union_of_keys_in_order_of_appearance():
    table = read([{"b": 1, "a": "x"}, {}, {"c": 2.5, "a": None}])
    assert table.domain.names == ("b", "a", "c")
    assert rows(table) == [[1.0, "x", None], [None, None, None], [None, None, 2.5]]
    assert rows(read(iter([{"a": 1}]))) == [[1.0]]
    assert read([]).shape == (0, 0)


@pytest.mark.parametrize(
    "missing", [None, np.nan, float("nan"), pd.NA, pd.NaT, np.datetime64("NaT")]
)
def test_missing_in_any_dress(missing):
    assert rows(read([{"a": missing}])) == [[None]]
    assert rows(read([{"a": "x"}, {"a": missing}])) == [["x"], [None]]


def test_cells_of_any_sort():
    table = read(
        {
            "n": [Decimal("1.5"), np.float32(2), np.int8(3)],
            "b": [True, None, np.True_],
            "mixed": [1, "x", 2.5],
            "large": [2**60, 1, None],
            "day": [dt.date(2024, 2, 29), None, dt.datetime(2024, 2, 29, 1, 2, 3)],  # noqa: DTZ001
        }
    )
    assert rows(table.select(["n"])) == [[1.5], [2.0], [3.0]]
    assert table.domain["b"] == Variable("b", "sym", ("False", "True"))
    assert table.domain["mixed"].values == ("1", "x", "2.5")
    assert table.domain["large"].values == (str(2**60), "1")
    assert [row["day"] for row in table] == ["2024-02-29 00:00:00", None, "2024-02-29 01:02:03"]
    assert [note.split("'")[1] for note in table.notes] == ["mixed"]


@pytest.mark.parametrize("nested", [[1], (1,), {"x": 1}, {1}, np.array([1]), b"x"])
def test_nested_cells_are_refused_with_column_and_row(nested):
    with pytest.raises(ReadError, match=r"column 'a' holds .* in row 1"):
        read([{"a": 1}, {"a": nested}])


def test_kinds_are_settled_before_anything_is_lost():
    table = read([{"a": 1, "b": True}], kinds={"a": "sym", "b": "num"})
    assert rows(table) == [["1", 1.0]]
    with pytest.raises(DomainError, match="row 0 holds 'x'"):
        read([{"a": "x"}], kinds={"a": "num"})
    with pytest.raises(NoSuchColumn, match="no column 'z'"):
        read([{"a": "x"}], kinds={"z": "num"})


def test_a_dict_of_columns():
    numbers = np.array([1.0, 2.0])
    table = read(
        {
            "list": ["x", None],
            "array": numbers,
            "ints": np.array([1, 2], np.int16),
            "series": pd.Series([3.0, np.nan]),
            "arrow": pa.array(["p", "q"]),
            5: (1, 2),
        }
    )
    assert np.shares_memory(table.column("array"), numbers)
    assert table.domain.names[-1] == "5"
    assert rows(table) == [["x", 1, 1, 3, "p", 1], [None, 2, 2, None, "q", 2]]
    with pytest.raises(DomainError, match="equally long"):
        read({"a": [1], "b": [1, 2]})
    for wrong in ("text", 5, {"x": 1}):
        with pytest.raises(ReadError, match="column 'a' is given as"):
            read({"a": wrong})


@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_enter_without_a_copy_in_either_order(order):
    numbers = np.array([[1.0, 2.0], [3.0, np.nan]], order=order)
    table = read(numbers, names=["a", "b"], target="b")
    assert all(np.shares_memory(column, numbers) for column in table.columns)
    assert rows(table) == [[1.0, 2.0], [3.0, None]]
    assert numbers.flags.writeable
    assert table.domain.target is not None


@pytest.mark.parametrize(
    ("data", "kind", "first"),
    [
        (np.array([[1, 2]], np.int64), "num", 1.0),
        (np.array([[1, 2]], np.float32), "num", 1.0),
        (np.array([[1, 2]], ">f8"), "num", 1.0),
        (np.array([[2**60, 2]]), "sym", str(2**60)),
        (np.array([[True, False]]), "sym", "True"),
        (np.array([["x", "y"]]), "sym", "x"),
        (np.array([[b"x", b"y"]]), "sym", "x"),
        (np.array([["x", 1]], object), "sym", "x"),
        (np.array([["2024-02-29", "NaT"]], "M8[D]"), "time", "2024-02-29"),
        (np.ma.array([[1, 2]], mask=[[True, False]]), "num", None),
        (np.ma.array([["x", "y"]], mask=[[True, False]]), "num", None),
    ],
    ids=str,
)
def test_arrays_of_any_type(data, kind, first):
    table = read(data)
    assert table.domain.names == ("x1", "x2")
    assert table.domain["x1"].kind == kind
    assert table[0]["x1"] == first


def test_arrays_without_rows():
    assert read(np.empty((0, 2))).shape == (0, 2)
    assert read(np.empty((0, 2), int)).domain["x1"].kind == "num"


def test_structured_arrays():
    data = np.array([(1.5, 2, "x", True)], "f8, i4, U3, ?")
    table = read(data)
    assert rows(table) == [[1.5, 2.0, "x", "True"]]
    assert np.shares_memory(table.column("f0"), data)
    assert read(data, names=["a", "b", "c", "d"]).domain.names == ("a", "b", "c", "d")
    with pytest.raises(ReadError, match="column 'f0' holds"):
        read(np.zeros(2, [("f0", "f8", (3,))]))


@pytest.mark.parametrize(
    ("data", "names", "told"),
    [
        (np.zeros(3), None, "1 dimension"),
        (np.zeros((2, 2, 2)), None, "3 dimensions"),
        (np.zeros((2, 2), complex), None, "'x1' holds complex128"),
        (np.zeros((2, 2)), ["a"], "list of 2 names. Got 1"),
        (np.zeros((2, 2)), "ab", "list of 2 names. Got 'ab'"),
        (np.array([[1.0], [np.inf]]), None, "'x1' holds inf in row 1"),
    ],
)
def test_arrays_that_are_no_tables(data, names, told):
    with pytest.raises((ReadError, ParameterError, DomainError), match=told):
        read(data, names=names)


def test_an_array_is_not_modified_nor_locked():
    numbers = np.ones((2, 2))
    read(numbers)
    numbers[0, 0] = 5


def test_data_frames_and_arrow_data():
    frame = pd.DataFrame({"a": [1.0, 2.0], "s": ["x", None]})
    arrow = pa.table({"a": [1.0, 2.0], "s": ["x", None]})
    expected = read(arrow)
    speakers = [frame, arrow.to_reader(), arrow.to_batches()[0], ds.dataset(arrow), expected]
    for speaker in speakers:
        assert read(speaker).equals(expected)


def test_polars_frames():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"a": [1.0, 2.0], "s": ["x", None], "c": ["p", "q"]})
    frame = frame.with_columns(pl.col("c").cast(pl.Enum(["q", "p", "o"])))
    table = read(frame, target="s")
    assert rows(table) == [[1.0, "x", "p"], [2.0, None, "q"]]
    assert table.domain["c"].values == ("q", "p", "o")
    assert np.shares_memory(table.column("a"), frame["a"].to_numpy())
    assert read(frame.lazy(), target="s").equals(table)


def test_duckdb_relations():
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as connection:
        table = read(connection.sql("select 1.5::decimal(4, 1) as n, 'x' as s"))
        assert rows(table) == [[1.5, "x"]]


def test_a_table_passes_through():
    table = Table.of([(1, "x")], ["a", "b"], name="mine")
    again = read(table, kinds={"a": "sym"}, target="a", name="new")
    assert again.name == "new"
    assert read(table).name == "mine"
    assert again.domain.target == Variable("a", "sym", ("1",), "target")


@pytest.mark.parametrize(
    ("thing", "told"),
    [
        (5, "type int is no table"),
        (None, "type NoneType is no table"),
        ([1, 2], "row 0 is of type int"),
        ([{"a": 1}, (1, 2)], "row 1 is of type tuple.*Table.of"),
        (pd.Series([1.0]), "to_frame"),
        (pa.array([1.0]), "to_frame"),
        (pd.DataFrame([[1, 2]], columns=["x", "x"]), "Duplicate column names"),
        (pd.DataFrame({"mixed": [1, "a"]}), "column mixed"),
    ],
)
def test_what_is_no_table_is_refused(thing, told):
    with pytest.raises(ReadError, match=told):
        read(thing)


@pytest.mark.parametrize(
    "options", [{"names": ["a"]}, {"format": "csv"}, {"delimiter": ","}, {"anything": 1}], ids=str
)
def test_options_that_an_object_does_not_take(options):
    with pytest.raises(ParameterError):
        read([{"a": 1}], **options)


def test_roles_and_targets():
    records = [{"a": 1, "b": 2, "c": "x"}]
    table = read(records, roles={"a": "-", "b": "weight", "c": "target"})
    assert [v.goal or v.role for v in table.domain] == ["-", "weight", "target"]
    # A role given here takes the place of one that the data came with.
    assert read(table, roles={"a": "target"}).domain.target.name == "a"
    with pytest.raises(DomainError, match="2 columns have the role 'target'"):
        read(records, target="a", roles={"c": "target"})


def test_a_pandas_frame_of_doubles_is_read_as_arrow_has_it():
    cells = np.array([[1.0, np.nan, 0.0], [-0.0, 2.5, 1.0], [1e300, 3.0, 1.0]])
    frame = pd.DataFrame(np.asfortranarray(cells), columns=["a", "b", "c"])
    by_arrow = read(pa.Table.from_pandas(frame))
    assert read(frame).equals(by_arrow)
    shifted = frame.set_axis(["x", "y", "z"]), frame.iloc[::2], frame[["c", "a"]]
    for each in shifted:
        table = read(each)
        expected = read(pa.Table.from_pandas(each, preserve_index=False))
        assert table.equals(expected)
    with pytest.raises(DomainError, match="Column 'c' holds inf in row 1"):
        read(frame.assign(c=[0.0, np.inf, -np.inf]))
