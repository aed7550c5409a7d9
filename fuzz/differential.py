"""Damaged and generated CSV files through the reader, beside Python's csv module.

python -m fuzz.differential SECONDS SEED   the same seed gives the same files

Each file is read in blocks of 1 byte to 1 MB by 1 to 3 threads. A row that the csv module, in its
strict mode, has and the reader has not, or the other way round, and a cell that differs end the
run; the file is kept.
"""

import argparse
import csv
import io
import random
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import satsuma
from satsuma.data.formats.delimited import text_blocks as blocks
from satsuma.data.table import Table
from satsuma.errors import ReadError, SatsumaError

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
CELLS = [b"1", b"-2.5", b"", b"x", b"seven77", b"eight888", b'"7"', b'"a, b"', b'"5"" pipe"']
ENDS = [b"\n", b"\r\n", b"\r"]
BLOCKS = [1, 2, 3, 8, 20, 64, 500, 4096, 1 << 16, 1 << 20]
WIDEST = 2000


def wide(rng: random.Random) -> bytes:
    """A good file of 1 to 2,000 columns, small widths as often as large ones."""
    width = int(WIDEST ** rng.random())
    cells = rng.choices(CELLS, k=rng.randrange(1, 4))
    header = b",".join(b"c%d" % k for k in range(width))
    rows = [b",".join(rng.choices(cells, k=width)) for _ in range(rng.randrange(1, 4))]
    count = rng.randrange(1, min(60, 2 + 20_000 // width))
    return rng.choice(ENDS).join([header, *rng.choices(rows, k=count), b""])


def damaged(rng: random.Random, content: bytes | None = None) -> bytes:
    """A file, a small one unless given, with some bytes lost, changed, added or repeated."""
    changed = bytearray(rng.choice(WHOLE) if content is None else content)
    for _ in range(rng.randrange(1, 8)):
        at = rng.randrange(len(changed) + 1)
        stop = at + rng.randrange(6)
        change = rng.randrange(4)
        if change == 0:
            del changed[at:stop]
        elif change == 1:
            changed[at:stop] = rng.choice(PARTS)
        elif change == 2:
            changed[at:at] = rng.choice(PARTS) * rng.randrange(1, 4)
        else:
            changed[at:at] = changed[rng.randrange(len(changed) + 1) :][: rng.randrange(12)]
    return bytes(changed)


@dataclass(frozen=True)
class Record:
    """What the csv module takes for a record; the text is that of its bytes as Latin-1."""

    line: int
    cells: list[str]
    text: str

    def is_good(self, width: int) -> bool:
        """Whether it is UTF-8 of `width` cells that the csv module takes in its strict mode."""
        if "\0" in self.text or len(self.cells or [""]) != width:
            return False
        try:
            self.text.encode("latin-1").decode()
            return len(list(csv.reader(io.StringIO(self.text, newline=""), strict=True))) == 1
        except (UnicodeDecodeError, csv.Error):
            return False


def records(content: bytes) -> Iterator[Record]:
    """The records of a file, as the csv module sees them."""
    text = content.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    lines = list(io.StringIO(text, newline=""))
    reader, first = csv.reader(lines), 0
    for cells in reader:
        yield Record(first + 1, cells, "".join(lines[first : reader.line_num]))
        first = reader.line_num


def blank_lines(table: Table) -> int:
    noted = re.search(r"(\d+) blank lines? (was|were) left out, the first", "\n".join(table.notes))
    return int(noted[1]) if noted else 0


#: Options that leave nothing to be found in a file.
LITERAL: dict[str, Any] = {"delimiter": ",", "quote": '"', "encoding": "utf-8"}
LITERAL |= {"skip": 0, "footer": 0, "comment": False}


def read(content: bytes, **options: Any) -> Table:
    return satsuma.read(content, format="csv", **LITERAL, **options)


def check(holds: bool, what: str) -> None:
    if not holds:
        raise AssertionError(what)


def check_no_row_is_lost(content: bytes, **options: Any) -> bool:
    """Rows read, rows kept aside and blank lines noted are all the rows there are."""
    try:
        table = read(content, bad_rows="keep aside", **options)
    except SatsumaError:
        return False
    present = list(records(content))
    if options.get("header") is not False:
        while not present.pop(0).cells:  # blank lines, then the header
            pass
    check(
        len(table) + len(table.aside) + blank_lines(table) == len(present), "each row is somewhere"
    )
    if not table.aside:
        check(read(content, **options).equals(table), "a file without bad rows is read alike")
        return True
    try:
        read(content, **options)
    except ReadError as error:
        check(error.line == table.aside[0].line, "the first bad row is the one told")
    else:
        check(False, "a bad row is refused")
    return True


def check_no_cell_is_altered(content: bytes, threads: int | None = None) -> bool:
    """Without a header and read as symbols, every cell is what the csv module says it is."""
    found = list(records(content))
    width = len(next((record.cells for record in found if record.cells), []))
    kinds = {f"column_{k + 1}": "sym" for k in range(width)}
    options: dict[str, Any] = {"header": False, "kinds": kinds, "missing": [], "threads": threads}
    try:
        table = read(content, bad_rows="keep aside", **options)
    except SatsumaError:
        return False
    rows = [record for record in found if record.cells or width == 1]
    # Quotes that may hide a lost delimiter are refused, though the csv module takes them.
    strays = {bad.line for bad in table.aside if bad.why.startswith("a quote opens inside")}
    good = [record for record in rows if record.is_good(width) and record.line not in strays]
    aside = {record.line for record in rows} - {record.line for record in good}
    check({bad.line for bad in table.aside} == aside, "what the csv module refuses is kept aside")
    meant = [
        [cell.encode("latin-1").decode() or None for cell in record.cells or [""]]
        for record in good
    ]
    check([list(row) for row in table] == meant, "every cell is what it was")
    return True


@dataclass
class Tally:
    """What has come of the files so far."""

    read: int = 0
    refused: int = 0
    widest: int = 0

    def __str__(self) -> str:
        return (
            f"{self.read:,} files read, {self.refused:,} refused, 0 rows lost, 0 cells altered; "
            f"up to {self.widest:,} columns"
        )


def made(rng: random.Random) -> bytes:
    """A file: small or wide, good or damaged."""
    if rng.random() < 0.7:
        return damaged(rng)
    content = wide(rng)
    return damaged(rng, content) if rng.random() < 0.5 else content


def one_file(rng: random.Random, content: bytes, tally: Tally) -> None:
    """Read a file in one of the many ways."""
    blocks.BLOCK, threads = rng.choice(BLOCKS), rng.randrange(1, 4)
    if rng.random() < 0.5:
        header = rng.choice([True, True, None, False])
        whole = check_no_row_is_lost(content, header=header, threads=threads)
    else:
        whole = check_no_cell_is_altered(content, threads)
    tally.read += whole
    tally.refused += not whole
    tally.widest = max(tally.widest, whole and content.splitlines()[0].count(b",") + 1)


def run(seconds: float, seed: int, keep: Path, files: int | None = None) -> int:
    """Read files until the time, or their number, is over; 1 if one of them was read wrong."""
    until, tally, size = time.monotonic() + seconds, Tally(), blocks.BLOCK
    try:
        while (time.monotonic() < until) if files is None else (tally.read + tally.refused < files):
            number = tally.read + tally.refused
            rng = random.Random(f"{seed}/{number}")
            content = made(rng)
            try:
                one_file(rng, content, tally)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is told with its file
                path = keep / f"differential-{seed}-{number}.csv"
                keep.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                print(f"{path}, in blocks of {blocks.BLOCK}: {type(error).__name__}: {error}")
                return 1
    finally:
        blocks.BLOCK = size
    print(tally)
    return 0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz.differential")
    parser.add_argument("seconds", type=float)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz"), help="where to keep files")
    told = parser.parse_args(arguments)
    return run(told.seconds, told.seed, told.keep)


if __name__ == "__main__":
    sys.exit(main())
