"""Log-likelihood of some coefficients, with its gradient and its Hessian, as a tally."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from satsuma.data.table import Table
from satsuma.learners.matrix_learner import target_of
from satsuma.numerics.arrays import Array, Floats
from satsuma.prepare.encoding import Encoding
from satsuma.tallies.by_class import weights_of

#: Rows that are looked at together, so that their matrix stays in the cache.
_ROWS = 4096


@dataclass(frozen=True)
class LogLikelihood:
    """The negative log-likelihood of rows, and its derivatives by coefficients of contrasts.

    Parameters
    ----------
    loss
        The negative log-likelihood.
    gradient
        (contrasts, 1 + columns).
    hessian
        Square, in the order of the gradient laid flat.
    """

    loss: float
    gradient: Floats
    hessian: Floats

    def __add__(self, other: Self) -> "LogLikelihood":
        """Those of the rows of both."""
        return LogLikelihood(
            self.loss + other.loss, self.gradient + other.gradient, self.hessian + other.hessian
        )

    @classmethod
    def of(
        cls, batch: Table, encoding: Encoding, seen: Array, at: Floats, contrasts: Floats
    ) -> "LogLikelihood":
        """The derivatives of a batch of rows; those of no class in `seen` are left out."""
        assert batch.domain.target is not None, "classes are looked at only where there are some"
        place = np.full(len(batch.domain.target.values) + 1, -1)  # the last is of missing ones
        place[seen] = np.arange(len(seen))
        found = cls(0.0, np.zeros(at.shape), np.zeros((at.size, at.size)))
        for start in range(0, len(batch), _ROWS):
            rows = batch[start : start + _ROWS]
            told = place[target_of(rows)]
            weights = weights_of(rows)
            weights = np.ones(len(rows)) if weights is None else weights
            x = np.hstack([np.ones((len(rows), 1)), encoding.matrix(rows)])
            used = (told >= 0) & (weights > 0)
            if not used.all():
                x, told, weights = x[used], told[used], weights[used]
            found = found + _of_rows(x, told, weights, at, contrasts)
        return found


def _of_rows(
    x: Floats, told: Array, weights: Floats, at: Floats, contrasts: Floats
) -> LogLikelihood:
    scores = (contrasts @ at) @ x.T  # classes by rows: few long rows are gone over faster
    scores -= scores.max(axis=0)
    chances = np.exp(scores)
    total = chances.sum(axis=0)
    loss = float(weights @ (np.log(total) - scores[told, np.arange(len(told))]))
    chances /= total
    mean = contrasts.T @ chances
    gradient = (weights * (mean - contrasts[told].T)) @ x
    n, width = at.shape
    hessian = np.zeros((n, width, n, width))
    for a in range(n):
        for b in range(a, n):
            spread = (contrasts[:, a] * contrasts[:, b]) @ chances - mean[a] * mean[b]
            part = x.T @ (x * (weights * spread)[:, None])
            hessian[a, :, b, :] = part
            hessian[b, :, a, :] = part.T
    return LogLikelihood(loss, gradient, hessian.reshape(n * width, n * width))
