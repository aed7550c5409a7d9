"""Condition: what a rule asks of one column; and those on the way to a leaf of a tree."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan, nan

import numpy as np
import numpy.typing as npt

from satsuma.data.breaks import cut_text
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.kernels.tree import Flat, branches_of
from satsuma.numerics.arrays import Array


@dataclass(frozen=True)
class Condition:
    """What a rule asks of one column; a missing value does not meet it.

    Parameters
    ----------
    column
        Which of the attributes.
    threshold, above
        Of a number, whether it is to be above the threshold, or not.
    values
        Of a symbol, the codes of the values that it may have.

    Examples
    --------
    >>> long = Condition(0, 2.5, above=True)
    >>> long.holds(np.array([2.5, 3.0, np.nan])).tolist()
    [False, True, False]
    >>> long.text(Variable("length", "num"))
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

    def text(self, variable: Variable) -> str:
        """The condition, as trees print it."""
        if not isnan(self.threshold):
            return f"{variable.name} {self.asks(variable)}"
        return f"{variable.name} {'=' if len(self.values) == 1 else 'in'} {self.asks(variable)}"

    def asks(self, variable: Variable) -> str:
        """What the column is to be."""
        if not isnan(self.threshold):
            return f"{'>' if self.above else '≤'} {cut_text(self.threshold)}"
        values = [variable.values[code] for code in self.values]
        return values[0] if len(values) == 1 else f"{{{', '.join(values)}}}"


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
