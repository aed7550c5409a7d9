"""Parameters: checked when learning, with messages that name the learner and the parameter."""

import math
import numbers
from collections.abc import Iterable
from typing import Any

from satsuma.errors import ParameterError


def refuse(learner: object, name: str, must: str) -> ParameterError:
    """The error for a parameter that has a value which it cannot have."""
    got: Any = getattr(learner, name)
    return ParameterError(
        f"The '{name}' parameter of {type(learner).__name__} must be {must}. Got {got!r} instead."
    )


def check_number(
    learner: object,
    name: str,
    *,
    low: float = float("-inf"),
    high: float = float("inf"),
    whole: bool = False,
) -> None:
    """Raise unless a parameter is a finite number between two others, both included.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> check_number(SimpleNamespace(m=-1), "m", low=0)
    Traceback (most recent call last):
        ...
    satsuma.errors.ParameterError: The 'm' parameter of SimpleNamespace must be a number of at \
least 0. Got -1 instead.
    """
    value: Any = getattr(learner, name)
    kind: Any = numbers.Integral if whole else numbers.Real
    right = isinstance(value, kind) and not isinstance(value, bool) and math.isfinite(value)
    if not (right and low <= value <= high):
        noun = "a whole number" if whole else "a number"
        ends = [f"of at least {low:g}"] if low > float("-inf") else []
        ends += [f"of at most {high:g}"] if high < float("inf") else []
        raise refuse(learner, name, " ".join([noun, " and ".join(ends)]).strip())


def check_choice(learner: object, name: str, choices: Iterable[object]) -> None:
    """Raise unless a parameter is one of some values."""
    known = list(choices)
    if getattr(learner, name) not in known:
        raise refuse(learner, name, f"one of {', '.join(map(repr, known))}")
