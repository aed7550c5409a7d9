"""Open trees: a tree that grows from sums of rows which are somewhere else, level by level.

The leaf that gains most is divided first, as in memory. What children come to is known only after a
pass over the rows, so all leaves that may be divided soon are looked at in the same pass.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from satsuma.kernels.boost import Coded, Grower, Rules, Split, Sums, TreeOf, Units, value_of
from satsuma.numerics.arrays import Array, Codes, Integers

_SLACK = 1.0 - 1e-9


@dataclass
class Node:
    """A node, which may not be part of the tree in the end.

    Parameters
    ----------
    sums
        What its rows come to; the weight is known once it was looked at.
    depth
        How many divisions are above it.
    split
        The best division of it.
    left
        Its left child; the right one is behind it. -1 if it has none.
    looked
        Whether the rows have been asked about it.
    """

    sums: Sums
    depth: int
    split: Split | None = None
    left: int = -1
    looked: bool = False


@dataclass
class OpenTree:
    """A tree between two passes.

    Parameters
    ----------
    rules, units
        When nodes are divided, and what sums stand for.
    used
        The columns that may divide.
    nodes
        Those that there are or may be.
    """

    rules: Rules
    units: Units
    used: Codes
    nodes: list[Node] = field(default_factory=lambda: [Node(Sums(0, 0, 0), 0)])

    def wanted(self) -> list[int]:
        """The nodes that the next pass is to look at; none once the tree is complete."""
        order = self._order()
        leaves = [at for at in order if at not in _parents(self.nodes, order)]
        unknown = [at for at in leaves if not self.nodes[at].looked]
        if not unknown:
            return []
        room = self.rules.leaves - len(leaves)
        soon = [at for at in leaves if self.nodes[at].split is not None]
        soon.sort(key=lambda at: -_gain(self.nodes[at]))
        for at in soon[: max(room, 0)]:
            self._divide(at)
        return [at for at in range(len(self.nodes)) if not self.nodes[at].looked]

    def _order(self) -> list[int]:
        """Nodes in the order in which they come to be, as far as that is known."""
        order, leaves = [0], [0]
        while len(leaves) < self.rules.leaves:
            if any(not self.nodes[at].looked for at in leaves):
                break
            best = max(leaves, key=lambda at: (_gain(self.nodes[at]), -order.index(at)))
            if self.nodes[best].split is None:
                break
            self._divide(best)
            leaves.remove(best)
            pair = [self.nodes[best].left, self.nodes[best].left + 1]
            order += pair
            leaves += pair
        return order

    def _divide(self, at: int) -> None:
        node = self.nodes[at]
        if node.left >= 0 or node.split is None:
            return
        s, split = node.sums, node.split
        left = replace(s, slope=split.slope, curve=split.curve)
        right = replace(s, slope=s.slope - split.slope, curve=s.curve - split.curve)
        sign = int(self.signs[split.column])
        if sign:
            values = [value_of(each, self.rules, self.units) for each in (left, right)]
            middle = (values[0] + values[1]) / 2
            if sign > 0:
                left, right = replace(left, high=middle), replace(right, low=middle)
            else:
                left, right = replace(left, low=middle), replace(right, high=middle)
        node.left = len(self.nodes)
        self.nodes += [Node(left, node.depth + 1), Node(right, node.depth + 1)]

    signs: Array = field(default_factory=lambda: np.zeros(0, np.int8))

    def tree(self) -> TreeOf:
        """All nodes that rows are at or pass, so that it can be walked."""
        left = np.array([node.left for node in self.nodes], np.int32)
        column = np.array(
            [node.split.column if node.left >= 0 and node.split else -1 for node in self.nodes],
            np.int32,
        )
        none = np.zeros(4, np.uint64)
        sets = np.array(
            [node.split.set if node.left >= 0 and node.split else none for node in self.nodes],
            np.uint64,
        )
        zeros = np.zeros(len(left))
        return TreeOf(column, left, zeros, zeros, zeros, sets)

    def learn(self, coded: Coded, wanted: list[int], bins: Integers, totals: Integers) -> None:
        """Take in what a pass has found of nodes.

        Parameters
        ----------
        coded
            What columns there are; no rows.
        wanted
            The nodes.
        bins
            (nodes, bins, 2).
        totals
            Slope, curvature and weight of each.
        """
        grower = Grower(coded, self.rules)
        grower.begin(self.used, np.zeros(0, np.uint32), self.units)
        for at, own, total in zip(wanted, bins, totals.tolist(), strict=True):
            node = self.nodes[at]
            slope, curve, weight, rows = total
            node.sums = replace(node.sums, slope=slope, curve=curve, weight=weight)
            node.looked = True
            heavy = weight * self.units.weight >= 2 * self.rules.min_leaf * _SLACK
            if heavy and rows > 1 and node.depth < self.rules.depth and self.rules.leaves > 1:
                node.split = grower.best(np.ascontiguousarray(own), node.sums)

    def grown(self) -> TreeOf:
        """The tree, once it is complete, with its nodes in the order in which they came to be."""
        order = self._order()
        inside = _parents(self.nodes, order)
        place = {at: k for k, at in enumerate(order)}
        made = [self.nodes[at] for at in order]
        inner = [at in inside for at in order]
        none = np.zeros(4, np.uint64)
        splits = [node.split if own else None for node, own in zip(made, inner, strict=True)]
        return TreeOf(
            np.array([-1 if s is None else s.column for s in splits], np.int32),
            np.array(
                [place[n.left] if own else -1 for n, own in zip(made, inner, strict=True)], np.int32
            ),
            np.array([value_of(node.sums, self.rules, self.units) for node in made]),
            np.array([node.sums.weight * self.units.weight for node in made]),
            np.array([0.0 if s is None else s.gain for s in splits]),
            np.array([none if s is None else s.set for s in splits], np.uint64),
        )


def _gain(node: Node) -> float:
    return -np.inf if node.split is None else node.split.gain


def _parents(nodes: list[Node], order: list[int]) -> set[int]:
    """Those of some nodes whose children are among them."""
    there = set(order)
    return {at for at in order if nodes[at].left in there}
