"""Smoothing: effects whose roughness costs as much as the rows themselves say it should."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from satsuma.learners.additive.penalties import Penalties
from satsuma.numerics.arrays import Floats

#: Strengths are kept between these.
_LOW, _HIGH = 1e-4, 1e7

#: What is added to the diagonal of a matrix, scaled to ones there, so that it can be inverted.
_RIDGE = 1e-9

#: Steps end when the effects are worth as many parameters as before, but for this.
_STILL = 0.01


@dataclass(frozen=True)
class Fit:
    """Effects, how sure they are, and how strong the penalties were.

    Parameters
    ----------
    effects
        The constant, and the effect of each cell.
    covariance
        Of the effects, where rows spread as `spread` says.
    strengths
        Of the forms of all penalties, in their order.
    spread
        The variance of what is left over; 1 for classes and counts.
    freedom
        How many parameters the effects are worth: the effective degrees of freedom.
    """

    effects: Floats
    covariance: Floats
    strengths: Floats
    spread: float
    freedom: float


@dataclass(frozen=True)
class Problem:
    """Effects are to be found that make ``effects @ gram @ effects / 2 - effects @ right`` small.

    Parameters
    ----------
    gram, right
        The quadratic form and its slope at 0.
    fixed
        What is added to the quadratic form whatever the strengths.
    penalties
        Each of some cells.
    squares, weight
        The sum of squares of the target and the weight of all rows, where its spread is to be
        estimated; else None.
    """

    gram: Floats
    right: Floats
    fixed: Floats
    penalties: Sequence[Penalties]
    squares: float | None = None
    weight: float = 0.0

    def shared(self, strengths: Floats) -> Iterator[tuple[Penalties, Floats]]:
        """Each of the penalties, with the strengths of its forms."""
        first = 0
        for each in self.penalties:
            yield each, strengths[first : (first := first + len(each.forms))]

    def roughness(self, strengths: Floats) -> Floats:
        """The quadratic form of all penalties together."""
        found = self.fixed.copy()
        for each, own in self.shared(strengths):
            each.add_to(found, own)
        return found

    def solved(self, strengths: Floats) -> Fit:
        """The best effects at some strengths."""
        inverse = _inverse(self.gram + self.roughness(strengths))
        effects = inverse @ self.right
        freedom = float(np.sum(inverse * self.gram))
        spread = 1.0
        if self.squares is not None:
            left = self.squares - 2 * effects @ self.right + effects @ self.gram @ effects
            spread = max(left, 1e-9 * self.squares, 1e-300) / max(self.weight - freedom, 1.0)
        return Fit(effects, inverse, strengths, float(spread), freedom)


def smoothed(problem: Problem, strengths: Floats, steps: int, leap: float) -> Fit:
    """The effects at the strengths that are most likely, searched for from some on.

    In a step a strength changes by the factor `leap` at most.

    Each step is the generalized one of Fellner and Schall (Wood and Fasiolo 2017), which climbs
    the restricted likelihood (REML): a strength grows by the ratio of how rough effects would be
    if nothing but the penalty was known, to how rough they are.
    """
    fit = problem.solved(strengths)
    for _ in range(steps if problem.penalties else 0):
        wanted = np.concatenate([_wanted(*each, fit) for each in problem.shared(fit.strengths)])
        change = (wanted / fit.strengths).clip(1 / leap, leap)
        before, fit = fit, problem.solved((fit.strengths * change).clip(_LOW, _HIGH))
        if abs(fit.freedom - before.freedom) < _STILL:
            break
    return fit


def _wanted(penalties: Penalties, strengths: Floats, fit: Fit) -> Floats:
    """The strengths at which effects would be as rough as the penalties expect them to be."""
    own, known = fit.effects[penalties.cells], penalties.within(fit.covariance)
    free = penalties.free(strengths) - [np.sum(known * form) for form in penalties.forms]
    rough = np.array([own @ form @ own for form in penalties.forms]) / fit.spread
    found = strengths * np.maximum(free, 1e-8) / np.maximum(rough, 1e-12)
    return found.clip(_LOW, _HIGH)


def _inverse(matrix: Floats) -> Floats:
    """The inverse of a matrix that is positive definite, but for rounding."""
    scale = 1 / np.sqrt(np.maximum(np.diagonal(matrix), 1e-300))
    scaled = matrix * scale[:, np.newaxis] * scale
    scaled[np.diag_indices_from(scaled)] += _RIDGE
    found: Any = np.linalg.inv(scaled)
    return (found + found.T) / 2 * scale[:, np.newaxis] * scale
