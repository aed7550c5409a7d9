"""L-BFGS: steps by the gradients of the last rounds, where a Hessian would be too large."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from satsuma.learners.linear.log_likelihood import LogLikelihood
from satsuma.learners.linear.newton import inverse
from satsuma.numerics.arrays import Floats, Indices

#: Steps that are remembered.
_MEMORY = 15

#: Coefficients up to which a last round looks at the Hessian, for standard errors.
MOST_ERRORS = 512

#: So many standard errors from the best, a step of Newton's leaves less than the square of that.
_NEAR = 1e-6

#: Without such a step, so many times the tolerance is near enough: the loss is as good as least.
_FAR = 100.0


class Pair(NamedTuple):
    """A step, the change of the gradient that came of it, and their product: the curvature."""

    step: Floats
    change: Floats
    along: float


@dataclass(frozen=True)
class QuasiNewton:
    """Where a search by L-BFGS has come to (Liu and Nocedal 1989).

    Each round looks at the loss and its gradient alone. The differences of the last gradients tell
    of the curvature. A step that does not lower the loss enough is shortened. Where the Hessian is
    looked at in the end, for standard errors, the last step is one of Newton's.

    Parameters
    ----------
    tried
        The coefficients that the next round looks at: (contrasts, 1 + columns).
    l2
        What half the squares of the coefficients cost.
    tolerance
        The last step is below so many standard errors, as far as the gradients tell; without
        standard errors, below a hundred times as many.
    limit
        How many rounds there may be.
    curvature
        That of the loss along each column, as far as it is known before the first round.
    found
        The best so far, with the loss and the gradient there.
    step
        What is taken off `found`, times `share`, to get to `tried`.
    pairs
        Steps and the differences of gradients that came of them, the last ones.
    covariance
        The inverse of the Hessian, at the end, if there are few coefficients.
    """

    tried: Floats
    l2: float
    tolerance: float
    limit: int
    curvature: Floats
    found: Any = None
    loss: float = np.inf
    gradient: Any = None
    step: Any = None
    share: float = 1.0
    pairs: tuple[Pair, ...] = ()
    covariance: Any = None
    rounds: int = 0
    converged: bool = False
    over: bool = False
    done: bool = False

    @property
    def curved(self) -> Indices:
        """The Hessian is looked at, of all coefficients, only after the last step."""
        return np.arange(self.tried.size if self.over else 0)

    def advance(self, tally: LogLikelihood) -> "QuasiNewton":
        """Take a step, or a part of the last one where that went too far."""
        now = tally.penalised(self.tried, self.l2, self.curved)
        if self.over:
            covariance = inverse(now.hessian, self.l2)
            step = (covariance @ now.gradient.ravel()).reshape(self.tried.shape)
            tried = self.tried - step if self.converged else self.tried
            return replace(self, tried=tried, covariance=covariance, done=True)
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
        first = np.broadcast_to(self.curvature, self.tried.shape).ravel()
        step = direction(now.gradient.ravel(), pairs, first).reshape(self.tried.shape)
        length = float(np.sqrt(max(float((now.gradient * step).sum()), 0.0)))
        here = replace(
            self, found=self.tried, loss=now.loss, gradient=now.gradient, pairs=pairs, step=step
        )
        near = self.tried.size <= MOST_ERRORS
        enough = max(self.tolerance, _NEAR) if near else _FAR * self.tolerance
        if length <= enough or self.rounds >= self.limit:
            return _ended(here, converged=length <= enough)
        return replace(here, share=1.0, tried=here.found - step)


def _ended(search: QuasiNewton, *, converged: bool) -> QuasiNewton:
    """The best so far is what was looked for; a last round looks at its Hessian, if it may."""
    few = search.found.size <= MOST_ERRORS
    return replace(search, tried=search.found, converged=converged, over=True, done=not few)


def direction(gradient: Floats, pairs: tuple[Pair, ...], first: Floats) -> Floats:
    """The gradient over the curvature, as far as steps tell (Nocedal's recursion of two loops).

    Parameters
    ----------
    gradient
        Laid flat.
    pairs
        The last steps.
    first
        The curvature of each coefficient, but for a factor that the last step tells.

    Examples
    --------
    >>> step, change = np.array([1.0, 0.0]), np.array([4.0, 0.0])
    >>> direction(np.array([8.0, 0.0]), (Pair(step, change, 4.0),), np.ones(2)).tolist()
    [2.0, 0.0]
    """
    found, parts = gradient.copy(), list[float]()
    for step, change, along in reversed(pairs):
        part = float(step @ found) / along
        parts.append(part)
        found -= part * change
    found /= first
    if pairs:
        _, change, along = pairs[-1]
        found *= along / float(change @ (change / first))
    for (step, change, along), part in zip(pairs, reversed(parts), strict=True):
        found += (part - float(change @ found) / along) * step
    return found
