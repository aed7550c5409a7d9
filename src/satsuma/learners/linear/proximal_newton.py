"""Proximal Newton: steps of Newton's method where coefficients cost as much as they are large."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from satsuma.kernels.descent import descend
from satsuma.learners.linear.log_likelihood import LogLikelihood
from satsuma.numerics.arrays import Floats


@dataclass(frozen=True)
class ProximalNewton:
    """Where a search has come to for the least loss with L1 regularization.

    Each round looks at the gradient and the Hessian of the log-likelihood. Where the quadratic that
    these make, with what coefficients cost, is least, is where the next round looks (Lee, Sun and
    Saunders 2014); coordinate descent finds it. A step that does not lower the loss is halved.

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
    found
        The best so far, and the loss there.
    step
        What was taken off `found` to get to `tried`.
    """

    tried: Floats
    l1: float
    l2: float
    tolerance: float
    limit: int
    found: Any = None
    loss: float = np.inf
    step: Any = None
    rounds: int = 0
    converged: bool = False
    done: bool = False

    curved = True
    hessian = None

    def advance(self, tally: LogLikelihood) -> "ProximalNewton":
        """Take a step, or half the last one where that went too far."""
        rounds = self.rounds + 1
        now = tally.penalised(self.tried, self.l2)
        loss = now.loss + self.l1 * float(np.abs(self.tried[:, 1:]).sum())
        # Near the end, steps change the loss by less than its rounding.
        if not loss <= self.loss + 1e-9 * abs(self.loss):
            if rounds >= self.limit:
                return replace(self, rounds=rounds, tried=self.found, done=True)
            step = self.step / 2
            return replace(self, rounds=rounds, tried=self.found - step, step=step)
        step = self._step(now)
        length = float(np.sqrt(max(step.ravel() @ now.hessian @ step.ravel(), 0.0)))
        converged = length <= self.tolerance
        return replace(
            self,
            tried=self.tried - step,
            found=self.tried,
            loss=loss,
            step=step,
            rounds=rounds,
            converged=converged,
            done=converged or rounds >= self.limit,
        )

    def _step(self, now: LogLikelihood) -> Floats:
        """From here to where the quadratic is least."""
        here = self.tried.ravel()
        costs = np.full(self.tried.shape, float(self.l1))
        costs[:, 0] = 0.0
        best = descend(
            now.hessian,
            now.hessian @ here - now.gradient.ravel(),
            costs.ravel(),
            np.zeros(len(here)),
            here,
            tolerance=self.tolerance / 10,
        )
        return (here - best).reshape(self.tried.shape)
