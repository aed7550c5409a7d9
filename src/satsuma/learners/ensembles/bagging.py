"""Bagging: models of bootstrap samples (rows drawn with replacement), which vote."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from satsuma.data.table import Table
from satsuma.errors.parameter_checks import check_choice, check_number
from satsuma.kernels.threads import map_tasks
from satsuma.learners.ensembles.bagging_model import BaggingClassifier, BaggingRegressor
from satsuma.learners.ensembles.ensemble import check_inside, takes_of_member, with_weights
from satsuma.learners.learner import Learner
from satsuma.learners.model import Classifier, Model
from satsuma.learners.takes import Takes, TakesBy, training_rows
from satsuma.numerics.arrays import Indices

#: Draws, beside some for each row, after which more would change little; weights may be large.
_ENOUGH = 1 << 20


def _takes(learner: Any) -> Takes:
    return takes_of_member(learner.learner)


@dataclass(kw_only=True, eq=False)
class Bagging(Learner):
    """Models of bootstrap samples of the rows, which vote (Breiman 1996).

    A bootstrap sample is drawn with replacement and has as many rows as there are. Where rows have
    weights, one of weight 2 is drawn as two rows would be, and as many are drawn as all weigh
    together. Missing cells are left to the learner; rows whose target is missing are left out
    first.

    Parameters
    ----------
    learner
        Any learner that predicts something; it may stand first, without its name.
    t
        How many bootstrap samples, each of which makes a model.
    vote
        ``votes``: a class is as probable as its share of the votes, and ties go to the first
        class; ``probabilities``: the mean of the probabilities. Numbers are always averaged.
    seed
        Where chance starts from; the same seed gives the same model for any number of threads.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import NaiveBayes
    >>> iris = satsuma.load("iris")
    >>> model = Bagging(NaiveBayes(), t=5)(iris)
    >>> model(iris[100])
    'virginica'
    >>> print(model)
    Species, by 5 models of NaiveBayes(...), each of rows drawn with replacement; each has a vote
    """

    learner: Learner
    t: int = 10
    vote: Literal["votes", "probabilities"] = "votes"
    seed: int = 0

    takes: ClassVar[Any] = TakesBy(_takes)

    def check(self) -> None:
        """A learner, a number of samples, a way to vote and a seed."""
        check_inside(self, "learner", self.learner)
        check_number(self, "t", low=1, whole=True)
        check_choice(self, "vote", ["votes", "probabilities"])
        check_number(self, "seed", low=0, whole=True)

    def counts(self, rows: Table, sample: int) -> Indices:
        """How often each row is in a bootstrap sample; rows at 0 are out of bag.

        Examples
        --------
        >>> import satsuma
        >>> iris = satsuma.load("iris")
        >>> drawn = Bagging(satsuma.NaiveBayes()).counts(iris, 0)
        >>> int(drawn.sum()), round(float((drawn == 0).mean()), 2)
        (150, 0.34)
        """
        rng = np.random.default_rng([self.seed, sample])
        n, weights = len(rows), rows.weights
        if weights is None or (weights == 1).all():
            drawn = (rng.random(n) * n).astype(np.intp)
            return np.bincount(drawn, minlength=n)
        # Numbers from 0 to the sum of the weights, of which each row has its part: a row that
        # weighs 2 is drawn when either of two rows in its place would be.
        ends = weights.cumsum()
        total = float(ends[-1])
        draws = max(1, round(min(total, _ENOUGH + 16 * n)))
        below = np.searchsorted(np.sort(rng.random(draws) * total), ends)
        below[-1] = draws
        return np.diff(below, prepend=0)

    def learn(self, data: Table) -> BaggingClassifier | BaggingRegressor:
        """A model of each sample."""
        rows = training_rows(data, type(self).__name__)
        models = map_tasks(
            lambda at: self._of_sample(rows, self.counts(rows, at)), range(int(self.t))
        )
        classes = isinstance(models[0], Classifier)
        return BaggingClassifier(models) if classes else BaggingRegressor(models)

    def _of_sample(self, rows: Table, counts: Indices) -> Model:
        if not self.learner.takes.weights:
            return self.learner(rows[np.repeat(np.arange(len(rows)), counts)])
        total = len(rows) if rows.weights is None else float(rows.weights.sum())
        # As many draws as the weights make, rounded: together they weigh what the rows do.
        weights = counts * (total / int(counts.sum()))
        return self.learner(with_weights(rows, weights.astype(np.float64)))
