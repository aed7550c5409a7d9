"""Split search: the split of a node after which two linear models leave least over."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from satsuma.kernels.tree import between
from satsuma.learners.model_tree.design import Design
from satsuma.learners.model_tree.grams import BinGrams
from satsuma.learners.model_tree.shrinkage import NodeFit, gains_of
from satsuma.learners.tree.asked_columns import FAR, LEAST, SPREAD, VALUE
from satsuma.numerics.arrays import Array, Bools, Codes, Floats

#: Gains nearer to each other than this part of what is left over are a tie: the first wins.
_TIE = 1e-9


class Chosen(NamedTuple):
    """A split of a node.

    Parameters
    ----------
    gain
        How much less is left over.
    column
        What is asked for.
    threshold
        Of a number; NaN for a symbol.
    branch
        Of a symbol the branch of each value, -1 for one without rows; of a number nothing.
    share
        How the weight of the rows that have a branch of their own is divided.
    """

    gain: float
    column: int
    threshold: float
    branch: Codes
    share: tuple[float, float]


class _Asked(NamedTuple):
    """A column that can be asked for, at a node.

    Parameters
    ----------
    column
        Its place.
    bins
        The cross-products by bin.
    of_value
        Of a symbol the bin of each value; of a number nothing.
    edges, mixed
        Of a number the upper edge of each bin, and which bins hold more than that.
    """

    column: int
    bins: Floats
    of_value: Codes
    edges: Floats | None
    mixed: Bools


class _Cuts(NamedTuple):
    """Cuts of a column: what is in the first part of each, and the bins of it."""

    grams: Floats
    sets: list[Array]


def best_split(
    design: Design, found: BinGrams, fit: NodeFit, k: float, min_leaf: float
) -> Chosen | None:
    """The best split of a node; None if there is none.

    Parameters
    ----------
    design
        The features and the bins.
    found
        The cross-products of the node by bin.
    fit
        Its model.
    k
        Imaginary rows that draw the models of the parts towards that of the node.
    min_leaf
        What a part must weigh.
    """
    best: Chosen | None = None
    for asked in _asked(design, found):
        here = _best_cut(asked.bins, fit, k, min_leaf, number=asked.edges is not None)
        if here is None:
            continue
        gain, inside, share = here
        if best is not None and gain <= best.gain + _TIE * fit.rss:
            continue
        if asked.edges is not None:
            where = _threshold(asked, asked.edges, inside)
            best = Chosen(gain, asked.column, where, np.zeros(0, np.int32), share)
        else:
            branch, share = _branches(asked, inside, share)
            best = Chosen(gain, asked.column, np.nan, branch, share)
    return best


def _asked(design: Design, found: BinGrams) -> Iterator[_Asked]:
    """What can be asked for; where missing cells tell something, they have a bin like others."""
    ends = np.cumsum([1, *(level + 1 for level in design.levels)]).tolist()
    for column, source in enumerate(design.asked.source):
        side, level, edges = design.asked.sides[column], design.levels[source], None
        bins = found.cells[ends[source] : ends[source] + level + (side != SPREAD)]
        of_value: Codes = np.append(
            design.bins[source], np.full(int(side == VALUE), level, np.int32)
        )
        mixed: Bools = np.append(found.mixed[source, :level], False)
        if (known := design.binning.edges[source]) is not None:
            edges: Floats | None = np.append(known, FAR)
        if side == LEAST:
            bins, mixed = np.roll(bins, 1, axis=0), np.roll(mixed, 1)
            edges = None if known is None else np.append(-FAR, known)
        yield _Asked(column, bins, of_value, edges, mixed)


def _best_cut(
    bins: Floats, fit: NodeFit, k: float, min_leaf: float, *, number: bool
) -> tuple[float, Array, tuple[float, float]] | None:
    """The gain of the best cut, the bins of its first part, and the shares of the parts."""
    present = np.flatnonzero(bins[:, 0, 0] > 0)
    if len(present) < 2:
        return None
    cuts = _in_order(bins, present) if number else _of_values(bins, present, len(fit.beta))
    total = bins.sum(axis=0)
    below = cuts.grams[:, 0, 0]
    above = total[0, 0] - below
    slack = 1e-9 * total[0, 0]
    enough = np.flatnonzero((below + slack >= min_leaf) & (above + slack >= min_leaf))
    if not len(enough):
        return None
    left = cuts.grams[enough]
    gains = gains_of(left, fit.beta, k) + gains_of(total - left, fit.beta, k)
    if not number:  # each value beyond the second can be put on either side
        gains = gains - fit.variance * (len(present) - 2)
    at = int(np.argmax(gains >= gains.max() - _TIE * fit.rss))
    inside = cuts.sets[int(enough[at])]
    share = float(below[enough[at]] / total[0, 0])
    return float(gains[at]), inside, (share, 1 - share)


def _in_order(bins: Floats, present: Array) -> _Cuts:
    grams = bins[present].cumsum(axis=0)[:-1]
    return _Cuts(grams, [present[: at + 1] for at in range(len(grams))])


def _of_values(bins: Floats, present: Array, q: int) -> _Cuts:
    """Values in order of the mean target (Breiman et al. 1984), and each against all others."""
    sets: list[Array] = []
    for target in range(q, bins.shape[1]):
        order = present[np.argsort(_mean(bins, present, target), kind="stable")]
        sets += [order[: at + 1] for at in range(len(order) - 1)]
    if len(present) > 2:
        sets += [present[at : at + 1] for at in range(len(present))]
    inside = np.zeros((len(sets), len(bins)), np.bool_)
    for at, each in enumerate(sets):
        inside[at, each] = True
    inside[:, present] ^= ~inside[:, present[:1]]  # a cut and its reverse are the same
    inside = inside[np.sort(np.unique(inside, axis=0, return_index=True)[1])]
    grams = np.tensordot(inside.astype(np.float64), bins, 1)
    return _Cuts(grams, [np.flatnonzero(each) for each in inside])


def _mean(bins: Floats, present: Array, target: int) -> Floats:
    """Of the target, by value; to so many digits that the order does not hang on rounding."""
    found: Floats = bins[present, 0, target] / bins[present, 0, 0]
    return found.round(10)


def _threshold(asked: _Asked, edges: Floats, inside: Array) -> float:
    """Where numbers are cut: half way to the next where that is the same for all rows."""
    low = int(inside[-1])
    high = low + 1 + int(np.argmax(asked.bins[low + 1 :, 0, 0] > 0))
    return float(edges[low]) if asked.mixed[high] else between(edges[low], edges[high])


def _branches(
    asked: _Asked, inside: Array, share: tuple[float, float]
) -> tuple[Codes, tuple[float, float]]:
    """The branch of each value of a symbol, and the shares; the first value is in the first."""
    of_bin = np.where(asked.bins[:, 0, 0] > 0, 1, -1).astype(np.int32)
    of_bin[inside] = 0
    found: Codes = of_bin[asked.of_value]
    if found[found >= 0][0] == 0:
        return found, share
    return np.where(found >= 0, 1 - found, found).astype(np.int32), (share[1], share[0])
