"""A file of delimited text: its header, how its columns are scanned, and what a block reports."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from satsuma.data.column_plan import ColumnPlan
from satsuma.data.files import Readable, guess_encoding, label
from satsuma.data.formats.delimited.cell_shapes import Shapes
from satsuma.data.formats.delimited.dialect import Settled, settle
from satsuma.data.formats.delimited.faults import fault_of, remedy_of
from satsuma.data.formats.delimited.footer import TAIL, Footer, footer_start, tail_of, total_lines
from satsuma.data.formats.delimited.header import Header, check_not_empty, read_header
from satsuma.data.formats.delimited.options import DelimitedOptions
from satsuma.data.formats.delimited.repairs import Repairs, tokens
from satsuma.data.formats.delimited.text_blocks import PEEK, Blocks, Filter
from satsuma.data.formats.delimited.translation import Translation, scanned_options
from satsuma.data.notes import Note, note
from satsuma.data.profile import BadRow, Raw
from satsuma.data.spelling import UNSPELLED
from satsuma.kernels.csv import (
    NUM,
    NUM_LOOSE,
    SYM,
    TIME,
    WRITTEN,
    Dialect,
    Format,
    Piece,
    cut,
    scan,
)

#: Bytes that are looked at to guess what columns hold.
SAMPLE = 1 << 16

#: Bytes at the end of a block in which a row that cannot be read may be a footer.
_END = 1 << 10

Kinds = npt.NDArray[np.int8]


@dataclass(frozen=True)
class TextFile:
    """A file of delimited text, and all that its header and the user say of it.

    Parameters
    ----------
    source
        Where it is, or what it holds.
    options, header
        How it is to be read; what its header says.
    start
        The byte behind its header.
    size
        Its bytes, or None if it cannot be cut: it is compressed, or not in UTF-8.
    shapes
        What its cells look like, if rows are to be mended.
    """

    source: Readable
    options: DelimitedOptions
    header: Header
    start: int
    size: int | None
    shapes: Shapes | None = None

    @property
    def path(self) -> str:
        """What to call it."""
        return label(self.source)

    def is_all(self, sample: bytes) -> bool:
        """Whether there are no rows behind those of a sample, which are to be read as they are."""
        return self.size is not None and self.start + len(sample) == self.size

    def rows(self, size: int | None = None) -> Blocks:
        """The file, opened anew behind its header, in blocks of a size."""
        blocks = open_blocks(self.source, self.options, size, self.size)
        for _ in range(self.header.records):
            blocks.record(self.header.dialect.delimiter, self.header.dialect.quote)
        if self.shapes is not None:
            fills, mends = self.options.layout == "tab", self.options.mends
            blocks.mend_by(Repairs(self.header.dialect, self.shapes, fills=fills, mends=mends))
        return blocks


def open_blocks(
    source: Readable, options: DelimitedOptions, size: int | None = None, stop: int | None = None
) -> Blocks:
    """The text of a file behind what is skipped, as the scanner reads it."""
    blocks = Blocks(source, options.encoding, size, stop)
    blocks.skip(options.skip or 0)
    filters: list[Filter] = [Translation(options)] if options.is_translated else []
    if options.footer and blocks.total is None:
        filters.insert(0, Footer(options.footer))
    blocks.filter_by(filters)
    return blocks


def open_text(source: Readable, options: DelimitedOptions) -> tuple[TextFile, bytes]:
    """A file, its header read, and the first bytes behind the header."""
    blocks = Blocks(source, options.encoding)
    try:
        settled, stop = _settled(source, blocks, options)
        if stop is not None or settled.options.is_framed:
            blocks.close()
            blocks = open_blocks(source, settled.options, stop=stop)
        header = read_header(blocks, scanned_options(settled.options))
        header.notes[:0] = settled.notes
        size, shapes = blocks.total, None
        if options.mends or settled.options.layout == "tab":
            rows = _first_rows(header, blocks.peek(PEEK))
            if options.mends or _ends_vary(rows, header, options):
                size, shapes = None, Shapes(rows, header.dialect.width)
        file = TextFile(source, settled.options, header, blocks.taken, size, shapes)
        return file, blocks.peek()
    finally:
        blocks.close()


def _first_rows(header: Header, sample: bytes) -> list[list[str]]:
    """The cells of the first rows that can be told apart."""
    dialect = header.dialect
    lines = re.split(r"\r\n|\n|\r", sample.decode("utf-8", "replace"))
    found = (tokens(line, dialect.delimiter, dialect.quote) for line in lines)
    return [cells for cells in found if cells is not None]


def _ends_vary(rows: Sequence[Sequence[str]], header: Header, options: DelimitedOptions) -> bool:
    """Whether some rows end before the last column or behind it, as those of a .tab file may."""
    other = any(len(row) != header.dialect.width and row != [""] for row in rows)
    return other and options.bad_rows == "error"


def _settled(
    source: Readable, blocks: Blocks, options: DelimitedOptions
) -> tuple[Settled, int | None]:
    """How a file is written, and the byte behind its rows if it has a footer."""
    sample = check_not_empty(blocks)
    plain = options.encoding is None and blocks.encoding == "utf-8" and not blocks.marks
    encoding = guess_encoding(sample) if plain else None
    notes = _byte_notes(blocks, options)
    if encoding is not None:
        options = replace(options, encoding=encoding)
        notes = [note("encoding", encoding=encoding)]
        sample = sample.decode(encoding, "replace").encode()
    for _ in range(options.skip or 0):
        line = re.match(rb"[^\r\n]*(\r\n|\n|\r|\Z)", sample)
        sample = sample[line.end() if line else 0 :]
    settled = settle(sample, options, blocks.file)
    settled.notes[:0] = notes
    return settled, _footer(source, settled, blocks)


def _byte_notes(blocks: Blocks, options: DelimitedOptions) -> list[Note]:
    """What the first bytes made the reader decide."""
    if blocks.encoding != "utf-8" and options.encoding is None:
        return [note("byte order", encoding=blocks.encoding)]
    if blocks.marks > 1:
        return [note("byte order mark", marks=f"{blocks.marks} byte order marks were")]
    return [note("byte order mark", marks="A byte order mark was")] if blocks.marks else []


def _footer(source: Readable, settled: Settled, blocks: Blocks) -> int | None:
    """Find a row of totals at the end, and where it begins in a file that can be cut."""
    options = settled.options
    held = blocks.peek()
    if options.footer == 0:
        return None
    # A small file is in memory already.
    found = (held, 0) if blocks.total == len(held) <= TAIL else tail_of(source)
    if found is None:
        return None
    tail, start = found
    if options.footer is None:
        text = tail.decode(options.encoding or blocks.encoding, "replace")
        lines = total_lines(text, start == 0, options.delimiter or ",")
        if not lines:
            return None
        settled.take(note("total"), footer=lines)
    cuts = options.encoding is None and blocks.total is not None
    return start + footer_start(tail, settled.options.footer or 0) if cuts else None


def scan_settings(header: Header, order: Sequence[int], plan: ColumnPlan) -> tuple[Kinds, Dialect]:
    """What the columns of a file are scanned as, and how their cells are told apart and read.

    Leading zeros and more digits than a float has are lost only where numbers are asked for.

    Parameters
    ----------
    header
        Of the file.
    order
        Where each column of the plan stands in it.
    plan
        What they are read as.
    """
    kinds, formats = np.zeros(len(order), np.int8), dict[int, Format]()
    spelling = plan.spelling or UNSPELLED
    for at, variable in zip(order, plan.domain, strict=True):
        head = header.heads[at]
        if variable.name in spelling.numbers and variable.kind == "num":
            kinds[at], formats[at] = WRITTEN, spelling.numbers[variable.name]
        elif variable.kind == "time":
            kinds[at], formats[at] = TIME, variable.time_format
        elif variable.kind != "num" and variable.name not in plan.flags:
            kinds[at] = SYM
        else:
            kinds[at] = NUM_LOOSE if head.kind == "num" and not head.doubtful else NUM
    whole = (
        at for at, name in zip(order, plan.domain.names, strict=True) if name in spelling.whole
    )
    return kinds, replace(header.dialect, formats=formats, whole=frozenset(whole))


def scan_sample(dialect: Dialect, sample: bytes, kinds: Kinds) -> Piece:
    """The first rows, read as these kinds of columns."""
    # The last record of the sample may be cut short: it says nothing.
    end, _ = cut(sample[:SAMPLE], dialect.delimiter, dialect.quote)
    end = end or cut(sample, dialect.delimiter, dialect.quote)[0]
    return scan(sample[:end], dialect, kinds, True)


def report_of(piece: Piece, block: memoryview, text: TextFile, lines: int) -> Raw:
    """What a block of text reports, by the columns of the file; `lines` were passed before it."""
    made = Raw(
        piece.rows,
        [],
        [],
        {j: (lines + line, cell) for j, (line, cell) in piece.failed.items()},
        {j: (lines + line, cell) for j, (line, cell) in piece.infinite.items()},
        met={j: set(marks) for j, marks in piece.met.items()},
        lines=piece.lines,
        blank=0 if isinstance(text.options.comment, str) else piece.blank,
        first_blank=lines + piece.first_blank,
    )
    for bad in piece.bad:
        row = bytes(block[bad.start : bad.stop]).decode("utf-8", "backslashreplace")
        why = fault_of(bad, text.header.dialect)
        if not text.options.keeps_aside:
            below = _lines_below(block[bad.start :], text.header.dialect)
            remedy = remedy_of(bad, row.rstrip("\r\n"), below, text.options)
            made.refused = lines + bad.line, why, remedy
            break
        made.aside.append(BadRow(lines + bad.line, row.rstrip("\r\n"), why))
    return made


def _lines_below(text: memoryview, dialect: Dialect) -> int:
    """How many lines there are, if they are few, and none of them looks like a row."""
    if len(text) > _END:
        return 0
    lines = bytes(text).splitlines()
    delimiter = dialect.delimiter.encode()
    return len(lines) if all(line.count(delimiter) < 1 for line in lines) else 0
