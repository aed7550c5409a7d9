"""Head lines: the first lines of a text, and by what they are told apart into cells.

The delimiter is sniffed: it is the character that cuts the lines into equally many cells.
"""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Literal

from satsuma.data.missing_marks import SYMBOL_MISSING
from satsuma.data.recognition import recognise
from satsuma.kernels.csv import fields_of_any_size

DELIMITERS = ",;\t|"

#: Those that are too common inside of cells to be taken without a question.
RARE_DELIMITERS = ": ^~&!/"

#: Lines that are looked at, and bytes.
_LINES, _BYTES = 50, 1 << 16

#: How many lines may stand above the names, and below the rows of a short text.
_ABOVE, _BELOW = 12, 3

Rows = list[list[str]]

#: A unit below a name.
_UNIT = re.compile(r"\[[^\[\]]*\]|\([^()]*\)")

#: A plain number, which needs no more to be told.
_PLAIN = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d+)?", re.ASCII)


@dataclass
class HeadLines:
    """The first lines of a text.

    Parameters
    ----------
    text
        What it begins with.
    quote
        What encloses cells.
    whole
        Whether this is all of it.
    """

    text: str
    quote: str | None
    whole: bool
    _widths: dict[str, list[int]] = field(default_factory=dict[str, list[int]], init=False)
    _rows: dict[tuple[str, int], Rows] = field(
        default_factory=dict[tuple[str, int], Rows], init=False
    )

    @classmethod
    def of(cls, sample: bytes, quote: str | None) -> "HeadLines":
        """The lines of the first bytes; the last one may be cut and is none then."""
        text = sample[:_BYTES].decode("utf-8", "replace")
        return cls(text, quote, len(sample) <= _BYTES)

    @cached_property
    def lines(self) -> list[str]:
        """The lines, with a word for every quoted cell; a NUL for each line end in it."""
        text = self.text
        if self.quote and self.quote in text:  # what is quoted parts no cells, whatever parts them
            q, edges = re.escape(self.quote), re.escape(DELIMITERS)
            text = re.sub(
                rf"(^|[{edges}\r\n]){q}((?:[^{q}]|{q}{q})*){q}",
                lambda found: f"{found[1]}quoted" + "\0" * len(re.findall(r"\r\n|\r|\n", found[2])),
                text,
            )
        return [line.rstrip("\r\n") for line in _first_lines(text, self.whole)]

    def widths(self, delimiter: str) -> list[int]:
        """How many cells each line has; 0 if it is blank."""
        if delimiter not in self._widths:
            known = self.lines if delimiter in self.text else ()
            counts = [line.count(delimiter) + 1 if line else 0 for line in known]
            self._widths[delimiter] = counts or [1 if line else 0 for line in self.lines]
        return self._widths[delimiter]

    def steady_from(self, delimiter: str) -> int | None:
        """The first line from which on all have equally many cells, 2 or more; None if none is.

        A few of the last lines of a short text may have others: they may be a footer.
        """
        widths = self.widths(delimiter)
        for start in range(min(_ABOVE, len(widths) - 1)):
            below = [width for width in widths[start:] if width]
            if not widths[start] or below[0] < 2 or len(below) < 2:
                continue
            ends = range(1, _BELOW) if self.whole and len(below) > 4 else range(1)
            if any(len({*below[: len(below) - end]}) == 1 for end in ends):
                return start
        return None

    def physical(self, count: int) -> int:
        """How many lines of the file the first `count` are."""
        return sum(1 + line.count("\0") for line in self.lines[:count])

    def rows(self, delimiter: str, start: int = 0) -> Rows:
        """The cells of the lines from one on; none of it if they cannot be told apart."""
        if (delimiter, start) not in self._rows:
            self._rows[delimiter, start] = self._read_rows(delimiter, start)
        return self._rows[delimiter, start]

    def _read_rows(self, delimiter: str, start: int) -> Rows:
        lines = _first_lines(self.text, self.whole, self.physical(start))
        quoting = csv.QUOTE_NONE if self.quote is None else csv.QUOTE_MINIMAL
        if len(delimiter) > 1:
            return []
        try:
            with fields_of_any_size():
                reader = csv.reader(
                    lines, delimiter=delimiter, quotechar=self.quote, quoting=quoting
                )
                return [row for row in reader if row]
        except csv.Error:
            return []


def _first_lines(text: str, whole: bool, start: int = 0) -> list[str]:
    """The lines of a text from one on; the last one may be cut where the text goes on."""
    lines = list(islice(io.StringIO(text, newline=""), start, start + _LINES + 1))
    if len(lines) > 1 and (len(lines) > _LINES or not whole):
        lines.pop()
    return lines


def sniff(head: HeadLines, decimal: str = ".") -> str:
    r"""The delimiter: the one that cuts the lines into the most cells, equally many in each.

    Examples
    --------
    >>> sniff(HeadLines.of(b"a;b\n1,5;2,5\n", '"'))
    ';'
    >>> sniff(HeadLines.of(b"Sales, all of them\n\na;b;c\n1;2;3\n4;5;6\n", '"'))
    ';'
    """
    best, most = "," if decimal != "," else ";", (False, 1)
    for delimiter in DELIMITERS.replace(decimal, ""):
        widths = [width for width in head.widths(delimiter) if width]
        score = (len({*widths}) == 1 and widths[0] > 1, widths[0] if widths else 0)
        if score > most:
            best, most = delimiter, score
    if most[0]:
        return best
    return _sniff_below(head, decimal) or best


def _sniff_below(head: HeadLines, decimal: str) -> str | None:
    """The delimiter that cuts all lines but a few at the start and at the end."""
    best, most = None, (0, 0)
    for delimiter in DELIMITERS.replace(decimal, ""):
        start = head.steady_from(delimiter)
        if start is not None:
            score = (head.widths(delimiter)[start], -start)
            best, most = (delimiter, score) if score > most else (best, most)
    return best


def sniff_rare(head: HeadLines, taken: str) -> str | None:
    r"""A delimiter that few take, which cuts all lines of one cell into columns of a kind.

    Examples
    --------
    >>> sniff_rare(HeadLines.of(b"city:amount\nRome:12\nOslo:7\n", '"'), ",")
    ':'
    """
    for delimiter in RARE_DELIMITERS:
        widths = [width for width in head.widths(delimiter) if width]
        if delimiter == taken or len(widths) < 3 or {*widths} != {widths[0]} or widths[0] < 2:
            continue
        rows = head.rows(delimiter)
        if rows and names_and_rows(rows):
            return delimiter
    return None


def is_typed(cells: Sequence[str]) -> bool:
    """Whether all cells that are not missing are numbers or times, and there are some."""
    return recognise(cells) is not None


def names_and_rows(rows: Rows, least: int = 1) -> bool:
    """Whether the first row is unlike those below: they hold numbers or times where it has words.

    Parameters
    ----------
    rows
        Cells, the names first.
    least
        In how many columns it has to be.
    """
    names, below = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    if not below or not all(name.strip() for name in names) or any(map(_is_value, names)):
        return False
    found = 0
    for j in range(len(names)):
        found += is_typed([row[j] for row in below])
        if found == least:
            return True
    return False


def is_units(rows: Rows) -> bool:
    """Whether the first row holds units in brackets, or nothing, above rows of another kind."""
    if len(rows) < 2:
        return False
    units, below = ([cell.strip() for cell in row if cell.strip()] for row in rows[:2])
    bracketed = bool(units) and all(map(_UNIT.fullmatch, units))
    if any(recognise([unit]) is not None for unit in units if "(" in unit):  # negative amounts
        return False
    return bracketed and not all(map(_UNIT.fullmatch, below))


def is_second_header(names: Sequence[str], rows: Rows) -> bool:
    """Whether the first row below the names looks like names as well.

    Parameters
    ----------
    names
        The cells of the first line.
    rows
        Those of the lines below it.
    """
    if len(rows) < 3 or len(rows[0]) != len(names) or len({*rows[0]}) < len(names):
        return False
    if any(cell.strip() in SYMBOL_MISSING for cell in rows[0]):
        return False
    gaps = not all(name.strip() for name in names)
    return names_and_rows(rows, 1 if gaps else 2)


def _is_value(cell: str) -> bool:
    return _PLAIN.fullmatch(cell) is not None or recognise([cell]) is not None


def single_quoted(head: HeadLines, delimiter: str) -> Literal["", "strict", "loose"]:
    r"""Whether single quotes enclose cells: wherever a cell begins with one it ends with one.

    They do so loosely where there are apostrophes in such cells that are not written twice.

    Examples
    --------
    >>> single_quoted(HeadLines.of(b"a;b\n'x';'y'\n'u;v';3\n", '"'), ";")
    'strict'
    >>> single_quoted(HeadLines.of(b"a;b\n1;'it's'\n2;'he's'\n", '"'), ";")
    'loose'
    """
    if '"' in head.text or "'" not in head.text:
        return ""
    d = re.escape(delimiter)
    bare = [each.rstrip("\r\n") for each in _first_lines(head.text, head.whole)]
    quoted = sum(bool(re.search(rf"(?:^|{d})'", each)) for each in bare)
    if quoted and _all_quoted(bare, d, "[^'\r\n]|''"):
        return "strict"
    return "loose" if quoted > 1 and _all_quoted(bare, d, rf"[^'\r\n]|'(?!{d}|$)") else ""


def _all_quoted(lines: Sequence[str], d: str, inside: str) -> bool:
    cell = rf"(?:'(?:{inside})*'|(?!')[^{d}\r\n]*(?<!'))"
    return all(map(re.compile(rf"{cell}(?:{d}{cell})*").fullmatch, lines))
