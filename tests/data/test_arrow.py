import datetime as dt
import json
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from satsuma import Domain, SatsumaError, Table, Variable, read, scan
from satsuma.data.formats.arrow.conversion import KEY
from satsuma.errors import DomainError, ReadError


def one(array, name="a", **options):
    """The table of one Arrow column, given as an array or as chunks."""
    return read(pa.table({name: array}), **options)


def cells(table, name="a"):
    return [row[name] for row in table]


def test_float64_enters_without_a_copy():
    numbers = np.array([1.0, np.nan, 3.0])
    assert np.shares_memory(one(pa.array(numbers)).column("a"), numbers)


def test_int32_codes_enter_without_a_copy():
    codes = np.array([1, 0, 1], np.int32)
    table = one(pa.DictionaryArray.from_arrays(pa.array(codes), ["x", "y"]))
    assert np.shares_memory(table.column("a"), codes)
    assert cells(table) == ["y", "x", "y"]


def test_a_pandas_column_enters_without_a_copy():
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    assert np.shares_memory(read(frame).column("b"), frame["b"].to_numpy())


@pytest.mark.parametrize(
    "array",
    [
        pa.array([1, None, 3], pa.int8()),
        pa.array([1, None, 3], pa.uint64()),
        pa.array([1, None, 3], pa.float32()),
        pa.array(np.array([1, np.nan, 3], np.float16)),
        pa.array([1, float("nan"), 3]),
        pa.chunked_array([[1.0], [None], [3.0]]),
        pa.array([Decimal("1.00"), None, Decimal("3.00")]),
    ],
    ids=lambda array: f"{array.type} {type(array).__name__}",
)
def test_numbers_of_any_type_become_num(array):
    table = one(array)
    assert table.domain["a"] == Variable("a")
    assert cells(table) == [1.0, None, 3.0]


def test_decimals_are_rounded_once():
    spelled = ["123.45", "0.1", "1234567.891", "-99.99"]
    table = one(pa.array(list(map(Decimal, spelled)), pa.decimal128(20, 3)))
    assert cells(table) == list(map(float, spelled))


@pytest.mark.parametrize("large", [2**53 + 1, -(2**53) - 1, 2**63 - 1])
def test_whole_numbers_beyond_2_53_become_symbols(large):
    table = one(pa.array([large, 1, None]))
    assert cells(table) == [str(large), "1", None]
    assert "2**53" in table.notes[0]
    assert "'a'" in table.notes[0]
    as_asked = one(pa.array([large, 1]), kinds={"a": "num"})
    assert cells(as_asked) == [float(large), 1.0]
    assert not as_asked.notes
    assert cells(one(pa.array([large]), kinds={"a": "sym"})) == [str(large)]


def test_2_53_itself_is_a_number():
    assert cells(one(pa.array([2**53, -(2**53)]))) == [2.0**53, -(2.0**53)]


def test_large_decimals_keep_their_digits():
    large = Decimal("12345678901234567.89")
    assert cells(one(pa.array([large]))) == [str(large)]


def test_booleans_become_symbols():
    table = one(pa.array([True, None, True]))
    assert table.domain["a"].values == ("False", "True")
    assert cells(table) == ["True", None, "True"]
    assert cells(one(pa.array([True, None, False]), kinds={"a": "num"})) == [1.0, None, 0.0]


@pytest.mark.parametrize("of", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_strings_become_symbols_or_text(of):
    table = one(pa.array(["b", None, "a", "b"], of))
    assert table.domain["a"] == Variable("a", "sym", ("b", "a"))
    assert cells(table) == ["b", None, "a", "b"]
    long = ["A sentence of more than thirty characters.", None, "And another one, just as long."]
    text = one(pa.array(long, of))
    assert text.domain["a"].kind == "text"
    assert cells(text) == long


@pytest.mark.parametrize("index", [pa.int8(), pa.uint32(), pa.int64()], ids=str)
def test_the_order_of_a_dictionary_is_kept(index):
    indices = pa.array([2, None, 0], index)
    table = one(pa.DictionaryArray.from_arrays(indices, ["c", "b", "a"]))
    assert table.domain["a"].values == ("c", "b", "a")
    assert cells(table) == ["a", None, "c"]


def test_chunks_with_different_dictionaries_are_unified():
    chunks = [pa.array(["a", "b"]).dictionary_encode(), pa.array(["c", "b"]).dictionary_encode()]
    table = one(pa.chunked_array(chunks))
    assert table.domain["a"].values == ("a", "b", "c")
    assert cells(table) == ["a", "b", "c", "b"]


def test_duplicate_and_null_entries_of_a_dictionary():
    dictionary = pa.array(["x", None, "x", "y"])
    table = one(pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), dictionary))
    assert table.domain["a"].values == ("x", "y")
    assert cells(table) == ["x", None, "x", "y"]


def test_a_sliced_dictionary():
    table = one(pa.array(["a", "b", "c"]).dictionary_encode().slice(1))
    assert cells(table) == ["b", "c"]


def test_a_dictionary_of_numbers_is_spelled():
    frame = pd.DataFrame({"a": pd.Categorical([7.0, 2.5, None], [2.5, 7.0])})
    assert read(frame).domain["a"].values == ("2.5", "7")


def test_indices_outside_of_a_dictionary_are_refused():
    wrong = pa.DictionaryArray.from_arrays(pa.array([5], pa.int32()), ["x"], safe=False)
    with pytest.raises(ReadError, match="'a' refers to a symbol"):
        one(wrong)


def test_the_null_type_is_missing_numbers():
    table = one(pa.nulls(2))
    assert table.domain["a"].kind == "num"
    assert cells(table) == [None, None]


MOMENT = dt.datetime(2024, 2, 29, 12, 30, 15, 500_000)  # noqa: DTZ001
UTC = MOMENT.replace(tzinfo=dt.UTC)
INDIA = dt.timezone(dt.timedelta(hours=5.5))


@pytest.mark.parametrize(
    ("value", "of", "spelled"),
    [
        (MOMENT.date(), pa.date32(), "2024-02-29"),
        (MOMENT.date(), pa.date64(), "2024-02-29"),
        (MOMENT.replace(microsecond=0), pa.timestamp("s"), "2024-02-29T12:30:15"),
        (MOMENT, pa.timestamp("ns"), "2024-02-29T12:30:15.5"),
        (UTC, pa.timestamp("us", "UTC"), "2024-02-29T12:30:15.5+00:00"),
        (UTC.astimezone(INDIA), pa.timestamp("us", "Asia/Kolkata"), "2024-02-29T18:00:15.5+05:30"),
        (MOMENT.time(), pa.time64("us"), "12:30:15.5"),
    ],
    ids=str,
)
def test_times_become_symbols_as_in_iso_8601(value, of, spelled):
    table = read(pa.table({"a": pa.array([value, None], of)}), kinds={"a": "sym"})
    assert cells(table) == [spelled, None]
    # The same value as Python has it.
    assert cells(read([{"a": value}], kinds={"a": "sym"})) == [spelled]


@pytest.mark.parametrize("infinite", [np.inf, -np.inf])
def test_infinite_numbers_are_refused_with_column_and_row(infinite):
    with pytest.raises(SatsumaError, match=r"'a' holds -?inf in row 2"):
        one(pa.array([1.0, 2.0, infinite]))


@pytest.mark.parametrize(
    ("array", "told"),
    [
        (pa.array([[1]]), "nested"),
        (pa.array([{"x": 1}]), "nested"),
        (pa.array([b"x"]), "bytes"),
        (pa.array([b"x"], pa.large_binary()), "bytes"),
        (pa.array([b"x"]).dictionary_encode(), "bytes"),
        (pa.array([(1, 2, 3)], pa.month_day_nano_interval()), "neither"),
    ],
    ids=lambda value: str(getattr(value, "type", value)),
)
def test_what_fits_nowhere_is_refused_with_its_column(array, told):
    with pytest.raises(ReadError, match=f"column 'a' holds .*{told}"):
        one(array)


def test_wrapped_columns_are_unwrapped():
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array(["a", "b"]))
    assert cells(one(runs)) == ["a", "a", "b"]
    assert cells(one(pa.ExtensionArray.from_storage(pa.json_(), pa.array(["1"])))) == ["1"]


def test_repeated_and_empty_names_are_made_distinct():
    table = read(pa.table([[1], [2], [3]], names=["on", "on", ""]))
    assert table.domain.names == ("on", "on_2", "column_3")
    assert len(table.notes) == 2


def frame(index=None):
    return pd.DataFrame({"a": [1.0, 2.0]}, index=index)


def test_a_default_index_is_no_column():
    assert read(frame()).domain.names == ("a",)
    assert not read(frame()).notes


def test_an_index_without_a_name_is_left_out_and_told():
    table = read(frame(["x", "y"]))
    assert table.domain.names == ("a",)
    assert "reset_index()" in table.notes[0]


INDEXES = [
    pd.Index([5, 7], name="id"),
    pd.RangeIndex(2, name="id"),
    pd.Index(["x", "y"], name="id"),
    pd.date_range("2024-01-01", periods=2, name="id"),
    pd.period_range("2024-01", periods=2, freq="M", name="id"),
    pd.CategoricalIndex(["x", "y"], name="id"),
    pd.MultiIndex.from_tuples([(1, "x"), (2, "y")], names=["id", "part"]),
    pd.MultiIndex.from_tuples([(1, "x"), (2, "y")], names=["id", None]),
]


@pytest.mark.parametrize("index", INDEXES, ids=lambda index: type(index).__name__)
def test_a_named_index_is_left_out_and_told(tmp_path, index):
    table = read(frame(index))
    assert table.domain.names == ("a",)
    (note,) = table.notes
    assert "'id'" in note
    assert "reset_index() keeps it" in note
    if not isinstance(index, pd.PeriodIndex):
        frame(index).to_parquet(tmp_path / "a.parquet")
        assert read(tmp_path / "a.parquet").domain.names == ("a",)
        source = scan(tmp_path / "a.parquet")
        assert source.domain.names == ("a",)
        assert source.notes == read(tmp_path / "a.parquet").notes == (note,)
        assert source.head(2)["a"].tolist() == [1.0, 2.0]


def test_a_reset_index_is_a_column():
    table = read(frame(pd.Index([5, 7], name="id")).reset_index())
    assert table.domain.names == ("id", "a")
    assert not table.notes


def described():
    domain = Domain(
        [
            Variable("n", role="weight"),
            Variable("s", "sym", ("z", "y", "x"), "target"),
            Variable("t", "text", role="meta"),
            Variable("g", role="goal", goal="-"),
        ]
    )
    texts = np.array(["short", None], object)
    codes = np.array([2, -1], np.int32)
    return Table(domain, [np.ones(2), codes, texts, np.array([np.nan, 1])])


def test_the_domain_survives():
    table = described()
    arrow = table.to_arrow()
    assert read(arrow).equals(table)
    assert [str(field.type) for field in arrow.schema] == [
        "double",
        "dictionary<values=string, indices=int32, ordered=0>",
        "large_string",
        "double",
    ]
    assert [column.null_count for column in arrow.columns] == [0, 1, 1, 1]
    assert read(arrow.slice(1)).equals(table[1:])


def test_numbers_and_codes_leave_without_a_copy():
    table = described()
    arrow = table[:1].to_arrow()
    assert np.shares_memory(arrow.column("n").chunk(0).to_numpy(), table.column("n"))
    indices = arrow.column("s").chunk(0).indices
    assert np.shares_memory(indices.to_numpy(), table.column("s"))


def test_the_domain_is_believed_as_far_as_it_fits():
    table = described()
    changed = table.to_arrow().set_column(1, "s", pa.array(["new", "y"]))
    assert read(changed).domain["s"] == Variable("s", "sym", ("new", "y"), "target")
    fewer = table.to_arrow().set_column(1, "s", pa.array(["x", "y"]))
    assert read(fewer).domain["s"] == table.domain["s"]
    assert cells(read(fewer), "s") == ["x", "y"]
    other = table.to_arrow().set_column(3, "g", pa.array(["x", "y"]))
    assert read(other).domain["g"] == Variable("g", "sym", ("x", "y"))
    assert read(table.to_arrow().select(["t", "n"])).equals(table.select(["t", "n"]))


@pytest.mark.parametrize(
    "said",
    [b"{", b"[]", b'{"columns": [{}]}', b'{"columns": [{"name": "", "kind": 5, "role": 1}]}'],
)
def test_damaged_metadata_are_left_aside_and_told(said):
    table = read(described().to_arrow().replace_schema_metadata({KEY: said}))
    assert table.domain.target is None
    assert "damaged" in table.notes[0]


def test_metadata_with_two_targets_are_left_aside():
    said = {"columns": [{"name": n, "kind": "num", "role": "target"} for n in "ab"]}
    arrow = pa.table({"a": [1], "b": [2]}).replace_schema_metadata({KEY: json.dumps(said)})
    assert read(arrow).domain.target is None


def test_a_lone_surrogate_is_refused_with_its_column():
    with pytest.raises(SatsumaError, match="'s' holds"):
        Table.of([("\ud800",)], ["s"]).to_arrow()


def test_pandas_and_polars_get_categories():
    pl = pytest.importorskip("polars")
    table = described()
    frame = table.to_pandas()
    assert list(frame["s"].cat.categories) == ["z", "y", "x"]
    assert list(frame["s"].cat.codes) == [2, -1]
    assert frame["g"].isna().tolist() == [True, False]
    assert frame["t"].isna().tolist() == [False, True]
    frame.loc[0, "n"] = 5.0  # it is the user's own
    assert table.column("n")[0] == 1.0
    polars = table.to_polars()
    assert polars["s"].to_list() == ["x", None]
    assert polars["s"].dtype in (pl.Categorical, pl.Enum)
    assert polars["g"].null_count() == 1


def test_unknown_kinds_and_columns_are_refused():
    with pytest.raises(SatsumaError, match="no column 'b'"):
        one(pa.array([1]), kinds={"b": "sym"})
    with pytest.raises(DomainError, match="Got 'symbol' instead"):
        one(pa.array([1]), kinds={"a": "symbol"})
