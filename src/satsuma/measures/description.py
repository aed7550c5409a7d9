"""Description: how much shorter the labels can be told by someone who knows the values."""

import numpy as np

from satsuma.data.columns import Floats
from satsuma.measures.counting import Cells, Contingency, contingency, over
from satsuma.measures.information import Weights


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
    >>> labels = 8 * ["yes", "no"]
    >>> round(mdl(8 * ["a", "b"], labels), 3), round(mdl(list("abcdefghijklmnop"), labels), 3)
    (0.712, 0.109)
    """
    return mdl_of(contingency(values, labels, weights))
