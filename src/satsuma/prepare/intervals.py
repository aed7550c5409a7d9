"""Intervals: columns of numbers as columns of symbols."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import NoSuchColumn
from satsuma.numerics.arrays import Codes, Floats


def spelled(cuts: Floats) -> tuple[str, ...]:
    """The intervals between cuts, as a person would write them: open below, closed above.

    Examples
    --------
    >>> spelled(np.array([2.45, 4.75]))
    ('<= 2.45', '(2.45, 4.75]', '> 4.75')
    >>> spelled(np.zeros(0))
    ('any',)
    """
    if not len(cuts):
        return ("any",)
    digits = (4, 6, 9, 13, 17)  # as few as tell them apart; the last do
    ways = ([f"{cut:.{each}g}" for cut in cuts.tolist()] for each in digits)
    told = next(way for way in ways if len(set(way)) == len(cuts))
    inner = [f"({a}, {b}]" for a, b in pairwise(told)]
    return (f"<= {told[0]}", *inner, f"> {told[-1]}")


class Intervals:
    """Cuts of columns of numbers, with which tables are cut.

    A number on a cut is below it. A missing number stays missing.

    Parameters
    ----------
    cuts
        Increasing numbers, by the name of the column.

    Examples
    --------
    >>> table = Table.of([(1, "a"), (2, "b"), (None, "b")], ["size", "kind"])
    >>> cut = Intervals({"size": np.array([1.5])})
    >>> cut(table)["size"]
    array(['<= 1.5', '> 1.5', None], dtype=object)
    >>> cut
    size  <= 1.5 | > 1.5
    """

    def __init__(self, cuts: Mapping[str, Floats]) -> None:
        self.cuts = dict(cuts)

    def __getitem__(self, name: str) -> Floats:
        if name not in self.cuts:
            raise NoSuchColumn(name, self.cuts)
        return self.cuts[name]

    def __call__(self, table: Table) -> Table:
        """The same rows with numbers as the intervals that they lie in."""
        variables, columns = list(table.domain), list(table.columns)
        for name, cuts in self.cuts.items():
            at = table.domain.index(name)
            variables[at] = self.variable(variables[at])
            columns[at] = places(columns[at], cuts)
        return Table(Domain(variables), columns, name=table.name, notes=table.notes, check=False)

    def variable(self, variable: Variable) -> Variable:
        """What a column of numbers becomes."""
        return replace(variable, kind="sym", values=spelled(self[variable.name]))

    def __repr__(self) -> str:
        label = max(map(len, self.cuts), default=0)
        lines = [f"{name:{label}}  {' | '.join(spelled(cut))}" for name, cut in self.cuts.items()]
        return "\n".join(lines)


def places(column: Floats, cuts: Floats | Sequence[float]) -> Codes:
    """The interval of each number, from 0; -1 where it is missing."""
    return np.where(np.isnan(column), -1, np.searchsorted(cuts, column)).astype(np.int32)
