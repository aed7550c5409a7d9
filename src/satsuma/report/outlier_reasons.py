"""Outlier reasons: which cells of a row are unusual, and compared with what."""

import numpy as np

from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.errors import SatsumaError
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Array
from satsuma.report.number_format import format_cell, format_number, percent

#: A number is unusual that is among so few of the least or of the greatest; a value that so few
#: rows have.
TAIL, RARE = 0.02, 0.05

#: Rows that are like a row in all other columns, and how many of them may have what it has.
LIKE, FEW = 20, 1

#: How far a number lies beyond those of such rows at least, as a share of what these span.
BEYOND = 0.1


def outlier_reasons(rows: Table, at: int, names: list[str], most: int = 3) -> list[str]:
    """What is unusual about a row, of the columns that are named, as phrases; empty if nothing.

    A cell is unusual that is rare by itself, or among the rows that are most like this one in all
    other columns.

    Examples
    --------
    >>> cells = [(float(k % 10), "usual") for k in range(99)] + [(500.0, "usual")]
    >>> outlier_reasons(Table.of(cells, ["size", "kind"], target=None), 99, ["size", "kind"])
    ['size is 500, the greatest of all']
    """
    found: list[str] = []
    for name in names:
        reason = _alone(rows, at, name) or _among_alike(rows, at, name)
        if reason:
            found.append(reason)
        if len(found) == most:
            break
    return found


def _alone(rows: Table, at: int, name: str) -> str:
    """Whether a cell is rare by itself."""
    column, missing, short = rows.column(name), rows.missing(name), cut(name, 40)
    if missing[at]:
        share = float(missing.mean())
        return f"{short} is missing, as in {percent(share)} of the rows" if share < RARE else ""
    is_so = f"{short} is {format_cell(rows, at, name)}"
    known = column[~missing]
    if rows.domain[name].kind == "sym":
        same = int((known == column[at]).sum())
        if same == 1:
            return f"{is_so}, as in no other row"
        share = same / len(known)
        return f"{is_so}, as in {percent(share)} of the rows" if share < RARE else ""
    above, below = float((known >= column[at]).mean()), float((known <= column[at]).mean())
    if min(above, below) >= TAIL:
        return ""
    if max(above, below) == 1.0:
        return f"{is_so}, the {'greatest' if above < below else 'least'} of all"
    more = "more" if above < below else "less"
    return f"{is_so}, {more} than in {percent(max(1 - above, 1 - below))} of the rows"


def _among_alike(rows: Table, at: int, name: str) -> str:
    """Whether a cell is rare among the rows that are like this one in all other columns."""
    column, missing = rows.column(name), rows.missing(name)
    near = _alike(rows, at, name)
    near = near[~missing[near]]
    if missing[at] or len(near) < LIKE // 2:
        return ""
    cells, short = column[near], cut(name, 40)
    is_so = f"{short} is {format_cell(rows, at, name)}"
    if rows.domain[name].kind == "sym":
        if (cells == column[at]).sum() > FEW:
            return ""
        most = rows.domain[name].values[int(np.bincount(cells).argmax())]
        times = int(np.bincount(cells).max())
        return f"{is_so}, where {times} of the {len(near)} rows most like it have {cut(most, 24)}"
    low, high, number = float(cells.min()), float(cells.max()), float(column[at])
    if max(low - number, number - high) <= BEYOND * (high - low):
        return ""
    ends = f"{format_number(low)} to {format_number(high)}" if low < high else format_number(low)
    return f"{is_so}, where the {len(near)} rows most like it have {ends}"


def _alike(rows: Table, at: int, name: str) -> Array:
    others = rows.with_roles({name: "meta"})
    try:
        away = Distance.of(others).between(others[at], others)
    except SatsumaError:  # there is no other column
        return np.zeros(0, np.intp)
    away[at] = np.inf
    return np.argsort(away, kind="stable")[:LIKE]
