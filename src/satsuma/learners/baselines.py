"""Majority and Mean: what to expect of a row that nothing is known of."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from satsuma.data.fields import FloatArray, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import DomainError
from satsuma.learners.explanation import PRIOR, Explanation
from satsuma.learners.learner import TallyLearner
from satsuma.learners.model import Classifier, Query, Regressor, Scale
from satsuma.learners.takes import Takes
from satsuma.numerics.arrays import Floats
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.target_tallies import TargetMoments


def shares_of(weights: Floats, learner: str) -> Floats:
    """The share of each class; an error where no row weighs anything."""
    total = weights.sum()
    if not total > 0:
        raise DomainError(
            f"{learner} was given no row of a known class whose weight is not zero. "
            f"Give some rows a class and a weight."
        )
    return weights / total


class MajorityModel(Classifier):
    """The share of each class, whatever the row."""

    schema: ClassVar[Schema] = Schema(shares=FloatArray("classes", low=0, sums_to_one=True))

    def __init__(self, shares: Floats) -> None:
        self.shares = shares

    def probabilities(self, batch: Table) -> Floats:
        """The same shares for every row."""
        return np.tile(self.shares, (len(batch), 1))

    @property
    def terms_of(self) -> Scale:
        """What the terms of `explain` sum to."""
        return "probability"

    def explain(
        self,
        query: Query,  # noqa: ARG002 - whatever the row
        value: str | None = None,
        against: str | None = None,  # noqa: ARG002 - a probability is held against all others
    ) -> Explanation:
        """The share of the class: no column adds anything.

        The parameters are those of `Classifier.explain`.
        """
        predicted = self.classes[int(self.shares.argmax())]
        told = predicted if value is None else value
        parts = {PRIOR: float(self.shares[self.target.code(told)])}
        return Explanation(told, None, parts, predicted=predicted, of="probability")

    def __str__(self) -> str:
        width = max(map(len, self.classes))
        lines = [
            f"{value:<{width}}  {share:.3f}"
            for value, share in zip(self.classes, self.shares, strict=True)
        ]
        return "\n".join([f"{self.target.name}, whatever the row:", *lines])


@dataclass(kw_only=True, eq=False)
class Majority(TallyLearner[ClassCounts]):
    """The most frequent class; the first of several. What any other learner has to beat.

    Columns other than the class are not looked at.

    Examples
    --------
    >>> from satsuma import Majority, Table
    >>> days = Table.of([("hot", "no"), ("mild", "yes"), ("hot", "yes")], ["temp", "play"])
    >>> model = Majority()(days)
    >>> model(days[0])
    'yes'
    >>> print(model)
    play, whatever the row:
    no   0.333
    yes  0.667
    """

    readable: ClassVar[bool] = True
    takes: ClassVar[Takes] = Takes(kinds=("num", "sym", "text"), rounds="one")
    tally_kind: ClassVar[type[ClassCounts]] = ClassCounts

    def conclude(self, tally: ClassCounts) -> MajorityModel:
        """The share of each class."""
        return MajorityModel(shares_of(tally.class_weight, "Majority"))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags


class MeanModel(Regressor):
    """The same number, whatever the row."""

    schema: ClassVar[Schema] = Schema(
        mean=Number(), sd=Number(low=0, infinite=True), weight=Number(low=0)
    )

    def __init__(self, mean: float, sd: float, weight: float) -> None:
        self.mean, self.sd, self.weight = mean, sd, weight

    def numbers(self, batch: Table) -> Floats:
        """The mean, for every row."""
        return np.full(len(batch), self.mean)

    @property
    def terms_of(self) -> Scale:
        """What the terms of `explain` sum to."""
        return "number"

    def explain(self, query: Query) -> Explanation:  # noqa: ARG002 - whatever the row
        """The mean: no column adds anything."""
        return Explanation(None, None, {PRIOR: self.mean}, predicted=self.mean, of="number")

    def __str__(self) -> str:
        return f"{self.target.name}, whatever the row: {self.mean:.6g} ± {self.sd:.3g}"


@dataclass(kw_only=True, eq=False)
class Mean(TallyLearner[TargetMoments]):
    """The mean of the target. What any other learner of numbers has to beat.

    Rows whose target is missing are left out; other columns are not looked at.

    Examples
    --------
    >>> from satsuma import Mean, Table
    >>> days = Table.of([("hot", 2), ("mild", 4)], ["temp", "visitors"])
    >>> print(Mean()(days))
    visitors, whatever the row: 3 ± 1.41
    """

    readable: ClassVar[bool] = True
    takes: ClassVar[Takes] = Takes(kinds=("num", "sym", "text"), target="number", rounds="one")
    tally_kind: ClassVar[type[TargetMoments]] = TargetMoments

    def conclude(self, tally: TargetMoments) -> MeanModel:
        """The mean, and the spread about it."""
        num = tally.num
        if not num.n > 0:
            raise DomainError(
                "Mean was given no row of a known target whose weight is not zero. "
                "Give some rows a target and a weight."
            )
        return MeanModel(float(num.mu), float(num.sd), float(num.n))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True
        return tags
