"""ARFF, Weka's format: attributes declared first, then the rows."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from satsuma.data.cells import Found, as_kinds, check_kinds, column_of
from satsuma.data.columns import WHOLE, encode
from satsuma.data.domain import distinct_names
from satsuma.data.files import Readable, label, read_lines
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
from satsuma.data.variable import Variable
from satsuma.errors import ReadError, hint

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
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
        if attribute.values is None:
            notes = (
                (f"Column {name!r} holds dates; they became symbols.",) if attribute.date else ()
            )
            return column_of(name, cells, kind or attribute.kind)._replace(notes=notes)
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
        return Found(Variable(name), column)


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
