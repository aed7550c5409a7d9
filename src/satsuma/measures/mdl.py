"""Cuts of a column of numbers that are worth their description (Fayyad and Irani 1993)."""

import math

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import Floats
from satsuma.measures.information import entropy_of


def mdl_cuts(value: Floats, weight: Floats) -> Floats:
    """Where to cut numbers so that their classes become plainer, as far as that pays.

    The cut of the least entropy is made if its gain exceeds what it takes to describe it, and then
    each part is looked at in the same way. A cut lies halfway between two numbers, and the lower
    one of these is below or on it.

    Parameters
    ----------
    value
        Distinct numbers, increasing.
    weight
        (numbers, classes): what the rows of each number and class weigh.

    Examples
    --------
    >>> weight = np.array([[9.0, 0.0], [9.0, 0.0], [0.0, 9.0]])
    >>> mdl_cuts(np.array([1.0, 2.0, 4.0]), weight)
    array([3.])
    """
    upto = np.vstack([np.zeros(weight.shape[1]), np.cumsum(weight, axis=0)])
    cuts: list[int] = []
    waiting = [(0, len(value))]
    while waiting:
        low, high = waiting.pop()
        at = _cut(upto[low : high + 1])
        if at is not None:
            cuts.append(low + at)
            waiting += [(low, low + at), (low + at, high)]
    return between(value, np.array(sorted(cuts), np.intp))


def between(value: Floats, at: npt.NDArray[np.intp]) -> Floats:
    """Halfway between the numbers before some places and those at them."""
    left, right = value[at - 1], value[at]
    middle = left + (right - left) / 2
    # Of two neighbours among the floats, none lies between.
    return np.where(middle < right, middle, left)


def _cut(upto: Floats) -> int | None:
    """How many numbers to cut off, given the weights up to each; None if it does not pay."""
    if len(upto) < 3:
        return None
    left = upto[1:-1] - upto[0]
    whole = upto[-1] - upto[0]
    right = whole - left
    n = whole.sum()
    h1, h2 = entropy_of(left), entropy_of(right)
    after = (left.sum(axis=1) * h1 + right.sum(axis=1) * h2) / n
    at = int(after.argmin())
    h = float(entropy_of(whole))
    k, k1, k2 = (int((each > 0).sum()) for each in (whole, left[at], right[at]))
    if k < 2 or n <= 2:
        return None
    # log2(3^k - 2), for any number of classes
    classes = k * math.log2(3) + math.log2(1 - 2 * 3.0**-k)
    price = math.log2(n - 1) + classes - (k * h - k1 * float(h1[at]) - k2 * float(h2[at]))
    return at + 1 if h - float(after[at]) > price / n else None
