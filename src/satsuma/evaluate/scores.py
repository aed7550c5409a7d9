"""Scores: what each is called, what it needs to know, and whether more of it is better.

Those of classes follow from a confusion matrix, truth by prediction, those of numbers from what is
predicted for each row; those of probabilities have a file of their own.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from satsuma.data.variable import Variable
from satsuma.errors import ParameterError, hint
from satsuma.evaluate.probability_scores import (
    auc,
    brier,
    log_errors,
    log_loss,
    placements,
    squared_errors,
    weighted_mean,
)
from satsuma.evaluate.reliability import calibration_error
from satsuma.numerics.arrays import Array, Floats

#: The share of all rows by which a cell of a confusion matrix is changed, to see what follows.
_STEP = 1e-7

Needs = Literal["confusion", "probabilities", "numbers"]


@dataclass(frozen=True)
class Score:
    """A way to put a number on predictions.

    Parameters
    ----------
    name
        What it is called.
    needs
        What it is computed from.
    of
        The score of some rows.
    rising
        Whether more is better.
    each
        What each row adds to it, given the weights and the parts of the rows, for a score that is
        a mean over rows or nearly so.
    """

    name: str
    needs: Needs
    of: Callable[..., float]
    rising: bool = True
    each: Callable[[Any, Any, Floats, Any], Floats] | None = None


def accuracy(matrix: Floats, target: int | None = None) -> float:
    """The share of right predictions; of a class, taking all others as one.

    Examples
    --------
    >>> accuracy(np.array([[8.0, 2.0], [1.0, 9.0]]))
    0.85
    """
    total = float(matrix.sum())
    if target is None:
        return _over(float(np.trace(matrix)), total)
    wrong = matrix[target].sum() + matrix[:, target].sum() - 2 * matrix[target, target]
    return _over(total - float(wrong), total)


def precision(matrix: Floats, target: int | None = None) -> float:
    """The share of right ones among those called so; 0 where none was."""
    return _averaged(matrix, target, np.diag(matrix), matrix.sum(axis=0))


def balanced_accuracy(matrix: Floats, target: int | None = None) -> float:
    """The mean over the classes of the share of their rows that is right.

    Examples
    --------
    >>> round(balanced_accuracy(np.array([[90.0, 0.0], [6.0, 4.0]])), 9)
    0.7
    """
    matrix = _one_or_all(matrix, target)
    there = matrix.sum(axis=1)
    if not there.sum():
        return np.nan
    return float((np.diag(matrix)[there > 0] / there[there > 0]).mean())


def recall(matrix: Floats, target: int | None = None) -> float:
    """The share of those that are so which were called so."""
    return _averaged(matrix, target, np.diag(matrix), matrix.sum(axis=1))


def f1(matrix: Floats, target: int | None = None) -> float:
    """The harmonic mean of precision and recall."""
    both = matrix.sum(axis=0) + matrix.sum(axis=1)
    return _averaged(matrix, target, 2 * np.diag(matrix), both)


def matthews(matrix: Floats, target: int | None = None) -> float:
    """The correlation of truth and prediction (Matthews 1975; several classes: Gorodkin 2004)."""
    matrix = _one_or_all(matrix, target)
    true, predicted, total = matrix.sum(axis=1), matrix.sum(axis=0), matrix.sum()
    if not total:
        return np.nan
    shared = np.trace(matrix) * total - true @ predicted
    spread = (total**2 - predicted @ predicted) * (total**2 - true @ true)
    return float(shared / np.sqrt(spread)) if spread > 0 else 0.0


def kappa(matrix: Floats, target: int | None = None) -> float:
    """Agreement beyond what chance would give (Cohen 1960)."""
    matrix = _one_or_all(matrix, target)
    total = matrix.sum()
    expected = _over(float(matrix.sum(axis=1) @ matrix.sum(axis=0)), float(total**2))
    return _over(accuracy(matrix) - expected, 1 - expected)


def _averaged(matrix: Floats, target: int | None, right: Floats, of: Floats) -> float:
    """A share for each class: that of the target, or the mean over the classes that occur."""
    if not matrix.sum():
        return np.nan
    shares: Floats = np.divide(right, of, out=np.zeros(len(of)), where=of > 0)
    if target is not None:
        return float(shares[target])
    return float(shares[matrix.sum(axis=0) + matrix.sum(axis=1) > 0].mean())


def _one_or_all(matrix: Floats, target: int | None) -> Floats:
    if target is None:
        return matrix
    hit, row, column = matrix[target, target], matrix[target].sum(), matrix[:, target].sum()
    return np.array([[hit, row - hit], [column - hit, matrix.sum() - row - column + hit]])


def _over(part: float, whole: float) -> float:
    return part / whole if whole else np.nan


def absolute_error(predicted: Floats, truth: Floats, weights: Floats) -> float:
    """The mean distance from the truth (MAE)."""
    return weighted_mean(distances(predicted, truth), weights)


def root_squared_error(predicted: Floats, truth: Floats, weights: Floats) -> float:
    """The root of the mean squared distance from the truth (RMSE)."""
    return float(np.sqrt(weighted_mean(squares(predicted, truth), weights)))


def r_squared(predicted: Floats, truth: Floats, weights: Floats) -> float:
    """The share of the truth's variance that is explained (R²); NaN where it does not vary.

    Examples
    --------
    >>> r_squared(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0]), np.ones(3))
    1.0
    """
    spread = weighted_mean((truth - weighted_mean(truth, weights)) ** 2, weights)
    return 1 - weighted_mean(squares(predicted, truth), weights) / spread if spread > 0 else np.nan


def _explained(predicted: Floats, truth: Floats, weights: Floats, _parts: Any) -> Floats:
    """What each row adds to R², to the first order: it is a ratio of two means."""
    errors = squares(predicted, truth)
    apart = (truth - weighted_mean(truth, weights)) ** 2
    error, spread = weighted_mean(errors, weights), weighted_mean(apart, weights)
    if not spread > 0:
        return np.full(len(truth), np.nan)
    return 1 - errors / spread + error * (apart - spread) / spread**2


def quantile_loss(level: float) -> "Score":
    """What it costs to be below or above the truth, where a quantile is predicted (pinball loss).

    Examples
    --------
    >>> half = quantile_loss(0.9)
    >>> half.name, round(half.of(np.array([1.0, 3.0]), np.array([2.0, 2.0]), np.ones(2)), 9)
    ('quantile loss 0.9', 0.5)
    """

    def each(predicted: Floats, truth: Floats) -> Floats:
        gap = truth - predicted
        return np.maximum(level * gap, (level - 1) * gap)

    def mean(predicted: Floats, truth: Floats, weights: Floats) -> float:
        return weighted_mean(each(predicted, truth), weights)

    return Score(f"quantile loss {level:g}", "numbers", mean, False, _row_errors(each))


def distances(predicted: Floats, truth: Floats) -> Floats:
    """How far each row is from the truth."""
    return np.abs(predicted - truth)


def squares(predicted: Floats, truth: Floats) -> Floats:
    """How far each row is from the truth, squared."""
    return (predicted - truth) ** 2


def _right(predicted: Array, truth: Array, _weights: Floats, _parts: Array) -> Floats:
    return (predicted == truth).astype(np.float64)


def _row_shares(of: Callable[..., float]) -> Callable[[Any, Any, Floats, Any], Floats]:
    """What each row adds to a score of a confusion matrix, to the first order.

    This is the infinitesimal jackknife (Efron 1982): by how much the score changes with the weight
    of the cell that a row is in. The mean over the rows is the score.
    """

    def each(predicted: Array, truth: Array, weights: Floats, _parts: Array) -> Floats:
        size = int(max(predicted.max(initial=0), truth.max(initial=0))) + 1
        cells = truth.astype(np.intp) * size + predicted
        matrix = np.bincount(cells, weights, size * size).astype(np.float64)
        whole, total = of(matrix.reshape(size, size)), float(matrix.sum())
        added = np.zeros(size * size)
        for cell in np.flatnonzero(matrix):
            more = matrix.copy()
            more[cell] += _STEP * total
            added[cell] = whole + (of(more.reshape(size, size)) - whole) / _STEP
        return added[cells]

    return each


def _row_errors(errors: Callable[..., Floats]) -> Callable[[Any, Any, Floats, Any], Floats]:
    """Errors of single rows, whatever they weigh."""
    return lambda given, truth, _weights, _parts: errors(given, truth)


_ALL = (
    Score("CA", "confusion", accuracy, each=_right),
    Score("AUC", "probabilities", auc, each=placements),
    Score("Brier", "probabilities", brier, False, _row_errors(squared_errors)),
    Score("log loss", "probabilities", log_loss, False, _row_errors(log_errors)),
    Score("F1", "confusion", f1, each=_row_shares(f1)),
    Score("precision", "confusion", precision, each=_row_shares(precision)),
    Score("recall", "confusion", recall, each=_row_shares(recall)),
    Score("MCC", "confusion", matthews, each=_row_shares(matthews)),
    Score("kappa", "confusion", kappa, each=_row_shares(kappa)),
    Score("balanced accuracy", "confusion", balanced_accuracy, each=_row_shares(balanced_accuracy)),
    Score("ECE", "probabilities", calibration_error, rising=False),
    Score("MAE", "numbers", absolute_error, False, _row_errors(distances)),
    Score("RMSE", "numbers", root_squared_error, False, _row_errors(squares)),
    Score("R2", "numbers", r_squared, each=_explained),
    quantile_loss(0.5),
)

#: Scores by name.
SCORES = {score.name: score for score in _ALL}

_OTHERWISE = {
    "accuracy": "CA",
    "calibration error": "ECE",
    "r²": "R2",
    "logloss": "log loss",
    "quantile loss": "quantile loss 0.5",
}

#: A score of a quantile, by its level.
_QUANTILE = re.compile(r"(?:quantile(?: loss)?|pinball(?: loss)?) (0?\.\d+)")

#: What a printed table of results shows.
SHOWN = {"sym": ("CA", "AUC", "Brier", "log loss", "F1"), "num": ("MAE", "RMSE", "R2")}


def find_score(name: Any, target: Variable) -> Score:
    """A score by its name, in letters of any size, for a target.

    Examples
    --------
    >>> sweet = Variable("sweet", "sym", ("no", "yes"), "target")
    >>> find_score("ca", sweet).name
    'CA'
    >>> find_score("RMSE", sweet)
    Traceback (most recent call last):
        ...
    satsuma.errors.ParameterError: RMSE is a score of predicted numbers, and these are classes. \
There are: 'CA', 'AUC', 'Brier', 'log loss', 'F1' and 6 more.
    """
    from satsuma.evaluate.cost_scores import measure_of  # costs are scores

    name = measure_of(name)
    if isinstance(name, Score):
        return name
    if hasattr(name, "score_of"):
        return name.score_of(target)
    spelled = str(name).lower().replace("_", " ").replace("-", " ")
    spelled = _OTHERWISE.get(spelled, spelled)
    level = _QUANTILE.fullmatch(spelled)
    found = next((s for s in _ALL if s.name.lower() == spelled.lower()), None)
    if level is not None:
        found = quantile_loss(float(level[1]))
    numeric = target.kind == "num"
    fitting = [s.name for s in _ALL if (s.needs == "numbers") == numeric]
    if found is None:
        costs = (
            " Costs and profits are measures too: satsuma.Cost({('yes', 'no'): 10, …})."
            if spelled in ("cost", "costs", "profit")
            else ""
        )
        raise ParameterError(f"There is no score {name!r}. {hint(str(name), fitting)}{costs}")
    if (found.needs == "numbers") != numeric:
        has, are = ("classes", "numbers") if numeric else ("numbers", "classes")
        raise ParameterError(
            f"{found.name} is a score of predicted {has}, and these are {are}. {hint('', fitting)}"
        )
    return found
