import sqlite3
from pathlib import Path

import pytest

from satsuma import NaiveBayes, SatsumaError, Table, scan, write

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="there is no /proc here")


def is_open(path):
    """Whether this process has a file open."""
    found = set()
    for each in Path("/proc/self/fd").iterdir():
        try:
            found.add(str(each.readlink()))
        except OSError:
            continue
    return str(path) in found


@pytest.fixture
def shop(tmp_path):
    path = tmp_path / "shop.db"
    made = sqlite3.connect(path)
    made.execute("create table sales(price real, paid text)")
    made.executemany("insert into sales values (?, ?)", [(k, "yn"[k % 2]) for k in range(200)])
    made.commit()
    made.close()
    return path


def test_a_connection_is_let_go(shop):
    with scan(shop, target="paid") as source:
        model = NaiveBayes()(source)
        assert is_open(shop)
    assert not is_open(shop)
    assert source.shape == (200, 2)
    assert "200 rows" in repr(source)
    assert model({"price": 3}) in ("y", "n")
    for ask in (source.head, lambda: next(source.batches()), lambda: source.sample(3)):
        with pytest.raises(SatsumaError, match=r"The source is closed. Scan it again."):
            ask()
    with pytest.raises(SatsumaError, match="closed"):
        NaiveBayes()(source)
    source.close()


def test_a_source_that_is_deleted_needs_no_closing(shop):
    source = scan(shop)
    assert is_open(shop)
    del source
    assert not is_open(shop)


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".jsonl", ".parquet", ".feather"])
def test_files_are_open_only_while_they_are_read(ending, tmp_path):
    path = tmp_path / f"t{ending}"
    write(Table.of([(k, "yn"[k % 2]) for k in range(500)], ["price", "paid"]), path)
    source = scan(path)
    assert not is_open(path)
    rows = source.batches()
    next(rows)
    del rows  # given up in the middle
    source.head(3)
    assert not is_open(path)
