"""Intervals: columns of numbers as columns of symbols."""

from collections.abc import Mapping
from dataclasses import replace

from satsuma.data.breaks import cut_texts, interval_codes, interval_labels
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import NoSuchColumn
from satsuma.numerics.arrays import Floats


def interval_names(cuts: Floats) -> tuple[str, ...]:
    """The intervals between cuts, with as few digits as tell the cuts apart.

    Examples
    --------
    >>> import numpy as np
    >>> interval_names(np.array([2.45, 4.75]))
    ('<= 2.45', '(2.45, 4.75]', '> 4.75')
    >>> import numpy as np
    >>> interval_names(np.zeros(0))
    ('any',)
    """
    if not len(cuts):
        return interval_labels([])
    return interval_labels(cut_texts(cuts.tolist()))


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
    >>> import numpy as np
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
            columns[at] = interval_codes(columns[at], cuts)
        return Table(Domain(variables), columns, name=table.name, notes=table.notes, check=False)

    def variable(self, variable: Variable) -> Variable:
        """What a column of numbers becomes."""
        return replace(variable, kind="sym", values=interval_names(self[variable.name]))

    def __repr__(self) -> str:
        label = max(map(len, self.cuts), default=0)
        lines = [
            f"{name:{label}}  {' | '.join(interval_names(cut))}" for name, cut in self.cuts.items()
        ]
        return "\n".join(lines)
