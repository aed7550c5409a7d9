"""describe: against pandas, and how it is shown; and how short tables are."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma import load
from satsuma.data.display import show, show_html
from satsuma.data.domain import Domain
from satsuma.data.row_display import ROWS, WIDTH, show_rows, show_rows_html
from satsuma.data.summary import width
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from tests.data.verbs.frames import frame, tables


def same(found, expected):
    if found is None or math.isnan(expected):
        return found is None and math.isnan(expected)
    return math.isclose(found, expected, rel_tol=1e-12, abs_tol=1e-300)


@given(tables({"n": "num", "s": "sym", "t": "text"}, least=1))
def test_as_pandas_describes(table):
    about = {row["column"]: dict(row.items()) for row in table.describe()}
    numbers = frame(table)["n"].to_pandas()
    for name in ("n", "s", "t"):
        column = frame(table)[name]
        assert about[name]["known"] == len(column) - column.null_count()
        assert about[name]["missing"] == column.null_count()
        assert about[name]["distinct"] == column.drop_nulls().to_pandas().nunique()
    small = numbers[numbers.abs() < 1e9]  # pandas overflows beyond
    if len(small) == numbers.notna().sum() > 0:
        expected = small.describe()
        expected.index = ["known", "mean", "sd", "min", "25%", "median", "75%", "max"]
        for name, number in expected.items():
            assert same(about["n"][name], number), name
    for name in ("s", "t"):
        counts = frame(table)[name].drop_nulls().to_pandas().value_counts()
        most = about[name]["most frequent"]
        if len(counts) and (counts.iloc[0] > 1 or len(counts) == 1):
            assert about[name]["times"] == counts.iloc[0] == counts[most]
        else:
            assert most is None
            assert about[name]["times"] is None


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_huge_numbers_do_not_overflow(numbers):
    row = Table(Domain([Variable("n")]), [np.array(numbers)]).describe()[0]
    assert row["min"] == min(numbers)
    assert row["max"] == max(numbers)
    assert row["min"] <= row["mean"] <= row["max"]
    assert row["min"] <= row["25%"] <= row["median"] <= row["75%"] <= row["max"]


def test_of_values_that_are_as_frequent_the_first_is_told():
    table = Table.of([("b",), ("a",), ("a",), ("b",)], ["s"], target=None)
    assert table.describe()[0]["most frequent"] == "b"


def test_no_rows_and_no_columns():
    assert load("iris")[:0].describe()["known"].tolist() == [0] * 5
    assert load("iris")[:0].describe()["mean"].tolist() != []
    assert Table(Domain([]), []).describe().shape == (0, 14)
    for table in (load("iris")[:0], Table(Domain([]), [])):
        assert repr(table.describe())
        assert table.describe()._repr_html_()


def test_a_description_shows_all_of_its_rows_whatever_is_done_with_it():
    table = Table(Domain(Variable(f"c{i}") for i in range(ROWS)), np.zeros((ROWS, 3)))
    for about in (table.describe(), table.describe().filter(lambda t: t["known"] == 3)):
        assert repr(about).count("\n") == 2 + ROWS
        assert about._repr_html_().count("<tr>") == 1 + ROWS
    wide = Table(Domain(Variable(f"c{i}") for i in range(ROWS + 1)), np.zeros((ROWS + 1, 3)))
    assert repr(wide.describe()).endswith("… and 1 more row")
    assert repr(load("iris").describe()).startswith("iris: 5 columns\n\ncolumn")
    assert repr(load("iris").describe().head(1)).startswith("iris: 1 column\n")


@pytest.mark.parametrize("name", ["heart_disease", "adult_sample", "zoo", "voting"])
def test_lines_have_room(name):
    for table in (load(name).describe(), load(name).head(9)):
        assert max(map(width, repr(table).splitlines())) <= WIDTH
    assert "times" in repr(load(name).describe()).splitlines()[2]


def test_short_tables_show_their_rows():
    iris = load("iris")
    assert repr(iris.head(10)) == show_rows(iris.head(10))
    assert iris.head(10)._repr_html_() == show_rows_html(iris.head(10))
    for table in (iris.head(11), iris[:0]):
        assert repr(table) == show(table)
        assert table._repr_html_() == show_html(table)


def test_cells_as_they_are_shown():
    rows = [(1 / 3, "two\nlines", None), (1e15, "x" * 99, 1694.08)]
    table = Table.of(rows, ["a", "<b>", "蜜柑"], roles={"a": "-"})
    assert show_rows(table).splitlines() == [
        "Table: 2 rows, 3 columns, 1 missing value (16.7%)",
        "",
        "a (goal -)  <b>                       蜜柑 (target)",
        "  0.333333  two\\nlines                            ?",
        "     1e+15  xxxxxxxxxxxxxxxxxxxxxxx…        1694.08",
    ]
    assert "&lt;b&gt;" in show_rows_html(table)


def test_columns_without_room_are_named():
    table = Table(Domain(Variable(f"column {i}") for i in range(50)), np.zeros((50, 2)))
    assert "… and 38 more columns: column 12, column 13" in show_rows(table)
    assert "… and 10 more columns: column 40" in show_rows_html(table)


def test_notes_come_last():
    assert show_rows(load("iris").head(1).with_notes("a note")).endswith("\n\n- a note")


CELLS = st.none() | st.floats(allow_infinity=False) | st.text(st.characters(), max_size=50)


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=4))
def test_any_rows_are_shown(rows):
    table = Table.of(rows, ["a", "b", "c"])
    for shown in (show_rows(table), repr(table.describe())):
        assert max(map(width, shown.splitlines())) <= WIDTH
        assert all(line.isprintable() for line in shown.split("\n"))
    assert show_rows_html(table)
