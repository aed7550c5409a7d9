"""Blend: scorers of texts, weighed by how well their mixtures rank rows unlike those they saw."""

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from satsuma.learners.text.members import Fits, Problem
from satsuma.numerics.arrays import Floats

#: Weights are tried in steps of one third.
_STEPS = 3

#: How far a row that is ranked better counts: less than 1, as rows of a class are found together.
_TRUST = 0.2

#: Scores that are nearer than this are the same, in standard deviations.
_SAME = 1e-9


def blend_weights(prior: Floats, worth: Callable[[Floats], float]) -> Floats:
    """What each member weighs: the mean of all mixtures in thirds, the best counting most.

    Parameters
    ----------
    prior
        For each member, the logarithm of how much more it counts beforehand.
    worth
        Of the weights of a mixture, the sum of the logarithms of ranks of rows that were held out:
        the less, the better.

    Examples
    --------
    >>> worth = lambda mixture: 30 * abs(float(mixture[0]) - 0.7)
    >>> blend_weights(np.zeros(2), worth).round(2).tolist()
    [0.67, 0.33]
    >>> blend_weights(np.array([6.0, 0.0]), lambda mixture: 0.0).round(2).tolist()
    [0.95, 0.05]
    """
    tried = product(range(_STEPS + 1), repeat=len(prior))
    mixtures = np.array([each for each in tried if sum(each) == _STEPS]) / _STEPS
    logs = mixtures @ prior - _TRUST * np.array([worth(each) for each in mixtures])
    share = np.exp(logs - logs.max())
    return (share / share.sum()) @ mixtures


def log_ranks(pool: Floats, held: Floats, weights: Floats) -> Floats:
    """The logarithms of one more than the weight of rows that score higher, for each row held."""
    order = np.argsort(held, kind="stable")
    passed = np.searchsorted(held[order] + _SAME, pool)  # how many of those held each row beats
    counts = np.bincount(passed, weights, len(held) + 1)
    above = np.empty(len(held))
    above[order] = np.cumsum(counts[::-1])[::-1][1:]
    return np.log1p(above)


class Look(NamedTuple):
    """What a scorer gives without each group: to rows not known to be of the class, and to all."""

    pool: Floats
    known: Floats

    @classmethod
    def of(cls, fit: Fits, known: Any, rest: Any, weights: Floats) -> "Look":
        """In standard deviations of the scores of the rest."""
        pool, own = ((rows @ fit.slopes[1:].T).T for rows in (rest, known))
        for at in range(len(pool)):
            mean, spread = standard(pool[at], weights)
            pool[at], own[at] = (pool[at] - mean) / spread, (own[at] - mean) / spread
        return cls(pool, own)


def held_out_ranks(
    looks: list[Look], problem: Problem, weights: Floats
) -> Callable[[Floats], float]:
    """How well a mixture ranks each group without having seen it: the sum of log ranks."""
    every, of = np.array([look.pool for look in looks]), np.array([look.known for look in looks])

    def worth(mixture: Floats) -> float:
        total = 0.0
        for at, group in enumerate(problem.groups):
            ranks = log_ranks(mixture @ every[:, at], mixture @ of[:, at, group], weights)
            total += float(ranks @ problem.weights[group])
        return total

    return worth


def standard(scores: Floats, weights: Floats) -> tuple[float, float]:
    """The mean of scores and their standard deviation; infinity where all are the same."""
    mean = float(np.average(scores, weights=weights))
    spread = float(np.sqrt(np.average((scores - mean) ** 2, weights=weights)))
    return mean, spread if spread > 1e-12 else np.inf
