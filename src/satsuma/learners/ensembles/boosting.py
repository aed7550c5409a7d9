"""Boosting: each model is learned with more weight on the rows that those before it got wrong."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from satsuma.data.fields import FloatArray, Instance, Many
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import check_number, refuse
from satsuma.learners.ensembles.ensemble import (
    check_inside,
    summed_predictions,
    takes_of_member,
    with_weights,
)
from satsuma.learners.learner import Learner
from satsuma.learners.model import Classifier
from satsuma.learners.queries import fitted
from satsuma.learners.takes import Takes, TakesBy, training_rows
from satsuma.numerics.arrays import Floats

#: How near to guessing an error is no better: after its weights are raised, the last model's
#: error is that of guessing but for rounding.
_GUESSING = 1e-9


class BoostingClassifier(Classifier):
    """Models whose votes weigh more or less.

    Parameters
    ----------
    models
        In the order in which they were learned.
    votes
        What the vote of each weighs; they sum to 1.
    errors
        The weighted share of rows that each got wrong, with the weights that it was learned with.
    """

    learner: Any

    schema: ClassVar[Schema] = Schema(
        "models",
        learner=Instance(lambda: Boosting),
        models=Many(Instance(Classifier), size="models"),
        votes=FloatArray("models", low=0, sums_to_one=True),
        errors=FloatArray("models", low=0, high=1 + 1e-9),
    )

    def check_state(self) -> None:
        """The models predict the same classes."""
        super().check_state()
        for model in self.models:
            self.check_inside(model)

    def __init__(self, models: Sequence[Classifier], votes: Floats, errors: Floats) -> None:
        self.models, self.votes, self.errors = list(models), votes, errors

    def probabilities(self, batch: Table) -> Floats:
        """The share of each class in the votes."""

        def said(at: int, part: Table) -> Floats:
            codes = self.models[at].codes(fitted(part, self.models[at].domain))
            return self.votes[at] * np.eye(len(self.classes))[codes]

        found = summed_predictions(said, len(self.models), batch, len(self.classes))
        return found / found.sum(axis=1, keepdims=True)

    def __str__(self) -> str:
        told = [f"{self.target.name}, by {len(self.models)} models of {self.learner.learner!r}:"]
        told += ["model   vote  error"]
        for at, (vote, error) in enumerate(zip(self.votes, self.errors, strict=True), 1):
            told.append(f"{at:>5}  {vote:.3f}  {error:.3f}")
        return "\n".join(told)


def _takes(learner: Any) -> Takes:
    return replace(takes_of_member(learner.learner), target="classes")


@dataclass(kw_only=True, eq=False)
class Boosting(Learner):
    """Each model is learned with more weight on rows that those before it got wrong.

    This is SAMME (Zhu, Zou, Rosset and Hastie 2009), which for two classes is AdaBoost. The
    weights always sum to what they sum to at first. Missing cells are left to the learner.

    Parameters
    ----------
    learner
        Any learner of classes that takes weights; it may stand first, without its name.
    t
        How many models, at most.
    learning_rate
        What the weight of each vote is multiplied by, before rows are weighed by it: less than 1
        learns more slowly (shrinkage).

    Notes
    -----
    With k classes among the rows, a model of error e has a vote of log((1 - e) / e) + log(k - 1).
    A model with no error is the last; its vote is that of half a row wrong in one row more
    than there are. One whose error is no less than that of guessing, 1 - 1/k, ends the search
    and is left out, unless it is the first, which then stands alone.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import NaiveBayes
    >>> voting = satsuma.load("voting")
    >>> model = Boosting(NaiveBayes(), t=3)(voting)
    >>> model(voting[0])
    'republican'
    """

    learner: Learner
    t: int = 50
    learning_rate: float = 1.0

    takes: ClassVar[Any] = TakesBy(_takes)

    def check(self) -> None:
        """A learner of classes that takes weights, a number of models, and a learning rate."""
        check_inside(self, "learner", self.learner)
        inside = self.learner.takes
        if inside.target == "number" or not inside.weights:
            raise refuse(self, "learner", "a learner of classes that takes weights")
        check_number(self, "t", low=1, whole=True)
        check_number(self, "learning_rate", low=1e-6, high=1e3)

    def learn(self, data: Table) -> BoostingClassifier:
        """Models one after the other, until one errs never, or as often as guessing does."""
        rows = training_rows(data, type(self).__name__)
        target = rows.domain.target
        assert target is not None
        truth = rows.column(target.name)
        k = max(2, len(np.unique(truth)))
        base = np.ones(len(rows)) if rows.weights is None else rows.weights
        total, models = float(base.sum()), list[Classifier]()
        votes, errors, factors = list[float](), list[float](), np.ones(len(rows))
        while len(models) < self.t:
            weights = base * factors
            model = self.learner(with_weights(rows, weights))
            wrong = model.codes(fitted(rows, model.domain)) != truth
            error = float(weights[wrong].sum() / weights.sum())
            guessing = error >= 1 - 1 / k - _GUESSING
            if guessing and models:
                break
            vote = 1.0 if guessing else self.learning_rate * _vote(error or 0.5 / (total + 1), k)
            models.append(model)
            votes.append(vote)
            errors.append(error)
            if guessing or error == 0:
                break
            # Those that are right weigh less, rather than the others more, which could overflow.
            less = float(np.exp(-vote))
            factors = np.where(wrong, factors, factors * less) / (error + (1 - error) * less)
            factors = _rounded(factors, total)
        return BoostingClassifier(models, np.array(votes) / sum(votes), np.array(errors))


def _vote(error: float, classes: int) -> float:
    """What the vote of a model weighs; above 0 where it is better than guessing."""
    return float(np.log((1 - error) / error) + np.log(classes - 1))


def _rounded(factors: Floats, total: float) -> Floats:
    """Factors of which sums are exact, so that no tie depends on the order of the rows.

    Ties are common: with the new weights, the last model is as good as guessing.
    """
    grain = 2.0 ** (math.ceil(math.log2(total)) - 50)
    return np.round(factors / grain) * grain
