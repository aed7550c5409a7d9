"""Objective: what scores are of, where they begin, and how far they are from what was seen."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from satsuma.kernels import boost as kernel
from satsuma.kernels.boost import COUNT, MANY, NUMBER, QUANTILE, TWO, Loss, Units
from satsuma.numerics.arrays import Codes, Floats, Integers

#: The largest slope of a row, as a whole number, and the finest that losses are told apart.
_SLOPE, _FINE = 2.0**14, 2.0**30

#: Scores of counts: beyond this, what is expected is no number that anybody has counted.
FAR = 30.0

#: Of each sort, the kind of its loss in the kernel.
_KINDS = {"numbers": NUMBER, "counts": COUNT, "quantile": QUANTILE}


@dataclass(frozen=True)
class Objective:
    """What is predicted.

    Parameters
    ----------
    of
        ``numbers``, ``classes``, ``counts`` or a ``quantile``.
    start
        The scores before the first tree.
    reach
        How far the target of a row can be from the first score; of counts, the greatest.
    quantile
        Which one.
    """

    of: Literal["numbers", "classes", "counts", "quantile"]
    start: Floats
    reach: float = 1.0
    quantile: float = 0.5

    @property
    def scores(self) -> int:
        """How many scores a row has."""
        return len(self.start)

    def loss(self, bound: float) -> Loss:
        """The loss as the kernel takes it.

        Parameters
        ----------
        bound
            What slopes, and of counts curvatures, do not exceed.
        """
        if self.of == "classes":
            return Loss(TWO if self.scores == 1 else MANY, self.scores, 0.0, _SLOPE, 4 * _SLOPE)
        if self.of == "quantile":
            return Loss(QUANTILE, 1, self.quantile, _SLOPE, _SLOPE)
        scale = _SLOPE * 2.0 ** -math.ceil(math.log2(max(bound, 2.0**-900)))
        return Loss(_KINDS[self.of], 1, 0.0, scale, scale if self.of == "counts" else _SLOPE)

    def farthest(self, scores: Floats, target: Floats) -> float:
        """The largest slope of some rows; of counts, of what is expected too."""
        if self.of in ("classes", "quantile") or not len(target):
            return 0.0
        if self.of == "numbers":
            return float(np.abs(scores[0] - target).max())
        return float(kernel.exponential(scores[0]).max())

    def next_bound(self, farthest: float, moved: float) -> float:
        """What slopes do not exceed after scores have moved by no more than this."""
        if self.of == "counts":
            return max(farthest * math.exp(min(moved, 600.0)), self.reach)
        return farthest + moved

    def losses(self, scores: Floats, target: Floats) -> Integers:
        """How far the scores of rows are from the target, as whole numbers, which add up exactly.

        Parameters
        ----------
        scores
            (scores, rows).
        target
            Of each row.
        """
        if self.of == "classes":
            found = _of_two(scores[0], target) if self.scores == 1 else _of_many(scores, target)
        elif self.of == "counts":
            found = (kernel.exponential(scores[0]) - target * scores[0]) / self.reach
        else:
            away: Floats = (target - scores[0]) / self.reach
            found = away * away
            if self.of == "quantile":
                found = np.maximum(self.quantile * away, (self.quantile - 1) * away)
        return np.rint(np.minimum(found, 2.0**12) * _FINE).astype(np.int64)


def units_of(loss: Loss, weight: float) -> Units:
    """What 1 in sums stands for, where whole weights are multiples of this."""
    return Units(weight / loss.slope_scale, weight / loss.curve_scale, weight)


def logarithm(x: Floats) -> Floats:
    """The logarithm of what is at least 1, by plain arithmetic: the same bits everywhere.

    Examples
    --------
    >>> bool(np.abs(logarithm(np.array([1.0, 10.0])) - np.log([1.0, 10.0])).max() < 1e-14)
    True
    """
    mantissa, power = np.frexp(x)
    low = mantissa < 0.7071067811865476
    mantissa, power = np.where(low, mantissa * 2, mantissa), power - low
    z = (mantissa - 1) / (mantissa + 1)
    square, total = z * z, np.zeros_like(x)
    for k in range(19, 0, -2):
        total = total * square + 1.0 / k
    return 2 * z * total + power * 0.6931471805599453


def _of_two(score: Floats, target: Floats) -> Floats:
    small = kernel.exponential(-np.abs(score))
    return np.maximum(score, 0.0) - target * score + logarithm(1.0 + small)


def _of_many(scores: Floats, target: Floats) -> Floats:
    top = scores.max(axis=0)
    total = np.zeros(len(target))
    for score in scores:
        total = total + kernel.exponential(score - top)
    return logarithm(total) + top - scores[target.astype(np.intp), np.arange(len(target))]


@dataclass(frozen=True)
class ExactSum:
    """A sum of numbers in [low, high], as whole numbers. Two of them add up."""

    total: int
    weight: int

    def __add__(self, other: "ExactSum") -> "ExactSum":
        return ExactSum(self.total + other.total, self.weight + other.weight)

    def mean(self, low: float, high: float) -> float:
        """The mean of what was added up."""
        return low + (high - low) * (self.total / self.weight / _FINE)


def exact_sum(target: Floats, weights: Codes | None, low: float, high: float) -> ExactSum:
    """The sum of numbers between two others, the same in any order of them."""
    span = high - low
    each = np.rint((target - low) / span * _FINE).astype(np.int64) if span > 0 else 0 * target
    total = weight = 0
    for lo in range(0, len(target), 4096):  # whose products fit into a word
        one = each[lo : lo + 4096].astype(np.int64)
        many = np.int64(1) if weights is None else weights[lo : lo + 4096].astype(np.int64)
        total += int((one * many).sum())
        weight += len(one) if weights is None else int(np.sum(many))
    return ExactSum(total, weight)
