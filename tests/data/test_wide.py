"""Delimited text of 1 to 20,000 columns, by every way in, beside Python's csv module."""

import csv
import io
import math
from itertools import chain, product

import numpy as np
import pytest

import satsuma
from satsuma.data.formats.delimited import text_blocks as blocks
from satsuma.data.formats.delimited.relay import Assembly
from satsuma.errors import ReadError
from satsuma.kernels.csv import NUM, SYM, Dialect, compiled, scan

# Powers of two, and where fewer rows of a width come together before they are put into columns.
EDGES = [1, 2, 3, *(p + k for p in (16, 32, 64, 128, 256, 1024, 2048) for k in (-1, 0, 1))]
NARROW = sorted({*EDGES, 130, *range(140, 161), 500, 1000})
WIDE = [4095, 4096, 5000, 10_000, 20_000] if compiled else [5000]  # the twin is in no hurry
ENDS = {"LF": "\n", "CR LF": "\r\n", "CR": "\r"}
WORDS = ["", "x", "seven77", "eight888", "a longer word", "é🍊"]


def number(k):
    return ["1", "-2.5", "", "1234567890123456", "3e5", " 7 "][k % 6]


def rows_of(width, symbols, quoted):
    """Rows of cells as they are spelled; a quoted one in each row, if wanted."""
    count = max(6, min(20, 6000 // width))
    spelled = (lambda k: WORDS[k % 6]) if symbols else number
    rows = [[spelled(3 * i + j) for j in range(width)] for i in range(count)]
    for i, row in enumerate(rows):
        if quoted:
            row[i % width] = '"5"" pipe, and more"' if symbols else '"17"'
        elif row == [""]:
            row[0] = "1"  # no blank line
    return rows


def text_of(rows, delimiter, end):
    return "".join(delimiter.join(row).replace(", and", f"{delimiter} and") + end for row in rows)


def meant(text, delimiter, symbols):
    """The cells that the csv module finds."""
    found = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    if symbols:
        return [[cell or None for cell in row] for row in found]
    return [[float(cell) if cell else None for cell in row] for row in found]


def cells_of(tables):
    return [list(row) for row in chain.from_iterable(tables)]


# ------------------------------------------------------------------ the scanner


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("width", [*NARROW, *WIDE])
def test_the_scanner_finds_every_cell(width, end):
    for symbols, quoted in product((False, True), repeat=2):
        text = text_of(rows_of(width, symbols, quoted), ",", ENDS[end])
        kinds = np.full(width, SYM if symbols else NUM, np.int8)
        piece = scan(text.encode(), Dialect(width), kinds)
        expected = meant(text, ",", symbols)
        assert (piece.rows, piece.bad) == (len(expected), [])
        for j, column in enumerate(zip(*expected, strict=True)):
            found = piece.columns[j].tolist()
            if symbols:
                assert [None if code < 0 else piece.values[j][code] for code in found] == [*column]
            else:
                assert [None if math.isnan(value) else value for value in found] == [*column]


# ------------------------------------------------------------------ every way in


def through_bytes(content, _path, **options):
    return [satsuma.read(content, format="csv", **options)]


def through_a_file(_content, path, **options):
    return [satsuma.read(path, **options)]


def through_scan(_content, path, **options):
    return satsuma.scan(path, **options).batches()


@pytest.mark.parametrize("way", [through_bytes, through_a_file, through_scan])
@pytest.mark.parametrize("width", [1, 2, 17, 145, 146, 160, 1025, 5000])
def test_every_way_in(width, way, tmp_path, monkeypatch):
    turns = product(ENDS.values(), (False, True))
    for turn, (end, quoted) in enumerate(turns):
        symbols, threads = (turn + width) % 2 == 1, 1 + turn % 3
        monkeypatch.setattr(blocks, "BLOCK", [1, 100, 5000, 1 << 20][(turn + width) % 4])
        names = [f"c{j}" for j in range(width)]
        text = text_of(rows_of(width, symbols, quoted), ",", end)
        path = tmp_path / f"{turn}.csv"
        path.write_bytes((",".join(names) + end + text).encode())
        kinds = dict.fromkeys(names, "sym" if symbols else "num")
        read = way(path.read_bytes(), path, kinds=kinds, threads=threads, delimiter=",")
        assert cells_of(read) == meant(text, ",", symbols)


@pytest.mark.parametrize("way", [through_a_file, through_scan])
@pytest.mark.parametrize("width", [2, 146, 351, 2049])
def test_tab_files(width, way, tmp_path):
    """Such as a table of artists and their listeners, of 351 columns and CR LF."""
    for (end, quoted), symbols in product(product(ENDS.values(), (False, True)), (False, True)):
        head = [[f"c{j}" for j in range(width)], ["d" if symbols else "c"] * width, [""] * width]
        text = text_of(rows_of(width, symbols, quoted), "\t", end)
        path = tmp_path / "wide.tab"
        path.write_bytes((text_of(head, "\t", end) + text).encode())
        assert cells_of(way(None, path)) == meant(text, "\t", symbols)


@pytest.mark.parametrize("width", WIDE)
def test_very_wide_files(width, tmp_path):
    names = ",".join(f"c{j}" for j in range(width)) + "\r\n"
    text = text_of(rows_of(width, False, True), ",", "\r\n")
    path = tmp_path / "wide.csv"
    path.write_text(names + text, newline="")
    assert cells_of([satsuma.read(path)]) == meant(text, ",", False)


def test_an_export_of_150_columns_with_cr_lf():
    row = ",".join(["1"] * 150) + "\r\n"
    content = ",".join(f"c{j}" for j in range(150)) + "\r\n" + row * 20
    assert satsuma.read(content.encode(), format="csv").shape == (20, 150)


# ------------------------------------------------------------------ odd signs, and many lines


@pytest.mark.parametrize(("delimiter", "quote"), [(",", "-"), ("y", "x"), ("x", "y"), ("-", '"')])
def test_any_delimiter_and_any_quote(delimiter, quote):
    rows = [[quote + quote, "1", "25", f"{quote}7{quote}"]] * 40
    text = "\n".join(delimiter.join(row) for row in rows)  # no line end behind the last
    kinds = {f"column_{j + 1}": "num" for j in range(4)}
    options = {"delimiter": delimiter, "quote": quote, "header": False, "kinds": kinds}
    table = satsuma.read(text.encode(), format="csv", **options)
    assert cells_of([table]) == [[None, 1.0, 25.0, 7.0]] * 40


def test_lines_without_cells_take_no_room(monkeypatch):
    """Room for as many rows as there are lines would be many times the file."""
    asked = []

    def make_room(self, rows, expected):
        asked.append(rows + expected)
        return original(self, rows, expected)

    original = Assembly.make_room
    monkeypatch.setattr(Assembly, "make_room", make_room)
    width = 4000
    row = ",".join(["1"] * width) + "\n"
    content = ",".join(f"c{j}" for j in range(width)) + "\n" + row + "\n" * 100_000 + row
    assert satsuma.read(content.encode(), format="csv").shape == (2, width)
    assert max(asked) < 100


def test_a_block_is_never_larger_than_the_scanner_takes(monkeypatch):
    """Whatever else has been read behind a long record, and however the text is encoded."""
    monkeypatch.setattr(blocks, "LONGEST", 1000)
    record = b'"' + b"x\n" * 480 + b'"\n'
    for encoding, size in product(("utf-8", "latin-1", "utf-16-le"), (1, 3, 100)):
        content = (record * 3 + b"y\n" * 3000).decode().encode(encoding)
        found = blocks.Blocks(content, encoding, size).rest(",", '"')
        assert max(len(block) for block, _ in found) <= 1000 + 8
    with pytest.raises(ReadError, match="longer than 1,000 bytes"):
        list(blocks.Blocks(b'"' + b"x\n" * 600, None, 100).rest(",", '"'))
