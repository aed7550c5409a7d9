"""ARFF, Weka's format: attributes declared first, then the rows."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from satsuma.data.cells import Found, as_kinds, check_kinds, column_of
from satsuma.data.columns import WHOLE, encode, from_cells
from satsuma.data.domain import distinct_names
from satsuma.data.files import Readable, label, read_lines
from satsuma.data.formats.arff.java_patterns import formats_of
from satsuma.data.formats.arff.syntax import (
    Attribute,
    Cell,
    attribute_of,
    cells_of,
    sparse_of,
    uncommented,
    unquoted,
)
from satsuma.data.notes import note
from satsuma.data.parts import Opened
from satsuma.data.time_recognition import recognise_time
from satsuma.data.times import time_column
from satsuma.data.variable import Variable
from satsuma.errors import ReadError, hint
from satsuma.kernels.csv import TimeFormat, read_time

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_ZONE = re.compile(r"[+-]\d\d(:?\d\d)?$", re.ASCII)
_QUOTES = r"Close each quote, and write one inside a quoted word as \'."


class _Head(NamedTuple):
    """What is declared, and how many lines that took."""

    relation: str
    attributes: list[Attribute]
    lines: int


class _Reader:
    """The lines of one file, and the errors that name them."""

    def __init__(self, file: str, lines: Sequence[str]) -> None:
        self.file, self.lines = file, lines

    def fail(self, line: int, what: str, remedy: str) -> ReadError:
        return ReadError(what, file=self.file, line=line, remedy=remedy)

    def head(self) -> _Head:
        """What stands before ``@data``."""
        relation, attributes = "", list[Attribute]()
        for at, raw in enumerate(self.lines, 1):
            line = uncommented(raw)
            word = line.split(maxsplit=1)[0] if line else ""
            rest = line[len(word) :].strip()
            match word.lower():
                case "":
                    continue
                case "@relation":
                    relation = unquoted(rest)
                case "@attribute":
                    attributes.append(self.attribute(rest, at))
                case "@data" if attributes:
                    return _Head(relation, attributes, at)
                case _:
                    remedy = "Declare each column with @attribute, then begin the rows with @data."
                    raise self.fail(at, f"{word!r} where a declaration is expected", remedy)
        raise ReadError("there is no @data", file=self.file, remedy="Is this a whole ARFF file?")

    def attribute(self, declared: str, at: int) -> Attribute:
        found = attribute_of(declared)
        if found is None and re.search(r"\srelational$", declared, re.IGNORECASE):
            remedy = "Write a row for each row of the bag, with a column that names the bag."
            raise self.fail(at, "a relational attribute, which holds tables", remedy)
        if found is None:
            remedy = "Write a name and numeric, string, date or a list of values: {yes, no}."
            raise self.fail(at, f"the attribute {declared!r:.80} is not understood", remedy)
        return found

    def rows(self, head: _Head) -> tuple[list[Sequence[Cell]], list[int]]:
        """The cells of the rows, and the line of each."""
        rows, lines = list[Sequence[Cell]](), list[int]()
        for at, raw in enumerate(self.lines[head.lines :], head.lines + 1):
            line = uncommented(raw)
            if line:
                rows.append(self.row(line, at, head.attributes))
                lines.append(at)
        return rows, lines

    def row(self, line: str, at: int, attributes: Sequence[Attribute]) -> Sequence[Cell]:
        if line[0] == "{":
            return self.sparse(line, at, attributes)
        cells = cells_of(line)
        if cells is None:
            raise self.fail(at, "quotes that do not fit", _QUOTES)
        if len(cells) == len(attributes) + 1 and line[-1] == ",":
            cells.pop()  # a comma ends the row
        if len(cells) != len(attributes):
            what = f"{len(cells)} cells where {len(attributes)} attributes are declared"
            raise self.fail(at, what, "Mend the line, or quote the words that hold commas.")
        return cells

    def sparse(self, line: str, at: int, attributes: Sequence[Attribute]) -> list[Cell]:
        """A row that leaves out zeros and first values."""
        cells = sparse_of(line)
        if cells is None or (cells and max(cells) >= len(attributes)):
            remedy = "Write {position value, …} with positions from 0, each of them once."
            raise self.fail(at, "a sparse row that is not understood", remedy)
        made: list[Cell] = []
        for j, attribute in enumerate(attributes):
            if j not in cells and attribute.kind != "num" and not attribute.values:
                what = f"a sparse row without {attribute.name!r}, for which no value stands first"
                raise self.fail(at, what, "Write it out, or ? for a missing one.")
            default = "0" if attribute.kind == "num" else (attribute.values or ("",))[0]
            made.append(cells.get(j, default))
        return made

    def column(
        self,
        name: str,
        attribute: Attribute,
        cells: Sequence[Cell],
        lines: Sequence[int],
        kind: str | None,
    ) -> Found:
        if attribute.kind == "num" and kind in (None, "num"):
            return self.numbers(name, cells, lines, kind)
        if attribute.date and kind in (None, "time"):
            return self.dates(name, attribute.date, cells, lines)
        if attribute.values is None:
            return column_of(name, cells, kind or attribute.kind)
        codes, values = encode(cells, attribute.values)
        if len(values) > len(attribute.values):
            at = int((codes >= len(attribute.values)).argmax())
            what = f"column {name!r} holds {cells[at]!r}, which is not among its values"
            raise self.fail(lines[at], what, hint(str(cells[at]), attribute.values))
        return Found(Variable(name, "sym", tuple(values)), codes)

    def numbers(
        self, name: str, cells: Sequence[Cell], lines: Sequence[int], kind: str | None
    ) -> Found:
        column = np.full(len(cells), np.nan)
        for row, cell in enumerate(cells):
            if cell is None or cell.lower() == "nan":
                continue
            column[row] = float(cell) if _NUMBER.fullmatch(cell) else np.inf
            if np.isinf(column[row]):
                what = f"column {name!r} is to hold numbers, but here it holds {cell!r}"
                remedy = f"Write a finite number, or ?; or pass kinds={{{name!r}: 'sym'}}."
                raise self.fail(lines[row], what, remedy)
        large = [cells[row] or "" for row in np.flatnonzero(np.abs(column) >= WHOLE).tolist()]
        if kind is None and any(
            _WHOLE.fullmatch(cell) and abs(int(cell)) > WHOLE for cell in large
        ):
            return column_of(name, cells, "sym")._replace(notes=(note("large numbers", name=name),))
        return Found(Variable(name), column, sure=True)

    def dates(self, name: str, pattern: str, cells: Sequence[Cell], lines: Sequence[int]) -> Found:
        """Dates by the pattern that is declared, or else by that which all of them have."""
        forms = formats_of(pattern)
        wrong = [self.misfit(cells, form) for form in forms]
        if None in wrong:
            form, column = time_column(cells, forms[wrong.index(None)])
            zones = {found[0] for cell in cells if cell and (found := _ZONE.search(cell))}
            if "%z" in form.pattern and len(zones) == 1:
                form = replace(form, zone=zones.pop())
            return Found(Variable(name, "time", format=form), column)
        if not isinstance(recognise_time([cell for cell in cells if cell]), TimeFormat):
            at = wrong[0] if wrong and wrong[0] is not None else 0
            what = f"column {name!r} holds {cells[at]!r}, which is not written as {pattern!r}"
            remedy = f"Mend the pattern or the cell, or pass kinds={{{name!r}: 'sym'}}."
            raise self.fail(lines[at], what, remedy)
        return Found(*from_cells(name, cells, "time"))

    @staticmethod
    def misfit(cells: Sequence[Cell], form: TimeFormat) -> int | None:
        """The first cell that is not written so."""
        wrong = (at for at, cell in enumerate(cells) if cell and read_time(cell, form) is None)
        return next(wrong, None)


def open_arff(
    source: Readable, *, encoding: str | None = None, kinds: Mapping[str, str] | None = None
) -> Opened:
    r"""An ARFF file as one part; no attribute is the target by its place.

    Parameters
    ----------
    source
        A path, bytes, or an open binary file.
    encoding
        UTF-8 if not given.
    kinds
        ``num``, ``sym`` or ``text`` by name, where the kind that is declared is not the one meant.

    Examples
    --------
    >>> days = b"@attribute sky {sun, rain}\n@attribute heat real\n@data\nrain, ?\n"
    >>> open_arff(days).table()[0]
    Row(sky='rain', heat=?)
    """
    reader = _Reader(label(source), read_lines(source, encoding or "utf-8"))
    head = reader.head()
    names, notes = distinct_names([attribute.name for attribute in head.attributes])
    kinds = check_kinds(kinds, names)
    rows, lines = reader.rows(head)
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    found = (
        reader.column(name, attribute, cells, lines, kinds.get(name))
        for name, attribute, cells in zip(names, head.attributes, columns, strict=True)
    )
    return Opened.holding(as_kinds(found, kinds), notes, file=reader.file, name=head.relation)
