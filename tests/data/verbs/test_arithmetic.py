"""Expressions over columns: as polars works them out, missing where a cell is, and refused else."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from satsuma import Table
from satsuma.data.verbs.arithmetic import Arithmetic
from satsuma.errors import NoSuchColumn, ParameterError
from tests.data.verbs.frames import cells, frame, tables

SHOP = Table.of(
    [(30, 3, "a", "2024-01-01"), (None, 4, "b", "2024-01-02"), (10, 0, None, "2024-01-03")],
    ["price", "no. of pieces", "shop", "day"],
    target=None,
    kinds={"day": "time"},
)


def made(text):
    """The cells of a column that is worked out."""
    return [row["x"] for row in SHOP.with_column("x", text)]


@given(tables())
def test_arithmetic_is_that_of_polars(table):
    n, m = pl.col("n"), pl.col("m")
    expected = frame(table).select(-(n - m * 2) / 4 + abs(m)).to_series().to_list()
    found = Arithmetic(table, "-(n - m * 2) / 4 + abs(m)").result.tolist()
    assert [None if np.isnan(each) else each for each in found] == expected
    more = frame(table).filter(n > m)
    assert cells(table.filter("n > m")) == more.rows()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("price / `no. of pieces`", [10, None, None]),
        ("price * 2 ** 3 - 1", [239, None, 79]),
        (" log(exp(price)) ", [30, None, 10]),
        ("sqrt(`no. of pieces` + 1)", [2, 5**0.5, 1]),
        ("-price", [-30, None, -10]),
        ("price", [30, None, 10]),
        ("7", [7, 7, 7]),
        ("price > 10", ["True", None, "False"]),
        ("shop == 'a'", ["True", "False", None]),
        ("'a' != shop", ["False", "True", None]),
        ("shop", ["a", "b", None]),
    ],
)
def test_what_is_worked_out(text, found):
    assert made(text) == [each if isinstance(each, str | None) else float(each) for each in found]


def test_what_has_no_finite_result_is_missing_and_told():
    table = SHOP.with_column("x", "price / `no. of pieces`")
    (told,) = table.notes[len(SHOP.notes) :]
    assert told.code == "no result"
    assert told.startswith(
        "'price / `no. of pieces`' is no finite number in 1 row, the first row 2"
    )
    many = Table.of([(-1,), (0,), (1,)], ["a"], target=None).with_column("x", "log(a)")
    assert "in 2 rows, the first row 0" in many.notes[-1]
    assert np.isnan(many["x"]).tolist() == [True, True, False]


@pytest.mark.parametrize(
    "text",
    [
        *("", "a b", "price /", "price % 2", "price // 2", "__import__('os')", "open('x')"),
        *("price.real", "price[0]", "[1, 2]", "lambda: 1", "log(price, 2)", "log()", "log(x=1)"),
        *("price and 1", "not price", "1 < price < 3", "price if 1 else 2", "True", "1j", "x := 1"),
        *("shop + 1", "shop < 'b'", "shop == 1", "price + 'a'", "(price > 1) + 1", "-shop"),
        *("day", "day > 1", "9" * 400 + " + price", "(" * 300 + "1" + ")" * 300, "price\0"),
        *("1 + " * 20_000 + "1", "f'{price}'", "*price", "price; 1", "print", "None", "..."),
    ],
)
def test_all_else_is_refused(text):
    with pytest.raises((ParameterError, NoSuchColumn)) as refused:
        SHOP.with_column("x", text)
    assert "quotes" in str(refused.value) or "lambda t" in str(refused.value)


def test_a_name_that_is_no_column():
    with pytest.raises(NoSuchColumn, match=r"no column 'prise'. Did you mean 'price'"):
        SHOP.with_column("x", "prise / 2")
    with pytest.raises(NoSuchColumn, match=r"For 'Oslo' in all rows, put it in quotes: \"'Oslo'\""):
        SHOP.with_column("x", "Oslo")


def test_no_rows():
    assert SHOP[:0].with_column("x", "price / 2").shape == (0, 5)
