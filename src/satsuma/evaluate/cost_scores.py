"""Costs and profits of decisions: what it costs to take one class for another."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np

from satsuma.data.variable import Variable
from satsuma.errors import ParameterError, described
from satsuma.evaluate.probability_scores import weighted_mean
from satsuma.evaluate.scores import Score
from satsuma.folds import Strata
from satsuma.numerics.arrays import Floats


@dataclass(frozen=True)
class Cost:
    """What it costs to decide for a class where another is true; less is better.

    As a measure, it is the mean cost of a row, where each is decided as its probabilities say: for
    the class of the least expected cost (Elkan 2001). So a class may be decided for that is not
    the most probable one.

    Parameters
    ----------
    amounts
        By true class and decision: ``{("yes", "no"): 10, ("no", "yes"): 1}``. What is not named
        costs 0.

    Examples
    --------
    >>> from satsuma import Cost, Logistic, cross_validate, load
    >>> missed = Cost({("yes", "no"): 5, ("no", "yes"): 1})
    >>> results = cross_validate(Logistic(), load("titanic"), folds=5)
    >>> round(results.scores(missed)["Logistic"], 1)
    0.7
    """

    amounts: Mapping[tuple[str, str], float]

    name: ClassVar[str] = "cost"
    rising: ClassVar[bool] = False

    def matrix(self, target: Variable) -> Floats:
        """The amounts, truth by decision."""
        found = np.zeros((len(target.values), len(target.values)))
        given: Any = self.amounts
        if not isinstance(given, Mapping) or not given:
            raise ParameterError(
                f"{type(self).__name__} takes amounts by true class and decision, as in "
                f"{{('yes', 'no'): 10}}. Got {described(self.amounts)}."
            )
        for pair, amount in cast("Mapping[Any, Any]", given).items():
            if not isinstance(pair, tuple) or len(cast("Any", pair)) != 2:
                raise ParameterError(
                    f"{type(self).__name__} takes amounts by true class and decision, as in "
                    f"{{('yes', 'no'): 10}}. Got {pair!r}."
                )
            if not isinstance(amount, int | float) or not np.isfinite(amount):
                raise ParameterError(
                    f"The {self.name} of {pair!r} must be a number, not {amount!r}."
                )
            truth, decision = (target.code(each) for each in cast("Any", pair))
            found[truth, decision] = amount
        return found

    def costs(self, target: Variable) -> Floats:
        """The same as costs: less is better."""
        return -self.matrix(target) if self.rising else self.matrix(target)

    def score_of(self, target: Variable) -> Score:
        """The score of some predictions of a target."""
        if target.kind != "sym":
            raise ParameterError(
                f"{type(self).__name__} is about decisions for classes, and {target.name!r} has "
                f"numbers."
            )
        amounts, costs = self.matrix(target), self.costs(target)

        def each(probabilities: Floats, truth: Strata, *_: Any) -> Floats:
            return amounts[truth, decisions(probabilities, costs)]

        def mean(probabilities: Floats, truth: Strata, weights: Floats, *_: Any) -> float:
            return weighted_mean(each(probabilities, truth), weights)

        return Score(self.name, "probabilities", mean, self.rising, each)


class Profit(Cost):
    """What is gained by deciding for a class where another is true; more is better.

    Parameters
    ----------
    amounts
        By true class and decision: ``{("yes", "yes"): 100, ("no", "yes"): -5}``. What is not named
        gains 0.

    Examples
    --------
    >>> from satsuma import Logistic, Profit, cross_validate, load
    >>> mailing = Profit({("yes", "yes"): 20, ("no", "yes"): -5})
    >>> results = cross_validate(Logistic(), load("titanic"), folds=5)
    >>> round(results.scores(mailing)["Logistic"], 1)
    3.4
    """

    name: ClassVar[str] = "profit"
    rising: ClassVar[bool] = True


def decisions(probabilities: Floats, costs: Floats) -> Strata:
    """The class of the least expected cost, for each row; the first of several.

    Examples
    --------
    >>> decisions(np.array([[0.9, 0.1], [0.7, 0.3]]), np.array([[0.0, 1.0], [5.0, 0.0]])).tolist()
    [0, 1]
    """
    return (probabilities @ costs).argmin(axis=1)
