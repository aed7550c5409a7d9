"""Tables of symbols: what each value of a column says about each class."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from satsuma.data.columns import Floats
from satsuma.data.fields import FloatArray, Many
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import ReadError
from satsuma.kernels.posterior import Joint
from satsuma.likelihoods.evidence import Evidence, Line

#: Values of a column that are shown.
VALUES = 20


class SymbolTables(Evidence):
    """Evidence of symbols, as a table of each column: (values, classes).

    Parameters
    ----------
    names
        The columns.
    tables
        A probability by value and class, for each column.
    """

    schema: ClassVar[Schema] = Schema(
        tables=Many(FloatArray("values", "classes", low=0, high=1 + 1e-9), size="names")
    )
    column_kind: ClassVar[str | None] = "sym"

    def check_columns(self, variables: Sequence[Variable], classes: int) -> None:
        """A table has a row for each value of its column, and a column for each class."""
        super().check_columns(variables, classes)
        shapes = [(len(v.values), classes) for v in variables]
        if [table.shape for table in self.tables] != shapes:
            raise ReadError(f"a table of {type(self).__name__} is not as large as its column")

    def __init__(self, names: tuple[str, ...], tables: list[Floats]) -> None:
        self.names, self.tables = names, tables

    @abstractmethod
    def logs(self) -> list[Floats]:
        """What each value adds to the log evidence of each class, for each column."""

    def __getitem__(self, name: str) -> Floats:
        """The table of a column."""
        return self.tables[self.names.index(name)]

    def log_evidence(self, batch: Table) -> Floats:
        """Rows by classes: the sum over the columns."""
        return _looked_up(self.logs(), batch, self.names)

    def by_column(self, batch: Table) -> Floats:
        """Rows by columns by classes: what each column adds to `log_evidence`."""
        pairs = zip(self.logs(), self.names, strict=True)
        return np.stack([_looked_up([table], batch, (name,)) for table, name in pairs], axis=1)

    def lines(self, variable: Variable, classes: int) -> list[Line]:
        """A line for each value."""
        rows: list[Line] = [
            (f"  {value}", [f"{share:.3f}" for share in row[:classes]])
            for value, row in zip(variable.values, self[variable.name], strict=True)
        ]
        more = len(rows) - VALUES
        return [
            (variable.name, []),
            *rows[:VALUES],
            *([(f"  … and {more} more", [])] if more > 0 else []),
        ]


def _looked_up(logs: list[Floats], batch: Table, names: tuple[str, ...]) -> Floats:
    classes = int(logs[0].shape[1])
    none = np.zeros((classes, 0))
    joint = Joint(np.zeros(classes), none, none, logs)
    return joint.log_joint([], [batch.column(name) for name in names])
