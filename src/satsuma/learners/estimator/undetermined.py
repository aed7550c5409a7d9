"""Undetermined columns: those that were missing in all rows so far, whose kind is not known yet."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.learners.queries import missing_column

#: Cells that are kept at most. After that, a column that was never known stays one of numbers.
CELLS = 1 << 20


@dataclass(frozen=True)
class Undetermined:
    """The batches so far, kept for as long as a column has been missing in all of them.

    Such a column passes for numbers. Once it shows symbols, the batches are tallied again with a
    column of missing symbols in its place.

    Parameters
    ----------
    names
        The columns.
    batches
        The rows.
    """

    names: frozenset[str]
    batches: tuple[Table, ...]

    @classmethod
    def of(cls, batch: Any) -> "Undetermined | None":
        """The first batch, if a column is missing in all of its rows."""
        if not isinstance(batch, Table):
            return None  # a sparse matrix, of numbers
        if batch.matrix is not None and not np.isnan(batch.matrix[:1]).any():
            return None  # a look at the first row is enough
        unknown = [v.name for v in batch.domain.attributes if _is_unknown(batch, v.name)]
        return cls(frozenset(unknown), (batch,)).bounded()

    def bounded(self) -> "Undetermined | None":
        """The same, or None where every column is known or the rows are too many to keep."""
        cells = sum(len(batch) * len(batch.domain) for batch in self.batches)
        return self if self.names and cells <= CELLS else None

    def settles(self, batch: Table) -> bool:
        """Whether a column that passed for numbers is of another kind in a batch."""
        return any(batch.domain[name].kind != "num" for name in self.names)

    def recast(self, batch: Table) -> "Undetermined":
        """The same batches, with missing values of the kinds that columns have in another one."""
        return Undetermined(
            self.names, tuple(_recast(each, self.names, batch) for each in self.batches)
        )

    def determined(self, domain: Domain) -> Domain:
        """The columns whose kind is known."""
        return Domain(v for v in domain if v.name not in self.names)

    def tally(self, learner: Any) -> Any:
        """The sum of the tallies of all batches, in their order."""
        total = learner.checked_tally(self.batches[0])
        for batch in self.batches[1:]:
            total = total + learner.checked_tally(batch)
        return total

    def beside(self, batch: Any) -> "Undetermined | None":
        """The batches so far and one more; None where no column is left that is not known."""
        if not isinstance(batch, Table):
            return None
        left = frozenset(name for name in self.names if _is_unknown(batch, name))
        return Undetermined(left, (*self.batches, batch)).bounded()


def _is_unknown(batch: Table, name: str) -> bool:
    if batch.domain[name].kind != "num":
        return False
    column = batch.column(name)
    if len(column) and column[0] == column[0]:  # NaN alone differs from itself
        return False
    return bool(np.isnan(column).all())


def _recast(batch: Table, names: frozenset[str], like: Table) -> Table:
    """A batch in which some columns, missing altogether, are of the kind of others."""
    variables = list(batch.domain)
    columns = [batch.column(v.name) for v in variables]
    made = [
        (like.domain[v.name], missing_column(like.domain[v.name], len(batch)))
        if v.name in names
        else (v, column)
        for v, column in zip(variables, columns, strict=True)
    ]
    return Table(Domain(v for v, _ in made), [column for _, column in made], check=False)
