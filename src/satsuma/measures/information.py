"""Information: entropy, Gini impurity, what a column takes off them, description length (MDL)."""

import math
from typing import Any

import numpy as np

from satsuma.errors import ParameterError
from satsuma.measures.contingency import (
    Cells,
    Contingency,
    Weights,
    contingency,
    label_weights,
    over,
)
from satsuma.numerics.arrays import Floats


def entropy_of(counts: Floats, base: float = 2) -> Any:
    """The entropy of weights along the last axis; 0 of one value, and of none."""
    share = over(counts, np.sum(counts, axis=-1, keepdims=True))
    logs = np.log(share, out=np.zeros_like(share), where=share > 0)
    return np.abs((share * logs).sum(axis=-1)) / math.log(_checked(base))


def _checked(base: float) -> float:
    if not (base > 1 and base < math.inf):
        raise ParameterError(
            f"The 'base' of entropy must be a finite number above 1. Got {base!r} instead."
        )
    return base


def conditional_entropy_of(found: Contingency, base: float = 2) -> float:
    """The mean entropy within the values, weighed by what they weigh."""
    weight = found.counts.sum(axis=1)
    return float(over(weight @ entropy_of(found.counts, base), weight.sum()))


def information_gain_of(found: Contingency, base: float = 2) -> float:
    """What the values take off the entropy, times the share of rows whose value is known."""
    known = found.counts.sum()
    gain = entropy_of(found.counts.sum(axis=0), base) - conditional_entropy_of(found, base)
    return max(0.0, float(gain * over(known, known + found.missing)))


def gain_ratio_of(found: Contingency) -> float:
    """The gain over the entropy of the values, those missing being one of them; 0 for 0 / 0."""
    split = entropy_of(np.append(found.counts.sum(axis=1), found.missing))
    return float(over(information_gain_of(found), split))


def mutual_information_of(counts: Floats) -> float:
    """What values, of one column or of several, and classes tell of each other, in bits.

    Examples
    --------
    >>> mutual_information_of(np.array([[2.0, 0.0], [0.0, 2.0]]))
    1.0
    """
    flat = counts.reshape(-1, counts.shape[-1])
    both = entropy_of(flat.sum(axis=0)) + entropy_of(flat.sum(axis=1)) - entropy_of(flat.ravel())
    return max(0.0, float(both))


def entropy(labels: Cells, base: float = 2, weights: Weights = None) -> float:
    """How uncertain a label is: -sum p log p, where p are the shares of the labels.

    Missing labels are left out; the entropy of one label, and of none, is 0.

    Parameters
    ----------
    labels
        A list, an array, or a column of a table.
    base
        Of the logarithm: 2 for bits.
    weights
        What each row weighs.

    Examples
    --------
    >>> from satsuma.measures import entropy
    >>> entropy(["yes", "no", "no", "yes"])
    1.0
    """
    return float(entropy_of(label_weights(labels, weights), base))


def conditional_entropy(
    values: Cells, labels: Cells, base: float = 2, weights: Weights = None
) -> float:
    """How uncertain a label remains once a value is known, on average.

    Of rows where the value is known, as all rows without it tell nothing.

    Examples
    --------
    >>> from satsuma.measures import conditional_entropy
    >>> conditional_entropy(["a", "a", "b", "b"], ["yes", "yes", "no", "yes"])
    0.5
    """
    return conditional_entropy_of(contingency(values, labels, weights), base)


def information_gain(
    values: Cells, labels: Cells, base: float = 2, weights: Weights = None
) -> float:
    """What knowing a value takes off the entropy of the label.

    Computed of the rows where the value is known, times their share (Quinlan 1993).

    Examples
    --------
    >>> from satsuma.measures import information_gain
    >>> information_gain(["a", "a", "b", "b"], ["yes", "yes", "no", "no"])
    1.0
    >>> information_gain(["a", None, "b", None], ["yes", "yes", "no", "no"])
    0.5
    """
    return information_gain_of(contingency(values, labels, weights), base)


def gain_ratio(values: Cells, labels: Cells, weights: Weights = None) -> float:
    """The information gain over the entropy of the values themselves (Quinlan 1993).

    A column of many values does not win by their number alone. Rows without a value are a value of
    their own in the denominator.

    Examples
    --------
    >>> from satsuma.measures import gain_ratio
    >>> gain_ratio(["a", "b", "c", "d"], ["yes", "yes", "no", "no"])
    0.5
    """
    return gain_ratio_of(contingency(values, labels, weights))


def _length(counts: Floats) -> Floats:
    """Bits that labels take: how many of each there are, then which is which.

    Along the last axis, for rows of counts.
    """
    from scipy.special import gammaln

    n, classes = counts.sum(axis=-1), counts.shape[-1]
    which = gammaln(n + 1) - gammaln(counts + 1).sum(axis=-1)
    how_many = gammaln(n + classes) - gammaln(n + 1) - gammaln(classes)
    return np.asarray((which + how_many) / np.log(2.0))


def mdl_of(found: Contingency) -> float:
    """Bits saved for each row, times the share of rows whose value is known."""
    counts = found.counts[found.counts.sum(axis=1) > 0][:, found.counts.sum(axis=0) > 0]
    if not counts.size:
        return 0.0
    saved = _length(counts.sum(axis=0)) - _length(counts).sum()
    return float(over(saved, counts.sum() + found.missing))


def mdl(values: Cells, labels: Cells, weights: Weights = None) -> float:
    """Bits that knowing the values saves in telling the labels, for each row (Kononenko 1995).

    The classes of every value are to be told anew, so that a column of many values has to earn
    them: one that only numbers the rows saves next to nothing. Rows without a value save nothing.

    Examples
    --------
    >>> from satsuma.measures import mdl
    >>> labels = 8 * ["yes", "no"]
    >>> round(mdl(8 * ["a", "b"], labels), 3), round(mdl(list("abcdefghijklmnop"), labels), 3)
    (0.712, 0.109)
    """
    return mdl_of(contingency(values, labels, weights))


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
    >>> from satsuma.measures import gini
    >>> gini(["yes", "no", "no", "yes"])
    0.5
    """
    return float(gini_of(label_weights(labels, weights)))


def gini_gain(values: Cells, labels: Cells, weights: Weights = None) -> float:
    """What knowing a value takes off the impurity of the label; missing values as in the gain.

    Examples
    --------
    >>> from satsuma.measures import gini_gain
    >>> gini_gain(["a", "a", "b", "b"], ["yes", "yes", "no", "no"])
    0.5
    """
    return gini_gain_of(contingency(values, labels, weights))
