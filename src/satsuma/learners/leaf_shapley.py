"""Leaves: what each column adds to the prediction of a tree, exactly (TreeSHAP), leaf by leaf.

A row knows some of its columns; at a node that asks for one it does not know, it goes all ways, by
what the branches weigh. What a column adds is how much the prediction changes when it becomes
known, on average over all orders in which columns become known (Shapley 1953; Lundberg et al.
2020: the path-dependent TreeSHAP).
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from satsuma.numerics.arrays import Floats

#: Floats that are worked out together.
_CELLS = 1 << 21


class Leaf(NamedTuple):
    """A place where rows end.

    Parameters
    ----------
    says
        (outputs,): what is predicted there.
    ways
        By column: the share of what does not know the column that passes, and what of each row
        that knows it does: 1 or 0, or a share where its cell is missing.
    """

    says: Floats
    ways: Mapping[int, tuple[float, Floats]]


@lru_cache(maxsize=64)
def _nodes(count: int) -> tuple[Floats, Floats]:
    """Points and weights of an integral over [0, 1] that is exact for the products of a leaf."""
    points, weights = np.polynomial.legendre.leggauss(max(1, (count + 1) // 2))
    return (points + 1) / 2, weights / 2


def add_leaves(leaves: Iterable[Leaf], out: Floats) -> None:
    """Add what leaves say of rows to `out`: (rows, outputs, columns and one more).

    The last is what is expected of any row.
    """
    by_size: dict[int, list[Leaf]] = {}
    for leaf in leaves:
        by_size.setdefault(len(leaf.ways), []).append(leaf)
    rows = max(1, len(out))
    for size, some in by_size.items():
        if not size:
            out[:, :, -1] += sum(leaf.says for leaf in some)
            continue
        step = max(1, _CELLS // (rows * size * max(1, (size + 1) // 2)))
        for lo in range(0, len(some), step):
            _add(some[lo : lo + step], out)


def _add(leaves: list[Leaf], out: Floats) -> None:
    """Add what leaves at the end of equally many columns say.

    The weight of a leaf is a product of a factor for each column: known, whether the row passes;
    unknown, a share. Shapley's average over all orders is the integral, over the probability t that
    a column is known, of the difference in one factor times the product of all others (Owen 1972).
    """
    says = np.stack([leaf.says for leaf in leaves])
    columns = np.array([list(leaf.ways) for leaf in leaves])
    share = np.array([[unknown for unknown, _ in leaf.ways.values()] for leaf in leaves])
    passes = np.array([[known for _, known in leaf.ways.values()] for leaf in leaves], np.float64)
    out[:, :, -1] += share.prod(axis=1) @ says
    size = columns.shape[1]
    points, weights = _nodes(size)
    apart = passes - share[:, :, None]  # leaves, columns, rows
    factors = share[:, :, None, None] + points[None, None, :, None] * apart[:, :, None, :]
    before, after = np.ones_like(factors), np.ones_like(factors)
    for k in range(1, size):
        before[:, k] = before[:, k - 1] * factors[:, k - 1]
        after[:, -k - 1] = after[:, -k] * factors[:, -k]
    weigh = np.einsum("p,lkpr->lkr", weights, before * after) * apart
    for column in np.unique(columns).tolist():
        leaf, place = np.nonzero(columns == column)
        out[:, :, column] += weigh[leaf, place].T @ says[leaf]
