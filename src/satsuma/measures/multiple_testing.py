"""Multiple testing: what a small p-value is worth when many were looked at."""

from collections.abc import Callable

import numpy as np

from satsuma.numerics.arrays import Floats


def holm(ps: Floats, tests: int) -> Floats:
    """The probability that any is wrong: the family-wise error rate (Holm 1979).

    Parameters
    ----------
    ps
        The smallest p-values, in any order.
    tests
        How many tests there were; those whose p-value is not given are taken to have shown nothing.

    Examples
    --------
    >>> holm(np.array([0.01, 0.04, 0.03]), 3).round(3)
    array([0.03, 0.06, 0.06])
    """
    order = np.argsort(ps, kind="stable")
    stepped = np.maximum.accumulate(ps[order] * (tests - np.arange(len(ps))))
    return _back(order, stepped)


def benjamini_hochberg(ps: Floats, tests: int) -> Floats:
    """The share of those as small that is wrong: the false discovery rate.

    The method is that of Benjamini and Hochberg (1995).

    Examples
    --------
    >>> benjamini_hochberg(np.array([0.01, 0.04, 0.03]), 3).round(3)
    array([0.03, 0.04, 0.04])
    """
    order = np.argsort(ps, kind="stable")
    stepped = ps[order] * tests / np.arange(1, len(ps) + 1)
    return _back(order, np.minimum.accumulate(stepped[::-1])[::-1])


def uncorrected(ps: Floats, tests: int) -> Floats:  # noqa: ARG001 - as the others
    """As they are."""
    return ps


def _back(order: np.ndarray[tuple[int], np.dtype[np.intp]], stepped: Floats) -> Floats:
    found = np.empty(len(stepped))
    found[order] = np.minimum(stepped, 1.0)
    return found


#: By name.
CORRECTIONS: dict[str, Callable[[Floats, int], Floats]] = {
    "holm": holm,
    "fdr": benjamini_hochberg,
    "none": uncorrected,
}
