"""Held-out rows: dealt into folds by what is in them, so that none is judged by itself."""

from collections.abc import Sequence

import numpy as np

from satsuma.numerics.arrays import Array, Floats, Hashes

#: How many folds there are, if there are as many rows.
FOLDS = 5

#: Weights that are so near are the same.
_SAME = 1e-9


def by_name(codes: Array, names: Sequence[str]) -> Array:
    """The place of each class among their names in order, which the order of rows does not change.

    Examples
    --------
    >>> by_name(np.array([0, 1, 1]), ("yes", "no")).tolist()
    [1, 0, 0]
    """
    return np.argsort(np.argsort(np.array(names)))[codes]


def held_out(hashes: Hashes, labels: Array, weights: Floats) -> Floats:
    """Rows by folds: how much of the weight of each row is not learned from in a fold.

    Rows are dealt class after class in the order of their hashes, one of weight 2 as two rows, so
    that each fold has as many. So that nothing depends on which class came first, classes are
    given by places that do not: see `by_name`.

    Examples
    --------
    >>> hashes = np.array([7, 3, 5], np.uint64)
    >>> held_out(hashes, np.array([0, 0, 1]), np.array([1.0, 2.0, 6.5]))
    array([[0. , 0. , 1. , 0. , 0. ],
           [1. , 1. , 0. , 0. , 0. ],
           [1. , 1. , 1. , 2. , 1.5]])
    """
    order = np.lexsort((hashes, labels))
    units = np.ceil(weights * (1 - _SAME)).astype(np.intp)[order]
    ends = units.cumsum()
    after = (np.arange(FOLDS) - (ends - units)[:, None]) % FOLDS
    held = ((units[:, None] + FOLDS - 1 - after) // FOLDS).astype(np.float64)
    # The last unit of each row may be less than one.
    held[np.arange(len(held)), (ends - 1) % FOLDS] -= units - weights[order]
    found = np.empty(held.shape)
    found[order] = held
    return found
