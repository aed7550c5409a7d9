"""Log-likelihood of classes whose log odds are weighted sums, with its derivatives: a tally."""

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from satsuma.data.table import Table
from satsuma.learners.matrix_learner import target_of
from satsuma.numerics.arrays import Array, Floats
from satsuma.prepare.encoding import Encoding
from satsuma.tallies.by_class import weights_of

#: Rows that are looked at together, so that their matrix stays in the cache.
_ROWS = 4096

#: Cells of the matrix of a batch that is kept from one round to the next (128 MB), at most.
_KEPT = 1 << 24


class EncodedBlock(NamedTuple):
    """Some rows: their matrix with a constant in front, the places of their classes, weights."""

    x: Floats
    told: Array
    weights: Floats


class EncodedRows:
    """What becomes of a batch of rows; that of the last batch is kept, if it is small.

    Parameters
    ----------
    encoding
        How rows become a matrix.
    seen
        The codes of the classes that weigh something; rows of no such class are left out.
    """

    def __init__(self, encoding: Encoding, seen: Array) -> None:
        self.encoding, self.seen = encoding, seen
        self._kept: tuple[Table, list[EncodedBlock]] | None = None

    def of(self, batch: Table) -> list[EncodedBlock]:
        """The rows of a batch, in blocks."""
        kept = self._kept
        if kept is not None and kept[0] is batch:
            return kept[1]
        found = [self._block(batch[at : at + _ROWS]) for at in range(0, max(len(batch), 1), _ROWS)]
        if len(batch) * len(self.encoding.mean) <= _KEPT:
            self._kept = batch, found
        return found

    def _block(self, rows: Table) -> EncodedBlock:
        assert rows.domain.target is not None, "classes are looked at only where there are some"
        place = np.full(len(rows.domain.target.values) + 1, -1)  # the last is of missing ones
        place[self.seen] = np.arange(len(self.seen))
        told, weights = place[target_of(rows)], weights_of(rows)
        weights = np.ones(len(rows)) if weights is None else weights
        x = np.hstack([np.ones((len(rows), 1)), self.encoding.matrix(rows)])
        used = (told >= 0) & (weights > 0)
        if used.all():
            return EncodedBlock(x, told, weights)
        return EncodedBlock(x[used], told[used], weights[used])

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_kept": None}


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
        Square, in the order of the gradient laid flat; without columns where it is not asked for.
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
        cls, rows: list[EncodedBlock], at: Floats, contrasts: Floats, *, curved: bool
    ) -> "LogLikelihood":
        """The derivatives at some coefficients; the second ones only where it is `curved`."""
        size = at.size if curved else 0
        found = cls(0.0, np.zeros(at.shape), np.zeros((size, size)))
        for block in rows:
            chances, loss = _chances(block, at, contrasts)
            mean = contrasts.T @ chances
            gradient = (block.weights * (mean - contrasts[block.told].T)) @ block.x
            hessian = _hessian(block, chances, mean, contrasts) if curved else found.hessian
            found = found + cls(loss, gradient, hessian)
        return found

    def penalised(self, at: Floats, l2: float) -> "LogLikelihood":
        """The same with half of `l2` times the squares of all coefficients but the constants."""
        price = np.full(at.shape, float(l2))
        price[:, 0] = 0.0
        hessian = self.hessian + np.diag(price.ravel()) if self.hessian.size else self.hessian
        loss = self.loss + float((price * at * at).sum()) / 2
        return LogLikelihood(loss, self.gradient + price * at, hessian)


def _chances(block: EncodedBlock, at: Floats, contrasts: Floats) -> tuple[Floats, float]:
    """Classes by rows: how probable each class is; and the negative log-likelihood."""
    scores = (contrasts @ at) @ block.x.T  # few long rows are gone over faster
    scores -= scores.max(axis=0)
    chances = np.exp(scores)
    total = chances.sum(axis=0)
    right = scores[block.told, np.arange(len(block.told))]
    loss = float(block.weights @ (np.log(total) - right))
    chances /= total
    return chances, loss


def _hessian(block: EncodedBlock, chances: Floats, mean: Floats, contrasts: Floats) -> Floats:
    n, width = len(mean), block.x.shape[1]
    hessian = np.zeros((n, width, n, width))
    for a in range(n):
        for b in range(a, n):
            spread = (contrasts[:, a] * contrasts[:, b]) @ chances - mean[a] * mean[b]
            part = block.x.T @ (block.x * (block.weights * spread)[:, None])
            hessian[a, :, b, :] = part
            hessian[b, :, a, :] = part.T
    return hessian.reshape(n * width, n * width)
