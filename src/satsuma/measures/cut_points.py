"""Cut points: where to cut numbers so that intervals tell the classes apart (MDL)."""

import numpy as np

from satsuma.kernels.runs import best_cut
from satsuma.numerics.arrays import Floats
from satsuma.numerics.sums import information, x_log_x

#: Weights between these are worth a table of logarithms.
FEW, MANY = 1000, 1 << 24


def mdl_cuts(value: Floats, weight: Floats) -> Floats:
    """The cuts of MDL discretization, those that pay for themselves (Fayyad and Irani 1993).

    The best cut is that with the largest gain of information. It is made if what it tells is more
    than its description takes, log2(N - 1) / N + delta / N, and the same is done on either side.
    Cuts are half-way between neighbours; the first of several that are equally good is taken.

    Parameters
    ----------
    value
        Distinct numbers in order.
    weight
        (numbers, classes): what each weighs in each class.

    Examples
    --------
    >>> value, classes = np.arange(8.0), np.repeat(np.eye(2), 4, axis=0)
    >>> mdl_cuts(value, classes).tolist()
    [3.5]
    >>> mdl_cuts(value, np.tile(np.eye(2), (4, 1))).tolist()
    []
    """
    upto = np.concatenate((np.zeros((1, weight.shape[1])), np.cumsum(weight, axis=0)))
    table = _logs(weight, upto[-1].sum())
    cuts: list[int] = []
    waiting = [(0, len(value))]
    while waiting:
        lo, hi = waiting.pop()
        cut = best_cut(upto, lo, hi, table)
        if cut >= 0 and _pays(upto[cut] - upto[lo], upto[hi] - upto[lo]):
            cuts.append(cut)
            waiting += [(lo, cut), (cut, hi)]
    where = np.sort(np.array(cuts, np.intp))
    return halfway(value[where - 1], value[where])


def halfway(left: Floats, right: Floats) -> Floats:
    """Halfway between numbers, but never on the greater one, which lies above the cut.

    Examples
    --------
    >>> halfway(np.array([1.0, 5e-324]), np.array([2.0, 1e-323])).tolist()
    [1.5, 5e-324]
    """
    middle = left / 2 + right / 2
    return np.where((middle >= left) & (middle < right), middle, left)


def _logs(weight: Floats, total: float) -> Floats:
    """Of all whole numbers that sums can come to, x log2 x; empty where weights are no such.

    Numbers that are few, or more than memory should be spent on, are looked up nowhere.
    """
    if not FEW < total < MANY or (weight != np.floor(weight)).any():
        return np.zeros(0)
    return x_log_x(np.arange(total + 1))


def _pays(left: Floats, total: Floats) -> bool:
    """Whether a cut tells more than its description takes."""
    n = float(total.sum())
    if n <= 1:
        return False
    # Differences of running sums that are no whole numbers may be off by a rounding error.
    right = np.where(total - left > 1e-12 * total, total - left, 0.0)
    parts = np.stack([total, left, right])
    before, one, two = information(parts).tolist()
    k, k1, k2 = (parts > 0).sum(axis=1).tolist()
    n1, n2 = float(left.sum()), float(right.sum())
    if not (n1 > 0 and n2 > 0):  # a side that weighs no more than rounding
        return False
    # log2(3^k - 2), for any number of classes
    classes = k * np.log2(3.0) + np.log2(1 - 2 * 3.0**-k)
    delta = classes - (k * before / n - k1 * one / n1 - k2 * two / n2)
    return bool((before - one - two) / n > (np.log2(n - 1) + delta) / n)
