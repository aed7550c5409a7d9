"""What the scanner of delimited text takes and gives, compiled or not."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.kernels.csv.written import Format

#: What to make of a column. LOOSE numbers may have leading zeros and more digits than a float, and
#: may be telephone numbers. WRITTEN numbers and TIMEs have a format for the column.
SKIP, NUM, NUM_LOOSE, SYM, WRITTEN, TIME = range(6)

#: A plus and so many digits are a telephone number, which would lose its plus as a number.
DIGITS = 7
DIALLED = re.compile(rf"\+\d{{{DIGITS},}}", re.ASCII)

_DTYPES = {SYM: np.int32, TIME: np.int64}

#: Why a row is bad, by the number that the scanner gives.
REASONS = ("", "short", "long", "stray quotes", "after quote", "unclosed", "nul", "not utf-8")


@dataclass(frozen=True)
class Dialect:
    """How cells are told apart and read.

    Parameters
    ----------
    width
        How many cells a good row has.
    delimiter, quote, decimal, thousands
        One ASCII character each; None for no quoting and no separator of thousands.
    strip
        Whether blanks at the edges of a symbol are left out. Numbers never mind them.
    missing
        Spellings of a missing cell.
    number_missing
        More of them, in columns of numbers and times alone; those met are told. At most 64.
    formats
        How columns of WRITTEN numbers and of TIMEs are written, by the number of the column.
    whole
        Numbers of the columns of NUM and NUM_LOOSE in which no number has a decimal mark.
    """

    width: int
    delimiter: str = ","
    quote: str | None = '"'
    decimal: str = "."
    thousands: str | None = None
    strip: bool = False
    missing: tuple[str, ...] = ("",)
    number_missing: tuple[str, ...] = ()
    formats: Mapping[int, Format] = field(default_factory=dict[int, Format])
    whole: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Bad:
    """A row that is not a row of the table: its bytes in the block, its line, and why."""

    start: int
    stop: int
    line: int
    cells: int
    reason: str


@dataclass
class Piece:
    """What one block of text holds.

    Lines count from 1 at the start of the block. The values are those that were not known before;
    their codes follow those that were. A column is None where it was skipped, or where a number was
    asked for and `failed` names the line and the cell that is none. `met` holds by column the marks
    of `Dialect.number_missing` that are in it.
    """

    rows: int
    lines: int
    columns: list[npt.NDArray[Any] | None]
    values: list[list[str]]
    bad: list[Bad] = field(default_factory=list[Bad])
    failed: dict[int, tuple[int, str]] = field(default_factory=dict[int, tuple[int, str]])
    infinite: dict[int, tuple[int, str]] = field(default_factory=dict[int, tuple[int, str]])
    blank: int = 0
    first_blank: int = 0
    met: dict[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])


def ended(block: bytes | bytearray | memoryview) -> bytes | bytearray | memoryview:
    """The block, with a line end behind it if it has none."""
    return block if len(block) == 0 or block[-1] in b"\r\n" else bytes(block) + b"\n"


def most_rows(lines: int, size: int, width: int) -> int:
    """How many good rows a block can have: each takes a line, and a byte for each of its cells.

    Examples
    --------
    >>> most_rows(lines=5, size=len(b"1,2,3,4,5,"), width=2)
    5
    >>> most_rows(lines=1000, size=1000, width=250)
    4
    """
    return min(lines, size // max(width, 1))


def room(kind: int, rows: int) -> npt.NDArray[Any] | None:
    """An empty column of a kind."""
    return None if kind == SKIP else np.empty(rows, _DTYPES.get(kind, np.float64))
