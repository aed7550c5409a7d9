"""EM: semi-supervised learning, in which an unlabelled row belongs to each class in part."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from satsuma.active.semi_supervised import (
    Learned,
    SemiSupervised,
    labels_of,
    weights_or_ones,
    with_labels,
)
from satsuma.data.table import Table
from satsuma.errors import check_choice, check_number, refuse
from satsuma.learners.ensembles.ensemble import with_weights
from satsuma.learners.parameters import parameter_values
from satsuma.learners.queries import fitted
from satsuma.numerics.arrays import Codes, Floats

#: Less of a row than this is none.
_NOTHING = 1e-12

#: Rounds of scaling, at most, and how far a share may then be from what it is to be.
_ROUNDS, _NEAR = 50, 1e-6

#: So much of a row may belong to a class that was ruled out, if its size demands it.
_LEAST = 1e-300


class EMStep(NamedTuple):
    """A model, and how far each row without a label belongs to each class by it."""

    model: Any
    memberships: Floats
    sides: "_Sides"

    @property
    def objective(self) -> float:
        """The log-likelihood of all rows, less the divergence of memberships; NaN for none."""
        return self.sides.objective(self.model, self.memberships)


@dataclass(kw_only=True, eq=False)
class EM(SemiSupervised):
    """Expectation and maximisation, over a learner that takes weights (Nigam et al. 2000).

    Each row without a label belongs to every class as far as the model says, and is learned from
    once for each, weighing so much; that gives another model, and so on. Where labels are few,
    classes may run away, so over all rows without a label each keeps the share that it has
    among the labelled (posterior regularisation, Ganchev et al. 2010). Missing cells are left to
    the learner.

    Parameters
    ----------
    learner
        Any learner of classes that takes weights; it may stand first, without its name.
    folds
        Into how many parts known labels are dealt, to be held back in turn and found again.
    seed
        Where chance starts from in dealing.
    steps
        How many models, at most.
    tolerance
        How much of a row may still change its class, on average, in the last step.
    weight_of_unlabelled
        What a row without a label weighs beside one that has one.
    keep_shares
        Whether classes keep their shares. If not, this is plain EM.

    Notes
    -----
    What is maximised is the log-likelihood of all rows, less the divergence of memberships from
    what the model says. No step lowers it where the learner finds the most likely model, as naive
    Bayes of symbols does with ``m=0`` and no missing cells; others come near to that. A row
    without a label is in memory once for each class.

    Examples
    --------
    >>> from satsuma import EM, NaiveBayes, Table
    >>> few = [(1.0, "a"), (1.2, None), (0.9, "a"), (5.1, "b"), (5.0, None), (4.8, "b")]
    >>> model = EM(NaiveBayes(), folds=2)(Table.of(few, ["x", "y"]))
    >>> model({"x": 1.1}), model.spread.unlabelled, model.spread.agreement
    ('a', 2, 1.0)
    """

    steps: int = 20
    tolerance: float = 1e-3
    weight_of_unlabelled: float = 1.0
    keep_shares: bool = True

    def check(self) -> None:
        """A learner of classes that takes weights, steps, a tolerance, a weight, yes or no."""
        super().check()
        if not self.learner.takes.weights:
            raise refuse(self, "learner", "a learner of classes that takes weights")
        check_number(self, "steps", low=1, whole=True)
        check_number(self, "tolerance", low=0)
        check_number(self, "weight_of_unlabelled", low=0, high=1)
        check_choice(self, "keep_shares", [True, False])

    def spread(self, rows: Table, seen: Any) -> Learned:
        """The model of the last step; a row is of the class to which most of it belongs."""
        del seen
        codes = labels_of(rows).copy()
        *_, last = self.walk(rows)
        codes[codes < 0] = np.unique(codes[codes >= 0])[last.memberships.argmax(axis=1)]
        return Learned(last.model, codes)

    def walk(self, rows: Table) -> Iterator[EMStep]:
        """The steps one by one, the first by known labels alone; some rows have no label."""
        sides = _Sides(rows, self.weight_of_unlabelled, self.keep_shares)
        learner = _uncalibrated(self.learner)
        step = sides.step(learner(rows[sides.known]))
        yield step
        for _ in range(int(self.steps)):
            before, step = step, sides.step(learner(sides.weighed(step.memberships)))
            yield step
            moved = np.abs(step.memberships - before.memberships).sum(axis=1) / 2
            if np.average(moved, weights=sides.weights[sides.bare]) <= self.tolerance:
                return


def _uncalibrated(learner: Any) -> Any:
    """The same learner, not calibrated: a model cannot be by labels that it gave itself."""
    known = parameter_values(learner)
    return type(learner)(**known, calibrate=False) if known.pop("calibrate", False) else learner


class _Sides:
    """Rows with a label, and rows without: those are there once for each class that was seen."""

    def __init__(self, rows: Table, weight: float, keep_shares: bool) -> None:
        truth: Codes = labels_of(rows)
        self.rows, self.weight, self.weights = rows, weight, weights_or_ones(rows)
        self.known, self.bare = np.flatnonzero(truth >= 0), np.flatnonzero(truth < 0)
        self.classes, self.label = np.unique(truth[self.known], return_inverse=True)
        every = np.concatenate([self.known, np.repeat(self.bare, len(self.classes))])
        codes = np.concatenate([truth[self.known], np.tile(self.classes, len(self.bare))])
        self.every = with_labels(rows[every], codes)
        self.shares: Floats | None = None
        if keep_shares:
            counts = np.bincount(self.label, weights=self.weights[self.known])
            self.shares = counts / counts.sum()

    def weighed(self, memberships: Floats) -> Table:
        """Every row, weighing as much as it belongs to the class under which it is there."""
        soft = self.weight * self.weights[self.bare, None] * memberships
        weights = np.concatenate([self.weights[self.known], soft.ravel()])
        counted = np.ones(len(weights), np.bool_)
        counted[len(self.known) :] = memberships.ravel() > _NOTHING
        # Most rows are sure of their class by far: it saves time to leave out the rest.
        return with_weights(self.every[counted], weights[counted])

    def step(self, model: Any) -> EMStep:
        """What follows from a model."""
        asked = fitted(self.rows[self.bare], model.domain, model.unseen)
        probabilities = model.probabilities(asked)[:, self.classes]
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        memberships, weights = probabilities, self.weights[self.bare]
        if self.shares is not None:
            memberships = keep_class_shares(probabilities, self.shares, weights)
        return EMStep(model, memberships, self)

    def objective(self, model: Any, memberships: Floats) -> float:
        """What is maximised; see `EMStep`."""
        if not hasattr(model, "log_joint"):
            return float("nan")
        joint = model.log_joint(fitted(self.rows, model.domain, model.unseen))[:, self.classes]
        sure, joint = joint[self.known, self.label], joint[self.bare]
        from scipy.special import xlogy

        # The sum of q log p(x, c) - q log q is log p(x) less the divergence of q from p(c | x).
        with np.errstate(invalid="ignore"):
            parts = np.where(memberships > 0, memberships * joint, 0.0)
        soft = (parts - xlogy(memberships, memberships)).sum(axis=1)
        found = self.weights[self.known] @ sure
        return float(found + self.weight * (self.weights[self.bare] @ soft))


def keep_class_shares(probabilities: Floats, shares: Floats, weights: Floats) -> Floats:
    """Memberships of which each class has its share, and that diverge least from probabilities.

    They are the probabilities times a factor for each class, found by scaling in turn.

    Parameters
    ----------
    probabilities
        Rows by classes; every row sums to 1.
    shares
        Of each class in all rows together, above 0; they sum to 1.
    weights
        What each row weighs.

    Examples
    --------
    >>> probabilities = np.array([[0.9, 0.1], [0.8, 0.2], [0.6, 0.4], [0.5, 0.5]])
    >>> found = keep_class_shares(probabilities, np.array([0.5, 0.5]), np.ones(4))
    >>> found.round(2).tolist(), found.mean(axis=0).round(4).tolist()
    ([[0.77, 0.23], [0.6, 0.4], [0.36, 0.64], [0.27, 0.73]], [0.5, 0.5])
    """
    possible = np.maximum(probabilities, _LEAST)
    factors, found = np.ones(len(shares)), possible
    for _ in range(_ROUNDS):
        found = possible * factors
        found /= found.sum(axis=1, keepdims=True)
        now = np.average(found, axis=0, weights=weights)
        if np.abs(now - shares).max() <= _NEAR:
            break
        factors *= shares / np.maximum(now, _LEAST)
        factors /= factors.max()
    return found
