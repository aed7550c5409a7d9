"""The structure of a tree: its nodes as arrays, with what their rows come to; and its builder."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from satsuma.kernels.tree import Flat, branches_of
from satsuma.numerics.arrays import Floats

if TYPE_CHECKING:
    from satsuma.learners.tree.setup import Setup

#: What the rows at a node of numbers come to, about a centre that is the same for all nodes.
WEIGHT, SUM, SQUARES, LEAST, GREATEST = range(5)


class TreeArrays(NamedTuple):
    """A tree, its nodes in the order in which they are read: each before its branches.

    Parameters
    ----------
    flat
        What the nodes ask, and where their branches lead.
    stats
        By node: the weight of each class; or weight, sum, squares, least, greatest.
    """

    flat: Flat
    stats: Floats

    def children(self, node: int) -> list[int]:
        """The nodes that the branches of a node lead to."""
        return branches_of(self.flat, node)

    def without(self, leaf: npt.NDArray[np.bool_]) -> "TreeArrays":
        """The tree in which some nodes have become leaves."""
        return in_reading_order(self, leaf)


class GrownTree(NamedTuple):
    """What growing comes to.

    Parameters
    ----------
    setup
        What was settled before.
    grown
        The tree.
    centre
        What was subtracted from a target of numbers.
    held
        What rows that were held out come to, at the node where each ends.
    """

    setup: "Setup"
    grown: TreeArrays
    centre: float
    held: Floats | None


def in_reading_order(tree: TreeArrays, leaf: npt.NDArray[np.bool_] | None = None) -> TreeArrays:
    """The nodes in reading order, without those below a node that is to be a leaf."""
    flat, stats = tree
    order: list[int] = []
    waiting = [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        if leaf is None or not leaf[node]:
            waiting += branches_of(flat, node)[::-1]
    new = np.full(len(flat.column) + 1, -1, np.int32)  # the last is what -1 finds
    new[order] = np.arange(len(order))
    sizes = np.diff(flat.first)
    kept = np.array(order)
    column, size = flat.column[kept], sizes[kept]
    if leaf is not None:
        column, size = np.where(leaf[kept], -1, column), np.where(leaf[kept], 0, size)
    first = np.concatenate([[0], np.cumsum(size)])
    begin = np.repeat(flat.first[kept] - first[:-1], size)
    branches = new[flat.branches[begin + np.arange(first[-1])]]
    threshold = np.where(column < 0, np.nan, flat.threshold[kept])
    made = Flat(
        column.astype(np.int32), threshold, first.astype(np.int64), branches, flat.share[kept]
    )
    return TreeArrays(made, stats[kept])


class TreeBuilder:
    """A tree that nodes are added to."""

    def __init__(self) -> None:
        self.column: list[int] = []
        self.threshold: list[float] = []
        self.branches: list[list[int]] = []
        self.share: list[float] = []
        self.depth: list[int] = []
        self.stats: list[Floats] = []

    def copy(self) -> "TreeBuilder":
        """Another one that can grow on its own."""
        made = TreeBuilder()
        for name, each in vars(self).items():
            setattr(made, name, list(each))
        return made

    def add(self, depth: int, share: float, stats: Floats) -> int:
        """One more node, a leaf as yet; its number."""
        self.column.append(-1)
        self.threshold.append(np.nan)
        self.branches.append([])
        self.share.append(share)
        self.depth.append(depth)
        self.stats.append(stats)
        return len(self.column) - 1

    @property
    def flat(self) -> Flat:
        """The tree as it is."""
        sizes = [len(each) for each in self.branches]
        led = [to for each in self.branches for to in each]
        return Flat(
            np.array(self.column, np.int32),
            np.array(self.threshold),
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            np.array(led, np.int32),
            np.array(self.share),
        )

    @property
    def grown(self) -> TreeArrays:
        """The tree as it is, in reading order."""
        return in_reading_order(TreeArrays(self.flat, np.array(self.stats)))
