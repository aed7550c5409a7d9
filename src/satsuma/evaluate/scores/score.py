"""Scores: what each is called, what it needs to know, and whether more of it is better."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from satsuma.errors import ParameterError, hint
from satsuma.evaluate.scores import confusion_matrix, numbers, probabilities
from satsuma.numerics.arrays import Array, Floats

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


def _right(predicted: Array, truth: Array, _weights: Floats, _parts: Array) -> Floats:
    return (predicted == truth).astype(np.float64)


def _row_errors(errors: Callable[..., Floats]) -> Callable[[Any, Any, Floats, Any], Floats]:
    """Errors of single rows, whatever they weigh."""
    return lambda given, truth, _weights, _parts: errors(given, truth)


_ALL = (
    Score("CA", "confusion", confusion_matrix.accuracy, each=_right),
    Score("AUC", "probabilities", probabilities.auc, each=probabilities.placements),
    Score(
        "Brier",
        "probabilities",
        probabilities.brier,
        False,
        _row_errors(probabilities.squared_errors),
    ),
    Score(
        "log loss",
        "probabilities",
        probabilities.log_loss,
        False,
        _row_errors(probabilities.log_errors),
    ),
    Score("F1", "confusion", confusion_matrix.f1),
    Score("precision", "confusion", confusion_matrix.precision),
    Score("recall", "confusion", confusion_matrix.recall),
    Score("MCC", "confusion", confusion_matrix.matthews),
    Score("kappa", "confusion", confusion_matrix.kappa),
    Score("ECE", "probabilities", probabilities.calibration_error, rising=False),
    Score("MAE", "numbers", numbers.absolute_error, False, _row_errors(numbers.distances)),
    Score("RMSE", "numbers", numbers.root_squared_error, False, _row_errors(numbers.squares)),
    Score("R2", "numbers", numbers.r_squared),
)

#: Scores by name.
SCORES = {score.name: score for score in _ALL}

_OTHERWISE = {"accuracy": "CA", "calibration error": "ECE", "r²": "R2"}

#: What a printed table of results shows.
SHOWN = {"sym": ("CA", "AUC", "Brier", "log loss", "F1"), "num": ("MAE", "RMSE", "R2")}


def find_score(name: Any, kind: str) -> Score:
    """A score by its name, in letters of any size, for a target of a kind.

    Examples
    --------
    >>> find_score("ca", "sym").name
    'CA'
    >>> find_score("RMSE", "sym")
    Traceback (most recent call last):
        ...
    satsuma.errors.ParameterError: RMSE is a score of predicted numbers, and these are classes. \
There are: 'CA', 'AUC', 'Brier', 'log loss', 'F1' and 5 more.
    """
    spelled = str(name).lower().replace("_", " ")
    spelled = _OTHERWISE.get(spelled, spelled)
    found = next((s for s in _ALL if s.name.lower() == spelled.lower()), None)
    numeric = kind == "num"
    fitting = [s.name for s in _ALL if (s.needs == "numbers") == numeric]
    if found is None:
        raise ParameterError(f"There is no score {name!r}. {hint(str(name), fitting)}")
    if found.name not in fitting:
        has, are = ("classes", "numbers") if numeric else ("numbers", "classes")
        raise ParameterError(
            f"{found.name} is a score of predicted {has}, and these are {are}. {hint('', fitting)}"
        )
    return found
