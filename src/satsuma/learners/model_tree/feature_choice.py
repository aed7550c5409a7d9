"""Feature choice: of very many features, those that equations and the search for splits look at."""

import numpy as np

from satsuma.learners.model_tree.grams import Marginals
from satsuma.numerics.arrays import Array, Floats

#: Features that equations may have, at most.
MOST = 40

#: Features whose cross-products are looked at, at most.
MANY = 256


def by_marginals(found: Marginals) -> Array:
    """The features that alone explain most of the target, in order of their places."""
    squares = np.where(found.squares > 0, found.squares, np.inf)
    worth: Floats = (found.products**2).sum(axis=1) / squares
    return np.sort(np.argsort(-worth.round(9), kind="stable")[:MANY])


def by_steps(gram: Floats, features: int) -> Array:
    """The features of a forward selection: each explains most of what those before it leave.

    Parameters
    ----------
    gram
        The cross-products of a constant, the features, and the columns that are fitted.
    features
        How many there are.
    """
    q = 1 + features
    left = gram.copy()
    free = np.diagonal(gram)[:q] * 1e-8
    chosen: list[int] = []
    _sweep(left, 0)
    while len(chosen) < min(MOST, features):
        own = np.diagonal(left)[:q].copy()
        said = (left[:q, q:] ** 2).sum(axis=1)
        worth = np.where(own > free, said / np.where(own > free, own, 1.0), -1.0)
        worth[[0, *chosen]] = -1.0
        at = int(np.argmax(worth >= worth.max() * (1 - 1e-9)))
        if not worth[at] > 0:
            break
        chosen.append(at)
        _sweep(left, at)
    return np.sort(np.array(chosen, np.intp)) - 1


def _sweep(left: Floats, at: int) -> None:
    """Take out of all columns what one of them explains."""
    if left[at, at] > 0:
        left -= np.outer(left[:, at], left[at]) / left[at, at]
