"""Sheets that Orange wrote, or that are written for it: the header says kinds and roles."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from satsuma.data.cells import Found, check_kinds
from satsuma.data.columns import from_cells, spell
from satsuma.data.formats.delimited.header import TAB_MISSING
from satsuma.data.formats.delimited.heads import Head
from satsuma.data.formats.delimited.orange_heads import (
    declares,
    prefixed_heads,
    surely_prefixed,
    tab_heads,
)


def orange_sheet(
    names: Sequence[str], rows: Sequence[Sequence[Any]], kinds: Mapping[str, str], file: str
) -> tuple[list[Found], list[str]] | None:
    """The columns of a sheet whose header is one of Orange's, and what to tell; else None."""
    if not is_orange_sheet(names, rows):
        return None
    below = _below(names, rows)
    if surely_prefixed(names):
        heads, notes = prefixed_heads(names)
        what = "Names begin with roles and kinds"
    else:
        heads, notes = tab_heads((names, *below), kinds, None, file)
        rows, what = rows[2:], "The two rows below the names hold kinds and roles"
    kinds = check_kinds(kinds, [head.name for head in heads])
    found = [_found(head, column_cells(rows, j), kinds) for j, head in enumerate(heads)]
    told = f"{what}, as Orange writes them. Pass header=True if that is wrong."
    return found, [told, *notes]


def column_cells(rows: Sequence[Sequence[Any]], j: int) -> list[Any]:
    """The cells of a column; those behind the end of a row are missing."""
    return [row[j] if j < len(row) else None for row in rows]


def is_orange_sheet(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> bool:
    """Whether names, or the two rows below them, say kinds and roles."""
    below = _below(names, rows)
    return surely_prefixed(names) or (len(below) == 2 and declares(*below))


def _below(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[list[str]]:
    return [_strings(row, len(names)) for row in rows[:2]]


def _strings(row: Sequence[Any], width: int) -> list[str]:
    return ["" if cell is None else spell(cell) for cell in row] + [""] * (width - len(row))


def _found(head: Head, cells: Sequence[Any], kinds: Mapping[str, str]) -> Found:
    kind = kinds.get(head.name, head.kind)
    known = [None if isinstance(c, str) and c.strip() in TAB_MISSING else c for c in cells]
    values = head.values if kind == "sym" else ()
    variable, column = from_cells(head.name, known, kind, values)
    return Found(replace(variable, role=head.role), column)
