"""Header: what the first lines of delimited text, and the user, say before a row is read.

The delimiter is sniffed: it is the character that cuts the first lines into equally many cells.
"""

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from satsuma.data.formats import DelimitedOptions
from satsuma.data.formats.delimited.heads import (
    THREE_LINES,
    Head,
    apply_marks,
    heads_behind,
    in_front,
    marks_note,
    plain_heads,
    prefixed,
    prefixed_heads,
    roles_note,
    tab_heads,
)
from satsuma.data.formats.delimited.text_blocks import Blocks
from satsuma.data.missing_marks import NUMBER_MISSING
from satsuma.errors import NoSuchColumn, ParameterError, ReadError
from satsuma.kernels.csv import Dialect, fields_of_any_size, number

DELIMITERS = ",;\t|"

MARKED_MISSING = ("", "?")
TAB_MISSING = ("", "?", ".", "NA", "*", "~")

UTF16 = (
    "If the file is UTF-16 without a byte order mark, pass encoding='utf-16-le' or "
    "encoding='utf-16-be'."
)


@dataclass
class Header:
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
                remedy=THREE_LINES,
            )
        cells = cells_of(record, self.delimiter, self.quote, self.blocks.file, self.lines + 1)
        self.records += 1
        self.lines += _line_count(record)
        self.last = record
        return cells

    def quotes_names(self, at: int, plain: Dialect) -> bool:
        """Whether a cell was quoted in the last record, and no number is quoted below it.

        Whoever quotes strings and no numbers has written a name there.
        """
        delimiter, quote = self.delimiter, self.quote
        if quote is None or not is_quoted(self.last, at, delimiter, quote):
            return False
        below = self.blocks.peek_record(delimiter, quote)
        cells = cells_of(below, delimiter, quote, self.blocks.file, self.lines + 1)
        spelled = at < len(cells) and number(cells[at], plain) is not None
        return not (spelled and is_quoted(below, at, delimiter, quote))

    def width(self) -> int:
        """How many cells the first record has that is not blank; nothing is taken."""
        sample = self.blocks.peek()
        start = len(sample) - len(sample.lstrip(b"\r\n"))
        record = self.blocks.peek_record(self.delimiter, self.quote, start)
        line = 1 + self.lines + _line_count(sample[:start])
        return len(cells_of(record, self.delimiter, self.quote, self.blocks.file, line))

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


def read_header(blocks: Blocks, how: DelimitedOptions) -> Header:
    """Read the header and settle names, kinds and roles as far as it says them."""
    sample = _first_bytes(blocks)
    tab = how.layout == "tab"
    named = None if tab else separator(blocks.peek_record(",", None))
    delimiter = how.delimiter or named
    if delimiter is None:
        delimiter = "\t" if tab else sniff(sample, how.quote, how.decimal_mark)
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
        heads = apply_marks(heads, how.target, blocks.file)
        more += roles_note(heads)
    elif how.marks is None and not tab:
        more += marks_note(heads)
    _force(heads, how.kinds or {})
    missing = how.missing if how.missing is not None else _missing(tab, marked)
    strip = marked if how.strip is None else how.strip
    dialect = Dialect(
        len(heads),
        delimiter,
        how.quote,
        how.decimal_mark,
        how.thousands,
        strip,
        ("", *missing),
        NUMBER_MISSING if how.missing is None and not (tab or marked) else (),
    )
    return Header(heads, dialect, notes + more, top.records, top.lines)


def _first_bytes(blocks: Blocks) -> bytes:
    """What the file begins with; an error where that is nothing."""
    sample = blocks.peek()
    if not sample.strip():
        what = "the file holds nothing but blanks" if sample else "the file is empty"
        remedy = "There is no table in it; was it written to its end?"
        raise ReadError(what, file=blocks.file, line=1, remedy=remedy)
    return sample


def _first_notes(blocks: Blocks, how: DelimitedOptions) -> list[str]:
    """What the first bytes made the reader decide."""
    if blocks.encoding != "utf-8" and how.encoding is None:
        return [f"Read as {blocks.encoding}, by its byte order mark."]
    if blocks.marks > 1:
        return [f"{blocks.marks} byte order marks were left out at the start."]
    return ["A byte order mark was left out at the start."] if blocks.marks else []


def _refuse_title(sample: bytes, delimiter: str, how: DelimitedOptions, file: str) -> None:
    found = steadier(sample, delimiter, how.quote, how.decimal_mark)
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
    return TAB_MISSING if tab else MARKED_MISSING if marks else ()


def _names(top: _Top, how: DelimitedOptions) -> tuple[list[Head], list[str]]:
    """Columns of a CSV: from its first line, from the user, or numbered."""
    if isinstance(how.header, bool) or how.header is None:
        if how.header is False:
            return plain_heads([f"column_{k + 1}" for k in range(top.width())])
        line, cells = top.lines + 1, top.take()
        if how.marks is not False and in_front(cells):
            return heads_behind(cells)
        if how.header is None:
            _refuse_numbers(cells, how, top, line)
        return plain_heads(cells)
    if not how.header or isinstance(how.header, str):
        raise ParameterError("The 'header' parameter must be True, False, or a list of names.")
    return plain_heads(how.header)


def _refuse_numbers(cells: Sequence[str], how: DelimitedOptions, top: _Top, line: int) -> None:
    plain = Dialect(1, decimal=how.decimal_mark, thousands=how.thousands)
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
    if prefixed(names):
        return prefixed_heads(names)
    return tab_heads(names, top.take(), top.take(), top.blocks.file)


def _force(heads: Sequence[Head], kinds: Mapping[str, str]) -> None:
    by_name = {head.name: head for head in heads}
    for name, kind in kinds.items():
        if name not in by_name:
            raise NoSuchColumn(name, by_name)
        by_name[name].kind, by_name[name].doubtful = kind, False


def cells_of(record: bytes, delimiter: str, quote: str | None, file: str, line: int) -> list[str]:
    """The cells of one record of the header."""
    try:
        text = record.decode()
    except UnicodeDecodeError:
        remedy = "Pass its encoding, such as encoding='latin-1' or encoding='cp1252'."
        raise ReadError("bytes that are not UTF-8", file=file, line=line, remedy=remedy) from None
    if "\0" in text:
        raise ReadError("a NUL byte", file=file, line=line, remedy=UTF16)
    lines = io.StringIO(text, newline="")
    quoting = csv.QUOTE_NONE if quote is None else csv.QUOTE_MINIMAL
    reader = csv.reader(lines, delimiter=delimiter, quotechar=quote, quoting=quoting, strict=True)
    try:
        with fields_of_any_size():
            return next(reader, None) or [""]
    except csv.Error:
        raise ReadError(
            "a quote is opened and not closed, or has text behind it where it is closed",
            file=file,
            line=line,
            remedy="Close it, write a quote inside a quoted cell twice, or pass quote=None if "
            "quotes are ordinary characters.",
        ) from None


def is_quoted(record: bytes, at: int, delimiter: str, quote: str) -> bool:
    """Whether a cell of a record is quoted.

    Examples
    --------
    >>> [is_quoted(b'1,"2",3', at, ",", '"') for at in range(3)]
    [False, True, False]
    """
    d, q = re.escape(delimiter), re.escape(quote)
    cell = rf"(?:{q}(?:[^{q}]|{q}{q})*{q}|[^{d}]*)"
    text = record.decode("utf-8", "replace")
    return re.match(rf"(?:{cell}{d}){{{at}}}{q}", text, re.DOTALL) is not None


def sniff(sample: bytes, quote: str | None, decimal: str = ".") -> str:
    r"""The delimiter: the one that cuts the first lines into the most cells, equally many in each.

    Examples
    --------
    >>> sniff(b"a;b\n1,5;2,5\n", '"')
    ';'
    """
    lines = _first_lines(sample, quote)
    best, most = "," if decimal != "," else ";", (False, 1)
    for delimiter in DELIMITERS.replace(decimal, ""):
        widths = _widths(lines, delimiter, quote)
        score = (len(set(widths)) == 1 and widths[0] > 1, widths[0] if widths else 0)
        if score > most:
            best, most = delimiter, score
    return best


def steadier(sample: bytes, taken: str, quote: str | None, decimal: str) -> tuple[str, int] | None:
    r"""Another delimiter that cuts all lines but the first into equally many cells, and how many.

    Examples
    --------
    >>> steadier(b"Sales of 2024\na;b\n1;3\n", ",", '"', ".")
    (';', 2)
    """
    lines = _first_lines(sample, quote)
    for delimiter in DELIMITERS.replace(decimal, "").replace(taken, ""):
        widths = _widths(lines, delimiter, quote)[1:]
        if len(widths) > 1 and len(set(widths)) == 1 and widths[0] > 1:
            return delimiter, widths[0]
    return None


def _first_lines(sample: bytes, quote: str | None) -> list[str]:
    """Some lines to judge delimiters by."""
    text = sample[: 1 << 16].decode("utf-8", "replace")
    if quote and quote in text:  # what is quoted parts no cells, whatever the delimiter
        q, edges = re.escape(quote), re.escape(DELIMITERS)
        text = re.sub(rf"(^|[{edges}\r\n]){q}(?:[^{q}]|{q}{q})*{q}", r"\1quoted", text)
    lines = list(io.StringIO(text, newline=""))[:50]
    if len(lines) > 1 and len(sample) > 1 << 16:
        lines.pop()  # it may be cut short
    return lines


def _widths(lines: Sequence[str], delimiter: str, quote: str | None) -> list[int]:
    """How many cells each line has that is not blank; none where it cannot be told."""
    quoting = csv.QUOTE_NONE if quote is None else csv.QUOTE_MINIMAL
    reader = csv.reader(lines, delimiter=delimiter, quotechar=quote, quoting=quoting)
    try:
        return [len(cells) for cells in reader if cells]
    except csv.Error:  # a cell longer than the csv module takes
        return []


def separator(line: bytes) -> str | None:
    r"""The delimiter that a first line such as Excel's ``sep=;`` names, if it does.

    Examples
    --------
    >>> separator(b"sep=;\r\n"), separator(b'"sep=|"'), separator(b"sep=no")
    (';', '|', None)
    """
    found = re.fullmatch(rb'("?)sep=([\t -~])\1\r?\n?', line, re.IGNORECASE)
    sign = found[2].decode() if found else '"'
    return None if sign == '"' or sign.isalnum() else sign
