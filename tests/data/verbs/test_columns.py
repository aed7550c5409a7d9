"""with_column, cut, rename, drop: against polars and pandas, and what they refuse."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma import load
from satsuma.data.breaks import interval_labels
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, NoSuchColumn, ParameterError, SatsumaError
from tests.data.verbs.frames import NUMBERS, WORDS, cells, frame, tables


@pytest.fixture
def shop():
    rows = [(30, 3, "a", "no"), (None, 4, "b", "yes"), (10, 0.5, None, "yes")]
    return Table.of(rows, ["price", "pieces", "shop", "back"], name="shop").with_notes("a note")


class TestWithColumn:
    @given(tables())
    def test_arithmetic_is_that_of_polars(self, table):
        expected = frame(table).with_columns(sum=pl.col("n") - pl.col("m") * 2)
        found = table.with_column("sum", lambda t: t["n"] - t["m"] * 2)
        if found.domain["sum"].kind == "sym":  # all of them 0 or 1, which is told in a note
            assert found.domain["sum"].values == ("0", "1")
            number = {"0": 0.0, "1": 1.0, None: None}
            assert [(*row, number[last]) for *row, last in cells(found)] == expected.rows()
        else:
            assert cells(found) == expected.rows()

    @given(st.lists(NUMBERS | WORDS, max_size=8))
    def test_any_cells_come_as_in_a_table_of_them(self, values):
        table = Table(Domain([Variable("a")]), [np.zeros(len(values))])
        expected = Table.of([(value,) for value in values], ["b"], target=None)
        assert table.with_column("b", values).select("b").equals(expected)

    @pytest.mark.parametrize(
        "values",
        [
            [1, None, 3],
            (1, None, 3),
            np.array([1, np.nan, 3]),
            np.ma.array([1, 2, 3], mask=[False, True, False]),
            pd.Series([1, None, 3]),
            pd.Series([1, None, 3], dtype="Int64"),
            pl.Series([1, None, 3]),
            pa.array([1, None, 3]),
            pa.chunked_array([[1], [None, 3]]),
            (each for each in [1, None, 3]),
        ],
        ids=lambda values: type(values).__module__ + type(values).__name__,
    )
    def test_cells_of_any_sort(self, shop, values):
        assert shop.with_column("x", values).equals(shop.with_column("x", [1.0, None, 3.0]))

    @pytest.mark.parametrize(
        ("value", "cell"),
        [
            (3, 3.0),
            (np.float64(3), 3.0),
            (np.array(3), 3.0),
            (None, None),
            (True, "True"),
        ],
    )
    def test_one_value_for_all_rows(self, shop, value, cell):
        assert [row["x"] for row in shop.with_column("x", value)] == [cell] * 3
        assert [row["x"] for row in shop.with_column("x", lambda _: value)] == [cell] * 3

    def test_one_string_for_all_rows(self, shop):
        for value in ("'Oslo'", '"Oslo"', lambda _: "Oslo"):
            assert [row["x"] for row in shop.with_column("x", value)] == ["Oslo"] * 3

    def test_no_rows(self, shop):
        assert shop[:0].with_column("x", 3).shape == (0, 5)
        assert shop[:0].with_column("x", []).shape == (0, 5)

    def test_a_new_column_comes_last_and_is_learned_from(self, shop):
        found = shop.with_column("x", 1)
        assert found.domain.names == ("price", "pieces", "shop", "back", "x")
        assert found.domain["x"].role == "x"
        assert (found.name, found.notes) == ("shop", ("a note",))

    def test_the_table_stays_as_it_is(self, shop):
        before = cells(shop)
        shop.with_column("price", 1).with_column("x", 2)
        assert cells(shop) == before
        assert shop.domain.names == ("price", "pieces", "shop", "back")

    def test_a_replaced_column_keeps_its_place_and_its_role(self, shop):
        found = shop.with_column("back", [1, 0, 1])
        assert found.domain.names == shop.domain.names
        assert found.domain.target == Variable("back", "sym", ("0", "1"), "target")
        weighted = shop.with_roles({"pieces": "weight"}).with_column("pieces", lambda t: t.weights)
        assert weighted.weights.tolist() == [3, 4, 0.5]

    def test_a_goal_holds_numbers(self, shop):
        goal = shop.with_roles({"price": "+"})
        assert goal.with_column("price", 3).domain["price"].goal == "+"
        with pytest.raises(DomainError, match="has the role 'goal', which only numbers can have"):
            goal.with_column("price", "'cheap'")

    def test_numbers_are_not_copied(self, shop):
        numbers = np.arange(3.0)
        assert np.shares_memory(shop.with_column("x", numbers).column("x"), numbers)
        assert not shop.with_column("x", numbers).column("x").flags.writeable

    def test_columns_of_a_matrix(self):
        table = load("iris")
        wide = Table(table.domain, table.columns).with_column("x", 0)
        assert len(wide.domain) == 6

    def test_what_is_decided_is_told(self, shop):
        assert len(shop.with_column("x", [1, "b", 2.5]).notes) == 2
        assert len(shop.with_column("x", dt.date(2024, 2, 29)).notes) >= 1

    @pytest.mark.parametrize("values", [[1, 2], np.zeros(4), ["abc"], lambda t: t["price"][1:]])
    def test_other_lengths_are_refused(self, shop, values):
        with pytest.raises(DomainError, match=r"given \d cells, but the table has 3 rows"):
            shop.with_column("x", values)

    def test_what_is_infinite_is_refused(self, shop):
        with (
            np.errstate(divide="ignore"),
            pytest.raises(DomainError, match=r"holds inf in row 0. Numbers must be finite"),
        ):
            shop.with_column("x", lambda t: t["price"] / 0)

    @pytest.mark.parametrize("values", [np.zeros((3, 2)), [[1], [2], [3]], {"a": 1}, b"abc"])
    def test_what_is_no_column_is_refused(self, shop, values):
        with pytest.raises(SatsumaError, match="'x'"):
            shop.with_column("x", values)

    def test_a_column_that_is_not_there(self, shop):
        with pytest.raises(NoSuchColumn, match="Did you mean 'price'"):
            shop.with_column("x", lambda t: t["prise"])

    def test_an_empty_name(self, shop):
        with pytest.raises(DomainError, match="empty name"):
            shop.with_column("", 3)


class TestCut:
    @given(st.lists(NUMBERS, min_size=1), st.lists(st.integers(-3, 3), min_size=1, unique=True))
    def test_as_pandas_cuts(self, numbers, breaks):
        breaks = sorted(breaks)
        table = Table.of([(each,) for each in numbers], ["n"], target=None, kinds={"n": "num"})
        ends = [-np.inf, *breaks, np.inf]
        expected = pd.cut(table["n"], ends, labels=interval_labels(list(map(str, breaks))))
        found = table.cut("n", breaks)
        assert found["n"].tolist() == [None if pd.isna(each) else each for each in expected]
        assert found.domain["n"].values == tuple(expected.categories)

    def test_labels_tell_breaks_exactly(self):
        table = Table.of([(1,)], ["n"], target=None)
        assert table.cut("n", [0.1 + 0.2, 123456.78]).domain["n"].values == (
            "<= 0.30000000000000004",
            "(0.30000000000000004, 123456.78]",
            "> 123456.78",
        )

    def test_every_interval_is_a_value(self):
        assert len(Table.of([(1,)], ["n"], target=None).cut("n", [5, 6, 7]).domain["n"].values) == 4

    def test_another_name_keeps_the_numbers(self, shop):
        found = shop.cut("price", [20], labels=("low", "high"), name="level")
        assert found.domain.names[-1] == "level"
        assert [row["level"] for row in found] == ["high", None, "low"]
        assert found.select(shop.domain.names).equals(shop)

    def test_the_role_is_kept(self, shop):
        regression = shop.with_roles(target="price")
        assert regression.cut("price", [20]).domain.target.values == ("<= 20", "> 20")
        with pytest.raises(DomainError, match="has the role 'weight', which only numbers"):
            shop.with_roles({"pieces": "weight"}).cut("pieces", [1])

    @pytest.mark.parametrize("breaks", [[], [2, 1], [1, 1], [np.nan], [np.inf], 4, ["a"], [[1, 2]]])
    def test_breaks_increase(self, shop, breaks):
        with pytest.raises(ParameterError, match=r"increasing numbers, such as \[18, 65\]"):
            shop.cut("price", breaks)

    @pytest.mark.parametrize("labels", [["a"], ["a", "a"], ["a", "b", "c"], "ab", [1, 2]])
    def test_labels_are_as_many_as_intervals(self, shop, labels):
        with pytest.raises(ParameterError, match="labels= must be 2 distinct strings"):
            shop.cut("price", [20], labels=labels)

    def test_only_numbers(self, shop):
        with pytest.raises(DomainError, match="kind 'sym', and only numbers are cut"):
            shop.cut("shop", [1])
        with pytest.raises(NoSuchColumn, match="Did you mean 'price'"):
            shop.cut("prise", [1])


class TestRenameAndDrop:
    @given(tables(), st.permutations(["n", "m", "s", "t"]))
    def test_as_polars_renames(self, table, names):
        renamed = dict(zip("nmst", names, strict=True))
        found = table.rename(renamed)
        assert found.domain.names == tuple(frame(table).rename(renamed).columns)
        assert cells(found) == cells(table)

    def test_roles_and_kinds_are_kept(self, shop):
        found = shop.rename({"back": "returned"})
        assert found.domain.target == Variable("returned", "sym", ("no", "yes"), "target")

    def test_two_names_that_are_equal(self, shop):
        with pytest.raises(DomainError, match="Two columns are called 'price'"):
            shop.rename({"pieces": "price"})

    def test_names_that_are_not_there(self, shop):
        for verb in (lambda: shop.rename({"prise": "x"}), lambda: shop.drop("prise")):
            with pytest.raises(NoSuchColumn, match="Did you mean 'price'"):
                verb()

    @given(tables(), st.sets(st.sampled_from("nmst"), max_size=3))
    def test_as_polars_drops(self, table, names):
        found = table.drop(names)
        assert found.domain.names == tuple(frame(table).drop(names).columns)
        assert found.equals(table.select(found.domain.names))

    def test_one_name(self, shop):
        assert shop.drop("price").domain.names == ("pieces", "shop", "back")
        assert shop.drop("price", "back").equals(shop.drop(["price", "back"]))
        assert shop.select("price").domain.names == ("price",)

    def test_a_column_must_be_left(self, shop):
        with pytest.raises(DomainError, match="No column would be left"):
            shop.drop(shop.domain.names)
