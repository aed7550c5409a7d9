"""OneR: one rule, on one column."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from satsuma.data.breaks import cut_texts, interval_codes
from satsuma.data.fields import FloatArray, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import ReadError
from satsuma.learners.baselines import shares_of
from satsuma.learners.explanation import PRIOR, Explanation, spell_cell
from satsuma.learners.learner import TallyLearner
from satsuma.learners.model import Classifier, Query, Scale
from satsuma.learners.takes import Takes
from satsuma.likelihoods.binned import interval_labels
from satsuma.measures.cut_points import interval_weights, mdl_cuts
from satsuma.numerics.arrays import Array, Codes, Floats
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.composite import Composite
from satsuma.tallies.values import Values

#: Columns that are right on as many rows, but for rounding, are equally good.
_ROUNDING = 1e-12

#: What is left of a class is rows where the column is missing, if it is more than rounding.
_LOST = 1e-9


class OneRModel(Classifier):
    """A column, and the weight of each class among the rows of each of its values.

    Parameters
    ----------
    column
        Which of the attributes it is; -1 if there was none to choose from.
    weights
        Values, or intervals of numbers, by classes; the last line is of rows where the column is
        missing.
    cuts
        Where one interval of a column of numbers ends, itself included, and the next begins.
    """

    schema: ClassVar[Schema] = Schema(
        "values",
        "cuts",
        column=Number(low=-1, whole=True),
        weights=FloatArray("values", "classes", low=0),
        cuts=FloatArray("cuts"),
    )

    def __init__(self, column: int, weights: Floats, cuts: Floats | None = None) -> None:
        self.column, self.weights = column, weights
        self.cuts = np.zeros(0) if cuts is None else cuts

    def check_state(self) -> None:
        """The column is there, and there is a line for each of its values."""
        super().check_state()
        if self.column >= len(self.domain.attributes):
            raise ReadError("the rule is about a column that is not there")
        if len(self.weights) != len(self.values) + 1 or not self.weights.sum() > 0:
            raise ReadError("the rule has other values than its column, or was learned from none")
        is_number = self.variable is not None and self.variable.kind == "num"
        if (np.diff(self.cuts) <= 0).any() or (len(self.cuts) and not is_number):
            raise ReadError("the rule has cuts that do not increase, or a column without numbers")

    @property
    def shares(self) -> Floats:
        """The share of each class among rows with the same value; where none is known, in all."""
        rows = self.weights.sum(axis=1, keepdims=True)
        weights = np.where(rows > 0, self.weights, self.weights.sum(axis=0))
        return weights / weights.sum(axis=1, keepdims=True)

    def probabilities(self, batch: Table) -> Floats:
        """The share of each class among rows with the same value; where none is known, in all."""
        if self.variable is None:
            return np.tile(self.shares, (len(batch), 1))
        codes = self._codes(batch.column(self.variable.name))
        return self.shares[codes]  # a missing value is -1: the last line

    def _codes(self, column: Array) -> Codes:
        is_number = self.variable is not None and self.variable.kind == "num"
        return interval_codes(column, self.cuts) if is_number else column

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
            parts[self.variable.name] = float(chances[this]) - prior
            path = [self._condition(self.variable, batch)]
        return Explanation(told, None, parts, predicted=predicted, of="probability", path=path)

    def _condition(self, variable: Variable, batch: Table) -> str:
        """What the first row has in the column of the rule."""
        code = int(self._codes(batch.column(variable.name))[0])
        if code < 0:
            return f"{variable.name} is missing"
        if variable.kind == "sym":
            return f"{variable.name} = {variable.values[code]}"
        told = [*cut_texts(self.cuts.tolist()), ""]
        below, upto = told[code - 1], told[code]
        asked = f"{variable.name} ≤ {upto}" if upto else variable.name
        if below:
            asked = f"{below} < {asked}" if upto else f"{asked} > {below}"
        return f"{asked}: it is {spell_cell(batch.cell(0, variable.name))}"

    @property
    def variable(self) -> Variable | None:
        """The column that the rule is about; None if there was none to choose from."""
        return self.domain.attributes[self.column] if self.column >= 0 else None

    @property
    def values(self) -> tuple[str, ...]:
        """The values of that column; of numbers, the intervals."""
        if self.variable is None or self.variable.kind == "sym":
            return self.variable.values if self.variable else ()
        return tuple(interval_labels(self.cuts)) if len(self.cuts) else ("any",)

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
        name = self.variable.name if self.variable else "-"
        yield name, self.target.name, "rows", "right"
        for value, weights in zip((*self.values, "(missing)"), self.weights, strict=True):
            if (rows := weights.sum()) > 0:
                share = f"{weights.max() / rows:.0%}"
                yield value, self.classes[int(weights.argmax())], f"{rows:g}", share


@dataclass(kw_only=True, eq=False)
class OneR(TallyLearner[Composite]):
    """One rule on one column: for each of its values, the most frequent class (Holte 1993).

    It is the column whose rule is right on most of the rows that are learned from; the first of
    several. That a column is missing is a value of its own, as Holte has it; a value of which
    there was no row is answered by the shares of all rows. Numbers are cut into intervals where
    that tells the classes apart by more than it takes to describe (MDL; Fayyad and Irani 1993).

    Notes
    -----
    Holte cuts wherever the most frequent class changes and has six rows; on new rows, MDL is right
    as often or more often. All distinct numbers are kept in learning, by a tally that adds up.

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
    >>> print(OneR(load("iris")))
    Species by Petal.Width, right on 96.0% of the rows:
    Petal.Width  Species     rows  right
    ≤ 0.8        setosa        50   100%
    (0.8, 1.75]  versicolor    54    91%
    > 1.75       virginica     46    98%
    """

    readable: ClassVar[bool] = True
    takes: ClassVar[Takes] = Takes()
    tally_kind: ClassVar[Any] = Composite.of_kinds(ClassCounts, Values)

    def conclude(self, tally: Composite) -> OneRModel:
        """The rule of each column, and the best of them."""
        class_weight = tally[ClassCounts].class_weight
        shares_of(class_weight, "OneR")  # an error if no row weighs anything
        rules = [_rule(variable, tally) for variable in tally.domain.attributes]
        if not rules:
            return OneRModel(-1, class_weight[np.newaxis])
        right = np.array([weights.max(axis=1).sum() for weights, _ in rules])
        best = int((right >= right.max() * (1 - _ROUNDING)).argmax())
        return OneRModel(best, *rules[best])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # one column hardly tells many classes apart
        return tags


def _rule(variable: Variable, tally: Composite) -> tuple[Floats, Floats]:
    """What each class weighs by value or interval, and where the column is missing; the cuts."""
    cuts = np.zeros(0)
    if variable.kind == "sym":
        counts = tally[ClassCounts][variable.name]
    else:
        value, weight = tally[Values][variable.name].merged()
        cuts = mdl_cuts(value, weight) if len(value) > 1 else cuts
        counts = interval_weights(value, weight, cuts)
    every = tally[ClassCounts].class_weight
    missing = every - counts.sum(axis=0)
    return np.vstack([counts, np.where(missing > _LOST * every, missing, 0.0)]), cuts
