"""Contributions: what each column adds to the score of a row, exactly (TreeSHAP).

A row knows some of its columns; at a division by one that it does not know, it goes both ways, by
what the branches weigh. What a column adds is how much the score changes when it becomes known, on
average over all orders in which columns become known (Shapley 1953; Lundberg et al. 2020).
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from satsuma.kernels.boost import TreeOf, left_codes
from satsuma.numerics.arrays import Array, Bools, Floats

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
            _add(tree, records[tile], found[tile, at % len(start)])
    return found


def _add(tree: TreeOf, records: Array, out: Floats) -> None:
    """Add what one tree says, leaf by leaf."""
    width = records.shape[1]
    go = left_codes(tree.sets)
    fits: dict[int, Bools] = {}
    # Of each node on the way: by column, the share that passes unknown, and which rows pass known.
    ways: list[tuple[int, dict[int, tuple[float, Bools]]]] = [(0, {})]
    while ways:
        node, way = ways.pop()
        left = int(tree.left[node])
        if left < 0:
            _add_leaf(float(tree.value[node]), way, out, width)
            continue
        column = int(tree.column[node])
        fits[node] = go[node][records[:, column]]
        share, passes = way.get(column, (1.0, np.ones(len(records), bool)))
        weight = float(tree.weight[node])
        for child, fit in ((left, fits[node]), (left + 1, ~fits[node])):
            part = float(tree.weight[child]) / weight if weight > 0 else 0.5
            ways.append((child, {**way, column: (share * part, passes & fit)}))


@lru_cache(maxsize=64)
def _nodes(count: int) -> tuple[Floats, Floats]:
    """Points and weights of an integral over [0, 1] that is exact for the products of a leaf."""
    points, weights = np.polynomial.legendre.leggauss(max(1, (count + 1) // 2))
    return (points + 1) / 2, weights / 2


def _add_leaf(value: float, way: dict[int, tuple[float, Bools]], out: Floats, width: int) -> None:
    """Add what a leaf says of rows.

    Its weight is a product of a factor for each column: known, 1 or 0 as the row passes or not;
    unknown, a share. Shapley's average over all orders is the integral, over the probability t that
    a column is known, of the difference in one factor times the product of all others (Owen 1972).
    """
    expected = value
    for share, _ in way.values():
        expected *= share
    out[:, width] += expected
    if not way:
        return
    points, weights = _nodes(len(way))
    # Columns by points by rows.
    factors = np.stack(
        [share + np.multiply.outer(points, passes - share) for share, passes in way.values()]
    )
    before = np.ones_like(factors)
    after = np.ones_like(factors)
    for k in range(1, len(factors)):
        before[k] = before[k - 1] * factors[k - 1]
        after[-k - 1] = after[-k] * factors[-k]
    averages = np.einsum("p,kpr->kr", weights, before * after)
    for k, (column, (share, passes)) in enumerate(way.items()):
        out[:, column] += value * averages[k] * (passes - share)
