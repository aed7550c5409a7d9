"""Thresholds: from which probability on to act, by costs, F1 or a capacity.

They are chosen on rows that were not learned from.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.result_frame import ResultFrame
from satsuma.data.table import Table
from satsuma.errors import ParameterError
from satsuma.evaluate.cost_scores import Cost, measure_of
from satsuma.evaluate.decision_curve import DecisionCurve, Thoughts
from satsuma.evaluate.request import check_whole
from satsuma.evaluate.results_display import grid_html, number, percent
from satsuma.numerics.arrays import Array, Floats

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Threshold(ResultFrame):
    """From which probability on a row is called a class, and what comes of it.

    Parameters
    ----------
    value
        The class.
    threshold
        The probability.
    by
        What it was chosen by, in words.
    called, precision, recall
        The share of rows that are called so, of these the share that is so, and the share that is
        found of all that are so.
    amount, otherwise
        The mean cost or profit of a row, and what it would be if the most probable class were
        decided for; None where it was not chosen by that.
    """

    value: str
    threshold: float
    by: str
    called: float
    precision: float
    recall: float
    amount: float | None = None
    otherwise: float | None = None

    def __call__(self, probabilities: Floats) -> Array:
        """Whether to call each row so, given the probability of the class."""
        return np.asarray(probabilities) >= self.threshold

    def __repr__(self) -> str:
        money = ""
        if self.amount is not None and self.otherwise is not None:
            money = (
                f" That is {number(self.amount)} a row, and {number(self.otherwise)} from 0.5 on."
            )
        return (
            f"Call a row {self.value!r} from a probability of {number(self.threshold)} on "
            f"({self.by}): {percent(self.called)} of the rows, of which "
            f"{percent(self.precision)} are so (precision); that finds {percent(self.recall)} of "
            f"all that are so (recall).{money}"
        )

    def to_pandas(self) -> "pd.DataFrame":
        """A data frame of one row: the class, the threshold, and what comes of it."""
        import pandas as pd

        return pd.DataFrame([asdict(self)])

    def _repr_html_(self) -> str:
        shares = {"called": self.called, "precision": self.precision, "recall": self.recall}
        head = ["class", "threshold", *shares]
        line = [self.value, number(self.threshold), *map(percent, shares.values())]
        return grid_html(str(self), [head, line])


def threshold(
    given: Any,
    table: Table | None = None,
    *,
    by: Any = "F1",
    value: str | None = None,
    capacity: int | None = None,
    rows: int | None = None,
    priors: Mapping[str, float] | None = None,
    learner: str | None = None,
) -> Threshold:
    """Choose the probability from which on to call a row a class, on rows not learned from.

    Parameters
    ----------
    given
        What `cross_validate` or `hold_out` returned, or a model of classes.
    table
        With a model: rows that it has not learned from, whose classes are known.
    by
        ``F1``, or a `Cost` or a `Profit`, of which the mean is made least or greatest; bare
        amounts are costs.
    value
        The class; the rarer of two unless given.
    capacity
        How many rows can be acted upon, in the place of `by`: as many are called, at most.
    rows
        With `capacity`: out of how many; as many as were tested unless given.
    priors
        The probability of each of two classes where the threshold is to be used, if it is another
        there than among these rows. The threshold is still one of what the model gives.
    learner
        Which of several learners in the results.

    Examples
    --------
    >>> from satsuma import Cost, Logistic, cross_validate, load, threshold
    >>> results = cross_validate(Logistic(), load("titanic"), folds=5)
    >>> found = threshold(results, by=Cost({("yes", "no"): 4, ("no", "yes"): 1}), value="yes")
    >>> found.threshold < 0.5 < found.recall
    True
    >>> round(threshold(results, capacity=200, value="yes").called * 2201) <= 200
    True
    """
    known = Thoughts.of(given, table, learner)
    code = known.code(value)
    thoughts = known.with_priors(priors)
    curve = thoughts.curve(thoughts.target.values[code])
    found = _chosen(thoughts, curve, measure_of(by), capacity, rows)
    if priors is None:
        return found
    return replace(found, threshold=_as_learned(found.threshold, known, thoughts, code))


def _as_learned(chosen: float, known: Thoughts, moved: Thoughts, code: int) -> float:
    """A threshold of probabilities by other priors, as one of those that a model gives."""
    if len(known.target.values) != 2:
        raise ParameterError(
            f"priors= moves a threshold between two classes, and {known.target.name!r} has "
            f"{len(known.target.values)}."
        )
    there, wanted = (np.bincount(each.truth, each.weights, 2)[code] / each.weights.sum()
                     for each in (known, moved))  # fmt: skip
    odds = chosen * (1 - wanted) * there
    total = odds + (1 - chosen) * wanted * (1 - there)
    return float(odds / total) if total > 0 else chosen


def _chosen(
    thoughts: Thoughts, curve: DecisionCurve, by: Any, capacity: int | None, rows: int | None
) -> Threshold:
    if capacity is not None:
        return _by_capacity(curve, capacity, len(thoughts.truth) if rows is None else rows)
    if isinstance(by, Cost):
        return _by_cost(curve, by, thoughts)
    if str(by).upper() != "F1":
        raise ParameterError(
            f"The 'by' parameter of threshold must be 'F1', a Cost or a Profit. Got {by!r} instead."
        )
    at = int(curve.f1.argmax())
    return _at(curve, at, f"the best F1, {number(float(curve.f1[at]))}")


def _by_capacity(curve: DecisionCurve, capacity: int, rows: int) -> Threshold:
    share = check_whole("threshold", "capacity", capacity, 1) / check_whole(
        "threshold", "rows", rows, 1
    )
    at = int(np.flatnonzero(curve.called <= share + 1e-12)[-1])
    return _at(curve, at, f"{capacity:,} of {rows:,} rows can be acted upon")


def _by_cost(curve: DecisionCurve, by: Cost, thoughts: Thoughts) -> Threshold:
    amounts = two_by_two(by.matrix(thoughts.target), thoughts.target.code(curve.value))
    found = curve.costs(amounts)
    at = int(found.argmax() if by.rising else found.argmin())
    told = f"the {'greatest profit' if by.rising else 'least cost'}"
    return _at(curve, at, told, float(found[at]), float(found[curve.at(0.5)]))


def two_by_two(amounts: Floats, code: int) -> Floats:
    """Amounts of two classes, truth by decision, that of the code behind the other.

    Examples
    --------
    >>> two_by_two(np.array([[0.0, 1.0], [5.0, 0.0]]), 0).tolist()
    [[0.0, 5.0], [1.0, 0.0]]
    """
    if len(amounts) != 2:
        raise ParameterError(
            f"A threshold by costs is one between two classes, and there are {len(amounts)}. Of "
            f"more, have each row decided by its least expected cost: compare(…, measure=Cost(…))."
        )
    other = 1 - code
    return amounts[np.ix_([other, code], [other, code])]


def _at(
    curve: DecisionCurve,
    at: int,
    by: str,
    amount: float | None = None,
    otherwise: float | None = None,
) -> Threshold:
    # Half way to the next lower probability, so that no row is near the edge.
    upper = min(float(curve.thresholds[at]), 1.0)
    after = float(curve.thresholds[at + 1]) if at + 1 < len(curve.thresholds) else 0.0
    middle = (upper + after) / 2 if at else 1.0
    called, precision, recall = (
        float(each[at]) for each in (curve.called, curve.precision, curve.recall)
    )
    return Threshold(curve.value, middle, by, called, precision, recall, amount, otherwise)
