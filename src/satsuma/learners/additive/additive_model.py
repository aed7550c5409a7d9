"""Models of Additive: classes and numbers whose scores are sums of the effects of bins."""

from typing import ClassVar

import numpy as np

from satsuma.data.fields import IntArray, Number, Word
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError
from satsuma.learners.additive.effect_shapes import AdditiveModel, Effects
from satsuma.learners.estimator.log_odds import among_all
from satsuma.learners.explanation import PRIOR, Explanation, asked_classes
from satsuma.learners.matrix_learner import check_seen
from satsuma.learners.model import Classifier, Query, Regressor, Scale
from satsuma.numerics.arrays import Array, Floats

#: Logarithms beyond this are of numbers that a float cannot hold.
_FAR = 300.0


class AdditiveClassifier(AdditiveModel, Classifier):
    """Log odds as sums of effects.

    Parameters
    ----------
    found
        What all cells add: with two classes to the log odds of the second against the first, with
        more to the score of each.
    seen
        The codes of the classes that were there in learning.
    """

    schema: ClassVar[Schema] = Schema(
        "seen", seen=IntArray("seen", below="classes", dtypes=(np.int64,))
    )

    def __init__(self, found: Effects, seen: Array) -> None:
        super().__init__(found)
        self.seen = seen

    def check_state(self) -> None:
        """There is a score for each class that was seen, or one for two."""
        super().check_state()
        check_seen(self.seen)
        wanted = {1: 0, 2: 1}.get(len(self.seen), len(self.seen))
        if len(self.constant) != wanted:
            raise ReadError("the model has the scores of other classes")

    @property
    def terms_of(self) -> Scale:
        """What the terms of `explain` sum to."""
        return "log-odds"

    def log_odds(self, scores: Floats) -> Floats:
        """A score for each class that was seen, given those of the model."""
        if len(self.seen) > 2:
            return scores
        return np.vstack([np.zeros((1, scores.shape[1])), scores])

    def probabilities(self, batch: Table) -> Floats:
        """The probabilities that go with the log odds."""
        scores = self.log_odds(self.scores(batch))
        chances = np.exp(scores - scores.max(axis=0))
        found = np.zeros((len(batch), len(self.classes)))
        found[:, self.seen] = (chances / chances.sum(axis=0)).T
        return found

    def log_scores(self, batch: Table) -> Floats:
        """The logarithms of the probabilities, but for a constant in each row."""
        scores = self.log_odds(self.scores(batch))
        return among_all(scores.T, self.seen, len(self.classes))

    def explain(
        self, query: Query, value: str | None = None, against: str | None = None
    ) -> Explanation:
        """What the constant, each column and each pair add to the log odds of two classes.

        The parameters are those of `Classifier.explain`.
        """
        chances = self.probabilities(self._rows(query))
        this, other = asked_classes(self, chances, value, against)
        said = {PRIOR: self.constant, **self.parts(query)}
        parts = {name: self._between(each, this, other) for name, each in said.items()}
        predicted = self.classes[int(self.chosen(chances)[0])]
        return Explanation(self.classes[this], self.classes[other], parts, predicted=predicted)

    def _between(self, scores: Floats, this: int, other: int) -> float:
        """What scores say of two classes; of one that was not there in learning, nothing."""
        each = dict(
            zip(self.seen.tolist(), self.log_odds(scores[:, np.newaxis])[:, 0], strict=True)
        )
        return float(each.get(this, 0.0) - each.get(other, 0.0))


class AdditiveRegressor(AdditiveModel, Regressor):
    """A number as a sum of effects, or a count as the exponent of one.

    Parameters
    ----------
    found
        What all cells add.
    sd
        The standard deviation of what is left over.
    link
        What is a sum: the number (``identity``), or its logarithm (``log``).
    """

    schema: ClassVar[Schema] = Schema(sd=Number(low=0), link=Word("identity", "log"))

    def __init__(self, found: Effects, sd: float, link: str) -> None:
        super().__init__(found)
        self.sd, self.link = sd, link

    def check_state(self) -> None:
        """There is one score."""
        super().check_state()
        if len(self.constant) != 1:
            raise ReadError("the model of a number has one score")

    @property
    def terms_of(self) -> Scale:
        """What the terms of `explain` sum to."""
        return "log" if self.link == "log" else "number"

    def explain(self, query: Query) -> Explanation:
        """What the constant, each column and each pair add to the number, or to its logarithm."""
        parts = {name: float(each[0]) for name, each in self.parts(query).items()}
        told = {PRIOR: float(self.constant[0]), **parts}
        predicted = float(self.numbers(self._rows(query))[0])
        return Explanation(None, None, told, predicted=predicted, of=self.terms_of)

    def numbers(self, batch: Table) -> Floats:
        """The sum, or its exponent."""
        found = self.scores(batch)[0]
        return np.exp(found.clip(-_FAR, _FAR)) if self.link == "log" else found
