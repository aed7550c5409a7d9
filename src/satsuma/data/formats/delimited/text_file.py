"""A file of delimited text: its header, how its columns are scanned, and what a block reports."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from satsuma.data.column_plan import ColumnPlan
from satsuma.data.files import Readable, label
from satsuma.data.formats import DelimitedOptions
from satsuma.data.formats.delimited.header import UTF16, Header, read_header
from satsuma.data.formats.delimited.text_blocks import Blocks
from satsuma.data.profile import BadRow, Raw
from satsuma.data.spelling import UNSPELLED
from satsuma.kernels.csv import (
    NUM,
    NUM_LOOSE,
    SYM,
    TIME,
    WRITTEN,
    Bad,
    Dialect,
    Format,
    Piece,
    cut,
    scan,
)

#: Bytes that are looked at to guess what columns hold.
SAMPLE = 1 << 16

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
    """

    source: Readable
    options: DelimitedOptions
    header: Header
    start: int
    size: int | None

    @property
    def path(self) -> str:
        """What to call it."""
        return label(self.source)

    def rows(self, size: int | None = None) -> Blocks:
        """The file, opened anew behind its header, in blocks of a size."""
        blocks, dialect = Blocks(self.source, self.options.encoding, size), self.header.dialect
        for _ in range(self.header.records):
            blocks.record(dialect.delimiter, dialect.quote)
        return blocks


def open_text(source: Readable, options: DelimitedOptions) -> tuple[TextFile, bytes]:
    """A file, its header read, and the first bytes behind the header."""
    blocks = Blocks(source, options.encoding)
    try:
        header = read_header(blocks, options)
        return TextFile(source, options, header, blocks.taken, blocks.total), blocks.peek()
    finally:
        blocks.close()


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
        elif variable.kind != "num" and variable.name not in spelling.flags:
            kinds[at] = SYM
        else:
            kinds[at] = NUM_LOOSE if head.kind == "num" and not head.doubtful else NUM
    return kinds, replace(header.dialect, formats=formats)


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
        blank=piece.blank,
        first_blank=lines + piece.first_blank,
    )
    for bad in piece.bad:
        why, remedy = _fault_of(bad, text.header.dialect)
        if not text.options.keeps_aside:
            made.refused = lines + bad.line, why, remedy
            break
        made.aside.append(BadRow(lines + bad.line, _text_of(block, bad), why))
    return made


def _fault_of(bad: Bad, dialect: Dialect) -> tuple[str, str]:
    """What is wrong with a row, and what to do about it."""
    why, remedy = _WHY[bad.reason]
    cells = "1 cell" if bad.cells == 1 else f"{bad.cells} cells"
    return why.format(cells=cells, width=dialect.width), remedy.format(delimiter=dialect.delimiter)


def _text_of(block: memoryview, bad: Bad) -> str:
    """The text of a row that could not be read."""
    return bytes(block[bad.start : bad.stop]).decode("utf-8", "backslashreplace").rstrip("\r\n")
