"""Level growth: a tree whose nodes have linear models, level by level; and its pruning."""

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from satsuma.learners.model_tree.design import Design
from satsuma.learners.model_tree.grams import BinGrams
from satsuma.learners.model_tree.shrinkage import NodeFit, node_fit
from satsuma.learners.model_tree.split_search import Chosen, best_split
from satsuma.learners.tree.structure import TreeArrays, TreeBuilder
from satsuma.numerics.arrays import Bools, Floats

#: Cells that are counted in one round.
_BUDGET = 1 << 23

#: The strength of regularization at the root.
ROOT = 1.0

#: A node is split on trial if it gains this part of what pruning will ask for.
_TRIAL = 0.3


class Growing(NamedTuple):
    """How a tree grows.

    Parameters
    ----------
    smoothing
        Imaginary rows for which the model of the node above is right.
    drop
        What a feature must be worth, in variances.
    prune
        Degrees of freedom that a split costs.
    min_leaf
        What a leaf must weigh.
    max_depth
        Splits from the root to a leaf.
    """

    smoothing: float
    drop: float
    prune: float
    min_leaf: float
    max_depth: int


@dataclass(frozen=True)
class Growth:
    """A tree between two rounds.

    Parameters
    ----------
    design
        The features and the bins.
    tree
        As far as it has grown; its nodes have their numbers for stats.
    above
        The node above each.
    fits
        The model of each node that was looked at.
    means
        The mean of each feature at it, over the rows where it is known.
    variances
        Of the features at it.
    sums
        What the columns that are fitted add up to at it.
    waiting
        Nodes that have not been looked at.
    mixed
        Which bins hold more than their edge.
    """

    design: Design
    tree: TreeBuilder = field(default_factory=TreeBuilder)
    above: tuple[int, ...] = (-1,)
    fits: tuple[NodeFit | None, ...] = (None,)
    means: tuple[Any, ...] = (None,)
    variances: tuple[Any, ...] = (None,)
    sums: tuple[Any, ...] = (None,)
    waiting: tuple[int, ...] = (0,)
    mixed: Bools | None = None

    @property
    def chunk(self) -> tuple[int, ...]:
        """The nodes that are counted in the next round."""
        levels, width = self.design.levels, 1 + len(self.design.used) + self.design.target.width
        room = (1 + sum(levels) + len(levels)) * width**2
        return self.waiting[: max(1, _BUDGET // room)]


def seedling(design: Design) -> Growth:
    """A tree of a root."""
    tree = TreeBuilder()
    tree.add(0, 1.0, np.zeros(1))
    return Growth(design, tree)


def grown(state: Growth, found: BinGrams, how: Growing) -> Growth:
    """The tree after a round: nodes that were counted have a model, and some of them branches."""
    design, tree, chunk = state.design, state.tree.copy(), state.chunk
    above, fits = list(state.above), list(state.fits)
    means, variances, sums = list(state.means), list(state.variances), list(state.sums)
    waiting = list(state.waiting[len(chunk) :])
    mixed = found.mixed if state.mixed is None else state.mixed
    least = design.least_squares(np.zeros(len(design.used)))
    for node, cells in zip(chunk, found.cells, strict=True):
        parent = fits[above[node]] if above[node] >= 0 else None
        strength = ROOT if parent is None else how.smoothing
        fit = node_fit(cells[0], least, parent, strength, how.drop)
        fits[node] = fit
        means[node], variances[node] = _spread(design, cells)
        sums[node] = cells[0, 0, 1 + len(design.used) :].copy()
        if tree.depth[node] >= how.max_depth:
            continue
        chosen = _chosen(design, BinGrams(cells, mixed), fit, how)
        if chosen is None:
            continue
        new = _divide(tree, node, chosen)
        above += [node] * 2
        for known in (fits, means, variances, sums):
            known.extend([None, None])
        waiting += new
    return replace(
        state,
        tree=tree,
        above=tuple(above),
        fits=tuple(fits),
        means=tuple(means),
        variances=tuple(variances),
        sums=tuple(sums),
        waiting=tuple(waiting),
        mixed=mixed,
    )


def _spread(design: Design, cells: Floats) -> tuple[Floats, Floats]:
    """The mean of each feature at a node, and its variance where a missing cell is the mean.

    Missing cells are 0 in the cross-products.
    """
    q = 1 + len(design.used)
    weight, sums, squares = cells[0, 0, 0], cells[0, 0, 1:q], np.diagonal(cells[0])[1:q]
    last = np.cumsum([level + 1 for level in design.levels]).astype(np.intp)
    lost = np.append(cells[last, 0, 0], 0.0)  # whether a cell is missing is always known
    known = weight - lost[_attributes(design)]
    some = known > 1e-9 * weight
    mean = np.where(some, sums / np.where(some, known, 1.0), 0.0)
    return mean, np.maximum((squares - known * mean**2) / weight, 0.0)


def _attributes(design: Design) -> np.ndarray:
    """The attribute of each used feature; -1 for that a cell is missing."""
    widths = [len(v.values) if v.kind == "sym" else 1 for v in design.domain.attributes]
    found = np.repeat(np.arange(len(widths)), widths)
    return np.append(found, np.full(len(design.informative), -1))[design.used]


def _chosen(design: Design, found: BinGrams, fit: NodeFit, how: Growing) -> Chosen | None:
    if fit.weight < 2 * how.min_leaf:
        return None
    chosen = best_split(design, found, fit, how.smoothing, how.min_leaf)
    if chosen is None or chosen.gain <= _TRIAL * 2 * how.prune * fit.variance:
        return None
    return chosen


def _divide(tree: TreeBuilder, node: int, chosen: Chosen) -> list[int]:
    """Give a node two branches; their numbers."""
    depth, first = tree.depth[node] + 1, len(tree.column)
    new = [
        tree.add(depth, share, np.array([float(first + at)]))
        for at, share in enumerate(chosen.share)
    ]
    tree.column[node], tree.threshold[node] = chosen.column, chosen.threshold
    if len(chosen.branch):
        tree.branches[node] = [new[at] if at >= 0 else -1 for at in chosen.branch.tolist()]
    else:
        tree.branches[node] = new
    return new


def pruned(state: Growth, prune: float) -> TreeArrays:
    """The tree without splits that do not pay; the stats of a node are its number before.

    A split pays if the adjusted error of the parts together is less than that of the whole, where
    each part has half of what a split costs, and its share of what splits above have cost.
    """
    below: dict[int, list[int]] = {}
    for node, up in enumerate(state.above):
        below.setdefault(up, []).append(node)
    leaf = np.zeros(len(state.above), np.bool_)

    def cost(node: int, searched: float) -> float:
        fit = state.fits[node]
        assert fit is not None, "growth has ended"
        own = fit.adjusted(searched)
        inner = 0.0
        for child in below.get(node, []):
            part = state.fits[child]
            assert part is not None, "growth has ended"
            inner += cost(child, searched * part.weight / fit.weight + prune / 2)
        if node in below and inner < own * (1 - 1e-9):
            return inner
        leaf[node] = True
        return own

    cost(0, 0.0)
    grown = TreeArrays(state.tree.flat, np.array(state.tree.stats))
    return grown.without(leaf)
