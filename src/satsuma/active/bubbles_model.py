"""Models of Bubbles: of few rows, and what was lost by leaving out the others."""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from satsuma.data.fields import LARGE, IntArray, Number, Record
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError, SatsumaError
from satsuma.learners.delegation import DelegatingClassifier, DelegatingRegressor
from satsuma.learners.model import Model
from satsuma.numerics.arrays import Array


@dataclass(frozen=True)
class BubblesReport:
    """How few rows were needed, and what it has cost.

    Parameters
    ----------
    rows
        How many rows the model was learned from.
    of
        How many rows there were.
    searched
        How many of them were searched.
    tested
        How many were kept aside.
    right
        The share of those that the model gets right, or the share of the variance of numbers that
        it explains (R²); NaN where there are too few rows.
    of_all
        The same of a model of all rows that were searched.
    most, loss
        What was asked for: at most this share of rows, and at most this loss.
    """

    rows: int
    of: int
    searched: int
    tested: int
    right: float
    of_all: float
    most: float
    loss: float

    @property
    def lost(self) -> float:
        """What was lost against learning from everything, as a share of right answers."""
        return self.of_all - self.right

    @property
    def succeeded(self) -> bool:
        """Whether so few rows did, with so small a loss, as was asked for."""
        return self.rows <= max(1, round(self.most * self.of)) and self.lost <= self.loss

    def __str__(self) -> str:
        told = f"Learned from {self.rows:,} of {self.of:,} rows ({self.rows / self.of:.1%})"
        if not self.tested:
            return f"{told}: too few to find out what the others would have added."
        told = f"{told}. {self._found()}"
        if self.succeeded:
            return told
        lost = f"{100 * self.lost:.1f} points were lost, and {100 * self.loss:g} allowed."
        return f"{told}\nNo bellwether was found: {lost}"

    def _found(self) -> str:
        return (
            f"Of {self.tested:,} kept aside it gets\n{self.right:.1%} right; a model of "
            f"all {self.searched:,} others gets {self.of_all:.1%}."
        )


@dataclass(frozen=True)
class NumberBubblesReport(BubblesReport):
    """The same of numbers: shares are those of the variance that is explained (R²)."""

    def _found(self) -> str:
        return (
            f"Of {self.tested:,} kept aside it explains\n{self.right:.1%} of the variance; a model "
            f"of all {self.searched:,} others explains {self.of_all:.1%}."
        )


def _schema(least: float) -> Schema:
    return Schema(
        "rows",
        which=IntArray("rows", dtypes=(np.int64,)),
        figures=Record(
            {
                **dict.fromkeys(("rows", "of", "searched", "tested"), Number(low=0, whole=True)),
                **dict.fromkeys(("right", "of_all"), Number(low=least, high=1, missing=True)),
                **dict.fromkeys(("most", "loss"), Number(low=0, high=1)),
            }
        ),
    )


class _FewRows(Model):
    """A model of a few rows that stand for all.

    Parameters
    ----------
    model
        What was learned from them.
    which
        Their numbers in the table that was searched.
    report
        How many they are, and what was lost by leaving out the others.
    """

    _reported: ClassVar[type[BubblesReport]] = BubblesReport

    def check_state(self) -> None:
        """There were rows."""
        super().check_state()
        if not self.figures["of"]:
            raise ReadError(f"{type(self).__name__} was learned from no rows")

    def __init__(self, model: Any, which: Array, report: BubblesReport) -> None:
        self.model, self.which, self.figures = model, which, asdict(report)

    @property
    def report(self) -> BubblesReport:
        """How few rows were needed, and what it has cost."""
        return self._reported(**self.figures)

    @property
    def rows(self) -> Table:
        """The few rows. They are not saved with the model; their numbers are, as `which`."""
        found: Table | None = vars(self).get("_few")
        if found is None:
            raise SatsumaError(
                "This model has no rows at hand: it was opened from a file or copied. Take them "
                "from the table that was searched: table[model.which]."
            )
        return found

    def keep_sample(self, table: Table) -> None:
        """Keep the few rows, and some of all for `sample`."""
        super().keep_sample(table)
        self._few = table[self.which]

    def __str__(self) -> str:
        return f"{self.report}\n\n{self.model}"


class BubblesClassifier(_FewRows, DelegatingClassifier):
    """A model of classes, of a few rows that stand for all."""

    schema: ClassVar[Schema] = _schema(0)


class BubblesRegressor(_FewRows, DelegatingRegressor):
    """A model of numbers, of a few rows that stand for all."""

    schema: ClassVar[Schema] = _schema(-LARGE)
    _reported: ClassVar[type[BubblesReport]] = NumberBubblesReport
