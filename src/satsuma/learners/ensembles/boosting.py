"""Boosting: each model is learned with more weight on the rows that those before it got wrong."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from satsuma.data.fields import LARGE, FloatArray, Instance, IntArray, Many, Maybe, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError, check_choice, check_number, refuse
from satsuma.kernels.threads import map_tasks
from satsuma.learners.calibration.margins import Margins, fit_margins
from satsuma.learners.distinct_rows import distinct_rows
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
from satsuma.learners.tree.decision_tree import Tree
from satsuma.numerics.arrays import Array, Codes, Floats
from satsuma.tallies.held_out import FOLDS, by_name, held_out

#: How near to guessing an error is no better: after its weights are raised, the last model's
#: error is that of guessing but for rounding.
_GUESSING = 1e-9

#: A row that weighs less, of which a fold holds the rest, is not learned from.
_TRIFLE = 1e-9


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
    calibration
        The codes of the classes that were seen; what their shares of the votes are multiplied by,
        and what is added to each, to be log-probabilities. None where the shares are probabilities.
    """

    learner: Any

    schema: ClassVar[Schema] = Schema(
        "models",
        "seen",
        learner=Instance(lambda: Boosting),
        models=Many(Instance(Classifier), size="models"),
        votes=FloatArray("models", low=0, sums_to_one=True),
        errors=FloatArray("models", low=0, high=1 + 1e-9),
        seen=Maybe(IntArray("seen", below="classes", dtypes=(np.int32, np.int64))),
        slope=Number(low=0, high=LARGE),
        constants=Maybe(FloatArray("seen", low=-LARGE, high=LARGE)),
    )

    def check_state(self) -> None:
        """The models predict the same classes."""
        super().check_state()
        if (self.seen is None) != (self.constants is None):
            raise ReadError("BoostingClassifier has half of a calibration")
        if self.seen is not None and (np.diff(self.seen) <= 0).any():
            raise ReadError("the classes that BoostingClassifier has seen are not distinct")
        for model in self.models:
            self.check_inside(model)

    def __init__(
        self,
        models: Sequence[Classifier],
        votes: Floats,
        errors: Floats,
        calibration: tuple[Array, float, Floats] | None,
    ) -> None:
        self.models, self.votes, self.errors = list(models), votes, errors
        self.seen, self.slope, self.constants = calibration or (None, 1.0, None)

    def probabilities(self, batch: Table) -> Floats:
        """The share of each class in the votes; calibrated, unless the learner left that out."""
        shares = self.shares(batch)
        if self.seen is None or self.constants is None:
            return shares
        scores = self.slope * shares[:, self.seen] + self.constants
        found = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares[:] = 0.0
        shares[:, self.seen] = found / found.sum(axis=1, keepdims=True)
        return shares

    def shares(self, batch: Table) -> Floats:
        """The share of each class in the votes."""
        found = _votes(self.models, self.votes, batch)
        return found / found.sum(axis=1, keepdims=True)

    def __str__(self) -> str:
        told = [f"{self.target.name}, by {len(self.models)} models of {self.models[0].learner!r}:"]
        told += ["model   vote  error"]
        for at, (vote, error) in enumerate(zip(self.votes, self.errors, strict=True), 1):
            told.append(f"{at:>5}  {vote:.3f}  {error:.3f}")
        return "\n".join(told)


def _takes(learner: Any) -> Takes:
    inside = Tree() if learner.learner is None else learner.learner
    return replace(takes_of_member(inside), target="classes")


@dataclass(kw_only=True, eq=False)
class Boosting(Learner):
    """Each model is learned with more weight on rows that those before it got wrong.

    This is SAMME (Zhu, Zou, Rosset and Hastie 2009), which for two classes is AdaBoost. The
    weights always sum to what they sum to at first. Missing cells are left to the learner.

    Parameters
    ----------
    learner
        Any learner of classes that takes weights; it may stand first, without its name. Unless
        given, a small binary tree by Gini, with as many leaves as there are classes: a stump where
        there are two.
    t
        How many models, at most.
    learning_rate
        What the weight of each vote is multiplied by, before rows are weighed by it: less than 1
        learns more slowly (shrinkage).
    calibrate
        Whether probabilities are calibrated: their logarithms are linear in the votes, with a slope
        and a constant for each class that make rows most probable by models of all folds but
        theirs, of five. If not, a class is as probable as its share of the votes.

    Notes
    -----
    With k classes among the rows, a model of error e has a vote of log((1 - e) / e) + log(k - 1).
    A model with no error is the last; its vote is that of half a row wrong in one row more
    than there are. One whose error is no less than that of guessing, 1 - 1/k, ends the search
    and is left out, unless it is the first, which then stands alone.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import Boosting, NaiveBayes
    >>> voting = satsuma.load("voting")
    >>> model = Boosting(NaiveBayes(), t=3)(voting)
    >>> model(voting[0])
    'republican'
    """

    learner: Learner | None = None
    t: int = 50
    learning_rate: float = 1.0
    calibrate: bool = True

    takes: ClassVar[Any] = TakesBy(_takes)

    def check(self) -> None:
        """A learner of classes that takes weights, a number of models, and a learning rate."""
        if self.learner is not None:
            check_inside(self, "learner", self.learner)
            inside = self.learner.takes
            if inside.target == "number" or not inside.weights:
                raise refuse(self, "learner", "a learner of classes that takes weights")
        check_number(self, "t", low=1, whole=True)
        check_number(self, "learning_rate", low=1e-6, high=1e3)
        check_choice(self, "calibrate", [True, False])

    def learn(self, data: Table) -> BoostingClassifier:
        """Models one after the other; and, beside them, such of all folds but one."""
        rows = training_rows(data, type(self).__name__)
        learner = _tree(rows) if self.learner is None else self.learner
        weights = np.ones(len(rows)) if rows.weights is None else rows.weights
        if not self.calibrate:
            models, votes, errors = self._boosted(learner, rows, weights)
            return BoostingClassifier(models, votes / votes.sum(), errors, None)
        first, left, hashes = distinct_rows(rows)
        kept = rows[first]
        left = np.ones(len(first)) if left is None else left
        target = rows.domain.target
        assert target is not None
        held = held_out(hashes, by_name(_truth(kept), target.values), left)

        def part(at: int) -> tuple[list[Classifier], Floats, Floats] | None:
            if at == FOLDS:
                return self._boosted(learner, rows, weights)
            rest = left - held[:, at]
            some = np.flatnonzero(rest > _TRIFLE)
            return self._boosted(learner, kept[some], rest[some]) if len(some) else None

        whole, *others = map_tasks(part, [FOLDS, *range(FOLDS)])
        assert whole is not None
        models, votes, errors = whole
        seen, slope, constants = _calibration(others, kept, held)
        total = float(votes.sum())
        return BoostingClassifier(models, votes / total, errors, (seen, slope * total, constants))

    def _boosted(
        self, learner: Learner, rows: Table, base: Floats
    ) -> tuple[list[Classifier], Floats, Floats]:
        """Models one after the other, until one errs never, or as often as guessing does.

        What each vote weighs, and the error of each.
        """
        truth = _truth(rows)
        k = max(2, len(np.unique(truth)))
        total, models = float(base.sum()), list[Classifier]()
        votes, errors, factors = list[float](), list[float](), np.ones(len(rows))
        while len(models) < self.t:
            weights = base * factors
            model = learner(with_weights(rows, weights))
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
        return models, np.array(votes), np.array(errors)


def _truth(rows: Table) -> Codes:
    target = rows.domain.target
    assert target is not None
    return rows.column(target.name)


def _tree(rows: Table) -> Tree:
    """A binary tree that can have a leaf for each class."""
    classes = max(2, len(np.unique(_truth(rows))))
    depth = math.ceil(math.log2(classes))
    return Tree(measure="gini", split="binary", min_leaf=1, max_depth=depth, prune=None)


def _calibration(
    others: Sequence[tuple[Sequence[Classifier], Floats, Floats] | None], rows: Table, held: Floats
) -> tuple[Array, float, Floats]:
    """The classes that were seen, and the slope and constants of votes of models of other folds."""
    seen, labels = np.unique(_truth(rows), return_inverse=True)
    shape = len(others), len(rows), len(seen)
    margins = Margins(np.zeros((1, *shape)), np.zeros(shape, bool))
    for at, found in enumerate(others):
        asked = np.flatnonzero(held[:, at])
        if found is not None and len(asked):
            votes = _votes(found[0], found[1], rows[asked])
            margins.values[0, at, asked] = votes[:, seen]
            learned = np.bincount(labels, held.sum(axis=1) - held[:, at], len(seen))
            margins.known[at, asked] = learned > _TRIFLE
    fold, row = np.nonzero(margins.known[:, np.arange(len(rows)), labels])
    known = Margins(margins.values[:, fold, row], margins.known[fold, row])
    slopes, constants = fit_margins(known, labels[row], held[row, fold])
    return seen, float(slopes[0]), constants


def _votes(models: Sequence[Classifier], votes: Floats, batch: Table) -> Floats:
    """Rows by classes: the sum of the votes for each."""
    classes = len(models[0].classes)

    def said(at: int, part: Table) -> Floats:
        codes = models[at].codes(fitted(part, models[at].domain))
        return votes[at] * np.eye(classes)[codes]

    return summed_predictions(said, len(models), batch, classes)


def _vote(error: float, classes: int) -> float:
    """What the vote of a model weighs; above 0 where it is better than guessing."""
    return float(np.log((1 - error) / error) + np.log(classes - 1))


def _rounded(factors: Floats, total: float) -> Floats:
    """Factors of which sums are exact, so that no tie depends on the order of the rows.

    Ties are common: with the new weights, the last model is as good as guessing.
    """
    grain = 2.0 ** (math.ceil(math.log2(total)) - 50)
    return np.round(factors / grain) * grain
