"""Calibrated: probabilities of any learner, made right by rows that it has not learned from."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import check_choice, check_number, refuse
from satsuma.folds import deal_shuffled
from satsuma.learners.calibration.model import (
    CalibratedClassifier,
    HeatedClassifier,
    IsotonicClassifier,
    LogOddsClassifier,
)
from satsuma.learners.calibration.probability_maps import fit_log_odds, fit_steps, fit_temperature
from satsuma.learners.cross_fitting import out_of_fold
from satsuma.learners.ensembles.ensemble import check_inside, takes_of_member
from satsuma.learners.learner import Learner
from satsuma.learners.model import Classifier
from satsuma.learners.takes import Takes, TakesBy, training_rows
from satsuma.numerics.arrays import Array, Floats

METHODS = ("temperature", "isotonic", "sigmoid", "beta")


def _takes(learner: Any) -> Takes:
    return replace(takes_of_member(learner.learner), target="classes")


@dataclass(kw_only=True, eq=False)
class Calibrated(Learner):
    """Probabilities of any learner of classes, calibrated: they are right as often as they say.

    Rows are dealt into folds, and each fold is predicted by a model of the others; a learner of one
    round tallies each fold once for it. What comes of it says how far probabilities can be
    believed. Then the learner learns from all rows. Missing cells are left to it. Naive Bayes and
    its kin calibrate themselves, unless told not to.

    Parameters
    ----------
    learner
        Any learner of classes; it may stand first, without its name.
    method
        ``temperature``: one number by which log-probabilities are divided, so that the same classes
        are predicted (Guo et al. 2017). ``sigmoid`` (Platt 1999) and ``beta`` (Kull et al. 2017):
        two or three numbers for each class against the rest, in its log-odds. ``isotonic``: a
        rising curve for each class (Zadrozny and Elkan 2002), for many rows.
    folds
        How many there are; as many as there are rows, if these are fewer.
    seed
        Where chance starts from in dealing.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import Calibrated, GetProbabilities, NaiveBayes
    >>> voting = satsuma.load("voting")
    >>> plain = NaiveBayes(calibrate=False)
    >>> model = Calibrated(plain)(voting)
    >>> round(model.temperature, 1)
    4.8
    >>> plain(voting)(voting[2], GetProbabilities)
    Distribution(republican=0.994, democrat=0.006)
    >>> model(voting[2], GetProbabilities)
    Distribution(republican=0.743, democrat=0.257)
    """

    learner: Learner
    method: Literal["temperature", "isotonic", "sigmoid", "beta"] = "temperature"
    folds: int = 5
    seed: int = 0

    takes: ClassVar[Any] = TakesBy(_takes)

    def check(self) -> None:
        """A learner of classes, a known method, a number of folds and a seed."""
        check_inside(self, "learner", self.learner)
        if self.learner.takes.target == "number":
            raise refuse(self, "learner", "a learner of classes")
        check_choice(self, "method", METHODS)
        check_number(self, "folds", low=2, whole=True)
        check_number(self, "seed", low=0, whole=True)

    def learn(self, data: Table) -> CalibratedClassifier:
        """Out-of-fold probabilities, what these are worth, and a model of all rows."""
        rows = training_rows(data, type(self).__name__)
        target = rows.domain.target
        assert target is not None
        truth = rows.column(target.name)
        weights = np.ones(len(rows)) if rows.weights is None else rows.weights
        return self._fitted(self.learner(rows), self._out_of_fold(rows), truth, weights)

    def _out_of_fold(self, rows: Table) -> Floats:
        """What models of other rows say; of a single row, what nobody knows."""
        target = rows.domain.target
        assert target is not None
        if len(rows) < 2:
            return np.full((len(rows), len(target.values)), 1 / len(target.values))
        folds = min(int(self.folds), len(rows))
        return out_of_fold(self.learner, rows, deal_shuffled(rows, folds, self.seed), folds)

    def _fitted(
        self, model: Classifier, probabilities: Floats, truth: Array, weights: Floats
    ) -> CalibratedClassifier:
        if self.method == "temperature":
            return HeatedClassifier(model, fit_temperature(probabilities, truth, weights))
        classes = range(probabilities.shape[1])
        among = classes[1:] if len(classes) == 2 else classes
        right = [(truth == at).astype(np.float64) for at in among]
        sides = [probabilities[:, at] for at in among]
        if self.method == "isotonic":
            curves = [fit_steps(p, y, weights) for p, y in zip(sides, right, strict=True)]
            return IsotonicClassifier(model, curves)
        beta = self.method == "beta"
        pairs = zip(sides, right, strict=True)
        return LogOddsClassifier(
            model, np.stack([fit_log_odds(p, y, weights, beta=beta) for p, y in pairs])
        )
