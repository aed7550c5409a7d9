"""A prior of one's own: the probability of each class, by name, whatever the rows say."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from satsuma.data.domain import Domain
from satsuma.errors import ParameterError, hint, refuse
from satsuma.numerics.arrays import Floats


def check_own_prior(learner: object, given: Mapping[str, Any]) -> None:
    """Raise unless all of them are numbers of 0 and more that sum to 1."""
    numbers = [isinstance(p, int | float) and not isinstance(p, bool) for p in given.values()]
    right = bool(numbers) and all(numbers) and min(given.values()) >= 0
    if not right or not abs(sum(given.values()) - 1) < 1e-6:
        raise refuse(learner, "prior", "probabilities by class that sum to 1")


def own_prior(given: Mapping[str, float], domain: Domain, estimated: Floats) -> Floats:
    """What is given, in the order of the classes; one that no row is of stays impossible.

    Parameters
    ----------
    given
        By class.
    domain
        Whose target has the classes.
    estimated
        What the rows say of each class.
    """
    target = domain.target
    assert target is not None
    lost = [name for name in target.values if name not in given]
    unknown = [name for name in given if name not in target.values]
    if unknown:
        raise ParameterError(
            f"prior= names {unknown[0]!r}, which is no class of {target.name!r}. "
            f"{hint(unknown[0], target.values)}"
        )
    if lost:
        raise ParameterError(f"prior= names no probability of {lost[0]!r}. Give it one, or 0.")
    found = np.array([float(given[name]) for name in target.values])
    found = np.where(estimated > 0, found, 0.0)
    if not found.sum() > 0:
        raise ParameterError("prior= leaves no class that there are rows of. Give one more than 0.")
    return found / found.sum()
