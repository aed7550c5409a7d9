"""Newton's method: a step in each round, by the gradient and the Hessian of the last one."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from satsuma.learners.linear.log_likelihood import LogLikelihood
from satsuma.numerics.arrays import Floats


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
        The best so far, with the loss there and the curvature.
    step
        What was taken off `found` to get to `tried`.
    """

    tried: Floats
    l2: float
    tolerance: float
    limit: int
    found: Any = None
    loss: float = np.inf
    hessian: Any = None
    step: Any = None
    rounds: int = 0
    converged: bool = False
    done: bool = False

    curved = True

    def advance(self, tally: LogLikelihood) -> "Newton":
        """Take a step of Newton's, or half the last one where that went too far."""
        rounds = self.rounds + 1
        now = tally.penalised(self.tried, self.l2)
        # Near the end, steps change the loss by less than its rounding.
        if not now.loss <= self.loss + 1e-9 * abs(self.loss):
            if rounds >= self.limit:
                return replace(self, rounds=rounds, tried=self.found, done=True)
            step = self.step / 2
            return replace(self, rounds=rounds, tried=self.found - step, step=step)
        step = (inverse(now.hessian, self.l2) @ now.gradient.ravel()).reshape(self.tried.shape)
        length = float(np.sqrt(max(now.gradient.ravel() @ step.ravel(), 0.0)))
        converged = length <= self.tolerance
        return replace(
            self,
            tried=self.tried - step,
            found=self.tried,
            loss=now.loss,
            hessian=now.hessian,
            step=step,
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
