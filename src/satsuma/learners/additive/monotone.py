"""Monotone shapes: effects that only rise, or only fall, along a number."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from satsuma.learners.additive.layout import Layout
from satsuma.learners.additive.smoothing import Fit, Problem
from satsuma.numerics.arrays import Floats

#: What a step within bins that are held together costs, beside what rows say of them.
_STIFF = 1e6

#: How often bins are put together and the others fitted again, at most.
_TRIES = 12


def monotone(
    problem: Problem, fit: Fit, layout: Layout, weight: Floats, signs: Mapping[int, int]
) -> Fit:
    """The effects, where those of some columns only rise (1) or fall (-1).

    Neighbours in the wrong order are put together, and everything is fitted again, until all are
    in order; what is left of rounding is levelled.
    """
    tied = problem.fixed.copy()
    for _ in range(_TRIES if signs else 0):
        pools = {
            at: pooled(*_shape(fit.effects, weight, layout, at), sign) for at, sign in signs.items()
        }
        if all(
            np.allclose(level, _shape(fit.effects, weight, layout, at)[0], atol=1e-9)
            for at, level in pools.items()
        ):
            break
        for at, level in pools.items():
            _tie(tied, level, 1 + layout.firsts[at], _STIFF * max(problem.gram[0, 0], 1.0))
        fit = replace(replace(problem, fixed=tied).solved(fit.strengths), strengths=fit.strengths)
    effects = fit.effects.copy()
    for at, sign in signs.items():
        own = slice(1 + layout.firsts[at], layout.firsts[at] + layout.ranks[at])
        effects[own] = pooled(*_shape(effects, weight, layout, at), sign)
    return replace(fit, effects=effects)


def _shape(effects: Floats, weight: Floats, layout: Layout, at: int) -> tuple[Floats, Floats]:
    own = slice(1 + layout.firsts[at], layout.firsts[at] + layout.ranks[at])
    return effects[own], weight[own]


def _tie(fixed: Floats, level: Floats, start: int, stiff: float) -> None:
    for at in np.flatnonzero(level[1:] == level[:-1]).tolist():
        a, b = start + at, start + at + 1
        fixed[a, a] += stiff
        fixed[b, b] += stiff
        fixed[a, b] -= stiff
        fixed[b, a] -= stiff


def pooled(effects: Floats, weight: Floats, sign: int) -> Floats:
    """The nearest effects that only rise (or fall), by pooling neighbours (isotonic regression).

    Examples
    --------
    >>> pooled(np.array([1.0, 3.0, 2.0, 4.0]), np.ones(4), 1).tolist()
    [1.0, 2.5, 2.5, 4.0]
    """
    means: list[float] = []
    weights: list[float] = []
    sizes: list[int] = []
    for effect, mass in zip((sign * effects).tolist(), weight.tolist(), strict=True):
        means.append(effect)
        weights.append(max(mass, 1e-9))
        sizes.append(1)
        while len(means) > 1 and means[-2] > means[-1]:
            total = weights[-2] + weights[-1]
            means[-2] = (means[-2] * weights[-2] + means[-1] * weights[-1]) / total
            weights[-2], sizes[-2] = total, sizes[-2] + sizes[-1]
            del means[-1], weights[-1], sizes[-1]
    return sign * np.repeat(means, sizes)
