"""Conclusion: the model that follows from a tree, and from what the rows at its leaves come to."""

from typing import Any

import numpy as np

from satsuma.learners.model_tree.design import Design
from satsuma.learners.model_tree.grams import NodeGrams
from satsuma.learners.model_tree.leaf_likelihoods import Climb
from satsuma.learners.model_tree.level_growth import ROOT, Growing, Growth
from satsuma.learners.model_tree.linear_tree import (
    Equations,
    LinearTree,
    LinearTreeClassifier,
    LinearTreeRegressor,
    NodeRows,
)
from satsuma.learners.model_tree.shrinkage import LEAST, NodeFit, node_fit, simplified
from satsuma.learners.tree.pruning import parents
from satsuma.learners.tree.structure import TreeArrays
from satsuma.numerics.arrays import Array, Floats


def model_of(growth: Growth, tree: TreeArrays, fitted: Any, climb: Any, how: Growing) -> LinearTree:
    """The model: of numbers from cross-products by leaf, of classes from their coefficients."""
    if growth.design.target.seen is None:
        return _of_numbers(growth, tree, fitted, how)
    return _of_classes(growth, tree, climb)


def numbers_before(tree: TreeArrays) -> list[int]:
    """What the nodes of a pruned tree were called before."""
    return [int(at) for at in tree.stats[:, 0]]


def means_of(growth: Growth, tree: TreeArrays) -> Floats:
    """The mean of each feature at each node of a pruned tree."""
    return np.stack([growth.means[at] for at in numbers_before(tree)])


def _of_numbers(
    growth: Growth, tree: TreeArrays, found: NodeGrams, how: Growing
) -> LinearTreeRegressor:
    design, up = growth.design, parents(tree)
    cells, low, high = found.cells.copy(), found.low.copy(), found.high.copy()
    for node in range(len(up) - 1, 0, -1):
        cells[up[node]] += cells[node]
        low[up[node]] = np.minimum(low[up[node]], low[node])
        high[up[node]] = np.maximum(high[up[node]], high[node])
    fits: list[NodeFit] = []
    for node, gram in enumerate(cells):
        above = fits[int(up[node])] if node else None
        strength = how.smoothing if node else ROOT
        least = design.least_squares(high[node, :-1] - low[node, :-1])
        fits.append(node_fit(gram, least, above, strength, how.drop))
    centre, spread, _ = design.target
    beta = spread * np.stack(
        [
            simplified(fit, gram, how.drop, root=not node).T
            for node, (fit, gram) in enumerate(zip(fits, cells, strict=True))
        ]
    )
    beta[:, :, 0] += centre
    weight = np.array([fit.weight for fit in fits])
    sd = np.sqrt([fit.variance for fit in fits]) * spread
    equations = _equations(design, means_of(growth, tree), beta)
    at = np.searchsorted(design.used, equations.used)
    ranges = (
        design.mean[equations.used] + equations.scale * low[:, at],
        design.mean[equations.used] + equations.scale * high[:, at],
        centre + spread * low[:, -1],
        centre + spread * high[:, -1],
    )
    rows = NodeRows(weight, sd, *ranges)
    return LinearTreeRegressor(tree.flat, equations, rows, design.informative)


def _of_classes(growth: Growth, tree: TreeArrays, climb: Climb) -> LinearTreeClassifier:
    seen: Array = growth.design.target.seen
    before = numbers_before(tree)
    target = growth.design.domain.target
    assert target is not None, "there are classes"
    counts = np.zeros((len(before), len(target.values)))
    for node, at in enumerate(before):
        fit = growth.fits[at]
        assert fit is not None, "growth has ended"
        sums = growth.sums[at]
        if len(seen) == 2:
            counts[node, seen] = fit.weight - sums[0], sums[0]
        else:
            counts[node, seen] = sums
    found = climb.tried if climb.found is None else climb.found
    design = growth.design
    equations = _equations(design, means_of(growth, tree), found)
    counts = np.maximum(counts, 0.0)
    return LinearTreeClassifier(tree.flat, equations, counts, seen, design.informative)


def _equations(design: Design, means: Floats, beta: Floats) -> Equations:
    """Coefficients of a constant and standardized features, as the model has them."""
    slopes = beta[:, :, 1:]
    level = beta[:, :, 0] + np.einsum("nsf,nf->ns", slopes, means)
    some = (slopes != 0).any(axis=(0, 1))
    used = design.used[some]
    mean, scale = design.mean[used], design.scale[used]
    return Equations(
        used.astype(np.int32), mean + scale * means[:, some], scale, level, slopes[:, :, some]
    )


def start_of_climb(growth: Growth, tree: TreeArrays, smoothing: float) -> Climb:
    """The search for the coefficients of classes, before its first round: all slopes are 0."""
    seen = growth.design.target.seen
    before = numbers_before(tree)
    means = np.hstack([np.ones((len(before), 1)), means_of(growth, tree)])
    variance = np.stack([np.append(0.0, growth.variances[at]) for at in before])
    fits: list[Any] = [growth.fits[at] for at in before]
    tried = np.zeros((len(before), len(seen) - 1, means.shape[1]))
    up = parents(tree)
    same = variance <= LEAST  # what never varies at a node says there what the constant says
    same[:, 0] = False
    for node in range(1, len(up)):
        same[node] |= same[up[node]]
    kept = np.stack([fit.kept for fit in fits]) & ~same
    alone = len(seen) < 2
    return Climb(tree.flat, up, means, variance, kept, smoothing, tried, done=alone)
