"""Numbers go to Arrow, polars and duckdb and come back: equal, and without a copy where told."""

import duckdb
import numpy as np
import polars as pl
import pytest

import satsuma
from satsuma.data.table import Table

FULL = np.arange(64.0)
HOLED = np.where(FULL % 7 == 0, np.nan, FULL)


def address(column):
    """Where the numbers of a column are in memory: one of NumPy, Arrow or polars."""
    if isinstance(column, np.ndarray):
        return column.__array_interface__["data"][0]
    arrow = column.to_arrow() if isinstance(column, pl.Series) else column.chunk(0)
    return arrow.buffers()[1].address


@pytest.mark.parametrize("numbers", [FULL, HOLED], ids=["full", "holed"])
def test_numbers_go_out_without_a_copy(numbers):
    table = satsuma.read({"a": numbers})
    assert address(table.column("a")) == address(numbers)
    assert address(table.to_arrow().column("a")) == address(numbers)
    assert address(table.to_polars()["a"]) == address(numbers)
    assert table.to_polars()["a"].null_count() == int(np.isnan(numbers).sum())


def test_numbers_come_back_without_a_copy_if_none_is_missing():
    table = satsuma.read({"a": FULL})
    for there in (table.to_arrow(), table.to_polars()):
        assert address(satsuma.read(there).column("a")) == address(FULL)


def test_codes_go_both_ways_without_a_copy():
    table = satsuma.load("iris")
    arrow = table.to_arrow()
    codes = address(table.column("Species"))
    assert arrow.column("Species").chunk(0).indices.buffers()[1].address == codes
    assert address(satsuma.read(arrow).column("Species")) == codes


def test_cells_come_back_equal():
    rows = [(1, "a"), (None, "b"), (2.5, None)]
    held = Table.of(rows, ["n", "s"], target=None)
    through = duckdb.sql("select * from held")
    for there in (held.to_arrow(), held.to_polars(), held.to_pandas(), through):
        assert [tuple(row) for row in satsuma.read(there)] == rows


def test_duckdb_asks_a_table_by_its_name():
    rows = [("pear", 3), ("kiwi", None), ("pear", 5)]
    sold = Table.of(rows, ["fruit", "pieces"], target=None)
    found = satsuma.read(
        duckdb.sql("select fruit, sum(pieces) as n from sold group by fruit order by fruit")
    )
    assert [tuple(row) for row in found] == [("kiwi", None), ("pear", 8)]
    assert len(sold) == 3
