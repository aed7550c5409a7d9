"""A tree as arrays, and whether arrays are a tree."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from satsuma.numerics.arrays import Array, Codes, Floats, Integers

#: Where codes are these, rows stop on their way down, or are spread over all branches.
UNSEEN, MISSING = -2, -1


#: A row that is divided in learning has so many equal parts, which are dealt to branches: sums of
#: parts are exact in any order, and can be counted in whole numbers.
QUANTUM = 16.0


class Flat(NamedTuple):
    """A tree as arrays, by node; the root is node 0.

    Parameters
    ----------
    column
        What a node asks for; -1 at a leaf.
    threshold
        Rows up to it go to the first branch. NaN where a symbol is asked for.
    first
        Where the branches of a node begin in `branches`, and behind the last node where they
        end: two, one for each value, or none at a leaf.
    branches
        The node that each branch leads to; -1 for a value that no row had.
    share
        How much of what its parent knew the branch to a node has got.
    """

    column: Codes
    threshold: Floats
    first: Integers
    branches: Codes
    share: Floats


def flaw(tree: Flat, numbers: Sequence[bool]) -> str | None:
    """What makes arrays no tree that can be walked; None where nothing does.

    A node comes before its branches, in order, and has one node above it. A threshold leads to two
    nodes and a leaf to none; of the values of a symbol, some may lead to the same node or to none.

    Parameters
    ----------
    tree
        The arrays.
    numbers
        Of each column, whether it holds numbers.

    Examples
    --------
    >>> arrays = Flat(*map(np.array, ([0], [1.0], [0, 2], [1, 99], [1.0])))
    >>> flaw(arrays, [True])
    "the tree's branch 0 leads to node 1, and it has 1 nodes"
    """
    column, _, first, branches, _ = tree
    n, led = len(column), len(branches)
    if {len(tree.threshold), len(tree.share), len(first) - 1} != {n} or not n:
        return "the tree's arrays are of different lengths"
    sizes = np.diff(first)
    if first[0] != 0 or first[-1] != led or (sizes < 0).any():
        return f"the tree's nodes do not share out its {led} branches"
    if ((column < -1) | (column >= len(numbers))).any():
        return f"a node of the tree asks for a column that is not one of its {len(numbers)}"
    threshold = np.array([*numbers, False])[column]
    if ((column < 0) & (sizes != 0)).any() or (threshold & (sizes != 2)).any():
        return "a node of the tree has too many branches or too few"
    above = np.repeat(np.arange(n), sizes)
    ends = (branches < -1) | (branches >= n) | ((branches == -1) & threshold[above])
    if ends.any():
        at = int(ends.argmax())
        return f"the tree's branch {at} leads to node {branches[at]}, and it has {n} nodes"
    asks = np.bincount(above[branches >= 0], minlength=n) > 0
    if (asks != (column >= 0)).any():
        return "a node of the tree asks, and no branch leads on"
    return _crossed(branches, above, threshold[above])


def _crossed(branches: Array, above: Array, threshold: Array) -> str | None:
    """What is wrong with the ways from node to node, none of which leads outside."""
    back = (branches >= 0) & (branches <= above)
    if back.any():
        at = int(back.argmax())
        return f"the tree's branch {at} leads back, from node {above[at]} to node {branches[at]}"
    at = np.flatnonzero(branches >= 0)
    branches, above, threshold = branches[at], above[at], threshold[at]
    first = np.zeros(int(branches.max(initial=0)) + 1, np.intp)
    first[branches[::-1]] = np.arange(len(at))[::-1]  # where each node is first led to
    again = first[branches] != np.arange(len(at))
    if (again & threshold).any() or (above[first[branches]] != above).any():
        return "two branches of the tree lead to one node"
    branches, above = branches[~again], above[~again]
    if ((branches[1:] <= branches[:-1]) & (above[1:] == above[:-1])).any():
        return "the branches of a node of the tree are not in order"
    return None


def depths(tree: Flat) -> Integers:
    """How many questions are above each node of a tree without a flaw."""
    up = np.zeros(len(tree.column), np.int64)
    above = np.repeat(np.arange(len(up)), np.diff(tree.first))
    there = tree.branches >= 0
    up[tree.branches[there]] = above[there]
    found = (np.arange(len(up)) != up).astype(np.int64)
    while up.any():  # twice as far up each time
        found += found[up]
        up = up[up]
    return found


def branches_of(tree: Flat, node: int) -> list[int]:
    """The nodes that the branches of a node lead to, each once."""
    led = tree.branches[tree.first[node] : tree.first[node + 1]]
    return sorted({child for child in led.tolist() if child >= 0})


def divided(shares: Floats, quantum: float = QUANTUM) -> Floats:
    """How much each branch gets of a row that is divided, by their shares: parts of equal size.

    Examples
    --------
    >>> divided(np.array([0.4, 0.6])).tolist(), divided(np.array([0.02] * 50)).sum().tolist()
    ([0.375, 0.625], 1.0)
    """
    ends = np.rint(np.cumsum(shares) * quantum)
    ends[-1] = quantum
    return np.diff(ends, prepend=0.0) / quantum


def joined(trees: Sequence[Flat]) -> Flat:
    """Trees as one whose nodes lie one after the other, with a root for each.

    Examples
    --------
    >>> stump = Flat(*map(np.array, ([0, -1, -1], [1.0] * 3, [0, 2, 2, 2], [1, 2], [1.0] * 3)))
    >>> joined([stump, stump]).branches.tolist(), joined([stump, stump]).first.tolist()
    ([1, 2, 4, 5], [0, 2, 2, 2, 4, 4, 4])
    """
    nodes = np.cumsum([0, *(len(tree.column) for tree in trees)])
    led = np.cumsum([0, *(len(tree.branches) for tree in trees)])
    first = [tree.first[:-1] + at for tree, at in zip(trees, led[:-1], strict=True)]
    branches = np.concatenate([tree.branches for tree in trees])
    above = np.repeat(nodes[:-1], np.diff(led))
    return Flat(
        np.concatenate([tree.column for tree in trees]),
        np.concatenate([tree.threshold for tree in trees]),
        np.concatenate([*first, led[-1:]]),
        np.where(branches < 0, -1, branches + above),
        np.concatenate([tree.share for tree in trees]),
    )
