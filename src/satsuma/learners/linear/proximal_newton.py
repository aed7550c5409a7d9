"""Proximal Newton: steps of Newton's method where coefficients cost as much as they are large."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from satsuma.kernels.descent import descend
from satsuma.learners.linear.log_likelihood import LogLikelihood
from satsuma.numerics.arrays import Bools, Floats, Indices

#: A coefficient of 0 is looked at as soon as its gradient is that share of what it costs.
_AHEAD = 0.6

#: No coefficient of a step moves by more standard errors in the last sweep of coordinate descent.
_DESCENT = 1e-6


@dataclass(frozen=True)
class ProximalNewton:
    """Where a search has come to for the least loss with L1 regularization.

    Each round looks at the gradient of the log-likelihood, and at the Hessian of those coefficients
    that are not 0 or are about to leave it. Where the quadratic that these make, with what
    coefficients cost, is least, is where the next round looks (Lee, Sun and Saunders 2014);
    coordinate descent finds it. A step that does not lower the loss is halved.

    Parameters
    ----------
    tried
        The coefficients that the next round looks at: (contrasts, 1 + columns).
    l1, l2
        What coefficients cost, and half their squares; constants cost nothing.
    tolerance
        The last step is below so many standard errors.
    limit
        How many rounds there may be.
    curved
        The places, laid flat, of the coefficients whose Hessian the next round looks at.
    found
        The best so far.
    here
        The loss there and its derivatives, without what coefficients cost; the Hessian is of those
        at `moved`.
    step
        What was taken off `found` to get to `tried`.
    """

    tried: Floats
    l1: float
    l2: float
    tolerance: float
    limit: int
    curved: Indices
    found: Any = None
    here: Any = None
    moved: Any = None
    step: Any = None
    rounds: int = 0
    converged: bool = False
    done: bool = False

    covariance = None

    @classmethod
    def begun(
        cls, tried: Floats, l1: float, l2: float, tolerance: float, limit: int
    ) -> "ProximalNewton":
        """A search that begins at some coefficients."""
        curved = np.flatnonzero(_constants(tried) | (tried.ravel() != 0))
        return cls(tried, l1, l2, tolerance, limit, curved)

    def advance(self, tally: LogLikelihood) -> "ProximalNewton":
        """Take a step, or half the last one where that went too far."""
        self = replace(self, rounds=self.rounds + 1)  # noqa: PLW0642 - a value
        now = tally.penalised(self.tried, self.l2, self.curved)
        if self.found is not None:
            before = self._loss(self.here, self.found)
            # Near the end, steps change the loss by less than its rounding.
            if not self._loss(now, self.tried) <= before + 1e-9 * abs(before):
                if self.rounds >= self.limit:
                    return replace(self, tried=self.found, done=True)
                step = self.step / 2
                return replace(self, tried=self.found - step, step=step)
        return _stepped(replace(self, found=self.tried, here=now, moved=self.curved))

    def at_strength(self, l1: float) -> "ProximalNewton":
        """The search for another strength, which begins where this one ends."""
        return _stepped(replace(self, l1=l1, rounds=0, converged=False, done=False))

    def _loss(self, here: LogLikelihood, at: Floats) -> float:
        return here.loss + self.l1 * float(np.abs(at[:, 1:]).sum())


def _stepped(search: ProximalNewton) -> ProximalNewton:
    """From `found` to where the quadratic is least."""
    gradient, shape = search.here.gradient.ravel(), search.tried.shape
    before = search.found.ravel()[search.moved]
    constant = _constants(search.tried)
    moved = descend(
        search.here.hessian,
        search.here.hessian @ before - gradient[search.moved],
        np.where(constant[search.moved], 0.0, search.l1),
        np.zeros(len(before)),
        before,
        tolerance=min(search.tolerance / 10, _DESCENT),
    )
    step = np.zeros(len(gradient))
    step[search.moved] = before - moved
    tried = search.found.ravel() - step
    length = float(np.sqrt(max((before - moved) @ search.here.hessian @ (before - moved), 0.0)))
    pulled, looked = np.abs(gradient), np.zeros(len(gradient), bool)
    looked[search.moved] = True
    missed = bool((~looked & (pulled > search.l1 * (1 + 1e-9))).any())
    converged = length <= search.tolerance and not missed
    curved = constant | (tried != 0) | (pulled >= _AHEAD * search.l1)
    return replace(
        search,
        tried=tried.reshape(shape),
        step=step.reshape(shape),
        curved=np.flatnonzero(curved),
        converged=converged,
        done=converged or search.rounds >= search.limit,
    )


def _constants(at: Floats) -> Bools:
    """Which coefficients, laid flat, are constants."""
    found = np.zeros(at.shape, bool)
    found[:, 0] = True
    return found.ravel()
