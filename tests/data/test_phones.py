"""Telephone numbers keep their plus, wherever they stand, by every way of reading."""

import numpy as np
import pytest

from satsuma import Table, read, scan, write
from satsuma.data.formats.delimited import text_blocks as blocks
from satsuma.errors import ReadError
from satsuma.kernels.csv import NUM, NUM_LOOSE, Dialect
from satsuma.kernels.csv import scan as scanned
from satsuma.kernels.csv import twin as csv_twin

CELLS = ["1", "+1", "+1.5", "+123456", "+1234567", "+4915112345678", "+0049151", "1e+1234567",
         "1E+12345678", " +1234567 ", "+1234567.0", "-1234567", "1234567", "", "+", "++1234567",
         "+1234567e0"]  # fmt: skip
NUMBERS = {"", "1", "+1", "+1.5", "+123456", "+1234567.0", "-1234567", "1234567", "+1234567e0",
           "1e+1234567", "1E+12345678"}  # fmt: skip


def text_of(rng, rows):
    cells = rng.choice(CELLS, (rows, 3), p=[0.6] + [0.4 / (len(CELLS) - 1)] * (len(CELLS) - 1))
    lines = [",".join(f'"{c}"' if rng.random() < 0.1 else c for c in row) for row in cells]
    return "a,b,c\n" + "\n".join(lines) + "\n", cells


@pytest.mark.parametrize("seed", range(60))
def test_columns_fail_where_a_cell_is_one(seed):
    text, cells = text_of(np.random.default_rng(seed), rows=1 + seed // 4)
    body = text.partition("\n")[2].encode()
    strict, loose = (np.full(3, kind, np.int8) for kind in (NUM, NUM_LOOSE))
    for scanner in (scanned, csv_twin.scan):
        piece, plain = (scanner(body, Dialect(3), kinds) for kinds in (strict, loose))
        for j in range(3):
            first = [at for at, cell in enumerate(cells[:, j]) if cell not in NUMBERS]
            assert piece.failed.get(j, (0,))[0] == (first[0] + 1 if first else 0)
            assert (j in plain.failed) == bool({"+", "++1234567"} & {*cells[:, j]})


def test_thousands_are_no_telephone_number():
    how = Dialect(2, delimiter=";", thousands=",")
    piece = scanned(b"+1,234,567;+1234567\n", how, np.full(2, NUM, np.int8))
    assert piece.failed == {1: (1, "+1234567")}
    assert piece.columns[0].tolist() == [1234567.0]


def test_a_first_line_with_one_is_data(tmp_path):
    with pytest.raises(ReadError, match="looks like data rather than names"):
        read(b"Bob,+4915112345678\nEve,+4915112345679\n", format="csv")
    table = Table.of([(1.0, 2.0)], ["+4915112345678", "x"], target=None)
    write(table, tmp_path / "a.csv")
    assert read(tmp_path / "a.csv").domain.names == ("+4915112345678", "x")


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("place", [0, 500, 1_999])
@pytest.mark.usefixtures("short_look")
def test_one_cell_of_many_decides(tmp_path, monkeypatch, ends, place):
    lines = [f"{k},w" for k in range(2_000)]
    lines[place] = "+4915112345678,w"
    path = tmp_path / "a.csv"
    path.write_bytes(ends.join(["n,s", *lines, ""]).encode())
    whole = read(path)
    assert whole["n"][place] == "+4915112345678"
    assert "Pass kinds={'n': 'num'}" in whole.notes[0]
    monkeypatch.setattr(blocks, "BLOCK", 1_000)
    monkeypatch.setattr(blocks, "PEEK", 100)
    assert read(path).equals(whole)
    source = scan(path)
    assert source.domain["n"].kind == "sym"
    assert source.notes == whole.notes
    assert source.head(2_000).equals(whole)
    assert read(path, kinds={"n": "num"})["n"][place] == 4915112345678.0


def test_the_line_is_told_where_a_name_promises_numbers():
    table = read(b'Far-,Phone\n1,"a"\n2,+4915112345678\n', format="csv", marks=True)
    assert "Column 'Phone' is numeric by its name, but line 2 holds 'a'" in "".join(table.notes)
    table = read(b"Far-,Phone\n1,2\n\n2,+4915112345678\n", format="csv", marks=True)
    assert "line 4 holds '+4915112345678'" in "".join(table.notes)
