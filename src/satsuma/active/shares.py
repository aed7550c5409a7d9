"""Shares: how far rows belong to classes, moved as little as can be to give these their size."""

import numpy as np

from satsuma.data.columns import Floats

#: Rounds of scaling, at most, and how far a share may then be from what it is to be.
_ROUNDS, _NEAR = 50, 1e-6

#: So much of a row may belong to a class that was ruled out, if its size demands it.
_LEAST = 1e-300


def keeping_shares(chances: Floats, shares: Floats, weights: Floats) -> Floats:
    """Memberships of which each class has its share, and that diverge least from chances.

    They are the chances times a factor for each class, found by scaling in turn.

    Parameters
    ----------
    chances
        Rows by classes; every row sums to 1.
    shares
        Of each class in all rows together, above 0; they sum to 1.
    weights
        What each row weighs.

    Examples
    --------
    >>> chances = np.array([[0.9, 0.1], [0.8, 0.2], [0.6, 0.4], [0.5, 0.5]])
    >>> found = keeping_shares(chances, np.array([0.5, 0.5]), np.ones(4))
    >>> found.round(2).tolist(), found.mean(axis=0).round(4).tolist()
    ([[0.77, 0.23], [0.6, 0.4], [0.36, 0.64], [0.27, 0.73]], [0.5, 0.5])
    """
    possible = np.maximum(chances, _LEAST)
    factors, found = np.ones(len(shares)), possible
    for _ in range(_ROUNDS):
        found = possible * factors
        found /= found.sum(axis=1, keepdims=True)
        now = np.average(found, axis=0, weights=weights)
        if np.abs(now - shares).max() <= _NEAR:
            break
        factors *= shares / np.maximum(now, _LEAST)
        factors /= factors.max()
    return found
