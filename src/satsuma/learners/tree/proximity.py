"""Proximity: in how many trees of a forest two rows end at the same leaf."""

from collections.abc import Iterable, Sequence

import numpy as np

from satsuma.kernels import tree as kernel
from satsuma.kernels.tree import Flat
from satsuma.numerics.arrays import Array, Floats
from satsuma.numerics.sums import weighted_bincount


def proximities(
    trees: Iterable[Flat], one: Sequence[Array], rows: Sequence[Array], n: int
) -> Floats:
    """The share of trees in which each of some rows ends where one row does (Breiman 2001).

    Where cells are missing, rows are spread over leaves, and it is how probable it is that both
    end at the same.

    Parameters
    ----------
    trees
        The forest.
    one
        The columns of a single row.
    rows, n
        The columns of the others, and how many there are.
    """
    total, count = np.zeros(n), 0
    for flat in trees:
        _, node, share = kernel.reach(flat, one, 1)
        here = weighted_bincount(node, share, len(flat.column))
        row, node, share = kernel.reach(flat, rows, n)
        total += weighted_bincount(row, share * here[node], n)
        count += 1
    return total / count
