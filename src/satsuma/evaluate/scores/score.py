"""Scores: what each is called, what it needs to know, and whether more of it is better."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from satsuma.data.columns import Array, Floats
from satsuma.errors import ParameterError, hint
from satsuma.evaluate.scores import confusion_matrix as confusion
from satsuma.evaluate.scores import numbers as number
from satsuma.evaluate.scores import probabilities as probability

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


def _right(said: Array, truth: Array, _weights: Floats, _parts: Array) -> Floats:
    return (said == truth).astype(np.float64)


def _alone(errors: Callable[..., Floats]) -> Callable[[Any, Any, Floats, Any], Floats]:
    """Errors of single rows, whatever they weigh."""
    return lambda given, truth, _weights, _parts: errors(given, truth)


_ALL = (
    Score("CA", "confusion", confusion.accuracy, each=_right),
    Score("AUC", "probabilities", probability.auc, each=probability.placements),
    Score("Brier", "probabilities", probability.brier, False, _alone(probability.squared_errors)),
    Score("log loss", "probabilities", probability.log_loss, False, _alone(probability.log_errors)),
    Score("F1", "confusion", confusion.f1),
    Score("precision", "confusion", confusion.precision),
    Score("recall", "confusion", confusion.recall),
    Score("MCC", "confusion", confusion.matthews),
    Score("kappa", "confusion", confusion.kappa),
    Score("ECE", "probabilities", probability.calibration_error, rising=False),
    Score("MAE", "numbers", number.absolute_error, False, _alone(number.distances)),
    Score("RMSE", "numbers", number.root_squared_error, False, _alone(number.squares)),
    Score("R2", "numbers", number.r_squared),
)

#: Scores by name.
SCORES = {score.name: score for score in _ALL}

_OTHERWISE = {"accuracy": "CA", "calibration error": "ECE", "r²": "R2"}

#: What a printed table of results shows.
SHOWN = {"sym": ("CA", "AUC", "Brier", "log loss", "F1"), "num": ("MAE", "RMSE", "R2")}


def find(name: Any, kind: str) -> Score:
    """A score by its name, in letters of any size, for a target of a kind.

    Examples
    --------
    >>> find("ca", "sym").name
    'CA'
    >>> find("RMSE", "sym")
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
