"""Decision values of support vector machines, and their calibration to probabilities (Platt)."""

from typing import Any, NamedTuple, cast

import numpy as np

from satsuma.numerics.arrays import Array, Floats

#: The slope of probabilities is not less, so that the order of the classes is kept.
_LEAST = 1e-3

#: With more columns than this, the equations of the last digits would take longer than all else.
_COLUMNS = 500
_STEPS = 5


class OneVsOne(NamedTuple):
    """What machines of every two classes say: rows by classes.

    Parameters
    ----------
    wins
        Against how many other classes each wins.
    sums
        The sum of its decision values against the others.
    least
        The least of them.
    """

    wins: Floats
    sums: Floats
    least: Floats

    @property
    def decisions(self) -> Floats:
        """How often each class wins, and how clearly, as scikit-learn has it.

        Sums of decision values are squeezed to less than a third either way and added to the wins,
        which are whole numbers. With two classes, 0 and the decision value of the second.
        """
        if self.wins.shape[1] == 2:
            return np.stack([np.zeros(len(self.sums)), self.sums[:, 1]], axis=1)
        return self.wins + self.sums / (3 * (np.abs(self.sums) + 1))


def one_vs_one(near: Floats, weights: Floats, held: Array, constants: Floats) -> OneVsOne:
    """What machines of every two classes say of rows.

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
    wins, sums = np.zeros((2, len(near), classes))
    least = np.full((len(near), classes), np.inf)
    pairs = [(i, j) for i in range(classes) for j in range(i + 1, classes)]
    for (i, j), constant in zip(pairs, constants, strict=True):
        mine, theirs = of[i], of[j]
        value = near[:, mine] @ weights[j - 1, mine] + near[:, theirs] @ weights[i, theirs]
        value = value + constant
        wins[:, i] += value >= 0
        wins[:, j] += value < 0
        sums[:, i] += value
        sums[:, j] -= value
        least[:, i] = np.minimum(least[:, i], value)
        least[:, j] = np.minimum(least[:, j], -value)
    return OneVsOne(wins, sums, least)


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
