"""Newton's method: a step in each round, by the gradient and the Hessian of the last one."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from satsuma.learners.linear.log_likelihood import LogLikelihood
from satsuma.numerics.arrays import Floats, Indices


@dataclass(frozen=True)
class Newton:
    """Where a search by Newton's method has come to.

    Parameters
    ----------
    tried
        The coefficients that the next round looks at: (contrasts, 1 + columns).
    l2
        What half the squares of the coefficients cost.
    tolerance
        The last step is below so many standard errors.
    limit
        How many rounds there may be.
    found
        The best so far, with the loss there.
    covariance
        The inverse of the Hessian there.
    step
        What was taken off `found` to get to `tried`.
    length
        That of the last whole step, in standard errors.
    """

    tried: Floats
    l2: float
    tolerance: float
    limit: int
    found: Any = None
    loss: float = np.inf
    covariance: Any = None
    step: Any = None
    length: float = np.inf
    rounds: int = 0
    converged: bool = False
    done: bool = False

    @property
    def curved(self) -> Indices:
        """The Hessian is looked at of all coefficients."""
        return np.arange(self.tried.size)

    def advance(self, tally: LogLikelihood) -> "Newton":
        """Take a step of Newton's, or half the last one where that went too far."""
        rounds = self.rounds + 1
        now = tally.penalised(self.tried, self.l2, self.curved)
        # Near the end, steps change the loss by less than its rounding.
        if not now.loss <= self.loss + 1e-9 * abs(self.loss):
            if rounds >= self.limit:
                return replace(self, rounds=rounds, tried=self.found, done=True)
            step = self.step / 2
            return replace(self, rounds=rounds, tried=self.found - step, step=step)
        covariance = inverse(now.hessian, self.l2)
        step = (covariance @ now.gradient.ravel()).reshape(self.tried.shape)
        length = float(np.sqrt(max(now.gradient.ravel() @ step.ravel(), 0.0)))
        # Each step is as long as the square of the one before, times a constant that two tell.
        next_length = length * (length / self.length) ** 2 if length < 1e-6 else length
        converged = min(length, 10 * next_length) <= self.tolerance
        return replace(
            self,
            tried=self.tried - step,
            found=self.tried,
            loss=now.loss,
            covariance=covariance,
            step=step,
            length=length,
            rounds=rounds,
            converged=converged,
            done=converged or rounds >= self.limit,
        )


def inverse(hessian: Floats, l2: float) -> Any:
    """The inverse; without a penalty, 0 along directions that say nothing."""
    if l2 > 0:
        try:
            return np.linalg.inv(hessian)
        except np.linalg.LinAlgError:  # a class is so improbable that its constant is free
            pass
    return np.linalg.pinv(hessian, rcond=1e-12, hermitian=True)
