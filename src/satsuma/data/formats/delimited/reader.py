"""Delimited text: CSV, TSV and Orange's .tab, read strictly, kinds decided over whole columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Literal

import numpy as np
import numpy.typing as npt

from satsuma.data.domain import Domain
from satsuma.data.files import Readable, label
from satsuma.data.formats.delimited.assembly import Assembly
from satsuma.data.formats.delimited.blocks import Blocks
from satsuma.data.formats.delimited.header import UTF16, Head
from satsuma.data.formats.delimited.layout import Delimiting, Layout, lay_out
from satsuma.data.formats.delimited.relay import Relay, thread_count
from satsuma.data.table import Table
from satsuma.errors import ParameterError, ReadError, SatsumaError
from satsuma.kernels.csv import NUM, NUM_LOOSE, SKIP, SYM, Bad, Dialect, Piece, cut, scan

#: How much of the file is looked at to guess which columns are numbers.
_SAMPLE = 1 << 16

_ASIDE = 'or pass bad_rows="keep aside" to read the rest and find such rows in table.aside.'
_RAGGED = f"Mend the line, name another delimiter= ({{delimiter!r}} was taken), {_ASIDE}"
_WHY = {
    "short": ("{cells} where {width} should be", _RAGGED),
    "long": ("{cells} where {width} should be", _RAGGED),
    "after quote": (
        "a quoted cell has text behind its closing quote",
        (
            "Write a quote inside a quoted cell twice, close a quote that is still open, pass "
            f"quote=None if quotes are ordinary characters, {_ASIDE}"
        ),
    ),
    "unclosed": (
        "a quote is opened and never closed",
        f"Close it, pass quote=None if quotes are ordinary characters, {_ASIDE}",
    ),
    "nul": (
        "a NUL byte",
        f"{UTF16} If it is not, take the byte out, {_ASIDE}",
    ),
    "not utf-8": (
        "bytes that are not UTF-8",
        f"Pass the encoding, such as encoding='latin-1' or encoding='cp1252', {_ASIDE}",
    ),
}


@dataclass(frozen=True)
class BadRow:
    """A row of a file that could not be read: its line, its text, and what is wrong with it."""

    line: int
    text: str
    why: str


def what_is_wrong(bad: Bad, dialect: Dialect) -> tuple[str, str]:
    """What is wrong with a row, and what to do about it."""
    why, remedy = _WHY[bad.reason]
    cells = "1 cell" if bad.cells == 1 else f"{bad.cells} cells"
    told = why.format(cells=cells, width=dialect.width)
    return told, remedy.format(delimiter=dialect.delimiter)


def text_of(block: memoryview, bad: Bad) -> str:
    """The text of a row that could not be read."""
    return bytes(block[bad.start : bad.stop]).decode("utf-8", "backslashreplace").rstrip("\r\n")


def read_delimited(
    source: Readable,
    *,
    layout: Literal["csv", "tab"] = "csv",
    delimiter: str | None = None,
    quote: str | None = '"',
    header: bool | Sequence[str] | None = None,
    encoding: str | None = None,
    missing: Sequence[str] | None = None,
    decimal: str = ".",
    thousands: str | None = None,
    strip: bool | None = None,
    marks: bool | None = None,
    kinds: Mapping[str, str] | None = None,
    target: str | None = None,
    bad_rows: Literal["error", "keep aside"] = "error",
    threads: int | None = None,
) -> Table:
    r"""A table from delimited text; `satsuma.read` tells what the parameters mean.

    Examples
    --------
    >>> table = read_delimited(b"age,play\n3,no\n?,yes\n", target="play")
    >>> table["age"], table.domain.target.values
    (array([ 3., nan]), ('no', 'yes'))
    """
    file = label(source)
    if not isinstance(source, str | bytes | PathLike):
        source = source.read()  # it may be looked at twice
    how = Delimiting(
        layout,
        delimiter,
        quote,
        header,
        encoding,
        missing,
        decimal,
        thousands,
        strip,
        marks,
        kinds,
        target,
    )
    if bad_rows not in ("error", "keep aside"):
        raise ParameterError(
            f"The 'bad_rows' parameter must be 'error' or 'keep aside'. Got {bad_rows!r} instead."
        )
    if threads is not None and threads < 1:
        raise ParameterError(f"The 'threads' parameter must be at least 1. Got {threads} instead.")
    reading = _Reading(source, file, how, bad_rows == "keep aside", threads)
    try:
        return reading.table()
    finally:
        reading.blocks.close()


def not_a_number(name: str, cell: str, file: str, line: int | None) -> ReadError:
    """The error for a cell of a column that is said to hold numbers."""
    return ReadError(
        f"column {name!r} is to hold numbers, but here it holds {cell!r}",
        file=file,
        line=line,
        remedy=f"Pass kinds={{{name!r}: 'sym'}}, or missing=[{cell.strip()!r}, …] if that "
        "stands for a missing cell.",
    )


def infinite(name: str, cell: str, file: str, line: int | None) -> ReadError:
    """The error for a number that is not finite."""
    return ReadError(
        f"column {name!r} holds {cell.strip()!r}; numbers must be finite",
        file=file,
        line=line,
        remedy=f"Mend it, or pass missing=[{cell.strip()!r}, …] if that stands for a missing cell.",
    )


def scanned_as(head: Head, kind: str | None) -> int:
    """What a column of a kind is scanned as.

    Leading zeros and more digits than a float has are lost only where numbers are asked for.
    """
    if kind in ("sym", "text"):
        return SYM
    return NUM_LOOSE if head.kind == "num" and not head.doubtful else NUM


class _Reading:
    """One reading of one file: a pass over all columns, and a second over those guessed wrong."""

    def __init__(
        self, source: Readable, file: str, how: Delimiting, keep: bool, threads: int | None
    ) -> None:
        self.source, self.how, self.keep, self.threads = source, how, keep, threads
        self.blocks = Blocks(source, how.encoding, file=file)
        try:
            self.layout: Layout = lay_out(self.blocks, how)
        except SatsumaError:
            self.blocks.close()
            raise
        self.failed: dict[int, tuple[int, str]] = {}
        self.infinite: dict[int, tuple[int, str]] = {}
        self.aside: list[BadRow] = []
        self.blank, self.first_blank = 0, 0

    def table(self) -> Table:
        kinds = self._guess()
        whole = self._pass(kinds, first=True)
        made = [whole] * len(kinds)
        wrong = self._wrong_guesses()
        if wrong:
            self.blocks.close()
            self.blocks = Blocks(self.source, self.how.encoding, file=self.blocks.file)
            for _ in range(self.layout.records):
                self.blocks.record(self.layout.dialect.delimiter, self.layout.dialect.quote)
            again = np.full_like(kinds, SKIP)
            kinds[wrong] = again[wrong] = SYM
            part = self._pass(again, first=False)
            if part.rows != whole.rows:
                raise ReadError(
                    "the file has changed while it was read",
                    file=self.blocks.file,
                    remedy="Leave it alone, and read it again.",
                )
            made = [part if j in self.failed else whole for j in range(len(kinds))]
        self._refuse_infinite(kinds)
        return self._assembled(made)

    def _guess(self) -> npt.NDArray[np.int8]:
        """What each column is taken for: a number until a cell of the sample says otherwise."""
        heads = self.layout.heads
        kinds = np.array([scanned_as(head, head.kind) for head in heads], np.int8)
        # What is a number by its name is not guessed at: where it is none, that is to be told.
        open_kinds = np.array([NUM if head.kind is None else SKIP for head in heads])
        kinds[list(self._sampled(open_kinds).failed)] = SYM
        return kinds

    def _sampled(self, kinds: npt.NDArray[np.int8]) -> Piece:
        """The first rows that are left in the file, read as these kinds of columns."""
        dialect, sample = self.layout.dialect, self.blocks.peek()
        # The last record of the sample may be cut short: it says nothing.
        end, _ = cut(sample[:_SAMPLE], dialect.delimiter, dialect.quote)
        end = end or cut(sample, dialect.delimiter, dialect.quote)[0]
        return scan(sample[:end], dialect, kinds.astype(np.int8), True)

    def _pass(self, kinds: npt.NDArray[np.int8], *, first: bool) -> Assembly:
        """Read all that is left in the file as these kinds of columns."""
        seen = self._sampled(np.where(kinds == SYM, SYM, SKIP)).values
        dialect, assembly = self.layout.dialect, Assembly(self.layout.heads, kinds, seen)
        threads, lines = thread_count(self.threads), self.layout.lines
        ahead = 2 * threads
        blocks = self.blocks.rest(dialect.delimiter, dialect.quote, ahead)
        small = self.blocks.total is not None and self.blocks.total <= 2 * self.blocks.size
        relay = Relay(
            blocks, dialect, assembly, total=self.blocks.total, keep_bad=self.keep, ahead=ahead
        )
        for block, piece in relay.scanned(0 if small else threads - 1):
            if first:
                self._hear(block, piece, lines)
            lines += piece.lines
            assembly.add(piece)
        return assembly

    def _hear(self, block: memoryview, piece: Piece, lines: int) -> None:
        """Take down what a piece reports; `lines` were passed before it."""
        for bad in piece.bad:
            self._bad_row(block, bad, lines)
        for mine, its in ((self.failed, piece.failed), (self.infinite, piece.infinite)):
            for j, (line, cell) in its.items():
                mine.setdefault(j, (lines + line, cell))
        if piece.blank and not self.blank:
            self.first_blank = lines + piece.first_blank
        self.blank += piece.blank

    def _bad_row(self, block: memoryview, bad: Bad, lines: int) -> None:
        why, remedy = what_is_wrong(bad, self.layout.dialect)
        if not self.keep:
            raise ReadError(why, file=self.blocks.file, line=lines + bad.line, remedy=remedy)
        self.aside.append(BadRow(lines + bad.line, text_of(block, bad), why))

    def _wrong_guesses(self) -> list[int]:
        for j, (line, cell) in sorted(self.failed.items()):
            head = self.layout.heads[j]
            if not head.doubtful:
                raise not_a_number(head.name, cell, self.blocks.file, line)
            if head.kind == "num":
                self.layout.notes.append(
                    f"Column {head.name!r} is numeric by its name, but line {line} holds {cell!r}; "
                    f"read as symbols."
                )
        return sorted(self.failed)

    def _refuse_infinite(self, kinds: npt.NDArray[np.int8]) -> None:
        found = [(*place, j) for j, place in self.infinite.items() if kinds[j] != SYM]
        if found:
            line, cell, j = min(found)
            raise infinite(self.layout.heads[j].name, cell, self.blocks.file, line)

    def _assembled(self, assemblies: Sequence[Assembly]) -> Table:
        notes = self.layout.notes
        made = [assembly.column(j) for j, assembly in enumerate(assemblies)]
        for _, _, more in made:
            notes.extend(more)
        if self.blank:
            lines = "1 blank line was" if self.blank == 1 else f"{self.blank} blank lines were"
            notes.append(f"{lines} left out, the first at line {self.first_blank}.")
        if self.aside:
            rows = "1 row was" if len(self.aside) == 1 else f"{len(self.aside)} rows were"
            notes.append(f"{rows} kept aside, the first at line {self.aside[0].line}.")
        domain = Domain(variable for variable, _, _ in made).with_roles(target=self.how.target)
        columns = (column for _, column, _ in made)
        return Table(domain, columns, notes=notes, aside=self.aside, check=False)
