"""Description: a table that tells about the columns of another, a row for each."""

from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.columns import from_cells, spell
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.times import spell_times
from satsuma.numerics.arrays import Array, Floats

if TYPE_CHECKING:
    from satsuma.data.variable import Kind

_SPELLED = ("column", "kind", "most frequent", "first", "last")
_KINDS: "dict[str, Kind]" = dict.fromkeys(_SPELLED, "sym")
_NUMBERS = ("mean", "sd", "min", "25%", "median", "75%", "max")

#: Numbers beyond this are scaled before they are added up, so that no sum overflows.
_LARGE, _SCALE = 1e150, 2.0**-600


class Description(Table):
    """A table about the columns of another, which shows its rows however many there are."""

    def __repr__(self) -> str:
        from satsuma.data.row_display import brief, show_rows

        return show_rows(self, brief, self._head())

    def _repr_html_(self) -> str:
        from satsuma.data.row_display import brief, show_rows_html

        return show_rows_html(self, brief, self._head())

    def _head(self) -> str:
        count = len(self)
        return f"{self.name or 'Table'}: {count:,} column{'' if count == 1 else 's'}"


def describe(table: Table) -> Table:
    """A row for each column of a table; see `Table.describe`."""
    rows = [_told(table, at) for at in range(len(table.domain))]
    ends = ["first", "last"] if any("first" in row for row in rows) else []
    counts = ["column", "kind", "known", "missing", "distinct"]
    names = [*counts, *_NUMBERS, *ends, "most frequent", "times"]
    made = [
        from_cells(name, [row.get(name) for row in rows], _KINDS.get(name, "num")) for name in names
    ]
    return Description(Domain(v for v, _ in made), (column for _, column in made), name=table.name)


def _told(table: Table, at: int) -> dict[str, Any]:
    variable, column, missing = table.domain[at], table.columns[at], table.missing(at)
    known: Array = column[~missing]
    told: dict[str, Any] = {"column": variable.name, "kind": variable.kind, "known": len(known)}
    told["missing"] = len(column) - len(known)
    if variable.kind == "num":
        distinct = np.unique(known)
        return told | {"distinct": len(distinct)} | (_numbers(known) if len(known) else {})
    values, first, times = np.unique(known, return_index=True, return_counts=True)
    told["distinct"] = len(values)
    if variable.kind == "time" and len(values):
        ends = spell_times(values[[0, -1]], variable.time_format)
        told |= {"first": ends[0], "last": ends[1]}
    if len(values) and (len(values) == 1 or times.max() > 1):
        # Of several that are as frequent, the one that comes first in the table.
        often = min(first[times == times.max()])
        row = int(np.flatnonzero(~missing)[often])
        told |= {"most frequent": spell(table.cell(row, at)), "times": int(times.max())}
    return told


def _numbers(known: Floats) -> dict[str, float | None]:
    low, high = float(known.min()), float(known.max())
    scale = _SCALE if max(-low, high) > _LARGE else 1.0
    small = known * scale
    inner = [small.mean(), *np.quantile(small, [0.25, 0.5, 0.75])]
    mean, *quartiles = (min(max(float(each) / scale, low), high) for each in inner)
    sd = float(small.std(ddof=1)) / scale if len(known) > 1 else np.nan
    told = dict(zip(_NUMBERS, (mean, sd, low, *quartiles, high), strict=True))
    return {name: number if np.isfinite(number) else None for name, number in told.items()}
