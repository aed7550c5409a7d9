"""Target by value: how the target of all rows differs between the values of a column."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import SatsumaError
from satsuma.measures.estimates import wilson
from satsuma.measures.ideal_point import distance_to_ideal
from satsuma.numerics.arrays import Array, Floats
from satsuma.report.elements import Cell, Grid
from satsuma.report.number_format import MISSING, format_number, format_value, percent

#: Values or ranges of a column, and classes that have a column of their own.
GROUPS, CLASSES = 8, 5

#: Half the width of an interval of 95 %, in standard errors.
_Z = 1.959963984540054


@dataclass(frozen=True)
class Aim:
    """What values are compared by: the target, the distance to the ideal point, or nothing."""

    name: str = ""
    column: Array | None = None
    values: tuple[str, ...] = ()

    @classmethod
    def of(cls, table: Table) -> "Aim":
        """The target of a table; with goals, the distance to the ideal point."""
        target = table.domain.target
        if target is not None and target.kind in ("num", "sym"):
            column = table.column(target.name)
            return cls(target.name, column, target.values if target.kind == "sym" else ())
        if target is None and table.domain.goals:
            try:
                return cls("distance to the ideal point", distance_to_ideal(table)(table))
            except SatsumaError:
                pass
        return cls()

    @cached_property
    def shown(self) -> list[int]:
        """The classes that are shown: of two, the rarer one; else the most frequent ones."""
        assert self.column is not None
        known = self.column[self.column >= 0]
        counts = np.bincount(known, minlength=len(self.values))
        order = [int(code) for code in np.argsort(-counts, kind="stable") if counts[code]]
        return order[1:] if len(order) == 2 else order[:CLASSES]


@dataclass(frozen=True)
class Groups:
    """Rows by a value or a range of a column."""

    labels: list[str]
    codes: Array

    @classmethod
    def of(cls, table: Table, variable: Variable) -> "Groups | None":
        """The most frequent values, or ranges of about as many rows; None for times and text.

        Examples
        --------
        >>> rows = [(1,), (1,), (2,), (None,)]
        >>> Groups.of(table := Table.of(rows, ["n"], target=None), table.domain["n"]).labels
        ['1', '2', 'missing']
        """
        column, missing = table.column(variable.name), table.missing(variable.name)
        if missing.all() or variable.kind not in ("num", "sym"):
            return None
        codes = np.zeros(len(column), np.int64)
        if variable.kind == "sym":
            labels, codes[~missing] = _symbols(column[~missing], variable.values)
        else:
            labels, codes[~missing] = _numbers(column[~missing])
        if missing.any():
            codes[missing] = len(labels)
            labels.append(MISSING)
        return cls(labels, codes)

    def grid(self, name: str, aim: Aim) -> Grid:
        """How many rows there are of each value, and the target of these."""
        sizes = np.bincount(self.codes, minlength=len(self.labels))
        lines = [
            [Cell(label), Cell(f"{size:,}", bar=float(size / max(1, sizes.max())))]
            for label, size in zip(self.labels, sizes.tolist(), strict=True)
        ]
        head, shown = [cut(name, 40), "rows"], name != aim.name
        if aim.column is not None and shown and aim.values:
            head += [f"{cut(aim.name, 24)} = {cut(aim.values[c], 24)}" for c in aim.shown]
            for line, more in zip(lines, self._classes(aim), strict=True):
                line.extend(more)
        elif aim.column is not None and shown:
            head.append(f"mean {cut(aim.name, 40)}")
            for line, more in zip(lines, self._means(aim), strict=True):
                line.append(more)
        return Grid("Values", head, lines, tuple(range(len(head))), plain=True)

    def _classes(self, aim: Aim) -> list[list[Cell]]:
        assert aim.column is not None
        known, k = aim.column >= 0, len(aim.values)
        cells = np.bincount(
            self.codes[known] * k + aim.column[known], minlength=len(self.labels) * k
        )
        counts = cells.reshape(len(self.labels), k)
        total = counts.sum(axis=1)
        made: list[list[Cell]] = []
        for row, n in zip(counts[:, aim.shown], total.tolist(), strict=True):
            made.append([_share(int(count), n, len(aim.shown) == 1) for count in row.tolist()])
        return made

    def _means(self, aim: Aim) -> list[Cell]:
        assert aim.column is not None
        known = np.isfinite(aim.column)
        codes, k = self.codes[known], len(self.labels)
        unit = float(np.abs(aim.column[known]).max(initial=0.0)) or 1.0
        numbers: Floats = aim.column[known] / unit
        n = np.bincount(codes, minlength=k)
        mean = np.bincount(codes, numbers, k) / np.maximum(n, 1)
        squares = np.bincount(codes, (numbers - mean[codes]) ** 2, k)
        error = np.sqrt(squares / np.maximum(n - 1, 1) / np.maximum(n, 1))
        there = mean[n > 0]
        low, span = (float(there.min()), float(np.ptp(there))) if len(there) else (0.0, 0.0)
        made: list[Cell] = []
        for size, middle, half in zip(
            n.tolist(), mean.tolist(), (_Z * error).tolist(), strict=True
        ):
            if not size:
                made.append(Cell("?"))
                continue
            text = format_number(middle * unit, 3)
            if size > 1:
                ends = [format_number((middle + sign * half) * unit, 3) for sign in (-1, 1)]
                text += f" ({ends[0]} to {ends[1]})"
            # The least mean has a bar, too.
            made.append(Cell(text, bar=0.08 + 0.92 * (middle - low) / span if span else 0.08))
        return made


def _share(count: int, n: int, interval: bool) -> Cell:
    if not n:
        return Cell("?")
    text = percent(count / n)
    if interval:
        low, high = wilson(count / n, n)
        text += f" ({100 * float(low):.0f} to {100 * float(high):.0f})"
    return Cell(text, bar=count / n)


def _symbols(codes: Array, values: tuple[str, ...]) -> tuple[list[str], Array]:
    counts = np.bincount(codes, minlength=len(values))
    order = [int(code) for code in np.argsort(-counts, kind="stable") if counts[code]]
    kept = order if len(order) <= GROUPS + 1 else order[:GROUPS]
    labels = [cut(values[code], 40) for code in kept]
    if len(kept) < len(order):
        labels.append(f"{len(order) - len(kept):,} other values")
    new = np.full(len(values), len(kept))
    new[kept] = np.arange(len(kept))
    return labels, new[codes]


def _numbers(known: Floats) -> tuple[list[str], Array]:
    few = np.unique(known[:1000])
    distinct = np.unique(known) if len(few) <= GROUPS else few
    if len(distinct) <= GROUPS:
        return [format_value(each) for each in distinct.tolist()], np.searchsorted(distinct, known)
    ordered = np.sort(known)
    places = [len(ordered) * at // GROUPS for at in range(1, GROUPS)]
    # Ends of three digits: rows are told apart by what is written.
    ends = np.unique([float(f"{ordered[at]:.3g}") for at in places])
    ends = ends[(ends > ordered[0]) & (ends <= ordered[-1])]
    spelled = [format_number(end, 3) for end in ends.tolist()]
    labels = [
        f"below {spelled[0]}",
        *(f"{low} to below {high}" for low, high in pairwise(spelled)),
        f"{spelled[-1]} or more",
    ] if spelled else [f"{format_value(ordered[0])} to {format_value(ordered[-1])}"]  # fmt: skip
    return labels, np.searchsorted(ends, known, side="right")
