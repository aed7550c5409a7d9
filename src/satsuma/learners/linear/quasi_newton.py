"""L-BFGS: steps by the gradients of the last rounds, where a Hessian would be too large."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from satsuma.learners.linear.log_likelihood import LogLikelihood
from satsuma.numerics.arrays import Floats

#: Steps that are remembered.
_MEMORY = 15

#: Coefficients up to which a last round looks at the Hessian, for standard errors.
MOST_ERRORS = 1024


class Pair(NamedTuple):
    """A step, the change of the gradient that came of it, and their product: the curvature."""

    step: Floats
    change: Floats
    along: float


@dataclass(frozen=True)
class QuasiNewton:
    """Where a search by L-BFGS has come to (Liu and Nocedal 1989).

    Each round looks at the loss and its gradient alone. The differences of the last gradients tell
    of the curvature. A step that does not lower the loss enough is shortened.

    Parameters
    ----------
    tried
        The coefficients that the next round looks at: (contrasts, 1 + columns).
    l2
        What half the squares of the coefficients cost.
    tolerance
        The last step is below so many standard errors, as far as the gradients tell.
    limit
        How many rounds there may be.
    curvature
        That of the loss in any direction, before anything is known.
    found
        The best so far, with the loss and the gradient there.
    step
        What is taken off `found`, times `share`, to get to `tried`.
    pairs
        Steps and the differences of gradients that came of them, the last ones.
    hessian
        At the end, if there are few coefficients.
    """

    tried: Floats
    l2: float
    tolerance: float
    limit: int
    curvature: float
    found: Any = None
    loss: float = np.inf
    gradient: Any = None
    step: Any = None
    share: float = 1.0
    pairs: tuple[Pair, ...] = ()
    hessian: Any = None
    rounds: int = 0
    converged: bool = False
    over: bool = False
    done: bool = False

    @property
    def curved(self) -> bool:
        """Whether the next round is to look at the Hessian: only after the last step."""
        return self.over

    def advance(self, tally: LogLikelihood) -> "QuasiNewton":
        """Take a step, or a part of the last one where that went too far."""
        now = tally.penalised(self.tried, self.l2)
        if self.over:
            return replace(self, hessian=now.hessian, done=True)
        self = replace(self, rounds=self.rounds + 1)  # noqa: PLW0642 - a value
        if self.found is not None and not self._is_better(now):
            return self._shortened(now.loss)
        return self._stepped(now)

    def _is_better(self, now: LogLikelihood) -> bool:
        slope = float((self.gradient * self.step).sum())
        if now.loss <= self.loss - 1e-4 * self.share * slope:
            return True
        # Near the end, steps change the loss by less than its rounding.
        flatter = abs(float((now.gradient * self.step).sum())) <= 0.9 * slope
        return flatter and now.loss <= self.loss + 1e-12 * abs(self.loss)

    def _shortened(self, loss: float) -> "QuasiNewton":
        """By the parabola through both losses, to a tenth at least and a half at most."""
        slope = float((self.gradient * self.step).sum())
        bend = loss - self.loss + slope * self.share
        best = slope * self.share**2 / (2 * bend) if np.isfinite(bend) and bend > 0 else 0.0
        share = min(max(best, 0.1 * self.share), 0.5 * self.share)
        if self.rounds >= self.limit or share < 1e-12:
            return _ended(self, converged=False)
        return replace(self, share=share, tried=self.found - share * self.step)

    def _stepped(self, now: LogLikelihood) -> "QuasiNewton":
        pairs = self.pairs
        if self.found is not None:
            step = (self.tried - self.found).ravel()
            change = (now.gradient - self.gradient).ravel()
            if (along := float(step @ change)) > 0:
                pairs = (*pairs, Pair(step, change, along))[-_MEMORY:]
        step = direction(now.gradient.ravel(), pairs, self.curvature).reshape(self.tried.shape)
        length = float(np.sqrt(max(float((now.gradient * step).sum()), 0.0)))
        here = replace(
            self, found=self.tried, loss=now.loss, gradient=now.gradient, pairs=pairs, step=step
        )
        if length <= self.tolerance or self.rounds >= self.limit:
            return _ended(here, converged=length <= self.tolerance)
        return replace(here, share=1.0, tried=here.found - step)


def _ended(search: QuasiNewton, *, converged: bool) -> QuasiNewton:
    """The best so far is what was looked for; a last round looks at its Hessian, if it may."""
    few = search.found.size <= MOST_ERRORS
    return replace(search, tried=search.found, converged=converged, over=True, done=not few)


def direction(gradient: Floats, pairs: tuple[Pair, ...], first: float) -> Floats:
    """The gradient over the curvature, as far as steps tell (Nocedal's recursion of two loops).

    Examples
    --------
    >>> step, change = np.array([1.0, 0.0]), np.array([4.0, 0.0])
    >>> direction(np.array([8.0, 0.0]), (Pair(step, change, 4.0),), first=1.0).tolist()
    [2.0, 0.0]
    """
    found, parts = gradient.copy(), list[float]()
    for step, change, along in reversed(pairs):
        part = float(step @ found) / along
        parts.append(part)
        found -= part * change
    if pairs:
        _, change, along = pairs[-1]
        first = float(change @ change) / along
    found /= first
    for (step, change, along), part in zip(pairs, reversed(parts), strict=True):
        found += (part - float(change @ found) / along) * step
    return found
