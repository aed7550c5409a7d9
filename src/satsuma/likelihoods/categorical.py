"""Categorical: how probable each value of a symbol is in each class."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from satsuma.data.fields import FloatArray, Many
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import ReadError, check_choice, check_number
from satsuma.kernels.posterior import Joint
from satsuma.likelihoods.block import Evidence, Line, PriorBlock
from satsuma.measures.estimates import m_estimate, relative
from satsuma.numerics.arrays import Array, Codes, Floats
from satsuma.tallies.class_counts import ClassCounts

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
        "values", tables=Many(FloatArray("values", "classes", low=0, high=1 + 1e-9), size="names")
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


class Shares(SymbolTables):
    """How probable each value is in each class; columns are taken as independent."""

    def logs(self) -> list[Floats]:
        """The logarithms of the shares."""
        with np.errstate(divide="ignore"):
            return [np.log(table) for table in self.tables]

    def sample(self, classes: Codes, rng: np.random.Generator) -> dict[str, Array]:
        """Values in proportion to their shares in these classes, by column."""
        pairs = zip(self.names, self.tables, strict=True)
        return {name: draw_codes(table[:, classes], rng) for name, table in pairs}


def draw_codes(shares: Floats, rng: np.random.Generator) -> Codes:
    """A code for each column of shares (codes, columns), in proportion; -1 where all are 0.

    Examples
    --------
    >>> draw_codes(np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 0.0]]), np.random.default_rng(0)).tolist()
    [1, 0, -1]
    """
    count = int(shares.shape[1])
    if not len(shares):
        return np.full(count, -1, np.int32)
    upto: Any = np.cumsum(shares, axis=0)
    drawn: Any = rng.random(count) * upto[-1]
    return np.where(upto[-1] > 0, (upto <= drawn).sum(axis=0), -1).astype(np.int32)


@dataclass(kw_only=True, frozen=True)
class Categorical(PriorBlock):
    """Symbols have a probability in each class, and columns are independent given the class.

    A missing symbol says nothing, and neither does one that was never seen in learning.

    Parameters
    ----------
    m
        Weight of the prior of a value, in imaginary rows: P(value | class) = (rows of the class
        with the value + m p) / (rows of the class + m) (Cestnik 1990). At 0, a value that was not
        seen with a class vetoes it.
    prior
        What p is: ``uniform``, 1 / number of values; ``value``, the share of the value in all rows
        where the column is known; ``class``, the share of the class, so that the probabilities of
        the values do not add up to 1.
    alpha
        Imaginary rows of each value, instead of `m` of all together: at 1 this is add-one
        smoothing, as of scikit-learn's ``CategoricalNB``.
    rows
        Which rows of the class its values are a share of: ``known``, those where the column is
        known, or ``all``, so that a column which is often missing in a class speaks against it.
    columns
        Their names; all columns of symbols that no other block takes, unless given.

    Examples
    --------
    >>> from satsuma import Categorical, Table
    >>> from satsuma.extend import ClassCounts
    >>> days = Table.of([("hot", "no"), ("mild", "yes"), ("hot", "yes")], ["temp", "play"])
    >>> Categorical(m=1).conclude(ClassCounts.of(days))["temp"].tolist()
    [[0.75, 0.5], [0.25, 0.5]]
    """

    m: float = 2.0
    prior: Literal["uniform", "value", "class"] = "uniform"
    alpha: float | None = None
    rows: Literal["known", "all"] = "known"
    columns: tuple[str, ...] | None = None

    kinds: ClassVar[tuple[str, ...]] = ("sym",)
    tally_kind: ClassVar[type[ClassCounts]] = ClassCounts

    def check(self) -> None:
        """The weight of the prior is a number from 0 on."""
        check_number(self, "m", low=0)
        check_choice(self, "prior", ("uniform", "value", "class"))
        check_choice(self, "rows", ("known", "all"))
        if self.alpha is not None:
            check_number(self, "alpha", low=0)

    def conclude(self, tally: ClassCounts, prior: Floats | None = None) -> Shares:
        """Shares of the values in each class, smoothed."""
        weight = tally.class_weight
        classes = relative(weight) if prior is None else prior
        return Shares(tally.names, [self._shares(each, weight, classes) for each in tally.counts])

    def _shares(self, counts: Floats, weight: Floats, classes: Floats) -> Floats:
        if not len(counts):
            return counts
        p: Floats | float = 1 / len(counts)
        if self.prior == "value":
            p = relative(counts.sum(axis=1))[:, None]
        elif self.prior == "class":
            p = classes
        weight = counts.sum(axis=0) if self.rows == "known" else weight
        return self.shares(counts, weight, len(counts), p)

    def shares(
        self, counts: Floats, weight: Floats, values: int, p: Floats | float
    ) -> npt.NDArray[np.float64]:
        """What the prior p makes of counts of so many values, beside what the classes weigh."""
        m = self.m if self.alpha is None else self.alpha * values
        # A class without rows says nothing where there is no prior either.
        return np.where(weight + m > 0, m_estimate(counts, weight, m, p), 1.0)
