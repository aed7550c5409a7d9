"""Condition: what a rule asks of one column; and those on the way to a leaf of a tree."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isnan, nan

import numpy as np
import numpy.typing as npt

from satsuma.data.breaks import cut_text
from satsuma.data.table import Table
from satsuma.kernels.tree import Flat, branches_of
from satsuma.learners.tree.asked_columns import AskedColumns, known_end
from satsuma.numerics.arrays import Array


@dataclass(frozen=True)
class Condition:
    """What a rule asks of one column; a missing value meets it only where that tells something.

    Parameters
    ----------
    column
        Which of the columns that can be asked for, see `AskedColumns`.
    threshold, above
        Of a number, whether it is to be above the threshold, or not.
    values
        Of a symbol, the codes of the values that it may have.

    Examples
    --------
    >>> long = Condition(0, 2.5, above=True)
    >>> long.holds(np.array([2.5, 3.0, np.nan])).tolist()
    [False, True, False]
    >>> long.text(AskedColumns(Table.of([(1.0, "a")], ["length", "kind"]).domain, ()))
    'length > 2.5'
    """

    column: int
    threshold: float = nan
    above: bool = False
    values: tuple[int, ...] = ()

    def holds(self, cells: Array) -> npt.NDArray[np.bool_]:
        """Which cells of its column meet it."""
        if isnan(self.threshold):
            return np.isin(cells, self.values)
        with np.errstate(invalid="ignore"):
            return cells > self.threshold if self.above else cells <= self.threshold

    def text(self, asked: AskedColumns) -> str:
        """The condition, as trees print it."""
        told, name = self._told(asked), asked.attributes[asked.source[self.column]].name
        return f"{name} {told}"

    def asks(self, asked: AskedColumns) -> str:
        """What the column is to be."""
        told = self._told(asked)
        return told.removeprefix("= ").removeprefix("in ").removeprefix("is ")

    def _told(self, asked: AskedColumns) -> str:
        if not isnan(self.threshold):
            sides = asked.conditions(self.column, self.threshold, cut_text(self.threshold))
            return sides[self.above]
        values = [asked.values(self.column)[code] for code in self.values]
        if len(values) != 1:
            return f"in {{{', '.join(values)}}}"
        return "is missing" if values[0] == asked.missing_as(self.column) else f"= {values[0]}"


#: What a rule asks: all of it is to hold.
Conditions = tuple[Condition, ...]


def meets(conditions: Conditions, batch: Table) -> npt.NDArray[np.bool_]:
    """Which rows meet all of some conditions."""
    found = np.ones(len(batch), np.bool_)
    for each in conditions:
        found &= each.holds(batch.column(batch.domain.attributes[each.column].name))
    return found


def without_repetition(way: Iterable[Condition]) -> Conditions:
    """The same with one condition where several are about the same side of a column.

    Examples
    --------
    >>> way = [Condition(0, 3.0, above=True), Condition(1, values=(0, 1)), Condition(0, 5.0, True)]
    >>> [each.threshold for each in without_repetition(way)]
    [5.0, nan]
    """
    kept: dict[tuple[int, bool], Condition] = {}
    for each in way:
        key = each.column, each.above
        other = kept.get(key, each)
        values = tuple(code for code in each.values if code in other.values)
        tightest = max if each.above else min
        threshold = tightest(each.threshold, other.threshold)
        kept[key] = Condition(each.column, threshold, each.above, values)
    return tuple(kept.values())


def as_known(way: Conditions, asked: AskedColumns) -> Conditions:
    """The same where no condition on a number admits missing cells that another keeps out.

    Examples
    --------
    >>> asked = AskedColumns(Table.of([(1.0, "a")], ["size", "kind"]).domain, ("size",))
    >>> way = (Condition(0, 5.0), Condition(0, asked.missing_as(0) / 2, above=True))
    >>> [each.text(asked) for each in way]
    ['size ≤ 5 or missing', 'size is known']
    >>> [each.text(asked) for each in as_known(way, asked)]
    ['size ≤ 5']
    """
    known = {asked.source[each.column] for each in way if _admits(each, asked) is False}
    made = [
        replace(each, column=asked.twin(each.column))
        if _admits(each, asked) and asked.source[each.column] in known
        else each
        for each in way
    ]
    cut = {asked.source[each.column] for each in made if np.isfinite(known_end(each.threshold))}
    every = known & cut  # a cut says that the number is known
    return without_repetition(
        each
        for each in made
        if asked.source[each.column] not in every or np.isfinite(known_end(each.threshold))
    )


def _admits(each: Condition, asked: AskedColumns) -> bool | None:
    """Whether a missing cell meets a condition; None unless it is taken for a number."""
    cell = asked.missing_as(each.column)
    return bool(each.holds(np.array([cell]))[0]) if isinstance(cell, float) else None


def way_sizes(tree: Flat) -> npt.NDArray[np.intp]:
    """How many conditions lead to each node of a tree, without repetition."""
    sides = [frozenset[tuple[int, int]]()] * len(tree.column)
    columns, numbers = tree.column.tolist(), (~np.isnan(tree.threshold)).tolist()
    for node in np.flatnonzero(tree.column >= 0).tolist():
        for above, child in enumerate(branches_of(tree, node)):
            sides[child] = sides[node] | {(columns[node], above if numbers[node] else 0)}
    return np.array([len(each) for each in sides])


def way_to(tree: Flat, node: int) -> Conditions:
    """The conditions that lead to a node of a tree, from its root, without repetition."""
    way = list[Condition]()
    above = np.repeat(np.arange(len(tree.column)), np.diff(tree.first))
    while node:
        values = np.flatnonzero(tree.branches == node)
        parent = int(above[values[0]])
        values = tuple((values - tree.first[parent]).tolist())
        threshold, column = float(tree.threshold[parent]), int(tree.column[parent])
        if isnan(threshold):
            way.append(Condition(column, values=values))
        else:
            way.append(Condition(column, threshold, above=values == (1,)))
        node = parent
    return without_repetition(way[::-1])
