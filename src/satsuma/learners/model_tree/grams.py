"""Grams: cross-products of features and target, by node and bin, as tallies."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from satsuma.kernels import tree as kernel
from satsuma.kernels.tree import QUANTUM, Flat
from satsuma.learners.model_tree.design import DesignRows
from satsuma.numerics.arrays import Array, Bools, Floats

#: Rows that are multiplied at once.
_ROWS = 1 << 14


@dataclass(frozen=True)
class BinGrams:
    """What a level of growth is to know.

    Parameters
    ----------
    cells
        Cross-products of a constant, the features and the target: (nodes, cells, columns, columns).
        The first cell is of all rows of a node; then, for each attribute, there is one for each of
        its bins, and one for rows where it is missing.
    mixed
        Which bins hold more than their edge.
    """

    cells: Floats
    mixed: Bools

    def __add__(self, other: "BinGrams") -> "BinGrams":
        """Those of the rows of both."""
        return BinGrams(self.cells + other.cells, self.mixed | other.mixed)


@dataclass(frozen=True)
class NodeGrams:
    """What the last fit is to know: cross-products by node, and the range of the target.

    Parameters
    ----------
    cells
        (nodes, columns, columns).
    low, high
        The least and the greatest of the features, and last of the target, that end at each node.
    """

    cells: Floats
    low: Floats
    high: Floats

    def __add__(self, other: "NodeGrams") -> "NodeGrams":
        """Those of the rows of both."""
        return NodeGrams(
            self.cells + other.cells,
            np.minimum(self.low, other.low),
            np.maximum(self.high, other.high),
        )


@dataclass(frozen=True)
class Marginals:
    """What features come to one by one: their squares, and their products with the target."""

    squares: Floats
    products: Floats

    def __add__(self, other: "Marginals") -> "Marginals":
        """Those of the rows of both."""
        return Marginals(self.squares + other.squares, self.products + other.products)

    @classmethod
    def of(cls, rows: DesignRows) -> "Marginals":
        """Those of some rows."""
        weighed = rows.x[:, 1:] * rows.weights[:, None]
        return cls((weighed * rows.x[:, 1:]).sum(axis=0), weighed.T @ rows.y)


class Parts(NamedTuple):
    """Parts of rows that end at a node."""

    row: Array
    weight: Floats


def parts_of(tree: Flat, rows: DesignRows, nodes: Sequence[int]) -> list[Parts]:
    """The parts of rows that end at some nodes; a missing cell spreads a row over branches."""
    row, node, share = kernel.reach(tree, rows.cells, len(rows.x), QUANTUM)
    order = np.argsort(node, kind="stable")
    row, node, share = row[order], node[order], share[order]
    begin, end = (np.searchsorted(node, nodes, side=side) for side in ("left", "right"))
    found: list[Parts] = []
    for lo, hi in zip(begin.tolist(), end.tolist(), strict=True):
        here = row[lo:hi]
        found.append(Parts(here, rows.weights[here] * share[lo:hi]))
    return found


def bin_grams(
    tree: Flat, rows: DesignRows, nodes: Sequence[int], levels: Sequence[int]
) -> BinGrams:
    """The cross-products of rows that end at some nodes, by the bins of columns as far as asked."""
    width = rows.x.shape[1] + rows.y.shape[1]
    cells = np.zeros((len(nodes), 1 + sum(levels) + len(levels), width, width))
    for into, part in zip(cells, parts_of(tree, rows, nodes), strict=True):
        for at in range(0, len(part.row), _ROWS):
            row, weight = part.row[at : at + _ROWS], part.weight[at : at + _ROWS]
            both = np.hstack([rows.x[row], rows.y[row]])
            into[0] += both.T @ (both * weight[:, None])
            first = 1
            for code, level in zip(rows.codes, levels, strict=False):
                _add_bins(into[first : first + level + 1], both, weight, code[row])
                first += level + 1
    return BinGrams(cells, rows.mixed)


def _add_bins(into: Floats, both: Floats, weight: Floats, code: Array) -> None:
    order = np.argsort(code, kind="stable")
    sorted_, code = both[order], code[order]
    weighed = sorted_ * weight[order][:, None]
    bins = np.arange(len(into) + 1)
    edges = np.searchsorted(code, bins).tolist()
    for bin_, (lo, hi) in enumerate(pairwise(edges)):
        if hi > lo:
            into[bin_] += sorted_[lo:hi].T @ weighed[lo:hi]


def node_grams(tree: Flat, rows: DesignRows, mean: Floats) -> NodeGrams:
    """The cross-products of rows that end at each node.

    Parameters
    ----------
    tree, rows
        Where rows end.
    mean
        Of the features at each node: what a missing cell is taken for.
    """
    width = rows.x.shape[1] + rows.y.shape[1]
    cells = np.zeros((len(mean), width, width))
    low, high = np.full((len(mean), width - 1), np.inf), np.full((len(mean), width - 1), -np.inf)
    for at, part in enumerate(parts_of(tree, rows, range(len(mean)))):
        for lo in range(0, len(part.row), _ROWS):
            row = part.row[lo : lo + _ROWS]
            both = np.hstack([imputed(rows, row, mean[at]), rows.y[row]])
            cells[at] += both.T @ (both * part.weight[lo : lo + _ROWS, None])
            low[at] = np.minimum(low[at], both[:, 1:].min(axis=0))
            high[at] = np.maximum(high[at], both[:, 1:].max(axis=0))
    return NodeGrams(cells, low, high)


def imputed(rows: DesignRows, row: Array, mean: Floats) -> Floats:
    """A constant and the features of some rows, a missing cell being the mean."""
    x = rows.x[row]
    if rows.absent is not None:
        x[:, 1:] += rows.absent[row] * mean
    return x
