"""Outlier reasons: which cells of a row are unusual, and compared with what."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from math import comb
from typing import NamedTuple

import numpy as np

from satsuma.data.row_sample import sampled_rows
from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.errors import SatsumaError
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Array, Codes, Floats, Indices
from satsuma.report.number_format import format_cell, format_number, percent

#: A number is unusual that is among so few of the least or of the greatest; a value that is among
#: the rarest, which so few rows have together.
TAIL, RARE = 0.02, 0.05

#: How many rows, at least, are those most like a row in all other columns, and among how many they
#: are looked for.
LIKE, AMONG = 20, 4_000

#: Of such rows, the share that must have one other value, and how improbable it must be that no
#: more of them have that of the row, as common as it is.
COMMON, IMPROBABLE = 0.75, 0.02

#: How far a number lies beyond those of such rows at least: as a share of what these span, and in
#: standard deviations of the column.
BEYOND, SPREAD = 0.5, 0.5

#: Columns of a row that are looked at, and reasons that are given, at most.
LOOKED, MOST = 6, 3


class _Others(NamedTuple):
    """The rows that a row is compared with, without one column, and how far they are apart."""

    table: Table
    distance: Distance | None


class OutlierReasons:
    """What is unusual about rows of a table, as phrases.

    A cell is unusual that is rare by itself, or among the rows that are most like its row in all
    other columns; of many rows, these are looked for among 4,000.

    Parameters
    ----------
    rows
        The table.

    Examples
    --------
    >>> cells = [(float(k % 10), "usual") for k in range(99)] + [(500.0, "usual")]
    >>> OutlierReasons(Table.of(cells, ["size", "kind"], target=None))(99, ["size", "kind"])
    ['size is 500, the greatest of all']
    """

    def __init__(self, rows: Table) -> None:
        self.rows = rows
        self._others, self._known = dict[str, _Others](), dict[str, Array]()

    def __call__(self, at: int, names: Sequence[str]) -> list[str]:
        """What is unusual about a row, of the first columns that are named; empty if nothing."""
        each = (self._alone(at, name) or self._among_alike(at, name) for name in names[:LOOKED])
        return [reason for reason in each if reason][:MOST]

    def _alone(self, at: int, name: str) -> str:
        """Whether a cell is rare by itself."""
        rows, short = self.rows, cut(name, 40)
        known, column = self._sorted(name), rows.column(name)
        if rows.missing(name)[at]:
            share = 1 - len(known) / len(rows)
            return f"{short} is missing, as in {percent(share)} of the rows" if share < RARE else ""
        is_so = f"{short} is {format_cell(rows, at, name)}"
        first, last = bisect_left(known, column[at]), bisect_right(known, column[at])
        if rows.domain[name].kind == "sym":
            counts = np.bincount(known)
            if counts[counts <= last - first].sum() >= RARE * len(known):
                return ""
            share = percent((last - first) / len(known))
            alone = last - first == 1
            return f"{is_so}, as in {'no other row' if alone else f'{share} of the rows'}"
        above, below = 1 - first / len(known), last / len(known)
        if min(above, below) >= TAIL:
            return ""
        if max(above, below) == 1.0:
            return f"{is_so}, the {'greatest' if above < below else 'least'} of all"
        more = "more" if above < below else "less"
        return f"{is_so}, {more} than in {percent(max(1 - above, 1 - below))} of the rows"

    def _sorted(self, name: str) -> Array:
        if name not in self._known:
            self._known[name] = np.sort(self.rows.column(name)[~self.rows.missing(name)])
        return self._known[name]

    def _among_alike(self, at: int, name: str) -> str:
        """Whether a cell is rare among the rows that are like this one in all other columns."""
        rows = self.rows
        near = self._alike(at, name)
        near = near[~rows.missing(name)[near]]
        if rows.missing(name)[at] or len(near) < LIKE // 2:
            return ""
        column = rows.column(name)
        of_kind = self._other_value if rows.domain[name].kind == "sym" else self._far_off
        what = of_kind(name, column[at], column[near])
        return f"{cut(name, 40)} is {format_cell(rows, at, name)}, where {what}" if what else ""

    def _other_value(self, name: str, code: int, cells: Codes) -> str:
        """The value of most rows like a row, where it is no chance that they lack its own."""
        most = int(np.bincount(cells).argmax())
        times, same = int((cells == most).sum()), int((cells == code).sum())
        share = float((self._sorted(name) == code).mean())
        if times < COMMON * len(cells) or _at_most(same, len(cells), share) > IMPROBABLE:
            return ""
        part = f"{times} of" if times < len(cells) else "all"
        value = cut(self.rows.domain[name].values[most], 24)
        return f"{part} the {len(cells)} rows most like it have {value}"

    def _far_off(self, name: str, number: float, cells: Floats) -> str:
        """The numbers that rows like a row have, where its own lies far beyond them."""
        low, high, known = float(cells.min()), float(cells.max()), self._sorted(name)
        beyond = max(low - number, number - high)
        if beyond <= max(BEYOND * (high - low), SPREAD * _spread(known)):
            return ""
        if low == high:  # as of a value: how common are numbers so far off, among all rows?
            share = float((known >= number).mean() if number > high else (known <= number).mean())
            if _at_most(0, len(cells), share) > IMPROBABLE:
                return ""
        ends = [format_number(end) for end in ((low, high) if low < high else (low,))]
        return f"the {len(cells)} rows most like it have {' to '.join(ends)}"

    @cached_property
    def _numbers(self) -> Indices:
        return sampled_rows(len(self.rows), AMONG)

    def _alike(self, at: int, name: str) -> Indices:
        if name not in self._others:
            others = self.rows[self._numbers].with_roles({name: "meta"})
            try:
                self._others[name] = _Others(others, Distance.of(others))
            except SatsumaError:  # there is no other column
                self._others[name] = _Others(others, None)
        others, distance = self._others[name]
        if distance is None:
            return np.zeros(0, np.intp)
        away = distance.between(self.rows[[at]].with_roles({name: "meta"}), others)
        away[self._numbers == at] = np.inf
        # Of rows that are equally far, none is preferred for its place.
        farthest = np.partition(away, min(LIKE, len(away)) - 1)[min(LIKE, len(away)) - 1]
        return self._numbers[(away <= farthest) & np.isfinite(away)]


def _at_most(some: int, of: int, share: float) -> float:
    """How probable it is that no more of some rows have a value that a share of all rows has."""
    return sum(comb(of, k) * share**k * (1 - share) ** (of - k) for k in range(some + 1))


def _spread(known: Floats) -> float:
    """The standard deviation, of huge numbers, too."""
    largest = max(float(np.abs(known).max()), 1e-300)
    return float((known / largest).std()) * largest
