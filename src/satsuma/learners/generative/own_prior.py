"""A prior of one's own: the probability of each class, by name, whatever the rows say."""

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.errors import ParameterError, hint, refuse
from satsuma.measures.estimates import relative
from satsuma.numerics.arrays import Floats


def check_prior(learner: Any) -> None:
    """Raise unless `prior` is probabilities by class, a way to estimate them, or None."""
    given = learner.prior
    if isinstance(given, Mapping):
        _check_named(learner, cast("Mapping[str, Any]", given))
    elif given is not None:
        if not hasattr(given, "of_classes"):
            known = "RelativeFrequency(), Laplace(), MEstimate(m) or {'class': probability, …}"
            raise refuse(learner, "prior", known)
        given.check()


def estimated_prior(given: Any, weight: Floats) -> Floats:
    """What the rows say of each class: their shares, unless another estimate is given."""
    estimate: Any = getattr(given, "of_classes", relative)
    return estimate(weight)


def _check_named(learner: object, given: Mapping[str, Any]) -> None:
    """Raise unless all of them are numbers of 0 and more that sum to 1."""
    numbers = [isinstance(p, int | float) and not isinstance(p, bool) for p in given.values()]
    right = bool(numbers) and all(numbers) and min(given.values()) >= 0
    if not right or not abs(sum(given.values()) - 1) < 1e-6:
        raise refuse(learner, "prior", "probabilities by class that sum to 1")


def own_prior(given: Any, domain: Domain, estimated: Floats) -> Floats:
    """What is given by name, in the order of the classes; else what is estimated.

    A class that is named, and that no row is of, stays impossible.

    Parameters
    ----------
    given
        What `prior` is.
    domain
        Whose target has the classes.
    estimated
        What the rows say of each class.
    """
    if not isinstance(given, Mapping):
        return estimated
    given, target = cast("Mapping[str, float]", given), domain.target
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
