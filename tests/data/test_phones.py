"""Telephone numbers keep their plus, wherever they stand, by every way of reading."""

import re

import numpy as np
import pytest

from satsuma import read, scan
from satsuma.data.delimited import blocks
from satsuma.kernels import csv_phones, csv_twin
from satsuma.kernels.csv import NUM, Dialect
from satsuma.kernels.csv import scan as scanned

PHONE = re.compile(r"[ \t]*\+[0-9]{7,}[ \t]*")

CELLS = ["1", "+1", "+1.5", "+123456", "+1234567", "+4915112345678", "+0049151", "1e+1234567",
         "1E+12345678", " +1234567 ", "+1234567.0", "-1234567", "1234567", "", "+", "++1234567",
         "+1234567e0"]  # fmt: skip


def text_of(rng, rows):
    cells = rng.choice(CELLS, (rows, 3), p=[0.6] + [0.4 / (len(CELLS) - 1)] * (len(CELLS) - 1))
    lines = [",".join(f'"{c}"' if rng.random() < 0.1 else c for c in row) for row in cells]
    return "a,b,c\n" + "\n".join(lines) + "\n", cells


@pytest.mark.parametrize("seed", range(60))
def test_columns_fail_where_a_cell_is_one(seed):
    text, cells = text_of(np.random.default_rng(seed), rows=1 + seed // 4)
    body = text.partition("\n")[2].encode()
    kinds = np.full(3, NUM, np.int8)
    piece, plain = scanned(body, Dialect(3), kinds), csv_twin.scan(body, Dialect(3), kinds)
    for j in range(3):
        dialled = [row for row, cell in enumerate(cells[:, j]) if PHONE.fullmatch(cell)]
        assert (j in piece.failed) == (j in plain.failed or bool(dialled))
        if j in piece.failed and j not in plain.failed:
            line, cell = piece.failed[j]
            assert PHONE.fullmatch(cell)
            assert cell in cells[line - 1]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"+1234567", True),
        (b"+123456", False),
        (b"1e+1234567", False),
        (b"", False),
        (b"+", False),
        (b"+123456+1234567", True),
        (b"1234567+", False),
    ],
)
def test_where_a_block_is_looked_through(text, found):
    assert csv_phones.some(text) == csv_phones.some(memoryview(bytearray(text))) == found
    inner = memoryview(b"+1234567," + text + b",+7654321")[9 : 9 + len(text)]
    assert csv_phones.some(inner) == found


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("place", [0, 5_000, 19_999])
def test_one_cell_of_many_decides(tmp_path, monkeypatch, ends, place):
    lines = [f"{k},w" for k in range(20_000)]
    lines[place] = "+4915112345678,w"
    path = tmp_path / "a.csv"
    path.write_bytes(ends.join(["n,s", *lines, ""]).encode())
    whole = read(path)
    assert whole["n"][place] == "+4915112345678"
    assert "Pass kinds={'n': 'num'}" in whole.notes[0]
    monkeypatch.setattr(blocks, "BLOCK", 1_000)
    monkeypatch.setattr(blocks, "_PEEK", 100)
    assert read(path).equals(whole)
    source = scan(path)
    assert source.domain["n"].kind == "sym"
    assert source.notes == whole.notes
    assert source.head(20_000).equals(whole)
    assert read(path, kinds={"n": "num"})["n"][place] == 4915112345678.0


def test_the_line_is_told_where_a_name_promises_numbers():
    table = read(b'Far-,Phone\n1,"a"\n2,+4915112345678\n', format="csv", marks=True)
    assert "Column 'Phone' is numeric by its name, but line 2 holds 'a'" in "".join(table.notes)
    table = read(b"Far-,Phone\n1,2\n\n2,+4915112345678\n", format="csv", marks=True)
    assert "line 4 holds '+4915112345678'" in "".join(table.notes)
