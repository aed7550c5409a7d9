"""Impurity: how often two rows drawn at random have different labels."""

from typing import Any

import numpy as np

from satsuma.measures.contingency import Cells, Contingency, contingency, counted, over
from satsuma.measures.information import Weights
from satsuma.numerics.arrays import Floats


def gini_of(counts: Floats) -> Any:
    """1 - sum p² along the last axis; 0 of nothing."""
    total = np.sum(counts, axis=-1, keepdims=True)
    share = over(counts, total)
    return np.where(total[..., 0] > 0, 1 - (share * share).sum(axis=-1), 0.0)


def gini_gain_of(found: Contingency) -> float:
    """What the values take off the impurity, times the share of rows whose value is known."""
    weight = found.counts.sum(axis=1)
    known = weight.sum()
    within = over(weight @ gini_of(found.counts), known)
    gain = gini_of(found.counts.sum(axis=0)) - within
    return max(0.0, float(gain * over(known, known + found.missing)))


def gini(labels: Cells, weights: Weights = None) -> float:
    """The impurity of labels: 1 - sum p² (Breiman et al. 1984). Orange gives the half of it.

    Examples
    --------
    >>> gini(["yes", "no", "no", "yes"])
    0.5
    """
    return float(gini_of(counted(labels, weights)))


def gini_gain(values: Cells, labels: Cells, weights: Weights = None) -> float:
    """What knowing a value takes off the impurity of the label; missing values as in the gain.

    Examples
    --------
    >>> gini_gain(["a", "a", "b", "b"], ["yes", "yes", "no", "no"])
    0.5
    """
    return gini_gain_of(contingency(values, labels, weights))
