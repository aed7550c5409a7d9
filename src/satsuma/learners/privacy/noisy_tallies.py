"""Noisy tallies: counts and moments that hardly tell whether any one row was among the rows.

A tally is changed by one row in few numbers, and in each by little; noise of Laplace's distribution
that is as wide as the sum of these changes over epsilon hides it (Dwork et al. 2006). What is
concluded from a noisy tally needs no further noise.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError
from satsuma.kernels.tally import GroupMoments
from satsuma.numerics.arrays import Floats
from satsuma.tallies.base import Tally
from satsuma.tallies.by_class import ByClass, numbers_of, symbols_of
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.composite import Composite
from satsuma.tallies.moments import Moments

Bounds = Mapping[str, tuple[float, float]]

#: The least variance that is left of a column, as a share of the square of half its range.
_LEAST_VARIANCE = 1e-4


def clipped(batch: Table, bounds: Bounds) -> Table:
    """The rows with numbers brought to the bounds of their columns."""
    columns = list(batch.columns)
    for at, variable in enumerate(batch.domain):
        if variable.role == "x" and variable.kind == "num":
            columns[at] = np.clip(columns[at], *bounds[variable.name])
    return Table(batch.domain, columns, check=False)


def check_bounds(table: Any, bounds: Bounds) -> None:
    """Raise unless each numeric attribute has a lower and an upper bound."""
    for variable in numbers_of(table.domain):
        name = variable.name
        if name not in bounds:
            raise ParameterError(
                f"bounds must say what {name!r} can be, as bounds={{{name!r}: (0, 100)}}, by what "
                f"is known without these rows: their own least and greatest would tell of them."
            )
        low, high = bounds[name]
        if not (np.isfinite([low, high]).all() and low < high):
            raise ParameterError(
                f"bounds of {name!r} must be two numbers that rise. Got {low!r}, {high!r}."
            )
    if any(v.role == "weight" for v in table.domain):
        raise DomainError("Weights are not private: one row could count for many. Leave them out.")


def sensitivity(tally: Tally) -> int:
    """By how much one row can change a tally: the sum over all of its numbers.

    A row is counted once in its class; once for each symbol; and for each number in the count, in
    the sum and in the sum of squares, which bounds bring to -1 .. 1.
    """
    if isinstance(tally, Composite):  # the class of a row is counted once for all parts
        return 1 + sum(sensitivity(part) - 1 for part in tally.parts)
    if isinstance(tally, ClassCounts):
        return 1 + len(symbols_of(tally.domain))
    if isinstance(tally, Moments):
        return 1 + 3 * len(numbers_of(tally.domain))
    raise DomainError(
        f"There is no way to add noise to {type(tally).__name__}. Counts and moments have one: "
        f"NaiveBayes(number='gaussian', calibrate=False) learns from these."
    )


def with_noise(tally: Tally, epsilon: float, bounds: Bounds, rng: np.random.Generator) -> Any:
    """The same tally with noise, so that no row tells on itself by more than epsilon.

    Parameters
    ----------
    tally
        Of rows whose numbers were brought to the bounds.
    epsilon
        The probability of any result changes at most by ``exp(epsilon)`` with one row more or less.
    bounds
        What each number can be.
    rng
        Where the noise comes from.
    """
    scale = sensitivity(tally) / epsilon
    parts = tally.parts if isinstance(tally, Composite) else (tally,)
    classes = next(part.class_weight for part in parts if isinstance(part, ByClass))
    weight = _noisy(classes, scale, rng)  # counted once, whatever learns from it
    made = [_noisy_part(part, weight, scale, bounds, rng) for part in parts]
    return Composite(tally.domain, made) if isinstance(tally, Composite) else made[0]


def _noisy(counts: Floats, scale: float, rng: np.random.Generator) -> Floats:
    return np.maximum(counts + rng.laplace(scale=scale, size=counts.shape), 0.0)


def _noisy_part(
    part: Any, weight: Floats, scale: float, bounds: Bounds, rng: np.random.Generator
) -> Tally:
    if isinstance(part, ClassCounts):
        return ClassCounts(part.domain, weight, [_noisy(each, scale, rng) for each in part.counts])
    assert isinstance(part, Moments), "`sensitivity` knows no other"
    low, high = np.array([bounds[name] for name in part.names], np.float64).reshape(-1, 2).T
    middle, half = (low + high) / 2, (high - low) / 2
    at: Floats = (part.mean - middle) / half
    squares: Floats = part.m2 / half**2 + part.weight * at**2
    total = part.weight * at + rng.laplace(scale=scale, size=at.shape)
    squares = squares + rng.laplace(scale=scale, size=at.shape)
    known = _noisy(part.weight, scale, rng)
    some, none = np.maximum(known, 1e-9), known == 0
    mean: Floats = np.clip(total / some, -1.0, 1.0)
    variance: Floats = np.clip(squares / some - mean**2, _LEAST_VARIANCE, 1.0)
    found = GroupMoments(
        weight,
        known,
        np.where(none, 0.0, middle + half * mean),
        np.zeros(at.shape),
        np.where(none, 0.0, variance * half**2 * known),
        np.where(none, np.inf, low),
        np.where(none, -np.inf, high),
    )
    return Moments(part.domain, found)
