"""Condition: what a rule asks of one column; and those on the way to each leaf of a tree."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan, nan

import numpy as np
import numpy.typing as npt

from satsuma.data.breaks import cut_text
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.kernels.tree import Flat
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


def ways_to_leaves(tree: Flat) -> list[Conditions]:
    """The conditions that lead to each leaf of a tree, in reading order."""
    found: list[Conditions] = []
    waiting: list[tuple[int, Conditions]] = [(0, ())]
    while waiting:
        node, way = waiting.pop()
        column, threshold = int(tree.column[node]), float(tree.threshold[node])
        if column < 0:
            found.append(without_repetition(way))
            continue
        led = tree.branches[tree.first[node] : tree.first[node + 1]].tolist()
        if isnan(threshold):
            of: dict[int, tuple[int, ...]] = {}
            for code, child in enumerate(led):
                of[child] = (*of.get(child, ()), code)
            below = [(to, Condition(column, values=of[to])) for to in sorted(of) if to >= 0]
        else:
            sides = zip(led, (False, True), strict=True)
            below = [(to, Condition(column, threshold, above)) for to, above in sides]
        waiting += [(to, (*way, condition)) for to, condition in below][::-1]
    return found
