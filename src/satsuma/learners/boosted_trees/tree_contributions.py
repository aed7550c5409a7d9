"""Contributions: what each column adds to the score of a row, exactly (TreeSHAP)."""

from collections.abc import Iterator, Sequence

import numpy as np

from satsuma.kernels.boost import TreeOf, left_codes
from satsuma.learners.leaf_shapley import Leaf, add_leaves
from satsuma.numerics.arrays import Array, Floats

#: Rows that are worked out together.
_TILE = 1024


def contributions_of(trees: Sequence[TreeOf], start: Floats, records: Array) -> Floats:
    """(rows, scores, columns and one more): the last is what is expected of any row."""
    n, width = records.shape
    found = np.zeros((n, len(start), width + 1))
    found[:, :, width] = start
    for lo in range(0, n, _TILE):
        tile = slice(lo, min(lo + _TILE, n))
        for at, tree in enumerate(trees):
            score = at % len(start)
            add_leaves(_leaves(tree, records[tile]), found[tile, score : score + 1])
    return found


def _leaves(tree: TreeOf, records: Array) -> Iterator[Leaf]:
    """The leaves of one tree, and which rows come to each."""
    go = left_codes(tree.sets)
    # Of each node on the way: by column, the share that passes unknown, and which rows pass known.
    ways: list[tuple[int, dict[int, tuple[float, Floats]]]] = [(0, {})]
    while ways:
        node, way = ways.pop()
        left = int(tree.left[node])
        if left < 0:
            yield Leaf(tree.value[node : node + 1], way)
            continue
        column = int(tree.column[node])
        fits: Floats = go[node][records[:, column]].astype(np.float64)
        share, passes = way.get(column, (1.0, np.ones(len(records))))
        weight = float(tree.weight[node])
        for child, fit in ((left, fits), (left + 1, 1 - fits)):
            part = float(tree.weight[child]) / weight if weight > 0 else 0.5
            ways.append((child, {**way, column: (share * part, passes * fit)}))
