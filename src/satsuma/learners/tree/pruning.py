"""Pruning: which nodes had better be leaves."""

from collections.abc import Sequence
from math import lgamma, log, log2, pi

import numpy as np
import numpy.typing as npt

from satsuma.learners.tree.structure import SQUARES, SUM, WEIGHT, GrownTree, TreeArrays
from satsuma.numerics.arrays import Floats

#: Costs nearer to each other than this part of the root's are the same: then the smaller tree is
#: taken.
_NEAR = 1e-9

#: The confidence of error-based pruning; what a question costs, in errors; and in a tree of
#: numbers, as a share of the squared error of the root.
_CONFIDENCE, _QUESTION, _SHARE = 0.25, 1.0, 0.002

#: What a question may cost where that is chosen by cross-validation, as parts of these.
_STRENGTHS = 2.0 ** (np.arange(-4, 11) / 2)


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
    up, near = parents(tree), _NEAR * own[0]
    for node in range(len(own) - 1, -1, -1):
        leaf[node] = tree.flat.column[node] < 0 or own[node] <= below[node] + near
        if node:
            below[up[node]] += own[node] if leaf[node] else below[node]
    return leaf


def parents(tree: TreeArrays) -> npt.NDArray[np.intp]:
    """The node above each; -1 for the root."""
    up = np.full(len(tree.flat.column), -1)
    above = np.repeat(np.arange(len(up)), np.diff(tree.flat.first))
    up[tree.flat.branches[tree.flat.branches >= 0]] = above[tree.flat.branches >= 0]
    return up


def by_error(tree: TreeArrays, classes: int, strength: float = 1.0) -> TreeArrays:
    """Leaves where a question does not pay: error-based pruning (Quinlan 1987, 1993).

    The error of a node of classes is the upper limit of the binomial errors of its rows, at a
    confidence of a quarter, and each question costs as much as another error. A node of numbers has
    the squared error about its mean, and each question costs a share of that of the root.

    Parameters
    ----------
    tree
        Grown out.
    classes
        How many there are; 0 for numbers.
    strength
        What a question costs, as a part of that.
    """
    return tree.without(_not_paying(tree, classes, strength))


def _not_paying(tree: TreeArrays, classes: int, strength: float) -> npt.NDArray[np.bool_]:
    n = tree.stats.sum(axis=1) if classes else tree.stats[:, WEIGHT]
    if classes:
        own, question = most_errors(n, n - tree.stats.max(axis=1)), _QUESTION
    else:
        own = np.maximum(tree.stats[:, SQUARES] - tree.stats[:, SUM] ** 2 / n, 0.0)
        question = _SHARE * own[0]
    return prunable(tree, own, np.where(tree.flat.column < 0, 0.0, strength * question))


def by_cross_validation(whole: GrownTree, folds: Sequence[GrownTree]) -> TreeArrays:
    """Pruned by error, as strongly as is best for rows that trees were not grown from.

    The stronger it is pruned, the smaller the tree, and each is a part of the one before (Breiman
    et al. 1984). The greatest strength is taken whose error is within half a standard error of the
    least.

    Parameters
    ----------
    whole
        The tree of all rows.
    folds
        Trees of all rows but those held out, which are others for each.
    """
    classes = whole.setup.classes
    if not folds:
        return by_error(whole.grown, classes)
    found: list[list[float]] = []
    weight = _weight(whole.grown, classes)
    for each in folds:
        # What a question costs is in errors: of fewer rows there are fewer.
        part = _weight(each.grown, classes) / weight if classes else 1.0
        masks = (_not_paying(each.grown, classes, part * strength) for strength in _STRENGTHS)
        found.append([_held_error(each, leaf) for leaf in masks])
    errors = np.array(found)
    total = errors.sum(axis=0)
    least = int(total.argmin())
    # Half the standard error of the least, by how much it differs from fold to fold.
    near = _NEAR * float(total.max()) + float(errors[:, least].std()) * len(errors) ** 0.5 / 2
    best = int(np.flatnonzero(total <= total[least] + near)[-1])
    return by_error(whole.grown, classes, float(_STRENGTHS[best]))


def same_answers(tree: TreeArrays, m: float) -> TreeArrays:
    """Leaves where all branches predict the same class; m imaginary rows are as all rows are."""
    answer = (tree.stats + m * tree.stats[0] / tree.stats[0].sum()).argmax(axis=1)
    leaf, up = tree.flat.column < 0, parents(tree)
    single = np.ones(len(leaf), np.bool_)
    for node in range(len(leaf) - 1, 0, -1):
        single[up[node]] &= single[node] and answer[node] == answer[up[node]]
    return tree.without(single) if (single & ~leaf).any() else tree


def _weight(tree: TreeArrays, classes: int) -> float:
    return float(tree.stats[0].sum() if classes else tree.stats[0, WEIGHT])


def _held_error(outcome: GrownTree, leaf: npt.NDArray[np.bool_]) -> float:
    """The error of the rows held out, where some nodes have become leaves."""
    tree, held, classes = outcome.grown, outcome.held, outcome.setup.classes
    assert held is not None
    up = parents(tree)
    there = np.ones(len(leaf), np.bool_)
    for node in range(1, len(leaf)):
        there[node] = there[up[node]] and not leaf[up[node]]
    ends = np.where(leaf[:, None], _summed_up(tree, held), held)
    return float(_errors(tree.stats, ends, classes)[there].sum())


def _summed_up(tree: TreeArrays, held: Floats) -> Floats:
    """What rows come to at a node and all below it."""
    found, up = held.copy(), parents(tree)
    for node in range(len(held) - 1, 0, -1):
        found[up[node]] += found[node]
    return found


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
    own = _errors(tree.stats, _summed_up(tree, held), classes)
    return tree.without(prunable(tree, own, here))


def _errors(stats: Floats, held: Floats, classes: int) -> Floats:
    if classes:
        return held.sum(axis=1) - held[np.arange(len(held)), stats.argmax(axis=1)]
    mean = stats[:, SUM] / stats[:, WEIGHT]
    return held[:, SQUARES] - 2 * mean * held[:, SUM] + mean * mean * held[:, WEIGHT]
