"""Layout: what the first lines of delimited text, and the user, say before a row is read."""

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from satsuma.data.formats.delimited import header as headers
from satsuma.data.formats.delimited import name_marks as marks
from satsuma.data.formats.delimited.blocks import Blocks
from satsuma.data.formats.delimited.header import Head
from satsuma.data.variable import KINDS
from satsuma.errors import NoSuchColumn, ParameterError, ReadError
from satsuma.kernels.csv import Dialect, number

MISSING = ("", "?", "NA", "NaN", "nan", "null", "NULL")
MARKED_MISSING = ("", "?")
TAB_MISSING = ("", "?", ".", "NA", "*", "~")


@dataclass
class Delimiting:
    """How the user wants delimited text to be read; None leaves it to the file."""

    layout: Literal["csv", "tab"]
    delimiter: str | None
    quote: str | None
    header: bool | Sequence[str] | None
    encoding: str | None
    missing: Sequence[str] | None
    decimal: str
    thousands: str | None
    strip: bool | None
    marks: bool | None
    kinds: Mapping[str, str] | None
    target: str | None

    def __post_init__(self) -> None:
        self._check_signs()
        if isinstance(self.missing, str):
            raise ParameterError(
                f"The 'missing' parameter must be a list of spellings. Got {self.missing!r} "
                f"instead; write [{self.missing!r}]."
            )
        if self.layout == "tab" and self.header is not None:
            raise ParameterError(
                "header= goes with CSV and TSV: a .tab file has a header of its own. If this one "
                "has only names, or none, pass format='tsv'."
            )
        for name, kind in (self.kinds or {}).items():
            if kind not in KINDS:
                raise ParameterError(
                    f"The 'kinds' parameter must give {', '.join(KINDS)}. "
                    f"Got {kind!r} for {name!r} instead."
                )

    def _check_signs(self) -> None:
        signs = {
            "delimiter": self.delimiter,
            "quote": self.quote,
            "decimal": self.decimal,
            "thousands": self.thousands,
        }
        for name, sign in signs.items():
            if sign is not None and (len(sign) != 1 or not sign.isascii() or sign in "\r\n\0"):
                raise ParameterError(
                    f"The '{name}' parameter must be one ASCII character. Got {sign!r} instead."
                )
        for one, other in (("delimiter", "quote"), ("decimal", "thousands")):
            if signs[one] is not None and signs[one] == signs[other]:
                raise ParameterError(
                    f"{one}= and {other}= are both {signs[one]!r}. They must differ."
                )
        for name in ("decimal", "thousands"):
            if (sign := signs[name]) is not None and (sign.isalnum() or sign in "+-"):
                raise ParameterError(
                    f"The '{name}' parameter must not be a letter, a digit or a sign: {sign!r} "
                    f"has a meaning of its own in a number."
                )


@dataclass
class Layout:
    """The columns and how cells are told apart; `records` and `lines` went into the header."""

    heads: list[Head]
    dialect: Dialect
    notes: list[str]
    records: int
    lines: int


class _Top:
    """The first records of the text, taken one by one."""

    def __init__(self, blocks: Blocks, delimiter: str, quote: str | None) -> None:
        self.blocks, self.delimiter, self.quote = blocks, delimiter, quote
        self.records = self.lines = 0
        self.last = b""

    def take(self) -> list[str]:
        """The cells of the next record."""
        record = self.blocks.record(self.delimiter, self.quote)
        if not record:
            raise ReadError(
                "the header ends too early",
                file=self.blocks.file,
                line=self.lines + 1,
                remedy=headers.THREE_LINES,
            )
        cells = headers.cells_of(
            record, self.delimiter, self.quote, self.blocks.file, self.lines + 1
        )
        self.records += 1
        self.lines += _line_count(record)
        self.last = record
        return cells

    def quotes_names(self, at: int, plain: Dialect) -> bool:
        """Whether a cell was quoted in the last record, and no number is quoted below it.

        Whoever quotes strings and no numbers has written a name there.
        """
        delimiter, quote = self.delimiter, self.quote
        if quote is None or not headers.is_quoted(self.last, at, delimiter, quote):
            return False
        below = self.blocks.peek_record(delimiter, quote)
        cells = headers.cells_of(below, delimiter, quote, self.blocks.file, self.lines + 1)
        spelled = at < len(cells) and number(cells[at], plain) is not None
        return not (spelled and headers.is_quoted(below, at, delimiter, quote))

    def width(self) -> int:
        """How many cells the first record has that is not blank; nothing is taken."""
        sample = self.blocks.peek()
        start = len(sample) - len(sample.lstrip(b"\r\n"))
        record = self.blocks.peek_record(self.delimiter, self.quote, start)
        line = 1 + self.lines + _line_count(sample[:start])
        return len(headers.cells_of(record, self.delimiter, self.quote, self.blocks.file, line))

    def skip_blank_lines(self) -> list[str]:
        """Take the blank lines that come next, and say so."""
        before = self.records
        while self.blocks.peek()[:1] in (b"\r", b"\n"):
            self.take()
        count = self.records - before
        skipped = "1 blank line was" if count == 1 else f"{count} blank lines were"
        return [f"{skipped} left out before the header."] if count else []


def _line_count(text: bytes) -> int:
    return sum(1 for _ in io.StringIO(text.decode(), newline=""))


def lay_out(blocks: Blocks, how: Delimiting) -> Layout:
    """Read the header and settle names, kinds and roles as far as it says them."""
    sample = blocks.peek()
    if not sample.strip():
        what = "the file holds nothing but blanks" if sample else "the file is empty"
        remedy = "There is no table in it; was it written to its end?"
        raise ReadError(what, file=blocks.file, line=1, remedy=remedy)
    tab = how.layout == "tab"
    named = None if tab else headers.separator(blocks.peek_record(",", None))
    delimiter = how.delimiter or named
    if delimiter is None:
        delimiter = "\t" if tab else headers.sniff(sample, how.quote, how.decimal)
    top = _Top(blocks, delimiter, how.quote)
    notes = _first_notes(blocks, how)
    if named:
        top.take()
        notes.append(f"Line 1, 'sep={named}', was left out: the delimiter is {delimiter!r}.")
    if tab or how.header is None or how.header is True:
        notes += top.skip_blank_lines()
    heads, more = _tab_heads(top) if tab else _names(top, how)
    if how.delimiter is None and named is None and len(heads) == 1:
        _refuse_title(sample, delimiter, how, blocks.file)
    marked = bool(how.marks) and not tab and any(head.kind is None for head in heads)
    if marked:
        heads = marks.apply_marks(heads, how.target, blocks.file)
        more += marks.roles_note(heads)
    elif how.marks is None and not tab:
        more += marks.doubt(heads)
    _force(heads, how.kinds or {})
    missing = how.missing if how.missing is not None else _missing(tab, marked)
    strip = marked if how.strip is None else how.strip
    dialect = Dialect(
        len(heads), delimiter, how.quote, how.decimal, how.thousands, strip, ("", *missing)
    )
    return Layout(heads, dialect, notes + more, top.records, top.lines)


def _first_notes(blocks: Blocks, how: Delimiting) -> list[str]:
    """What the first bytes made the reader decide."""
    if blocks.encoding != "utf-8" and how.encoding is None:
        return [f"Read as {blocks.encoding}, by its byte order mark."]
    if blocks.marks > 1:
        return [f"{blocks.marks} byte order marks were left out at the start."]
    return ["A byte order mark was left out at the start."] if blocks.marks else []


def _refuse_title(sample: bytes, delimiter: str, how: Delimiting, file: str) -> None:
    found = headers.steadier(sample, delimiter, how.quote, how.decimal)
    if found is not None:
        other, width = found
        raise ReadError(
            f"the first line is one cell, but {other!r} cuts the lines below it into {width} each",
            file=file,
            line=1,
            remedy="Take out what stands above the names, or pass "
            f"delimiter={delimiter!r} if every line is one cell.",
        )


def _missing(tab: bool, marks: bool) -> tuple[str, ...]:
    return TAB_MISSING if tab else MARKED_MISSING if marks else MISSING


def _names(top: _Top, how: Delimiting) -> tuple[list[Head], list[str]]:
    """Columns of a CSV: from its first line, from the user, or numbered."""
    if isinstance(how.header, bool) or how.header is None:
        if how.header is False:
            return headers.plain_heads([f"column_{k + 1}" for k in range(top.width())])
        line, cells = top.lines + 1, top.take()
        if how.marks is not False and marks.in_front(cells):
            return marks.heads_behind(cells)
        if how.header is None:
            _refuse_numbers(cells, how, top, line)
        return headers.plain_heads(cells)
    if not how.header or isinstance(how.header, str):
        raise ParameterError("The 'header' parameter must be True, False, or a list of names.")
    return headers.plain_heads(how.header)


def _refuse_numbers(cells: Sequence[str], how: Delimiting, top: _Top, line: int) -> None:
    plain = Dialect(1, decimal=how.decimal, thousands=how.thousands)
    for at, cell in enumerate(cells):
        value = number(cell, plain, loose="+" in cell)  # a telephone number is data as well
        if value is not None and math.isfinite(value) and not top.quotes_names(at, plain):
            raise ReadError(
                f"the first line looks like data rather than names: its cell {at + 1} is {cell!r}",
                file=top.blocks.file,
                line=line,
                remedy="Pass header=False if there are no names, or header=True if these are "
                "names.",
            )


def _tab_heads(top: _Top) -> tuple[list[Head], list[str]]:
    names = top.take()
    if headers.prefixed(names):
        return headers.prefixed_heads(names)
    return headers.tab_heads(names, top.take(), top.take(), top.blocks.file)


def _force(heads: Sequence[Head], kinds: Mapping[str, str]) -> None:
    by_name = {head.name: head for head in heads}
    for name, kind in kinds.items():
        if name not in by_name:
            raise NoSuchColumn(name, by_name)
        by_name[name].kind, by_name[name].doubtful = kind, False
