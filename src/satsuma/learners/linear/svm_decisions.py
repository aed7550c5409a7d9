"""Decision values of support vector machines, and their calibration to probabilities (Platt)."""

from typing import Any, cast

import numpy as np

from satsuma.numerics.arrays import Array, Floats

#: The slope of probabilities is not less, so that the order of the classes is kept.
_LEAST = 1e-3

#: With more columns than this, the equations of the last digits would take longer than all else.
_COLUMNS = 500
_STEPS = 5


def one_vs_one_decisions(near: Floats, weights: Floats, held: Array, constants: Floats) -> Floats:
    """One-vs-one: rows by classes, how often each class wins against another, and how clearly.

    Victories are whole numbers; sums of decision values, squeezed to less than a third either way,
    are added, as scikit-learn does. With two classes, 0 and the decision value of the second.

    Parameters
    ----------
    near
        Rows by vectors: the kernel. Vectors are in the order of their classes.
    weights
        (classes - 1, vectors), as libsvm has them.
    held
        How many vectors there are of each class.
    constants
        One for every two classes: 0 and 1, 0 and 2, … 1 and 2, ….
    """
    ends = np.cumsum(held)
    of = [slice(int(end - n), int(end)) for end, n in zip(ends, held, strict=True)]
    classes = len(held)
    votes, sums = np.zeros((2, len(near), classes))
    pairs = [(i, j) for i in range(classes) for j in range(i + 1, classes)]
    for (i, j), constant in zip(pairs, constants, strict=True):
        mine, theirs = of[i], of[j]
        value = near[:, mine] @ weights[j - 1, mine] + near[:, theirs] @ weights[i, theirs]
        value = value + constant
        if classes == 2:
            return np.stack([np.zeros(len(near)), -value], axis=1)
        votes[:, i] += value >= 0
        votes[:, j] += value < 0
        sums[:, i] += value
        sums[:, j] -= value
    return votes + sums / (3 * (np.abs(sums) + 1))


def platt_slope(decisions: Floats, told: Array, weights: Floats | None) -> float:
    """Platt scaling: the slope of log odds in decision values that makes rows most probable.

    The targets are those of Platt (1999), short of certainty by one imaginary row of each class,
    so that the slope is finite.
    """
    from scipy import optimize

    weights = np.ones(len(told)) if weights is None else weights
    n = decisions.shape[1]
    total = np.bincount(told, weights, n)
    wanted = (1 + np.diag(total)) / (total + n)[:, None]
    target = (wanted[told] * decisions).sum(axis=1)

    def excess(slope: float) -> float:
        scores = slope * decisions
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return float(weights @ ((shares * decisions).sum(axis=1) - target))

    high = 1.0
    while excess(high) < 0 and high < 1e6:
        high *= 2
    if excess(_LEAST) >= 0 or excess(high) <= 0:
        return _LEAST if excess(_LEAST) >= 0 else high
    return float(cast("Any", optimize).brentq(excess, _LEAST, high, xtol=1e-14, rtol=1e-14))


def polish_slopes(x: Floats, sides: Array, costs: Floats, near: Floats) -> Floats:
    """The best slopes, by Newton steps from those that are nearly so.

    The rows inside the margin pay a square, so that where these are known the best is the answer of
    linear equations. The solver leaves a few digits to chance.
    """
    if x.shape[1] > _COLUMNS:
        return near
    for _ in range(_STEPS):
        inside = sides * (x @ near) < 1
        rows, paid = x[inside], costs[inside, None]
        square = np.eye(x.shape[1]) + rows.T @ (paid * rows)
        told = rows.T @ (paid[:, 0] * sides[inside])
        better = cast("Floats", np.linalg.solve(square, told))
        if (inside == (sides * (x @ better) < 1)).all():
            return better
        near = better
    return near
