"""Duplicate columns: copies of another, in other units, or with other names for the same values."""

from collections.abc import Sequence

import numpy as np

from satsuma.data.phrases import quoted
from satsuma.data.row_sample import sample_rows
from satsuma.data.table import Table
from satsuma.numerics.arrays import Array, Floats
from satsuma.report.findings.finding import Finding, leave_out

#: From this correlation on, a number is another number in other units.
_CORRELATED = 0.9999

#: Columns that are compared, each with each.
_MOST = 1500

_WHY = "Learners that take columns as independent, such as naive Bayes, count it twice."


def find_duplicate_columns(table: Table, names: Sequence[str]) -> list[Finding]:
    """A finding for every column that duplicates an earlier one."""
    if len(table) < 20:
        return []
    some = sample_rows(table)
    found = _alike(some, names)
    if found and len(some) < len(table):
        # What is alike in a sample is compared again in all rows.
        found = _alike(table, [n for n in names if n in found or n in found.values()])
    return [
        Finding(
            name,
            "duplicate column",
            f"{quoted(name)} says the same as {quoted(other)}.",
            f"{_WHY} {leave_out(name)}",
        )
        for name in names
        if (other := found.get(name))
    ]


def _alike(table: Table, names: Sequence[str]) -> dict[str, str]:
    """The columns that duplicate an earlier one, with that one."""
    numbers = [n for n in names if table.domain[n].kind == "num"][:_MOST]
    symbols = [n for n in names if table.domain[n].kind == "sym"]
    return {**_same_partition(table, [*symbols, *numbers]), **_correlated(table, numbers)}


def _same_partition(table: Table, names: Sequence[str]) -> dict[str, str]:
    """Columns that put rows together in the same way, whatever they call the values."""
    first: dict[bytes, str] = {}
    found: dict[str, str] = {}
    for name in sorted(names, key=table.domain.index):
        partition = _partition(table.column(name), table.domain[name].kind)
        if partition is None:
            continue
        mark = partition.tobytes()
        if mark in first:
            found[name] = first[mark]
        else:
            first[mark] = name
    return found


def _partition(column: Array, kind: str) -> Array | None:
    """Rows numbered by the first row with the same value; None where values hardly repeat."""
    values, starts, codes = np.unique(column, return_index=True, return_inverse=True)
    if not 1 < len(values) <= len(column) / 5:
        return None
    return starts[codes].astype(np.int32) if kind in ("num", "sym") else None


def _correlated(table: Table, names: Sequence[str]) -> dict[str, str]:
    """Numbers that rise and fall with an earlier one, exactly in line, and are missing with it."""
    if len(names) < 2:
        return {}
    cells = np.stack([table.column(name) for name in names], axis=1)
    missing = np.isnan(cells)
    standardized = _standardized(cells, missing)
    alike = np.abs(standardized.T @ standardized) >= _CORRELATED
    found: dict[str, str] = {}
    for later, earlier in np.argwhere(np.tril(alike, -1)).tolist():
        if names[later] not in found and (missing[:, later] == missing[:, earlier]).all():
            found[names[later]] = names[earlier]
    return found


def _standardized(cells: Floats, missing: Array) -> Floats:
    """Columns of mean 0 and length 1; missing values are 0, and so is a column that cannot be."""
    with np.errstate(all="ignore"):
        shifted = np.where(missing, 0.0, cells)
        shifted /= np.maximum(np.abs(shifted).max(axis=0), np.finfo(float).tiny)
        mean = shifted.sum(axis=0) / np.maximum(1, (~missing).sum(axis=0))
        shifted = np.where(missing, 0.0, shifted - mean)
        standardized = shifted / np.sqrt((shifted**2).sum(axis=0))
    return np.where(np.isfinite(standardized), standardized, 0.0)
