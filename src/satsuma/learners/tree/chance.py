"""Chance: what the best of many cuts gains where no column tells anything; pruning of such."""

import numpy as np

from satsuma.kernels.tree import GAIN, VARIANCE
from satsuma.learners.tree.impurity_decrease import disorder_at
from satsuma.learners.tree.pruning import prunable
from satsuma.learners.tree.setup import Setup
from satsuma.learners.tree.structure import WEIGHT, TreeArrays
from satsuma.numerics.arrays import Floats

#: Bits of the name of a cut that a question of two classes need not save, and bits that it has to
#: save for each class beyond two.
_SPARED, _CLASS = 2.0, 1.5


def without_chance(tree: TreeArrays, setup: Setup) -> TreeArrays:
    """Leaves where questions save fewer bits than it takes to name them.

    A node could be cut between any two values of any column. The more rows there are, the more such
    cuts, and the more the best of them gains even where no column tells anything. So a question has
    to save the bits that name one of these cuts, for classes one of a quarter of them; one bit more
    for each value of a symbol beyond two, and one and a half for each class beyond two (after
    Quinlan and Rivest 1989, and Quinlan 1996). Saved are bits of entropy; for numbers, half the
    bits by which the variance falls, for each row.

    Parameters
    ----------
    tree
        Grown out.
    setup
        It knows how many values the columns have.
    """
    flat, asks = tree.flat, tree.flat.column >= 0
    led = np.repeat(np.arange(len(asks)), np.diff(flat.first))[flat.branches >= 0]
    more = np.maximum(np.bincount(led, minlength=len(asks)) - 2, 0)
    weight = tree.stats.sum(axis=1) if setup.classes else tree.stats[:, WEIGHT]
    name = np.log2(1 + cuts(setup.values, weight))
    if setup.classes:
        own, beyond = disorder_at(tree.stats, GAIN), (tree.stats > 0).sum(axis=1) - 2
        price = np.maximum(name - _SPARED, 0.0) + more + _CLASS * np.maximum(beyond, 0)
    else:
        own = np.maximum(disorder_at(tree.stats, VARIANCE), 0.0)
        price = own * (1 - 2.0 ** (-2 * (name + more) / weight))
    return tree.without(prunable(tree, own, np.where(asks, price, 0.0)))


def cuts(values: tuple[int, ...], weight: Floats) -> Floats:
    """How many cuts there may be at nodes: between the values of all columns, or between the rows.

    Examples
    --------
    >>> cuts((2, 2, 100), np.array([50.0, 400.0])).tolist()
    [51.0, 101.0]
    """
    found = np.zeros(len(weight))
    for value, columns in zip(*np.unique(values, return_counts=True), strict=True):
        found += columns * np.maximum(np.minimum(value, weight) - 1, 0.0)
    return found
