"""Columns that say the same as another: copies, other units, other names for the same values."""

from collections.abc import Sequence

import numpy as np

from satsuma.data.table import Table
from satsuma.numerics.arrays import Array, Floats
from satsuma.report.findings.finding import Doubt, drawn, named

#: From this correlation on, a number is another number in other units.
_CORRELATED = 0.9999

#: Columns that are compared, each with each.
_MOST = 1500

_REMEDY = "Leave one of them out: methods that take columns as independent count it twice."


def same(table: Table, names: Sequence[str]) -> list[Doubt]:
    """A doubt for every column that says the same as an earlier one."""
    if len(table) < 20:
        return []
    some = drawn(table)
    found = _alike(some, names)
    if found and len(some) < len(table):
        # What is alike in a sample is looked at again in all rows.
        found = _alike(table, [n for n in names if n in found or n in found.values()])
    return [
        Doubt(name, "says the same", f"{named(name)} says the same as {named(other)}.", _REMEDY)
        for name in names
        if (other := found.get(name))
    ]


def _alike(table: Table, names: Sequence[str]) -> dict[str, str]:
    """The columns that say the same as an earlier one, with that one."""
    numbers = [n for n in names if table.domain[n].kind == "num"][:_MOST]
    symbols = [n for n in names if table.domain[n].kind == "sym"]
    return {**_of_divisions(table, [*symbols, *numbers]), **_of_numbers(table, numbers)}


def _of_divisions(table: Table, names: Sequence[str]) -> dict[str, str]:
    """Columns that put rows together in the same way, whatever they call the values."""
    first: dict[bytes, str] = {}
    found: dict[str, str] = {}
    for name in sorted(names, key=table.domain.index):
        division = _division(table.column(name), table.domain[name].kind)
        if division is None:
            continue
        mark = division.tobytes()
        if mark in first:
            found[name] = first[mark]
        else:
            first[mark] = name
    return found


def _division(column: Array, kind: str) -> Array | None:
    """Rows numbered by the first row with the same value; None where values hardly repeat."""
    values, starts, codes = np.unique(column, return_index=True, return_inverse=True)
    if not 1 < len(values) <= len(column) / 5:
        return None
    return starts[codes].astype(np.int32) if kind in ("num", "sym") else None


def _of_numbers(table: Table, names: Sequence[str]) -> dict[str, str]:
    """Numbers that rise and fall with an earlier one, exactly in line, and are missing with it."""
    if len(names) < 2:
        return {}
    cells = np.stack([table.column(name) for name in names], axis=1)
    holes = np.isnan(cells)
    scaled = _scaled(cells, holes)
    alike = np.abs(scaled.T @ scaled) >= _CORRELATED
    found: dict[str, str] = {}
    for later, earlier in np.argwhere(np.tril(alike, -1)).tolist():
        if names[later] not in found and (holes[:, later] == holes[:, earlier]).all():
            found[names[later]] = names[earlier]
    return found


def _scaled(cells: Floats, holes: Array) -> Floats:
    """Columns of mean 0 and length 1; holes are 0, and so is a column that cannot be scaled."""
    with np.errstate(all="ignore"):
        shifted = np.where(holes, 0.0, cells)
        shifted /= np.maximum(np.abs(shifted).max(axis=0), np.finfo(float).tiny)
        mean = shifted.sum(axis=0) / np.maximum(1, (~holes).sum(axis=0))
        shifted = np.where(holes, 0.0, shifted - mean)
        scaled = shifted / np.sqrt((shifted**2).sum(axis=0))
    return np.where(np.isfinite(scaled), scaled, 0.0)
