"""filter, sort, head: against polars, and what they refuse."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma import load
from satsuma.data.table import Table
from satsuma.errors import DomainError, NoSuchColumn, ParameterError
from tests.data.verbs.frames import cells, frame, tables

KEYS = st.lists(
    st.tuples(st.sampled_from("nmst"), st.booleans()), min_size=1, unique_by=lambda pair: pair[0]
)


@pytest.fixture
def days():
    return Table.of([("sun", 30), ("rain", None), (None, 18)], ["sky", "heat"], name="days")


class TestFilter:
    @given(tables(), st.integers(-3, 3))
    def test_as_polars_filters(self, table, least):
        expected = frame(table).filter((pl.col("n") >= least) | (pl.col("s") == "a"))
        found = table.filter(lambda t: (t["n"] >= least) | (t["s"] == "a"))
        assert cells(found) == expected.rows()

    @given(tables(), st.data())
    def test_missing_is_not_true(self, table, data):
        mask = data.draw(
            st.lists(st.sampled_from([True, False, None]), min_size=len(table), max_size=len(table))
        )
        expected = frame(table).filter(pl.Series(mask, dtype=pl.Boolean)).rows()
        series = pl.Series(mask, dtype=pl.Boolean)
        for given_as in (
            mask,
            np.array(mask, object),
            series,
            series.to_arrow(),
            pd.array(mask, "boolean"),
            pd.Series(mask, dtype="boolean"),
            np.ma.array([bool(m) for m in mask], mask=[m is None for m in mask], dtype=bool),
        ):
            assert cells(table.filter(given_as)) == expected

    def test_what_a_table_has_beside_cells_is_kept(self, days):
        found = days.with_notes("a note").filter([True, False, False])
        assert (found.name, found.notes, found.domain) == ("days", ("a note",), days.domain)

    @pytest.mark.parametrize("rows", [[0, 1, 1], "heat", True, [1.0, 2.0, 3.0], list("abc"), None])
    def test_what_is_no_mask_is_refused(self, days, rows):
        with pytest.raises(ParameterError, match="filter takes True or False for each row"):
            days.filter(rows)

    @pytest.mark.parametrize("rows", [[True], np.ones(4, bool), np.ones((3, 1), bool)])
    def test_other_lengths_are_refused(self, days, rows):
        with pytest.raises(DomainError, match="but the table has 3 rows"):
            days.filter(rows)

    def test_a_column_that_is_not_there(self, days):
        with pytest.raises(NoSuchColumn, match="Did you mean 'heat'"):
            days.filter(lambda t: t["heet"] > 3)


class TestSort:
    @given(
        tables(),
        st.lists(
            st.tuples(st.sampled_from("nmst"), st.booleans()), min_size=1, unique_by=lambda p: p[0]
        ),
    )
    def test_as_polars_sorts(self, table, keys):
        by, down = [name for name, _ in keys], [downwards for _, downwards in keys]
        expected = (
            frame(table)
            .with_row_index("row")
            .sort(by, descending=down, nulls_last=True, maintain_order=True)
        )
        counted = table.with_column("row", np.arange(len(table)) + 2.0)  # 0 and 1 would be a flag
        found = counted.sort(by, descending=down)
        assert (found["row"] - 2).tolist() == expected["row"].to_list()

    @given(tables(), st.sampled_from("nmst"), st.booleans())
    def test_one_column_is_a_list_of_one(self, table, name, down):
        assert table.sort(name, descending=down).equals(table.sort([name], descending=[down]))

    def test_symbols_go_by_their_spelling(self):
        table = Table.of([("b",), ("c",), (None,), ("a",)], ["s"], target=None)
        assert table.sort("s")["s"].tolist() == ["a", "b", "c", None]
        assert table.sort("s").domain == table.domain

    @pytest.mark.parametrize("down", ["yes", [True], [True, False, True], [1, 0], 1])
    def test_directions_are_as_many_as_columns(self, days, down):
        with pytest.raises(ParameterError, match="descending= must be True or False"):
            days.sort(["sky", "heat"], descending=down)

    def test_by_nothing(self, days):
        with pytest.raises(ParameterError, match="sort needs a column"):
            days.sort([])

    def test_a_column_that_is_not_there(self, days):
        with pytest.raises(NoSuchColumn, match="Did you mean 'heat'"):
            days.sort("heet")


class TestHead:
    def test_the_first_rows(self):
        iris = load("iris")
        assert iris.head().equals(iris[:5])
        assert iris.head(3).equals(iris[:3])
        assert iris.head(500).equals(iris)
        assert len(iris.head(0)) == 0

    @pytest.mark.parametrize("rows", [-1, 2.5, "3", True])
    def test_a_number_of_rows(self, rows):
        with pytest.raises(ParameterError, match="head takes a number of rows"):
            load("iris").head(rows)
