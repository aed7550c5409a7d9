"""WeightedPairs: how rows pull at the effects of cells, and how cells come together, as a tally."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from satsuma.kernels import tally
from satsuma.learners.additive.layout import Layout
from satsuma.learners.additive.loss import Loss
from satsuma.numerics.arrays import Array, Floats


@dataclass(frozen=True)
class WeightedPairs:
    """Sums over rows, for each score; the constant is in front of the cells.

    Parameters
    ----------
    gram
        The curvature summed over the rows that are in both of two cells: (scores, 1 + cells,
        1 + cells). It is the Gram matrix of the one-hot encoded bins.
    slope
        The slope summed over the rows in each cell: (scores, 1 + cells).
    weight
        The weight of the rows in each cell: (1 + cells).
    loss
        The loss of all rows.
    """

    gram: Floats
    slope: Floats
    weight: Floats
    loss: float

    def __add__(self, other: "WeightedPairs") -> "WeightedPairs":
        """Those of the rows of both."""
        return WeightedPairs(
            self.gram + other.gram,
            self.slope + other.slope,
            self.weight + other.weight,
            self.loss + other.loss,
        )


def weighted_pairs(
    layout: Layout, loss: Loss, effects: Floats, codes: Sequence[Array], rows: Any
) -> WeightedPairs:
    """The sums over rows, given the effects that are tried: (scores, 1 + cells)."""
    scores = scores_of(layout, effects, codes, len(rows.target))
    each, slope, curve = loss.at(scores, rows.target)
    slope, curve = loss.rounded(slope, rows.weights), loss.rounded(curve, rows.weights)
    total = float(loss.rounded(each / loss.most, rows.weights).sum()) * loss.most
    return WeightedPairs(
        np.stack([_gram(layout, codes, one) for one in curve]),
        np.stack([_sums(layout, codes, one) for one in slope]),
        _sums(layout, codes, loss.rounded(np.ones(len(rows.target)), rows.weights)),
        total,
    )


def scores_of(layout: Layout, effects: Floats, codes: Sequence[Array], n: int) -> Floats:
    """The scores of rows: (scores, rows)."""
    if not codes:
        return np.repeat(effects[:, :1], n, axis=1)
    return np.stack([one[0] + layout.sum(one[1:], codes) for one in effects])


def _sums(layout: Layout, codes: Sequence[Array], each: Floats) -> Floats:
    found = np.empty(1 + layout.cells)
    found[0] = each.sum()
    for start, width, code in zip(layout.starts, layout.widths, codes, strict=False):
        found[1 + start : 1 + start + width] = np.bincount(code + np.int32(1), each, width + 1)[1:]
    return found


def _gram(layout: Layout, codes: Sequence[Array], weights: Floats) -> Floats:
    found = np.zeros((1 + layout.cells, 1 + layout.cells))
    own = _sums(layout, codes, weights)
    found[0], found[:, 0] = own, own
    np.fill_diagonal(found, own)
    starts, widths = [1 + at for at in layout.starts], layout.widths
    for at in range(len(codes) - 1):
        behind = range(at + 1, len(codes))
        _, blocks = tally.counts(
            [codes[j] for j in behind], [widths[j] for j in behind], codes[at], widths[at], weights
        )
        rows = slice(starts[at], starts[at] + widths[at])
        for j, block in zip(behind, blocks, strict=True):
            columns = slice(starts[j], starts[j] + widths[j])
            found[rows, columns] = block
            found[columns, rows] = block.T
    return found
