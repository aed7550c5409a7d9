"""join: against polars, and what it refuses and tells."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.data.table import Table
from satsuma.errors import DomainError, NoSuchColumn, ParameterError
from tests.data.verbs.frames import cells, frame, tables

LEFT = {"n": "num", "s": "sym", "t": "text", "a": "num"}
RIGHT = {"t": "text", "s": "sym", "b": "text", "n": "num", "c": "sym", "d": "num"}
KEYS = st.lists(st.sampled_from(["n", "s", "t"]), min_size=1, unique=True)


def kept(right, keys):
    """The other table with the keys and what it alone has."""
    return right.select([*keys, "b", "c", "d"])


@given(tables(LEFT), tables(RIGHT), KEYS, st.sampled_from(["left", "inner"]))
def test_as_polars_joins(left, right, keys, how):
    right = kept(right, keys)
    expected = frame(left).join(frame(right), on=keys, how=how, maintain_order="left_right")
    found = left.join(right, keys, how=how, many=True)
    assert found.domain.names == tuple(expected.columns)
    assert cells(found) == expected.rows()
    distinct = frame(right).drop_nulls(keys).select(keys)
    multiplied = len(frame(left).join(distinct, on=keys)) > len(
        frame(left).join(distinct.unique(), on=keys)
    )
    if multiplied:
        with pytest.raises(DomainError, match="so that rows would be repeated"):
            left.join(right, keys, how=how)
    else:
        assert left.join(right, keys, how=how).equals(found)


@given(tables(LEFT), tables(RIGHT))
def test_symbols_are_joined_with_text(left, right):
    right = kept(right, ["s"]).with_kinds({"s": "text"})
    found = left.join(right, "s", many=True)
    assert found.domain["s"] == left.domain["s"]
    as_symbols = left.join(right.with_kinds({"s": "sym"}), "s", many=True)
    assert cells(found) == cells(as_symbols)


@pytest.fixture
def sold():
    rows = [("pear", 3), ("kiwi", 1), (None, 2), ("pear", 5)]
    return Table.of(rows, ["fruit", "pieces"], target="pieces", name="sold")


@pytest.fixture
def price():
    rows = [("kiwi", 0.5), ("fig", 0.9), ("lime", 0.3)]
    return Table.of(rows, ["fruit", "price"], target=None, name="prices")


def test_what_was_not_found_is_told(sold, price):
    found = sold.join(price, "fruit")
    assert found.notes[0] == (
        "Joined with 'prices': 3 of 4 rows found no match and have missing values in its columns, "
        "first row 0 (fruit pear). Pass how='inner' to leave them out."
    )
    (unused,) = found.notes[1:]
    assert unused.startswith("Joined with 'prices': 2 of its 3 rows matched nothing.")
    found = sold[1:].join(price.with_name(""), "fruit", how="inner")
    assert found.notes[0] == (
        "Joined with the other table: 2 of 3 rows found no match and were left out, "
        "first row 1 (fruit ?). Pass how='left' to keep them."
    )


def test_nothing_is_told_where_all_were_found(sold, price):
    assert sold[1:2].join(price[:1], "fruit").notes == ()


def test_notes_of_both_are_kept(sold, price):
    found = sold[1:2].with_notes("one", "both").join(price[:1].with_notes("both", "two"), "fruit")
    assert found.notes == ("one", "both", "two")


def test_roles_come_along(sold, price):
    found = sold.join(price.with_roles({"price": "weight"}), "fruit")
    assert [v.role for v in found.domain] == ["x", "target", "weight"]


def test_repeated_keys_are_refused(price):
    with pytest.raises(DomainError) as told:
        price.join(Table.of([("a", 1)] + [("fig", i) for i in range(4)], ["fruit", "n"]), "fruit")
    assert str(told.value) == (
        "The other table has fruit fig in 4 rows (1, 2, 3, …), so that rows would be repeated. "
        "Make its keys distinct, or pass many=True to have a row for every pair."
    )
    # Keys that nobody asks for may be repeated.
    twice = Table.of([("a", 1), ("a", 2), ("fig", 3)], ["fruit", "n"])
    assert len(price.join(twice, "fruit")) == 3


def test_a_column_that_both_have(sold, price):
    with pytest.raises(DomainError, match=r"Both tables have a column 'pieces'. Join on it too"):
        sold.join(price.rename({"price": "pieces"}), "fruit")


def test_two_targets(sold, price):
    with pytest.raises(DomainError, match=r"role 'target': 'pieces' and 'price'. Give one another"):
        sold.join(price.with_roles(target="price"), "fruit")


def test_keys_of_two_kinds(sold, price):
    with pytest.raises(DomainError, match="kind 'num' in one table and 'sym' in the other"):
        sold.join(
            price.with_kinds({"price": "sym"}).rename({"price": "pieces", "fruit": "f"}), "pieces"
        )


def test_keys_that_are_not_there(sold, price):
    with pytest.raises(NoSuchColumn, match="Did you mean 'fruit'"):
        sold.join(price, "fruits")
    with pytest.raises(NoSuchColumn, match="The table that is joined has to have it too"):
        sold.join(price, "pieces")


def test_what_cannot_be_asked_for(sold, price):
    with pytest.raises(ParameterError, match=r"how= must be 'left' or 'inner'. Got 'outer'"):
        sold.join(price, "fruit", how="outer")
    with pytest.raises(ParameterError, match="join needs a column"):
        sold.join(price, [])
    with pytest.raises(ParameterError, match="not with DataFrame"):
        sold.join(pl.DataFrame(), "fruit")


def test_no_rows(sold, price):
    assert sold[:0].join(price, "fruit").shape == (0, 3)
    assert cells(sold.join(price[:0], "fruit")) == [(*row, None) for row in cells(sold)]
    assert sold.join(price[:0], "fruit", how="inner").shape == (0, 3)
