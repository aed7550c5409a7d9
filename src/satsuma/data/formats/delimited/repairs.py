"""Repairs: rows that cannot be read, written anew where that can be done in one way only.

A repair is one small step: a quote that is an ordinary character, blanks behind a closing quote,
an empty cell too many, another delimiter, cells that are missing at the end, a delimiter that was
lost. What the other rows look like decides between several; where more than one is left, the row is
left as it is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from satsuma.data.formats.delimited.cell_shapes import Shapes
from satsuma.data.formats.delimited.head_lines import DELIMITERS
from satsuma.kernels.csv import SKIP, Dialect, count_lines, cut, scan

#: Characters of a row in which places for a delimiter are looked for.
_LONG = 2000

_LINE = re.compile(rb"[^\r\n]*(\r\n|\n|\r|\Z)")


@dataclass(frozen=True)
class Repair:
    """A row that was mended: its line, counted from the first row, and what was done."""

    line: int
    what: str


class Repairs:
    """A filter that mends rows.

    Parameters
    ----------
    dialect
        How cells are told apart.
    shapes
        What cells look like.
    fills
        Whether rows may leave out cells at the end, whatever these look like, or have empty ones
        behind it.
    mends
        Whether anything else is mended.
    """

    def __init__(
        self, dialect: Dialect, shapes: Shapes, *, fills: bool = False, mends: bool = True
    ) -> None:
        self.dialect, self.shapes, self.fills, self.mends = dialect, shapes, fills, mends
        self.made: list[Repair] = []
        self._held, self._lines = b"", 0
        self._kinds = np.full(dialect.width, SKIP, np.int8)

    def take(self) -> list[Repair]:
        """The repairs since it was asked last."""
        made, self.made = self.made, []
        return made

    def __call__(self, chunk: bytes, final: bool) -> bytes:
        """The rows, mended where they can be."""
        text, out, at = self._held + chunk, list[bytes](), 0
        while at < len(text):
            rest = text[at:]
            end = len(rest) if final else cut(rest, self.dialect.delimiter, self.dialect.quote)[0]
            if not end:
                break
            made, taken = self._mended(rest[:end])
            self._lines += count_lines(rest[:taken])
            out.append(made)
            at += taken
        self._held = text[at:]
        return b"".join(out)

    def _mended(self, block: bytes) -> tuple[bytes, int]:
        """The rows up to the first that is mended, and how many bytes they were."""
        piece = scan(block, self.dialect, self._kinds, True)
        for bad in piece.bad:
            line = _LINE.match(block, bad.start)
            assert line is not None
            end = len(line[1])
            found = self._mend(line[0][: len(line[0]) - end].decode("utf-8", "surrogateescape"))
            if found is not None:
                cells, what = found
                self.made.append(Repair(self._lines + bad.line, what))
                written = self._written(cells).encode("utf-8", "surrogateescape")
                return block[: bad.start] + written + line[1], line.end()
        return block, len(block)

    def _written(self, cells: Sequence[str]) -> str:
        quote = self.dialect.quote
        if quote is None:
            return self.dialect.delimiter.join(cells)
        return self.dialect.delimiter.join(
            f"{quote}{cell.replace(quote, quote + quote)}{quote}"
            if quote in cell or self.dialect.delimiter in cell
            else cell
            for cell in cells
        )

    def _mend(self, row: str) -> tuple[Sequence[str], str] | None:
        """The cells of a row that is mended, and what was done; None if that is not certain."""
        for what, candidates in self._candidates(row):
            found = {tuple(cells) for cells in candidates if len(cells) == self.dialect.width}
            if len(found) > 1:
                found = {cells for cells in found if self.shapes.fit(cells)}
            if len(found) == 1:
                return found.pop(), what
            if found:
                return None
        return None

    def _candidates(self, row: str) -> Iterator[tuple[str, Iterator[list[str]]]]:
        delimiter, quote = self.dialect.delimiter, self.dialect.quote
        if quote is not None and quote in row and self.mends:
            yield "blanks behind a closing quote were left out", self._without_blanks(row)
            yield "a quote was taken as an ordinary character", self._literal_quotes(row)
        cells = tokens(row, delimiter, quote)
        if cells is not None:
            yield from self._by_cells(row, cells)
        if self.mends and self.shapes.enough and len(row) <= _LONG:
            yield "another delimiter was taken", self._joined_otherwise(row)
            yield "a delimiter that was lost was put back", self._with_delimiter(row)

    def _by_cells(self, row: str, cells: list[str]) -> Iterator[tuple[str, Iterator[list[str]]]]:
        """The repairs of a row whose quotes are in their places."""
        if self.fills and not any(cells[self.dialect.width :]):
            yield "empty cells behind the last column were left out", self._cut_short(cells)
        if len(cells) == self.dialect.width + 1 and self.mends:
            yield "an empty cell was left out", self._without_empty(cells)
        if len(cells) < self.dialect.width and self.mends:
            yield "another delimiter was taken", self._cut_otherwise(row)
        if len(cells) < self.dialect.width:
            yield "cells that are missing at the end were added", self._filled_up(cells)

    def _without_blanks(self, row: str) -> Iterator[list[str]]:
        q, d = re.escape(self.dialect.quote or '"'), re.escape(self.dialect.delimiter)
        blank = "[ ]" if self.dialect.delimiter == "\t" else r"[ \t]"
        bare = re.sub(rf"({q}){blank}+(?={d}|\Z)", r"\1", row)
        cells = tokens(bare, self.dialect.delimiter, self.dialect.quote) if bare != row else None
        yield from [cells] if cells else []

    def _literal_quotes(self, row: str) -> Iterator[list[str]]:
        for at, character in enumerate(row):
            if character == self.dialect.quote:
                cells = tokens(row, self.dialect.delimiter, self.dialect.quote, at)
                yield from [cells] if cells else []

    def _without_empty(self, cells: list[str]) -> Iterator[list[str]]:
        """Without one empty cell; where that leaves rows that fit, no others."""
        found = [cells[:j] + cells[j + 1 :] for j, cell in enumerate(cells) if not cell]
        yield from [each for each in found if self.shapes.fit(each)] or found

    def _cut_short(self, cells: list[str]) -> Iterator[list[str]]:
        yield cells[: self.dialect.width]

    def _cut_otherwise(self, row: str) -> Iterator[list[str]]:
        for delimiter in DELIMITERS.replace(self.dialect.delimiter, ""):
            cells = tokens(row, delimiter, self.dialect.quote)
            if cells is not None and self.shapes.fit(cells):
                yield cells

    def _joined_otherwise(self, row: str) -> Iterator[list[str]]:
        """Cut by another delimiter, which is in texts as well: what is a text is put together."""
        for delimiter in (DELIMITERS + " ").replace(self.dialect.delimiter, ""):
            cells = tokens(row, delimiter, self.dialect.quote) or []
            if len(cells) >= self.dialect.width:
                yield from self._groups(cells, delimiter, 0)

    def _groups(self, cells: list[str], joint: str, j: int) -> Iterator[list[str]]:
        """The ways to make the columns from one on of some cells, so that all look as usual."""
        if j == self.dialect.width - 1 or len(cells) <= self.dialect.width - j:
            rest = [joint.join(cells)] if j == self.dialect.width - 1 else cells
            if all(self.shapes.fits_exactly(j + k, cell) for k, cell in enumerate(rest)):
                yield rest
            return
        for count in range(1, len(cells) - (self.dialect.width - j) + 2):
            if count > 1 and any(joint in cell for cell in cells[:count]):  # one was quoted
                return
            cell = joint.join(cells[:count])
            if self.shapes.fits_exactly(j, cell):
                yield from ([cell, *rest] for rest in self._groups(cells[count:], joint, j + 1))

    def _with_delimiter(self, row: str) -> Iterator[list[str]]:
        """With a delimiter where the cells before and behind it look just as others do."""
        delimiter, quote = self.dialect.delimiter, self.dialect.quote
        closed = True
        for at in range(1, len(row) + 1):
            closed ^= row[at - 1] == quote
            if not closed:  # inside of a quoted cell
                continue
            before, behind = (tokens(part, delimiter, quote) for part in (row[:at], row[at:]))
            if before is None or behind is None:
                continue
            cells, j = before + behind, len(before)
            if len(cells) == self.dialect.width and self._fit_around(cells, j):
                yield cells

    def _fit_around(self, cells: list[str], j: int) -> bool:
        """Whether cells look as others do, and just so at both sides of a new delimiter."""
        at = (j - 1, j)
        return all(
            self.shapes.fits_exactly(k, cell) if k in at else self.shapes.fits(k, cell)
            for k, cell in enumerate(cells)
        )

    def _filled_up(self, cells: list[str]) -> Iterator[list[str]]:
        """With empty cells at the end, if the last one there is can be in no later column."""
        last, width = len(cells) - 1, self.dialect.width
        fit = all(self.shapes.fits(j, cell, exactly=True) for j, cell in enumerate(cells))
        later = any(self.shapes.fits(j, cells[last]) for j in range(last + 1, width))
        if self.fills or (fit and not later):
            yield cells + [""] * (width - len(cells))


def tokens(row: str, delimiter: str, quote: str | None, literal: int = -1) -> list[str] | None:
    """The cells of a row in which no quote is out of its place; None if one is.

    Parameters
    ----------
    row
        Its text, without a line end.
    delimiter, quote
        How cells are told apart.
    literal
        The place of a quote that is an ordinary character.

    Examples
    --------
    >>> tokens('a,"b, c",d', ",", '"'), tokens('a,b"c', ",", '"'), tokens('a,b"c', ",", '"', 3)
    (['a', 'b, c', 'd'], None, ['a', 'b"c'])
    """
    cells, at = list[str](), 0
    while True:
        if quote is not None and row.startswith(quote, at) and at != literal:
            cell, at = _quoted(row, at + 1, quote, literal)
            if at < 0 or not (at == len(row) or row.startswith(delimiter, at)):
                return None
        else:
            stop = row.find(delimiter, at)
            stop = len(row) if stop < 0 else stop
            cell = row[at:stop]
            strays = [k for k in range(at, stop) if row[k] == quote and k != literal]
            if strays:
                return None
            at = stop
        cells.append(cell)
        if at >= len(row):
            return cells
        at += len(delimiter)


def _quoted(row: str, at: int, quote: str, literal: int) -> tuple[str, int]:
    """A quoted cell and where it ends; below 0 if it does not."""
    out = list[str]()
    while at < len(row):
        if row[at] == quote and at != literal:
            if not (row.startswith(quote, at + 1) and at + 1 != literal):
                return "".join(out), at + 1
            at += 1
        out.append(row[at])
        at += 1
    return "", -1
