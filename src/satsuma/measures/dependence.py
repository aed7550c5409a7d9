"""Dependence: Pearson's chi-square."""

from typing import NamedTuple

import numpy as np

from satsuma.measures.contingency import Cells, Contingency, contingency, over
from satsuma.measures.information import Weights
from satsuma.numerics.arrays import Floats


class ChiSquare(NamedTuple):
    """The statistic, its degrees of freedom, and how probable one so large is by chance."""

    statistic: float
    freedom: int
    p: float


def chi_square_test(counts: Floats) -> ChiSquare:
    """Pearson's test that values and classes have nothing to do with each other.

    Values and classes that do not occur are passed over; there is no correction for continuity.

    Examples
    --------
    >>> test = chi_square_test(np.array([[10.0, 20.0], [20.0, 10.0]]))
    >>> round(test.statistic, 3), test.freedom, round(test.p, 4)
    (6.667, 1, 0.0098)
    """
    from scipy.special import chdtrc

    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    freedom = max(counts.shape[0] - 1, 0) * max(counts.shape[1] - 1, 0)
    if not freedom:
        return ChiSquare(0.0, 0, 1.0)
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    statistic = float(over((counts - expected) ** 2, expected).sum())
    return ChiSquare(statistic, freedom, float(chdtrc(freedom, statistic)))


def chi_square_of(found: Contingency) -> float:
    """The statistic, of rows whose value is known."""
    return chi_square_test(found.counts).statistic


def chi_square(values: Cells, labels: Cells, weights: Weights = None) -> float:
    """Pearson's chi-square of values and labels; rows without a value are left out.

    Examples
    --------
    >>> chi_square(["a", "a", "b", "b"], ["yes", "yes", "no", "no"])
    4.0
    """
    return chi_square_of(contingency(values, labels, weights))
