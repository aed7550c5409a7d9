"""OneR: one rule, on one column."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from satsuma.data.fields import FloatArray, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import ReadError
from satsuma.learners.baselines import shares_of
from satsuma.learners.explanation import PRIOR, Explanation
from satsuma.learners.learner import TallyLearner
from satsuma.learners.model import Classifier, Query, Scale
from satsuma.learners.takes import Takes
from satsuma.numerics.arrays import Floats
from satsuma.tallies.by_class import left_over
from satsuma.tallies.class_counts import ClassCounts

#: Columns that are right on as many rows, but for rounding, are equally good.
_ROUNDING = 1e-12


class OneRModel(Classifier):
    """A column, and the weight of each class among the rows of each of its values.

    Parameters
    ----------
    column
        Which of the attributes it is; -1 if there was none to choose from.
    weights
        Values by classes; the last line is of rows where the column is missing.
    """

    schema: ClassVar[Schema] = Schema(
        "values", column=Number(low=-1, whole=True), weights=FloatArray("values", "classes", low=0)
    )

    def __init__(self, column: int, weights: Floats) -> None:
        self.column, self.weights = column, weights

    def check_state(self) -> None:
        """The column is there, and there is a line for each of its values."""
        super().check_state()
        if self.column >= len(self.domain.attributes):
            raise ReadError("the rule is about a column that is not there")
        values = self.variable.values if self.variable else ()
        if len(self.weights) != len(values) + 1 or not self.weights.sum() > 0:
            raise ReadError("the rule has other values than its column, or was learned from none")

    def probabilities(self, batch: Table) -> Floats:
        """The share of each class among rows with the same value; where none is known, in all."""
        rows = self.weights.sum(axis=1, keepdims=True)
        weights = np.where(rows > 0, self.weights, self.weights.sum(axis=0))
        shares = weights / weights.sum(axis=1, keepdims=True)
        if self.variable is None:
            return np.tile(shares, (len(batch), 1))
        return shares[batch.column(self.variable.name)]  # a missing value is -1: the last line

    @property
    def terms_of(self) -> Scale:
        """What the terms of `explain` sum to."""
        return "probability"

    def explain(
        self,
        query: Query,
        value: str | None = None,
        against: str | None = None,  # noqa: ARG002 - a probability is held against all others
    ) -> Explanation:
        """What the column of the rule adds to the share of a class in all rows.

        The parameters are those of `Classifier.explain`.
        """
        batch = self._rows(query)
        chances = self.probabilities(batch)[0]
        predicted = self.classes[int(chances.argmax())]
        told = predicted if value is None else value
        this = self.target.code(told)
        prior = float(self.weights[:, this].sum() / self.weights.sum())
        parts, path = {PRIOR: prior}, list[str]()
        if self.variable is not None:
            name = self.variable.name
            parts[name] = float(chances[this]) - prior
            cell = batch.cell(0, name)
            path = [f"{name} is missing" if cell is None else f"{name} = {cell}"]
        return Explanation(told, None, parts, predicted=predicted, of="probability", path=path)

    @property
    def variable(self) -> Variable | None:
        """The column that the rule is about; None if there was none to choose from."""
        return self.domain.attributes[self.column] if self.column >= 0 else None

    def __str__(self) -> str:
        lines = list(self._lines())
        widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
        name = lines[0][0]
        right = self.weights.max(axis=1).sum() / self.weights.sum()
        head = f"{self.target.name} by {name}, right on {right:.1%} of the rows:"
        a, b, c, d = widths
        return "\n".join(
            [head, *(f"{w:<{a}}  {x:<{b}}  {y:>{c}}  {z:>{d}}" for w, x, y, z in lines)]
        )

    def _lines(self) -> Iterator[tuple[str, str, str, str]]:
        """For each value the class, the rows that have it, and the share that is of that class."""
        name, values = (self.variable.name, self.variable.values) if self.variable else ("-", ())
        yield name, self.target.name, "rows", "right"
        for value, weights in zip((*values, "(missing)"), self.weights, strict=True):
            if (rows := weights.sum()) > 0:
                share = f"{weights.max() / rows:.0%}"
                yield value, self.classes[int(weights.argmax())], f"{rows:g}", share


@dataclass(kw_only=True, eq=False)
class OneR(TallyLearner[ClassCounts]):
    """One rule on one column: for each of its values, the most frequent class (Holte 1993).

    It is the column whose rule is right on most of the rows that are learned from; the first of
    several. That a column is missing is a value of its own, as Holte has it; a value of which
    there was no row is answered by the shares of all rows. Numbers have to be cut into intervals
    first: ``Discretized(OneR())``.

    Examples
    --------
    >>> from satsuma import OneR, load
    >>> days = load("tennis")
    >>> model = OneR()(days)
    >>> model(days[0])
    'no'
    >>> print(model)
    play by outlook, right on 71.4% of the rows:
    outlook   play  rows  right
    sunny     no       5    60%
    overcast  yes      4   100%
    rain      yes      5    60%
    """

    readable: ClassVar[bool] = True
    takes: ClassVar[Takes] = Takes(kinds=("sym",))
    tally_kind: ClassVar[type[ClassCounts]] = ClassCounts

    def conclude(self, tally: ClassCounts) -> OneRModel:
        """The rule of each column, and the best of them."""
        shares_of(tally.class_weight, "OneR")  # an error if no row weighs anything
        rules = [
            np.vstack([counts, left_over(tally.class_weight, counts.sum(axis=0))])
            for counts in tally.counts
        ]
        if not rules:
            return OneRModel(-1, tally.class_weight[np.newaxis])
        right = np.array([rule.max(axis=1).sum() for rule in rules])
        best = int((right >= right.max() * (1 - _ROUNDING)).argmax())
        return OneRModel(best, rules[best])
