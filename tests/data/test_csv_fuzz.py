"""10,000 damaged CSV files: nothing but a SatsumaError comes of it, and no row is ever lost."""

import csv
import io
import random
import re

import pytest

from satsuma.data.delimited import blocks
from satsuma.data.delimited.reader import read_delimited
from satsuma.errors import ReadError, SatsumaError

SEEDS = 10
FILES = 1000  # a seed

WHOLE = [
    b"a,b,c\n1,x,2.5\n2,y,?\n3,z,-1e3\n",
    b'name,size\r\n"5"" pipe",1\r\n"a\r\nb",2\r\n,3\r\n',
    b"one\n1\n\n3\n\n",
    b"a,b\r1,x\r2,y\r",
    b'"q,1","q\n2"\n"",""\n"a","b"\n',
    b"zip,id\n01234,18446744073709551617\n00007,9007199254740993\n",
    "ä,ö\né,🍊\nñ,ß\n".encode(),
    b"a,a,,b\n1,2,3,4\n\n5,6,7,8\n",
    b"Age,Speed+,class!\n 1 ,2, yes\n?,4,no\n",
    b"a,b\n" + b"1,some longer words that go on\n" * 5,
]
PARTS = [
    *(b",", b",", b"\n", b"\n", b"\r", b"\r\n", b'"', b'"', b'""', b"'", b";", b"\t", b" "),
    *(b"\0", b"\xff", b"\xc3", b"\xa9", b"\xe2\x82\xac", b"\xef\xbb\xbf", b"\xed\xa0\x80"),
    *(b"inf", b"1e999", b"007", b"?", b"NA", b"!", b"+", b"1", b".", b"-", b"e"),
]


def damaged(rng):
    """A small file with some bytes lost, changed, added or repeated."""
    content = bytearray(rng.choice(WHOLE))
    for _ in range(rng.randrange(1, 8)):
        at = rng.randrange(len(content) + 1)
        stop = at + rng.randrange(6)
        change = rng.randrange(4)
        if change == 0:
            del content[at:stop]
        elif change == 1:
            content[at:stop] = rng.choice(PARTS)
        elif change == 2:
            content[at:at] = rng.choice(PARTS) * rng.randrange(1, 4)
        else:
            content[at:at] = content[rng.randrange(len(content) + 1) :][: rng.randrange(12)]
    return bytes(content)


def records(content):
    """Line and cells of each record, as the csv module sees them."""
    text = content.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    reader, line = csv.reader(io.StringIO(text, newline="")), 1
    for cells in reader:
        yield line, cells
        line = reader.line_num + 1


def blank_lines(table):
    noted = re.search(r"(\d+) blank lines? (was|were) left out, the first", "\n".join(table.notes))
    return int(noted[1]) if noted else 0


def read(content, **options):
    return read_delimited(content, delimiter=",", encoding="utf-8", **options)


def assert_no_row_is_lost(content, **options):
    """Rows read, rows kept aside and blank lines noted are all the rows there are."""
    try:
        table = read(content, bad_rows="keep aside", **options)
    except SatsumaError:
        return False
    present = [cells for _, cells in records(content)]
    if options.get("header") is not False:
        while not present.pop(0):  # blank lines, then the header
            pass
    assert len(table) + len(table.aside) + blank_lines(table) == len(present)
    if table.aside:
        with pytest.raises(ReadError) as caught:
            read(content, **options)
        assert caught.value.line == table.aside[0].line
    else:
        assert read(content, **options).equals(table)
    return True


def assert_no_cell_is_altered(content):
    """Without a header and read as symbols, every cell is what the csv module says it is."""
    found = list(records(content))
    width = len(next((cells for _, cells in found if cells), []))
    kinds = {f"column_{k + 1}": "sym" for k in range(width)}
    try:
        table = read(content, header=False, kinds=kinds, missing=[], bad_rows="keep aside")
    except SatsumaError:
        return False
    aside = {bad.line for bad in table.aside}
    meant = [
        [cell.encode("latin-1").decode() or None for cell in cells or [""]]
        for line, cells in found
        if line not in aside and (cells or width == 1)
    ]
    assert [list(row) for row in table] == meant
    return True


@pytest.mark.parametrize("seed", range(SEEDS))
def test_damaged_files(seed, monkeypatch):
    rng, read_on = random.Random(seed), 0
    for _ in range(FILES):
        content = damaged(rng)
        monkeypatch.setattr(blocks, "BLOCK", rng.choice([1, 3, 8, 20, 1 << 20]))
        try:
            if rng.random() < 0.7:
                options = {"header": rng.choice([True, True, None, False]), "threads": 1}
                read_on += assert_no_row_is_lost(content, **options)
            else:
                read_on += assert_no_cell_is_altered(content)
        except Exception as error:
            error.add_note(f"in reading {content!r} in blocks of {blocks.BLOCK}")
            raise
    assert read_on > FILES / 2  # the rest has no header that could be read


@pytest.mark.parametrize("seed", range(SEEDS))
def test_any_options(seed):
    """Whatever is asked of whatever bytes, the answer is a table or a SatsumaError."""
    rng = random.Random(seed)
    for _ in range(FILES // 10):
        content = b"".join(rng.choices(PARTS, k=rng.randrange(30)))
        options = {
            "layout": rng.choice(["csv", "tab"]),
            "delimiter": rng.choice([None, None, ",", " ", '"', "\t", "e"]),
            "quote": rng.choice(['"', "'", None, ","]),
            "header": rng.choice([None, True, False, ["a"], ["a", "b"], ["a", "a"]]),
            "encoding": rng.choice(
                [None, None, "latin-1", "utf-16", "utf-16-le", "cp1252", "gb18030"]
            ),
            "decimal": rng.choice([".", ",", "e", "1"]),
            "thousands": rng.choice([None, None, ",", " ", "-", "7"]),
            "strip": rng.choice([None, True, False]),
            "marks": rng.choice([None, True, False]),
            "missing": rng.choice([None, [], ["a", "inf"], ["a mark of many letters"]]),
            "bad_rows": rng.choice(["error", "keep aside"]),
        }
        try:
            read_delimited(content, **options)
        except SatsumaError:
            continue
        except Exception as error:
            error.add_note(f"in reading {content!r} with {options}")
            raise
