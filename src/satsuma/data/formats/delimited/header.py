"""Header: the names of columns, and what they say of them, before a row is read."""

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from satsuma.data.formats.delimited.faults import UTF16
from satsuma.data.formats.delimited.head_lines import (
    HeadLines,
    Rows,
    is_second_header,
    is_units,
)
from satsuma.data.formats.delimited.heads import (
    Head,
    apply_marks,
    heads_behind,
    in_front,
    marks_note,
    plain_heads,
    roles_note,
)
from satsuma.data.formats.delimited.options import DelimitedOptions
from satsuma.data.formats.delimited.orange_heads import (
    THREE_LINES,
    prefixed,
    prefixed_heads,
    tab_heads,
)
from satsuma.data.formats.delimited.text_blocks import PEEK, Blocks
from satsuma.data.likeness import kinds_like
from satsuma.data.missing_marks import NUMBER_MISSING
from satsuma.data.notes import note
from satsuma.data.time_recognition import recognise_time
from satsuma.errors import NoSuchColumn, ParameterError, ReadError
from satsuma.kernels.csv import Dialect, fields_of_any_size, number

MARKED_MISSING = ("", "?")
TAB_MISSING = ("", "?", ".", "NA", "*", "~")


_DIGIT = re.compile(r"\d")

#: A missing cell of a .tab file with blanks behind it.
_PADDED_MARK = re.compile(rb"(?:^|[\t\r\n])(?:[?.*~]|NA) +(?=[\t\r\n])")


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

    def __init__(self, blocks: Blocks, delimiter: str, quote: str | None, lines: int) -> None:
        self.blocks, self.delimiter, self.quote = blocks, delimiter, quote
        self.records, self.lines = 0, lines
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

    def rows_below(self) -> Rows:
        """The cells of some records that come next; nothing is taken."""
        return HeadLines.of(self.blocks.peek(PEEK), self.quote).rows(self.delimiter)

    def skip_blank_lines(self) -> list[str]:
        """Take the blank lines that come next, and say so."""
        before = self.records
        while self.blocks.peek()[:1] in (b"\r", b"\n"):
            self.take()
        count = self.records - before
        skipped = "1 blank line was" if count == 1 else f"{count} blank lines were"
        return [note("blank lines above", lines=skipped)] if count else []


def _line_count(text: bytes) -> int:
    return sum(1 for _ in io.StringIO(text.decode(), newline=""))


def read_header(blocks: Blocks, how: DelimitedOptions) -> Header:
    """Read the header and settle names, kinds and roles as far as it says them.

    Parameters
    ----------
    blocks
        The text, from the names on.
    how
        Its dialect, and what the user says.
    """
    check_not_empty(blocks)
    tab = how.layout == "tab"
    top = _Top(blocks, how.delimiter or ",", how.quote, how.skip or 0)
    notes = list[str]()
    if tab or how.header is None or (how.header is not False and isinstance(how.header, int)):
        skipped = top.skip_blank_lines()
        notes += [] if isinstance(how.comment, str) else skipped
    heads, more = _tab_heads(top, how) if tab else _names(top, how)
    marked = bool(how.marks) and not tab and any(head.kind is None for head in heads)
    if marked:
        heads = apply_marks(heads, how.target, blocks.file)
        more += roles_note(heads)
    elif how.marks is None and not tab:
        more += marks_note(heads)
    alike = kinds_like(how.like, [head.name for head in heads])
    _force(heads, {**alike, **(how.kinds or {})})
    strip = marked if how.strip is None else how.strip
    if tab and how.strip is None and _PADDED_MARK.search(blocks.peek()):
        strip = True
        more.append(note("stripped cells"))
    dialect = _dialect(len(heads), how, marked, strip)
    return Header(heads, dialect, notes + more, top.records, top.lines)


def _dialect(width: int, how: DelimitedOptions, marked: bool, strip: bool) -> Dialect:
    """How the cells of so many columns are told apart and read."""
    tab = how.layout == "tab"
    missing = how.missing if how.missing is not None else _missing(tab, marked)
    return Dialect(
        width,
        how.delimiter or ",",
        how.quote,
        how.decimal_mark,
        how.thousands,
        strip,
        ("", *missing),
        NUMBER_MISSING if how.missing is None and not (tab or marked) else (),
    )


def check_not_empty(blocks: Blocks) -> bytes:
    """What the text begins with; an error where that is nothing."""
    sample = blocks.peek(PEEK)
    if not sample.strip():
        what = "the file holds nothing but blanks" if sample else "the file is empty"
        remedy = "There is no table in it; was it written to its end?"
        raise ReadError(what, file=blocks.file, line=1, remedy=remedy)
    return sample


def _missing(tab: bool, marks: bool) -> tuple[str, ...]:
    return TAB_MISSING if tab else MARKED_MISSING if marks else ()


def _names(top: _Top, how: DelimitedOptions) -> tuple[list[Head], list[str]]:
    """Columns of a CSV: from its first lines, from the user, or numbered."""
    if how.header is False:
        return plain_heads([f"column_{k + 1}" for k in range(top.width())])
    if how.header is not None and not isinstance(how.header, int):
        if not how.header or isinstance(how.header, str):
            raise ParameterError(
                "The 'header' parameter must be True, False, a number of lines, or a list of names."
            )
        return plain_heads(how.header)
    line, cells = top.lines + 1, top.take()
    if how.marks is not False and in_front(cells):
        return heads_behind(cells)
    if how.header is not None and how.header > 1:
        return _joined(top, cells, how.header)
    return plain_heads(cells) if how.header is not None else _found_names(top, cells, line, how)


def _found_names(
    top: _Top, cells: list[str], line: int, how: DelimitedOptions
) -> tuple[list[Head], list[str]]:
    """Columns by the first line, of which nobody but the rows below it says that it holds names."""
    _refuse_one_long_name(cells, top, line)
    rows = top.rows_below()
    more = _name_too_many(cells, rows)
    cells = cells if more is None else cells[:more] + cells[more + 1 :]
    _refuse_values(cells, rows, how, top, line)
    heads, notes = plain_heads(cells)
    if more is not None:
        notes.append(note("name too many", line=line, at=more + 1))
    if is_units(rows):
        units = ", ".join(map(repr, filter(None, top.take())))
        notes.append(note("units", line=top.lines, units=units))
    elif is_second_header(cells, rows):
        raise ReadError(
            f"the first line below the names, {rows[0][0]!r} and so on, looks like names too",
            file=top.blocks.file,
            line=line + 1,
            remedy="Pass header=2 to join the two, or header=1 if it is a row.",
        )
    return heads, notes


def _refuse_one_long_name(cells: Sequence[str], top: _Top, line: int) -> None:
    """Raise if all that there is of names are several lines in quotes."""
    if len(cells) == 1 and re.search(r"[\r\n]", cells[0].strip()):
        raise ReadError(
            f"the only name has {top.lines - line + 1} lines, as a quote is opened in the first",
            file=top.blocks.file,
            line=line,
            remedy="Pass quote=None if quotes are ordinary characters, or header=1 if that is a "
            "name.",
        )


def _name_too_many(cells: Sequence[str], rows: Rows) -> int | None:
    """Which name is empty, where it is the only one and every row has a cell less."""
    empty = [j for j, cell in enumerate(cells) if not cell.strip()]
    less = len(rows) > 1 and {len(row) for row in rows} == {len(cells) - 1}
    return empty[0] if less and len(empty) == 1 and len(cells) > 2 else None


def _joined(top: _Top, cells: list[str], count: int) -> tuple[list[Head], list[str]]:
    """Columns whose names are in several lines; a cell that is empty is as the one before it."""
    names = [cell.strip() for cell in cells]
    for j in range(1, len(names)):
        names[j] = names[j] or names[j - 1]
    for _ in range(count - 1):
        below = top.take()
        names = [
            " ".join(filter(None, pair))
            for pair in zip(names, (cell.strip() for cell in below), strict=False)
        ] + [cell.strip() for cell in below[len(names) :]]
    heads, notes = plain_heads(names)
    return heads, [note("joined names", count=count, example=names[0]), *notes]


def _refuse_values(
    cells: Sequence[str], rows: Rows, how: DelimitedOptions, top: _Top, line: int
) -> None:
    """Raise if what should be names looks like a row."""
    plain = Dialect(1, decimal=how.decimal_mark, thousands=how.thousands)
    for at, cell in enumerate(cells):
        value = number(cell, plain, loose="+" in cell)  # a telephone number is data as well
        is_number = value is not None and math.isfinite(value) and not top.quotes_names(at, plain)
        if is_number or _is_time_above_times(at, cell, rows):
            raise _no_names(at, cell, top, line)
    if rows and rows[0] == [*cells] and len(cells) > 1:
        raise _no_names(0, cells[0], top, line)


def _is_time_above_times(at: int, cell: str, rows: Rows) -> bool:
    """Whether a name is a time, and so are the cells below it, if there are any."""
    if _DIGIT.search(cell) is None or recognise_time([cell]) is None:
        return False
    below = [row[at] for row in rows if at < len(row)]
    return not below or recognise_time(below) is not None


def _no_names(at: int, cell: str, top: _Top, line: int) -> ReadError:
    return ReadError(
        f"the first line looks like data rather than names: its cell {at + 1} is {cell!r}",
        file=top.blocks.file,
        line=line,
        remedy="Pass header=False if there are no names, or header=True if these are names.",
    )


def _tab_heads(top: _Top, how: DelimitedOptions) -> tuple[list[Head], list[str]]:
    names = top.take()
    if prefixed(names):
        return prefixed_heads(names)
    lines = names, top.take(), top.take()
    return tab_heads(lines, how.kinds or (), how.target, top.blocks.file)


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
