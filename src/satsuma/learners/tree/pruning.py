"""Pruning: which nodes had better be leaves."""

from math import lgamma, log, log2, pi

import numpy as np
import numpy.typing as npt

from satsuma.learners.tree.structure import SQUARES, SUM, WEIGHT, GrownTree, TreeArrays
from satsuma.numerics.arrays import Floats

#: Errors nearer to each other than this are the same: then the smaller tree is taken.
_NEAR = 1e-9

#: The confidence of error-based pruning; what a question costs, in errors; and in a tree of
#: numbers, as a share of the squared error of the root.
_CONFIDENCE, _QUESTION, _SHARE = 0.25, 1.0, 0.003


def prunable(tree: TreeArrays, own: Floats, inner: Floats | None = None) -> npt.NDArray[np.bool_]:
    """Which nodes cost no more as leaves than with what is below them.

    Parameters
    ----------
    tree
        Its nodes come before their branches.
    own
        What each node costs as a leaf.
    inner
        What each node costs beside its branches; nothing if not given.
    """
    below = np.zeros(len(own)) if inner is None else inner.copy()
    leaf = np.zeros(len(own), np.bool_)
    up = parents(tree)
    for node in range(len(own) - 1, -1, -1):
        leaf[node] = tree.flat.column[node] < 0 or own[node] <= below[node] + _NEAR
        if node:
            below[up[node]] += own[node] if leaf[node] else below[node]
    return leaf


def parents(tree: TreeArrays) -> npt.NDArray[np.intp]:
    """The node above each; -1 for the root."""
    up = np.full(len(tree.flat.column), -1)
    above = np.repeat(np.arange(len(up)), np.diff(tree.flat.first))
    up[tree.flat.branches[tree.flat.branches >= 0]] = above[tree.flat.branches >= 0]
    return up


def by_error(tree: TreeArrays, classes: int) -> TreeArrays:
    """Leaves where a question does not pay: error-based pruning (Quinlan 1987, 1993).

    The error of a node of classes is the upper limit of the binomial errors of its rows, at a
    confidence of a quarter, and each question costs as much as another error. A node of numbers has
    the squared error about its mean, and each question costs a share of that of the root.
    """
    n = tree.stats.sum(axis=1) if classes else tree.stats[:, WEIGHT]
    if classes:
        own, question = most_errors(n, n - tree.stats.max(axis=1)), _QUESTION
    else:
        own = np.maximum(tree.stats[:, SQUARES] - tree.stats[:, SUM] ** 2 / n, 0.0)
        question = _SHARE * own[0]
    return tree.without(prunable(tree, own, np.where(tree.flat.column < 0, 0.0, question)))


def most_errors(n: Floats, errors: Floats) -> Floats:
    """How many of n rows may be wrong, if some were: the upper limit by Clopper and Pearson."""
    from scipy.special import betaincinv

    return n * betaincinv(errors + 1, np.maximum(n - errors, _NEAR), 1 - _CONFIDENCE)


def by_m_estimate(tree: TreeArrays, m: float) -> TreeArrays:
    """Leaves where the m-estimate of the error is no greater (Cestnik and Bratko 1991).

    The error of a node is 1 - (n_c + m p_c) / (n + m) for its best class, where p_c is the share
    of the class in all rows.
    """
    n = tree.stats.sum(axis=1)
    prior = tree.stats[0] / n[0]
    error = 1 - ((tree.stats + m * prior) / (n + m)[:, None]).max(axis=1)
    return tree.without(prunable(tree, n * error))


def by_description(tree: TreeArrays, levels: npt.NDArray[np.int32]) -> TreeArrays:
    """MDL pruning: leaves where they take no more bits (Mehta, Rissanen and Agrawal 1995).

    A node takes one bit, and one that asks also the bits that name its column and where it is
    cut; a leaf takes the stochastic complexity of its classes.
    """
    flat, stats = tree
    n, k = stats.sum(axis=1), stats.shape[1]
    safe = np.where(stats > 0, stats, 1.0)
    classes = (stats * np.log2(n[:, None] / safe)).sum(axis=1)
    fixed = (k / 2 * log(pi) - lgamma(k / 2)) / log(2)
    leaf = 1 + classes + np.maximum((k - 1) / 2 * np.log2(n / 2) + fixed, 0.0)
    asks = 1 + log2(max(len(levels), 1)) + np.log2(np.maximum(levels[flat.column], 2) - 1)
    return tree.without(prunable(tree, leaf, np.where(flat.column < 0, 0.0, asks)))


def by_held_out(outcome: GrownTree) -> TreeArrays:
    """Reduced-error pruning: leaves where held-out rows are predicted no worse (Quinlan 1987)."""
    tree, held, classes = outcome.grown, outcome.held, outcome.setup.classes
    if held is None:
        return tree
    here = _errors(tree.stats, held, classes)
    all_, up = held.copy(), parents(tree)
    for node in range(len(held) - 1, 0, -1):
        all_[up[node]] += all_[node]
    own = _errors(tree.stats, all_, classes)
    return tree.without(prunable(tree, own, here))


def _errors(stats: Floats, held: Floats, classes: int) -> Floats:
    if classes:
        return held.sum(axis=1) - held[np.arange(len(held)), stats.argmax(axis=1)]
    mean = stats[:, SUM] / stats[:, WEIGHT]
    return held[:, SQUARES] - 2 * mean * held[:, SUM] + mean * mean * held[:, WEIGHT]
