"""Decision values of support vector machines, and their calibration to probabilities (Platt)."""

from typing import Any, NamedTuple, cast

import numpy as np

from satsuma.numerics.arrays import Array, Floats

#: The slope of probabilities is not less, so that the order of the classes is kept.
_LEAST = 1e-3

#: How many steps there may be, and how little of one.
_STEPS, _LEAST_SHARE = 100, 1e-12


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


class Plane(NamedTuple):
    """A plane with a wide margin, and what a step to another needs to know.

    Parameters
    ----------
    slopes
        Of the columns.
    paid
        What half the square costs of each row that is inside the margin; 0 of the others.
    square
        The matrix of the equations that `slopes` solve.
    """

    slopes: Floats
    paid: Floats
    square: Floats


def widest_margin(x: Floats, sides: Array, costs: Floats, near: Plane | None = None) -> Plane:
    """The slopes whose squares, and those of how far rows are inside the margin, cost least.

    Where it is known which rows are inside, the best is the answer of linear equations: a step of
    Newton's. Steps end when these rows are the same before and after (Keerthi and DeCoste 2005).

    Parameters
    ----------
    x
        Rows by columns.
    sides
        1 or -1: the side of the margin that each row is to be on.
    costs
        What half the square costs, of each row.
    near
        Where to begin: a plane of nearly the same rows.

    Examples
    --------
    >>> sides = np.array([1.0, -1.0])
    >>> widest_margin(np.array([[2.0], [-2.0]]), sides, np.ones(2)).slopes.round(3)
    array([0.444])
    """
    none = np.zeros(x.shape[1])
    plane = near or Plane(none, np.zeros(len(x)), np.eye(len(none)))
    margins = sides * (x @ plane.slopes)
    for _ in range(_STEPS):
        slopes, paid = plane.slopes, np.where(margins < 1, costs, 0.0)
        square = _updated(plane, x, paid)
        # What is left of the equations, so that rounding in the square does no harm.
        left = (paid * sides * (1 - margins)) @ x - slopes
        step = cast("Floats", np.linalg.solve(square, left))
        change = sides * (x @ step)
        plane = Plane(slopes + step, paid, square)
        if not ((margins < 1) != (margins + change < 1))[costs > 0].any():
            return plane
        share = _shortened(slopes, step, margins, change, costs)
        plane, margins = plane._replace(slopes=slopes + share * step), margins + share * change
    return plane


def _updated(plane: Plane, x: Floats, paid: Floats) -> Floats:
    """The matrix of the equations, after some rows have come inside the margin, or left."""
    change = paid - plane.paid
    rows = np.flatnonzero(change)
    return plane.square + x[rows].T @ (x[rows] * change[rows, None])


def _shortened(
    slopes: Floats, step: Floats, margins: Floats, change: Floats, costs: Floats
) -> float:
    """The share of a step that lowers what is paid, as much as its slope promises."""

    def paid(share: float) -> float:
        short = np.maximum(1 - margins - share * change, 0.0)
        there = slopes + share * step
        return float(there @ there + costs @ (short * short)) / 2

    before, share = paid(0.0), 1.0
    slope = float(slopes @ step - costs @ (np.maximum(1 - margins, 0.0) * change))
    while share > _LEAST_SHARE and paid(share) > before + 1e-4 * share * slope:
        share /= 2
    return share
