"""Log-likelihood of classes whose log odds are weighted sums, with its derivatives: a tally."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from satsuma.kernels.threads import map_tiles
from satsuma.learners.linear.encoded_rows import EncodedBlock
from satsuma.numerics.arrays import Floats, Indices

#: Into so many parts are blocks of rows dealt to threads: each has a Hessian.
_PARTS = 16


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
        Square: of some coefficients, in the order of the gradient laid flat.
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
        cls, rows: list[EncodedBlock], at: Floats, contrasts: Floats, curved: Indices
    ) -> "LogLikelihood":
        """The derivatives at some coefficients.

        Parameters
        ----------
        rows
            In blocks.
        at
            The coefficients: (contrasts, 1 + columns).
        contrasts
            What these are of: (classes, contrasts).
        curved
            The places of those, laid flat, whose Hessian is asked for, in order.
        """

        def some(lo: int, hi: int) -> LogLikelihood:
            found = LogLikelihood(0.0, np.zeros(at.shape), np.zeros((len(curved), len(curved))))
            for block in rows[lo:hi]:
                found = found + _of_block(block, at, contrasts, curved)
            return found

        first, *others = map_tiles(some, len(rows), -(-len(rows) // _PARTS) or 1)
        return sum(others, first)

    def penalised(self, at: Floats, l2: float, curved: Indices) -> "LogLikelihood":
        """The same with half of `l2` times the squares of all coefficients but the constants."""
        price = np.full(at.shape, float(l2))
        price[:, 0] = 0.0
        hessian = self.hessian + np.diag(price.ravel()[curved])
        loss = self.loss + float((price * at * at).sum()) / 2
        return LogLikelihood(loss, self.gradient + price * at, hessian)


def chances_of(block: EncodedBlock, at: Floats, contrasts: Floats) -> tuple[Floats, float]:
    """Classes by rows: how probable each class is; and the negative log-likelihood."""
    if len(contrasts) == 2:
        odds: Floats = block.scores(at)[0]
        rarer = np.exp(-np.abs(odds))
        total = rarer + 1.0
        against = np.where(block.told == 1, -odds, odds)
        loss = float(block.weights @ (np.log(total) + np.maximum(against, 0.0)))
        most, second = 1.0 / total, odds > 0
        rarer *= most
        chances = np.empty((2, len(odds)))
        chances[0], chances[1] = np.where(second, rarer, most), np.where(second, most, rarer)
        return chances, loss
    if _few(block, contrasts):
        scores = contrasts @ block.scores(at)
    else:
        scores = block.scores(contrasts @ at)
    scores -= scores.max(axis=0)
    right = scores[block.told, np.arange(len(block.told))]
    chances = np.exp(scores, out=scores)
    total = chances.sum(axis=0)
    loss = float(block.weights @ (np.log(total) - right))
    chances /= total
    return chances, loss


def _of_block(block: EncodedBlock, at: Floats, contrasts: Floats, curved: Indices) -> LogLikelihood:
    chances, loss = chances_of(block, at, contrasts)
    hessian = np.zeros((0, 0))
    if len(curved):
        hessian = _hessian(block, chances, contrasts, curved)
    if len(contrasts) == 2:
        away = (block.weights * (chances[1] - (block.told == 1)))[None]
        return LogLikelihood(loss, block.sums(away), hessian)
    chances[block.told, np.arange(len(block.told))] -= 1.0
    chances *= block.weights
    if _few(block, contrasts):
        return LogLikelihood(loss, block.sums(contrasts.T @ chances), hessian)
    return LogLikelihood(loss, contrasts.T @ block.sums(chances), hessian)


def _few(block: EncodedBlock, contrasts: Floats) -> bool:
    """Whether sums over columns take longer than those over classes."""
    return len(contrasts) ** 2 < block.width


def _hessian(block: EncodedBlock, chances: Floats, contrasts: Floats, curved: Indices) -> Floats:
    """How the scores of contrasts vary together, times the products of columns."""
    which, column = np.divmod(curved, block.width)
    x = block.columns(column)
    if len(contrasts) == 2:
        x = x * np.sqrt(block.weights * chances[0] * chances[1])
        return x @ x.T
    x = x * np.sqrt(block.weights)
    mean = x * (contrasts.T @ chances)[which]
    found = -(mean @ mean.T)
    if len(curved) == contrasts.shape[1] * block.width:
        return found + _between_classes(x[: block.width], chances, contrasts)
    for mix, chance in zip(contrasts[:, which], chances, strict=True):
        own = np.flatnonzero(mix)
        part = x[own] * np.sqrt(chance)
        found[np.ix_(own, own)] += (part @ part.T) * np.outer(mix[own], mix[own])
    return found


def _between_classes(x: Floats, chances: Floats, contrasts: Floats) -> Floats:
    """The products of columns in each class, times those of its contrasts."""
    (classes, n), width = contrasts.shape, len(x)
    grams = np.empty((classes, width * width))
    for code, chance in enumerate(chances):
        part = x * np.sqrt(chance)
        grams[code] = (part @ part.T).ravel()
    pairs = (contrasts[:, :, None] * contrasts[:, None, :]).reshape(classes, n * n)
    found = (pairs.T @ grams).reshape(n, n, width, width)
    return found.transpose(0, 2, 1, 3).reshape(n * width, n * width)
