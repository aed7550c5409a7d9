"""Marks: numbers and symbols beside texts, as ones and zeros that count like words."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.numerics.arrays import Floats, Indices
from satsuma.prepare.discretizers import EqualFrequency
from satsuma.prepare.intervals import Intervals

#: Intervals that numbers fall into.
INTERVALS = 5


class Marks:
    """A row has a mark for each known cell: the value of a symbol, the interval of a number.

    Marks are equal, and those of a row have length 1 together if none is missing: all columns
    count as much as all words, which have length 1 as well. A value that was not there in learning
    has no mark.

    Parameters
    ----------
    domain
        The columns that were learned from; those of text have no marks.
    cuts
        Of each number, by name.

    Examples
    --------
    >>> table = Table.of([(1, "a"), (2, "b"), (None, "b")], ["size", "kind"], target=None)
    >>> marks = Marks(table.domain, {"size": np.array([1.5])})
    >>> marks.names
    ['size <= 1.5', 'size > 1.5', 'kind = a', 'kind = b']
    >>> marks.matrix(table).toarray().round(2).tolist()
    [[0.71, 0.0, 0.71, 0.0], [0.0, 0.71, 0.0, 0.71], [0.0, 0.0, 0.0, 0.71]]
    """

    def __init__(self, domain: Domain, cuts: Mapping[str, Floats]) -> None:
        self._intervals = Intervals(cuts)
        used = [v for v in domain.attributes if v.kind == "sym" or v.name in self._intervals.cuts]
        self._columns = [v if v.kind == "sym" else self._intervals.variable(v) for v in used]
        numbers = self._intervals.cuts
        self.names = [
            f"{v.name} {value}" if len(numbers.get(v.name, ())) else f"{v.name} = {value}"
            for v in self._columns
            for value in v.values
        ]

    def matrix(self, batch: Table) -> Any:
        """Rows by marks, sparse."""
        from scipy import sparse

        cut, rows, places, first = self._intervals(batch), list[Indices](), list[Indices](), 0
        for variable in self._columns:
            codes = cut.column(variable.name)
            known = np.flatnonzero((codes >= 0) & (codes < len(variable.values)))
            rows.append(known)
            places.append(codes[known].astype(np.intp) + first)
            first += len(variable.values)
        if not self._columns:
            return sparse.csr_matrix((len(batch), 0))
        at = np.concatenate(rows), np.concatenate(places)
        one = np.full(len(at[0]), 1 / np.sqrt(len(self._columns)))
        return sparse.csr_matrix((one, at), (len(batch), first))


def learn_marks(table: Table) -> tuple[Marks, dict[str, Floats]]:
    """The marks of a table, and the cuts of its numbers: intervals of as many rows each."""
    cuts = EqualFrequency(INTERVALS)(table).cuts
    return Marks(table.domain, cuts), cuts
