"""Costs and profits of decisions: what it costs to take one class for another."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from numbers import Real
from typing import Any, ClassVar, cast

import numpy as np

from satsuma.data.variable import Variable
from satsuma.errors import ParameterError, described
from satsuma.evaluate.probability_scores import weighted_mean
from satsuma.evaluate.scores import Score
from satsuma.folds import Strata
from satsuma.numerics.arrays import Floats

#: Amounts by true class and decision: by pairs of them, by one and then by the other, or a matrix.
Amounts = (
    Mapping[tuple[str, str], float]
    | Mapping[str, Mapping[str, float]]
    | Sequence[Sequence[float]]
    | Floats
)


@dataclass(frozen=True)
class Cost:
    """What it costs to decide for a class where another is true; less is better.

    As a measure, it is the mean cost of a row, where each is decided as its probabilities say: for
    the class of the least expected cost (Elkan 2001). So a class may be decided for that is not
    the most probable one.

    Parameters
    ----------
    amounts
        By true class and decision, ``{("yes", "no"): 10, ("no", "yes"): 1}`` or ``{"yes": {"no":
        10}, "no": {"yes": 1}}``, where what is not named costs 0; or a matrix, with a row for each
        true class and a column for each decision, in the order of the classes of the target.

    Examples
    --------
    >>> from satsuma import Cost, Logistic, cross_validate, load
    >>> missed = Cost({("yes", "no"): 5, ("no", "yes"): 1})
    >>> results = cross_validate(Logistic(), load("titanic"), folds=5)
    >>> round(results.scores(missed)["Logistic"], 1)
    0.7
    """

    amounts: Amounts

    name: ClassVar[str] = "cost"
    rising: ClassVar[bool] = False

    def matrix(self, target: Variable) -> Floats:
        """The amounts, truth by decision."""
        given: Any = self.amounts
        if isinstance(given, np.ndarray | list | tuple):
            return self._in_order(cast("Any", given), target)
        if not isinstance(given, Mapping) or not given:
            raise self._refused(described(self.amounts))
        found = np.zeros((len(target.values), len(target.values)))
        for pair, amount in _by_pair(cast("Mapping[Any, Any]", given)):
            if not isinstance(pair, tuple) or len(cast("Any", pair)) != 2:
                raise self._refused(repr(cast("Any", pair)))
            if not isinstance(amount, Real) or not isfinite(amount):
                raise ParameterError(
                    f"The {self.name} of {pair!r} must be a number, not {amount!r}."
                )
            truth, decision = (target.code(each) for each in cast("Any", pair))
            found[truth, decision] = amount
        return found

    def _in_order(self, given: Any, target: Variable) -> Floats:
        """A matrix of amounts, whose lines and columns are in the order of the classes."""
        try:
            found = np.array(given, float)
        except (TypeError, ValueError):
            raise self._refused(described(given)) from None
        if found.shape != (len(target.values),) * 2 or not np.isfinite(found).all():
            listed = ", ".join(map(repr, target.values[:5]))
            raise ParameterError(
                f"A matrix of {self.name}s has a row for each true class and a column for each "
                f"decision, all of them numbers, in the order of the classes: {listed}. Got "
                f"one of shape {found.shape}."
            )
        return found

    def _refused(self, what: str) -> ParameterError:
        return ParameterError(
            f"{type(self).__name__} takes amounts by true class and decision, as in "
            f"{{('yes', 'no'): 10}}, or as a matrix. Got {what}."
        )

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
        By true class and decision, ``{("yes", "yes"): 100, ("no", "yes"): -5}``; what is not named
        gains 0. Or otherwise, as in `Cost`.

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


def _by_pair(given: Mapping[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """Amounts by true class and decision, also where they are by one, and then by the other."""
    for truth, amount in given.items():
        if isinstance(amount, Mapping):
            for decision, each in cast("Mapping[Any, Any]", amount).items():
                yield (truth, decision), each
        else:
            yield truth, amount


def measure_of(measure: Any) -> Any:
    """A measure that may be given as bare amounts, which are costs.

    Examples
    --------
    >>> measure_of({("yes", "no"): 5}), measure_of("AUC")
    (Cost(amounts={('yes', 'no'): 5}), 'AUC')
    """
    bare = isinstance(measure, Mapping | np.ndarray | list | tuple)
    return Cost(cast("Any", measure)) if bare else measure


def decisions(probabilities: Floats, costs: Floats) -> Strata:
    """The class of the least expected cost, for each row; the first of several.

    Examples
    --------
    >>> decisions(np.array([[0.9, 0.1], [0.7, 0.3]]), np.array([[0.0, 1.0], [5.0, 0.0]])).tolist()
    [0, 1]
    """
    return (probabilities @ costs).argmin(axis=1)
