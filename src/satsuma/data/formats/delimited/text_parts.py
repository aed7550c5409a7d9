"""Parts of delimited text: stretches of a file, or a whole one that cannot be cut."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

from satsuma.data.column_plan import ColumnPlan
from satsuma.data.files import Readable
from satsuma.data.formats.delimited.first_guess import guess_plan
from satsuma.data.formats.delimited.options import DelimitedOptions
from satsuma.data.formats.delimited.ranges import Range
from satsuma.data.formats.delimited.relay import KNOWN
from satsuma.data.formats.delimited.text_file import (
    TextFile,
    open_text,
    report_of,
    scan_settings,
)
from satsuma.data.parts import Opened, Part, check_names
from satsuma.data.profile import Place, Raw
from satsuma.kernels.csv import SYM, Piece, scan

#: Bytes of a part, and of a block that is read at a time.
PART, BLOCK = 1 << 24, 1 << 21


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

    @property
    def header_lines(self) -> int:
        """Lines of the file that its header takes."""
        return self.text.header.lines

    def between(self, start: int, stop: int | None = None) -> "TextPart":
        """The same part with edges that are known."""
        return replace(self, start=start, stop=self.stop if stop is None else stop, exact=True)

    def read(self, plan: ColumnPlan) -> "_Reading":
        """The rows, some at a time."""
        return _Reading(self, plan)

    def blocks(self) -> "Iterable[memoryview] | Range":
        """The text, some whole records at a time."""
        if self.text.size is not None:
            stretch = self.start, self.stop
            return Range(self.text.source, self.text.header.dialect, stretch, self.exact, BLOCK)
        return _Stream(self.text)


class _Stream:
    """The text of a file that cannot be cut, and what was mended in it so far."""

    def __init__(self, text: TextFile) -> None:
        self._text, self._blocks = text, text.rows(BLOCK)

    def __iter__(self) -> Iterator[memoryview]:
        dialect = self._text.header.dialect
        try:
            for block, _ in self._blocks.rest(dialect.delimiter, dialect.quote):
                yield block
        finally:
            self._blocks.close()

    def repairs(self) -> list[Place]:
        """What was mended since it was asked last."""
        return [(each.line, each.what) for each in self._blocks.take_repairs()]


class _Reading:
    """A part that is being read."""

    def __init__(self, part: TextPart, plan: ColumnPlan) -> None:
        self.part, self.plan, self.edges = part, plan, None
        self.kinds, self.dialect = scan_settings(part.text.header, part.order, plan)
        self.known: list[Sequence[str]] = [()] * len(part.order)
        for at, variable in zip(part.order, plan.domain, strict=True):
            self.known[at] = variable.values[:KNOWN] if self.kinds[at] == SYM else ()

    def __iter__(self) -> Iterator[Raw]:
        text, blocks, lines = self.part.text, self.part.blocks(), 0
        for block in blocks:
            keep = text.options.keeps_aside
            piece = scan(block, self.dialect, self.kinds, keep, known=self.known)
            report = report_of(piece, block, text, lines)
            report.mended = blocks.repairs() if isinstance(blocks, _Stream) else []
            yield self._raw(piece, report)
            lines += piece.lines
        if isinstance(blocks, Range):
            self.edges = blocks.edges

    def _raw(self, piece: Piece, report: Raw) -> Raw:
        """The report of a block, with its columns in the order of the plan."""
        order = self.part.order
        for at, variable in zip(order, self.plan.domain, strict=True):
            new = piece.values[at]
            whole = not new and len(variable.values) <= KNOWN
            report.columns.append(piece.columns[at])
            report.values.append(variable.values if whole else [*self.known[at], *new])
        report.failed = {order.index(at): each for at, each in report.failed.items()}
        report.infinite = {order.index(at): each for at, each in report.infinite.items()}
        report.met = {order.index(at): each for at, each in report.met.items()}
        return report


def open_parts(
    paths: Sequence[Readable], options: DelimitedOptions, *, whole: bool = False
) -> Opened:
    """Files of delimited text as parts; each one that is read whole is one."""
    files, samples = list[TextFile](), list[bytes]()
    for path in paths:
        file, sample = open_text(path, options)
        files.append(file)
        samples.append(sample)
    names = [head.name for head in files[0].header.heads]
    for file in files:
        check_names(file.path, [head.name for head in file.header.heads], files[0].path, names)
    plan = guess_plan(files[0], samples[0])
    parts: list[Part] = [part for file in files for part in _parts_of(file, names, whole)]
    return Opened(parts, plan, list(dict.fromkeys(n for f in files for n in f.header.notes)))


def _parts_of(file: TextFile, names: Sequence[str], whole: bool) -> list[TextPart]:
    """A file in parts, its columns in the order of `names`."""
    places = {head.name: at for at, head in enumerate(file.header.heads)}
    order = tuple(places[name] for name in names)
    if file.size is None:
        return [TextPart(file, order, 0, 0)]
    if whole:
        return [TextPart(file, order, file.start, file.size, exact=True)]
    # A short rest goes with the part before it.
    starts = range(file.start, max(file.size - PART // 4, file.start + 1), PART)
    edges = [*starts, file.size]
    return [
        TextPart(file, order, low, high, at == 0) for at, (low, high) in enumerate(pairwise(edges))
    ]
