"""The scanner of delimited text on Python's csv module: the definition of the compiled one.

What the csv module takes for a record is a record; what it takes only because it is lenient (text
after a closing quote, a quote that is never closed) makes the record a bad one.
"""

import csv
import io
import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.kernels.csv.piece import (
    DIALLED,
    NUM_LOOSE,
    SKIP,
    SYM,
    TIME,
    WRITTEN,
    Bad,
    Dialect,
    Piece,
    ended,
    most_rows,
    room,
)
from satsuma.kernels.csv.written import read_cell
from satsuma.kernels.csv.written_numbers import BLANKS
from satsuma.kernels.csv.written_times import NO_TIME

Block = bytes | bytearray | memoryview

_BLANKS = " \t"
_WHOLE = 2**53
_ESCAPED = re.compile("[\udc80-\udcff]")
_limit_lock = Lock()


@contextmanager
def fields_of_any_size() -> Generator[None, None, None]:
    """Let the csv module read cells of more than 131,072 characters."""
    with _limit_lock:
        limit = csv.field_size_limit(2**31 - 1)
        try:
            yield
        finally:
            csv.field_size_limit(limit)


def _options(delimiter: str, quote: str | None) -> dict[str, Any]:
    if quote is None:
        return {"delimiter": delimiter, "quotechar": None, "quoting": csv.QUOTE_NONE}
    return {"delimiter": delimiter, "quotechar": quote}


def _records(lines: list[str], options: dict[str, Any]) -> Iterator[tuple[int, int, list[str]]]:
    """First line, line after the last, and cells of each record."""
    reader, first = csv.reader(lines, **options), 0
    for cells in reader:
        yield first, reader.line_num, cells
        first = reader.line_num


def _is_open(lines: list[str], options: dict[str, Any]) -> bool:
    """Whether a record goes on behind its last line."""
    return len(list(csv.reader([*lines, "x\n"], **options))) == 1


def count_lines(block: Block) -> int:
    r"""How many lines a block has; LF, CR LF and CR end one, and the last one may have no end.

    Examples
    --------
    >>> count_lines(b"a\nb\r\nc\rd")
    4
    """
    return sum(1 for _ in io.StringIO(bytes(block).decode("latin-1"), newline=""))


def cut(block: Block, delimiter: str, quote: str | None) -> tuple[int, int]:
    r"""Where the last complete record of a block ends, or 0, and how many lines there are before.

    The block starts with a record.

    Examples
    --------
    >>> cut(b"a\nb\nc", ",", None)
    (4, 2)
    """
    lines = list(io.StringIO(bytes(block).decode("latin-1"), newline=""))
    options = _options(delimiter, quote)
    with fields_of_any_size():
        records = list(_records(lines, options))
        while records:
            first, after, _ = records.pop()
            # A CR at the very end may be half of a CR LF.
            done = lines[after - 1][-1] == "\n" or (
                lines[after - 1][-1] == "\r" and after < len(lines)
            )
            if done and not _is_open(lines[first:after], options):
                return sum(map(len, lines[:after])), after
    return 0, 0


def record_end(block: Block, start: int, delimiter: str, quote: str | None) -> int:
    """Where the record at `start` ends, its line end included, or -1 if it is not complete."""
    text, options = bytes(block[start:]).decode("latin-1"), _options(delimiter, quote)
    lines = list(io.StringIO(text, newline=""))
    with fields_of_any_size():
        for _, after, _ in _records(lines, options):
            taken = lines[:after]
            done = taken[-1][-1] == "\n" or (taken[-1][-1] == "\r" and after < len(lines))
            complete = done and not _is_open(taken, options)
            return start + sum(map(len, taken)) if complete else -1
    return -1


@lru_cache(maxsize=16)
def _number_pattern(decimal: str, thousands: str | None) -> re.Pattern[str]:
    d = re.escape(decimal)
    whole = rf"\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+|\d+" if thousands else r"\d+"
    number = rf"(?P<whole>{whole})(?P<part>{d}\d*)?|{d}\d+"
    return re.compile(rf"[+-]?(?:{number})(?P<power>[eE][+-]?\d+)?", re.ASCII)


_INFINITY = re.compile(r"[+-]?inf(?:inity)?", re.ASCII | re.IGNORECASE)


def number(cell: str, dialect: Dialect, *, loose: bool = False) -> float | None:
    """The number that a cell spells, infinite ones included; None if it spells none.

    Unless `loose`, leading zeros, whole numbers beyond 2**53, and a plus with many digits, which is
    a telephone number, are names, not numbers.

    Examples
    --------
    >>> plain = Dialect(width=1)
    >>> number(" 1.5e3 ", plain), number("007", plain), number("007", plain, loose=True)
    (1500.0, None, 7.0)
    >>> number("+49151123", plain), number("+49", plain)
    (None, 49.0)
    """
    cell = cell.strip(_BLANKS)
    found = _number_pattern(dialect.decimal, dialect.thousands).fullmatch(cell)
    if found is None:
        return float(cell) if _INFINITY.fullmatch(cell) else None
    bare = cell.replace(dialect.thousands, "") if dialect.thousands else cell
    whole = found["whole"]
    if whole and not loose:
        integer = found["part"] is None and found["power"] is None
        # Python does not turn thousands of digits into an integer.
        over = integer and (len(bare) > 20 or abs(int(bare)) > _WHOLE)
        if over or DIALLED.fullmatch(cell) or (whole[0] == "0" and len(whole) > 1):
            return None
    return float(bare.replace(dialect.decimal, "."))


def _why_bad(
    cells: list[str], lines: list[str], dialect: Dialect, options: dict[str, Any], last: bool
) -> str:
    text = "".join(lines)
    if _ESCAPED.search(text):
        return "not utf-8"
    if "\0" in text:
        return "nul"
    if dialect.quote and dialect.quote in text:
        if last and _is_open(lines, options):
            return "unclosed"
        try:
            list(csv.reader(lines, strict=True, **options))
        except csv.Error:
            return "after quote"
    if len(cells) != dialect.width:
        return "short" if len(cells) < dialect.width else "long"
    return "stray quotes" if _has_stray_quotes(text, dialect) else ""


def _has_stray_quotes(text: str, dialect: Dialect) -> bool:
    """Whether a quote opens inside of a cell that is not quoted, and one closes a later such cell.

    The delimiters between them may be none.
    """
    quote, opened = dialect.quote, False
    for cell in _bare_cells(text, dialect) if quote and quote in text else ():
        if quote is None or cell.count(quote) % 2 == 0 or (opened and not cell.endswith(quote)):
            continue
        if opened:
            return True
        behind = cell[cell.index(quote) + 1 :]
        opened = behind != "" and behind[0] not in _BLANKS
    return False


def _bare_cells(text: str, dialect: Dialect) -> Iterator[str]:
    """The cells of a good record that are not quoted."""
    d, q = re.escape(dialect.delimiter), re.escape(dialect.quote or '"')
    at = 0
    cell = re.compile(rf"(?:{q}(?:[^{q}]|{q}{q})*+{q}|(?P<bare>[^{d}\r\n]*))(?:{d}|[\r\n]*\Z)")
    while at <= len(text) and (found := cell.match(text, at)) is not None:
        if found["bare"] is not None:
            yield found["bare"]
        if found.end() == at or found[0][-1:] != dialect.delimiter:
            return
        at = found.end()


class _Columns:
    """The columns of a piece while they are filled."""

    def __init__(
        self,
        dialect: Dialect,
        kinds: npt.NDArray[np.int8],
        known: Sequence[Sequence[str]],
        arrays: Sequence[npt.NDArray[Any] | None],
    ) -> None:
        self.dialect = dialect
        self.without_decimals = replace(dialect, decimal="\0")  # which is in no good row
        self.kinds = [int(kind) for kind in kinds]
        self.arrays = arrays
        self.codes = [{value: code for code, value in enumerate(values)} for values in known]
        self.known = [len(values) for values in known]
        self.failed: dict[int, tuple[int, str]] = {}
        self.infinite: dict[int, tuple[int, str]] = {}
        self.met: dict[int, set[str]] = {}

    def fill(self, row: int, line: int, cells: list[str]) -> None:
        for j, (kind, cell, array) in enumerate(zip(self.kinds, cells, self.arrays, strict=True)):
            if array is None or kind == SKIP or j in self.failed:
                continue
            if row == len(array):
                raise ValueError(f"a block of more than {row} rows")
            array[row] = self._value(j, kind, line, cell)

    def _value(self, j: int, kind: int, line: int, cell: str) -> float | int:
        if kind == SYM:
            return self._symbol(j, cell)
        return (
            self._written(j, line, cell) if kind in (WRITTEN, TIME) else self._number(j, line, cell)
        )

    def _is_absent(self, j: int, bare: str) -> bool:
        if bare and bare not in self.dialect.missing:
            if bare not in self.dialect.number_missing:
                return False
            self.met.setdefault(j, set()).add(bare)
        return True

    def _symbol(self, j: int, cell: str) -> int:
        cell = cell.strip(_BLANKS) if self.dialect.strip else cell
        if cell in self.dialect.missing:
            return -1
        return self.codes[j].setdefault(cell, len(self.codes[j]))

    def _written(self, j: int, line: int, cell: str) -> float | int:
        missing = NO_TIME if self.kinds[j] == TIME else np.nan
        bare = cell.strip(BLANKS)
        if self._is_absent(j, bare):
            return missing
        value = read_cell(bare, self.dialect.formats[j])
        if value is None:
            self.failed.setdefault(j, (line, cell))
            return missing
        return value

    def finish(self, piece: Piece) -> None:
        """Give a piece the columns, and what is to be told of them."""
        piece.failed, piece.infinite = self.failed, self.infinite
        piece.met = {
            j: tuple(mark for mark in self.dialect.number_missing if mark in met)
            for j, met in sorted(self.met.items())
        }
        piece.values = [
            list(codes)[count:] for codes, count in zip(self.codes, self.known, strict=True)
        ]
        piece.columns = [
            None if array is None or j in piece.failed else array[: piece.rows]
            for j, array in enumerate(self.arrays)
        ]

    def _number(self, j: int, line: int, cell: str) -> float:
        bare = cell.strip(_BLANKS)
        if self._is_absent(j, bare):
            return np.nan
        dialect = self.without_decimals if j in self.dialect.whole else self.dialect
        value = number(bare, dialect, loose=self.kinds[j] == NUM_LOOSE)
        if value is not None and np.isfinite(value):
            return value
        (self.failed if value is None else self.infinite).setdefault(j, (line, cell))
        return np.nan


def scan(
    block: Block,
    dialect: Dialect,
    kinds: npt.NDArray[np.int8],
    keep_bad: bool = False,
    *,
    known: Sequence[Sequence[str]] | None = None,
    out: Sequence[npt.NDArray[Any] | None] | None = None,
) -> Piece:
    """Read all records of a block; stop after the first bad row unless `keep_bad`.

    Symbols that are `known` have the first codes of their column. The rows are written to the
    arrays in `out`, for which as many rows as the block has lines are enough, or to new ones.
    """
    text = bytes(ended(block)).decode("utf-8", "surrogateescape")
    lines = list(io.StringIO(text, newline=""))
    if out is None:
        rows = most_rows(len(lines), len(ended(block)), dialect.width)
        out = [room(int(kind), rows) for kind in kinds]
    if any(array is None and kind != SKIP for array, kind in zip(out, kinds, strict=True)):
        raise ValueError("a column without room")
    columns = _Columns(dialect, kinds, [[] for _ in kinds] if known is None else known, out)
    piece = Piece(0, 0, list(out), [])
    _read_records(lines, len(block), columns, piece, keep_bad)
    columns.finish(piece)
    return piece


def _read_records(
    lines: list[str], size: int, columns: _Columns, piece: Piece, keep_bad: bool
) -> None:
    """Read the records of a block of so many bytes into columns; the piece tells which are none."""
    dialect, at = columns.dialect, 0
    options = _options(dialect.delimiter, dialect.quote)
    with fields_of_any_size():
        for first, after, cells in _records(lines, options):
            taken = lines[first:after]
            stop = at + len("".join(taken).encode("utf-8", "surrogateescape"))
            piece.lines = after
            blank = not cells
            reason = _why_bad(cells or [""], taken, dialect, options, after == len(lines))
            if blank and dialect.width > 1:
                piece.first_blank = piece.first_blank or first + 1
                piece.blank += 1
            elif reason:
                piece.bad.append(Bad(at, min(stop, size), first + 1, len(cells), reason))
                if not keep_bad:
                    return
            else:
                columns.fill(piece.rows, first + 1, cells or [""])
                piece.rows += 1
            at = stop
