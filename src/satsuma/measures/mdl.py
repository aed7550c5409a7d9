"""MDL: where to cut numbers so that intervals tell the classes apart."""

import numpy as np

from satsuma.tallies.by_class import Floats


def mdl_cuts(value: Floats, weight: Floats) -> Floats:
    """The cuts that pay for themselves, by Fayyad and Irani (1993).

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
    upto = np.vstack((np.zeros(weight.shape[1]), np.cumsum(weight, axis=0)))
    places = np.flatnonzero(_boundaries(weight)) + 1
    cuts: list[int] = []
    waiting = [(0, len(value))]
    while waiting:
        lo, hi = waiting.pop()
        inner = places[np.searchsorted(places, lo, "right") : np.searchsorted(places, hi)]
        at = _best(upto[inner] - upto[lo], upto[hi] - upto[lo])
        if at is not None:
            cut = int(inner[at])
            cuts.append(cut)
            waiting += [(lo, cut), (cut, hi)]
    where = np.sort(np.array(cuts, np.intp))
    return value[where - 1] / 2 + value[where] / 2


def _boundaries(weight: Floats) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Whether a best cut can lie behind each number: not between two of the same single class."""
    single = np.where((weight > 0).sum(axis=1) == 1, weight.argmax(axis=1), -1)
    return (single[1:] != single[:-1]) | (single[1:] < 0)


def _best(left: Floats, total: Floats) -> int | None:
    """The place of the best cut, given what is left of each; None where it does not pay."""
    n = float(total.sum())
    if not len(left) or n <= 1:
        return None
    # Differences of running sums that are no whole numbers may be off by a rounding error.
    right = np.where(total - left > 1e-12 * total, total - left, 0.0)
    sides = [_information(left), _information(right)]
    at = int((sides[0] + sides[1]).argmin())
    before, (one, two) = float(_information(total[None])[0]), (float(side[at]) for side in sides)
    gain = (before - one - two) / n
    k, k1, k2 = (int((part > 0).sum()) for part in (total, left[at], right[at]))
    n1, n2 = float(left[at].sum()), float(right[at].sum())
    delta = np.log2(3.0**k - 2) - (k * before / n - k1 * one / n1 - k2 * two / n2)
    return at if gain > (np.log2(n - 1) + delta) / n else None


def _information(weight: Floats) -> Floats:
    """The entropy of each row of weights, times what the row weighs."""
    total = weight.sum(axis=1)
    return _xlogx(total) - _xlogx(weight).sum(axis=1)


def _xlogx(x: Floats) -> Floats:
    return x * np.log2(np.where(x > 0, x, 1.0))
