"""Parts of delimited text: stretches of a file, or a whole one that cannot be cut."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from satsuma.data.column_plan import Plan, Raw
from satsuma.data.columns import is_text
from satsuma.data.formats.delimited.assembly import KNOWN
from satsuma.data.formats.delimited.blocks import Blocks
from satsuma.data.formats.delimited.header import Head
from satsuma.data.formats.delimited.layout import Delimiting, Layout, lay_out
from satsuma.data.formats.delimited.ranges import Range
from satsuma.data.formats.delimited.reader import BadRow, scanned_as, text_of, what_is_wrong
from satsuma.kernels.csv import SYM, Piece, cut, scan

#: Bytes of a part, of a block that is read at a time, and of what is looked at beforehand.
PART, BLOCK, SAMPLE = 1 << 24, 1 << 21, 1 << 16


@dataclass(frozen=True)
class TextFile:
    """A file of delimited text, and all that its header and the user say of it.

    Parameters
    ----------
    path
        Where it is.
    how, layout
        How it is to be read; what its header says.
    start
        The byte behind its header.
    size
        Its bytes, or None if it cannot be cut: it is compressed, or not in UTF-8.
    keep
        Whether rows that cannot be read are kept aside.
    """

    path: str
    how: Delimiting
    layout: Layout
    start: int
    size: int | None
    keep: bool

    def parts(self, names: Sequence[str]) -> "list[TextPart]":
        """The file in parts, its columns in the order of `names`."""
        places = {head.name: at for at, head in enumerate(self.layout.heads)}
        order = tuple(places[name] for name in names)
        if self.size is None:
            return [TextPart(self, order, 0, 0)]
        # A short rest goes with the part before it.
        starts = range(self.start, max(self.size - PART // 4, self.start + 1), PART)
        edges = [*starts, self.size]
        return [
            TextPart(self, order, low, high, at == 0)
            for at, (low, high) in enumerate(pairwise(edges))
        ]


def open_text(path: str, how: Delimiting, keep: bool) -> tuple[TextFile, bytes]:
    """A file, its header read, and the start of what is behind it."""
    blocks = Blocks(path, how.encoding, SAMPLE)
    try:
        layout = lay_out(blocks, how)
        file = TextFile(path, how, layout, blocks.taken, blocks.total, keep)
        return file, blocks.peek()
    finally:
        blocks.close()


def guessed(file: TextFile, sample: bytes) -> tuple[list[str], list[list[str]]]:
    """The kind of each column, and the symbols in it, as far as the first rows tell."""
    dialect, heads = file.layout.dialect, file.layout.heads
    end, _ = cut(sample[:SAMPLE], dialect.delimiter, dialect.quote)
    end = end or cut(sample, dialect.delimiter, dialect.quote)[0] or len(sample)
    sample = sample[:end]
    kinds = np.array([scanned_as(head, head.kind) for head in heads], np.int8)
    failed = scan(sample, dialect, kinds, True).failed
    kinds[[j for j in failed if heads[j].doubtful]] = SYM
    found = scan(sample, dialect, kinds, True)
    told = [_kind(head, kinds[j], found, j) for j, head in enumerate(heads)]
    pairs = zip(heads, found.values, strict=True)
    return told, [list(dict.fromkeys((*head.values, *values))) for head, values in pairs]


def _kind(head: Head, kind: int, found: Piece, j: int) -> str:
    codes = found.columns[j]
    if kind != SYM or codes is None:
        return "num"
    if head.kind == "text":
        return "text"
    return "text" if head.doubtful and is_text(found.values[j], int((codes >= 0).sum())) else "sym"


@dataclass(frozen=True)
class TextPart:
    """The rows that start within a stretch of a file.

    Parameters
    ----------
    text
        The file.
    order
        Where each column of a plan stands in it.
    start, stop
        The stretch; the whole file, if that cannot be cut.
    exact
        Whether a record is known to start at `start`.
    """

    text: TextFile
    order: tuple[int, ...]
    start: int
    stop: int
    exact: bool = False
    lined: ClassVar[bool] = True
    elsewhere: ClassVar[bool] = False

    @property
    def file(self) -> str:
        """What to call the file."""
        return self.text.path

    @property
    def place(self) -> str:
        """What to call the part."""
        if self.text.size is None:
            return self.file
        return f"{self.file}, bytes {self.start:,} to {self.stop:,}"

    def between(self, start: int, stop: int | None = None) -> "TextPart":
        """The same part with edges that are known."""
        return replace(self, start=start, stop=self.stop if stop is None else stop, exact=True)

    def read(self, plan: Plan) -> "_Reading":
        """The rows, some at a time."""
        return _Reading(self, plan)

    def blocks(self) -> "Iterable[memoryview] | Range":
        """The text, some whole records at a time."""
        layout = self.text.layout
        if self.text.size is not None:
            stretch = self.start, self.stop
            return Range(self.file, layout.dialect, stretch, self.exact, BLOCK)
        return self._streamed()

    def _streamed(self) -> Iterator[memoryview]:
        dialect = self.text.layout.dialect
        blocks = Blocks(self.file, self.text.how.encoding, BLOCK)
        try:
            for _ in range(self.text.layout.records):
                blocks.record(dialect.delimiter, dialect.quote)
            for block, _ in blocks.rest(dialect.delimiter, dialect.quote):
                yield block
        finally:
            blocks.close()


class _Reading:
    """A part that is being read."""

    def __init__(self, part: TextPart, plan: Plan) -> None:
        self.part, self.plan, self.edges = part, plan, None
        self.heads = [part.text.layout.heads[at] for at in part.order]
        self.kinds = np.zeros(len(part.order), np.int8)
        self.known: list[Sequence[str]] = [()] * len(part.order)
        for at, head, variable in zip(part.order, self.heads, plan.domain, strict=True):
            self.kinds[at] = scanned_as(head, variable.kind)
            self.known[at] = variable.values[:KNOWN]

    def __iter__(self) -> Iterator[Raw]:
        blocks, dialect, lines = self.part.blocks(), self.part.text.layout.dialect, 0
        for block in blocks:
            piece = scan(block, dialect, self.kinds, self.part.text.keep, known=self.known)
            yield self._raw(piece, block, lines)
            lines += piece.lines
        if isinstance(blocks, Range):
            self.edges = blocks.edges

    def _raw(self, piece: Piece, block: memoryview, lines: int) -> Raw:
        order, domain = self.part.order, self.plan.domain
        values: list[Sequence[str]] = []
        for at, variable in zip(order, domain, strict=True):
            new = piece.values[at]
            whole = not new and len(variable.values) <= KNOWN
            values.append(variable.values if whole else [*self.known[at], *new])
        made = Raw(
            piece.rows,
            [piece.columns[at] for at in order],
            values,
            {j: (lines + line, cell) for j, (line, cell) in self._by(piece.failed)},
            {j: (lines + line, cell) for j, (line, cell) in self._by(piece.infinite)},
            lines=piece.lines,
            blank=piece.blank,
            first_blank=lines + piece.first_blank,
        )
        for bad in piece.bad:
            why, remedy = what_is_wrong(bad, self.part.text.layout.dialect)
            if not self.part.text.keep:
                made.refused = lines + bad.line, why, remedy
                break
            made.aside.append(BadRow(lines + bad.line, text_of(block, bad), why))
        return made

    def _by(self, found: dict[int, Any]) -> Iterator[tuple[int, Any]]:
        return ((self.part.order.index(at), each) for at, each in found.items())
