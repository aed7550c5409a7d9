"""Private learning: a model that hardly tells whether any one row was learned from."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from satsuma.data.table import Table
from satsuma.engines import Source, reduce
from satsuma.errors import ParameterError
from satsuma.learners.learner import TallyLearner, learns_in_one_round
from satsuma.learners.model import Model
from satsuma.learners.privacy.noisy_tallies import Bounds, check_bounds, clipped, with_noise


class PrivacyBudget:
    """How much may be told of some rows, in all: what each model takes of it adds up.

    Parameters
    ----------
    epsilon
        For all models of these rows together.

    Examples
    --------
    >>> from satsuma import PrivacyBudget
    >>> budget = PrivacyBudget(1.0)
    >>> budget.spend(0.75)
    >>> budget.left
    0.25
    """

    def __init__(self, epsilon: float) -> None:
        self.epsilon, self.spent = _checked(epsilon), 0.0

    @property
    def left(self) -> float:
        """What is left of it."""
        return self.epsilon - self.spent

    def spend(self, epsilon: float) -> None:
        """Take some of it; more than is left is refused."""
        if _checked(epsilon) > self.left + 1e-12:
            raise ParameterError(
                f"The budget of privacy has {self.left:.4g} of {self.epsilon:.4g} left, and this "
                f"would take {epsilon:.4g}. Tell less, or of other rows."
            )
        self.spent += epsilon

    def __repr__(self) -> str:
        return f"PrivacyBudget({self.epsilon:g}, {self.left:.4g} left)"


def learn_privately(
    learner: TallyLearner[Any],
    data: Table | Source,
    *,
    epsilon: float,
    bounds: Bounds | None = None,
    budget: PrivacyBudget | None = None,
    seed: int | None = None,
) -> Model:
    """A model from counts and moments with noise: differential privacy (Dwork et al. 2006).

    With one row more or less, the probability of any model changes by a factor of ``exp(epsilon)``
    at most; so nobody can tell from the model, nor from anything that is concluded from it, whether
    a row was there. The columns, the values of symbols and the classes are taken to be known.

    Parameters
    ----------
    learner
        One that learns in one round from counts and moments, such as
        ``NaiveBayes(number="gaussian", calibrate=False)``.
    data
        A table, or a source larger than memory.
    epsilon
        From about 0.1, very private, to 10, hardly so.
    bounds
        For each numeric attribute what it can be, known without the rows; numbers beyond are
        brought to them.
    budget
        What `epsilon` is taken from, where several models are learned of the same rows.
    seed
        For repeatable noise, as in tests. Whoever knows it can take the noise out: leave it out
        where rows are to be private.

    Notes
    -----
    Noise is drawn as floats, whose last digits can tell of the count below the noise to whoever
    looks for that (Mironov 2012): give others the predictions, or the model with rounded numbers.

    Examples
    --------
    >>> from satsuma import NaiveBayes, learn_privately, load
    >>> voting = load("voting")
    >>> learner = NaiveBayes(calibrate=False, number="gaussian")
    >>> model = learn_privately(learner, voting, epsilon=5, seed=1)
    >>> model(voting[0])
    'republican'
    """
    if not learns_in_one_round(learner, data.domain):
        raise ParameterError(
            f"{learner!r} does not learn in one round from a tally, which is what noise is added "
            f"to. Take NaiveBayes(number='gaussian', calibrate=False), or Majority()."
        )
    known: Bounds = {} if bounds is None else bounds
    learner.check_data(data)
    check_bounds(data, known)
    tally = reduce(data, partial(_tally, learner, known))
    noisy = with_noise(tally, _checked(epsilon), known, np.random.default_rng(seed))
    if budget is not None:
        budget.spend(epsilon)
    return learner.concluded(noisy)


def _tally(learner: TallyLearner[Any], bounds: Bounds, batch: Table) -> Any:
    return learner.checked_tally(clipped(batch, bounds))


def _checked(epsilon: float) -> float:
    if not (np.isfinite(epsilon) and epsilon > 0):
        raise ParameterError(f"epsilon must be a number above 0. Got {epsilon!r} instead.")
    return float(epsilon)


def merge_models(models: Sequence[Any]) -> Model:
    """One model of all rows that several models have learned from, without the rows.

    What is added up are the tallies of the models, so the merged model is the one that a table of
    all rows would give. Models of other places may have learned privately. The merged model is not
    calibrated, as the rows for that are not in a tally: compare it with ``calibrate=False``.

    Parameters
    ----------
    models
        Of the same learner with the same parameters, whose models keep their tally, such as
        `NaiveBayes`, `LDA` and `QDA`.

    Examples
    --------
    >>> from satsuma import NaiveBayes, load, merge_models
    >>> voting = load("voting")
    >>> learner = NaiveBayes(calibrate=False)
    >>> both = merge_models([learner(voting[:200]), learner(voting[200:])])
    >>> both(voting[0]) == learner(voting)(voting[0])
    True
    """
    if not models:
        raise ParameterError("models must be one or more. Got none.")
    first = models[0]
    learner = getattr(first, "learner", None)
    for model in models:
        kept: Any = getattr(model, "tally", None)
        if kept is None or not learns_in_one_round(model.learner, kept.domain):
            raise ParameterError(
                f"{type(model).__name__} keeps no tally that could be added to others. Merge "
                f"models of NaiveBayes, LDA, QDA or Generative."
            )
        if repr(model.learner) != repr(learner) or type(model) is not type(first):
            raise ParameterError(
                f"Models of different learners cannot be merged: {learner!r} and {model.learner!r}."
            )
    assert learner is not None
    tally = first.tally
    for model in models[1:]:
        tally = tally + model.tally
    return learner.concluded(tally)
