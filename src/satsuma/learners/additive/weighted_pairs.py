"""WeightedPairs: how rows pull at the effects of cells, and how cells come together, as a tally."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from satsuma.kernels import tally
from satsuma.learners.additive.hats import PARTS
from satsuma.learners.additive.layout import Layout
from satsuma.learners.additive.loss import Loss
from satsuma.numerics.arrays import Array, Floats

#: Rows are few where they are less than this share of the cells.
_FEW = 0.5


@dataclass(frozen=True)
class WeightedPairs:
    """Sums over rows, for each score; the constant is in front.

    Parameters
    ----------
    gram
        The curvature summed over the rows that have something of two coefficients: (scores,
        1 + coefficients, 1 + coefficients). It is the weighted Gram matrix of the rows' bases.
    slope
        The slope summed over the rows of each coefficient: (scores, 1 + coefficients).
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
    layout: Layout, loss: Loss, coefficients: Floats, codes: Sequence[Array], rows: Any
) -> WeightedPairs:
    """The sums over rows, given the coefficients that are tried: (scores, 1 + coefficients)."""
    scores = scores_of(layout, coefficients, codes, len(rows.target))
    each, slope, curve = loss.at(scores, rows.target)
    # The cell of a pair has parts of parts of a coefficient; a Gram matrix, the products of these.
    slope = loss.rounded(slope, rows.weights, PARTS**2)
    curve = loss.rounded(curve, rows.weights, PARTS**4)
    total = float(loss.rounded(each / loss.most, rows.weights).sum()) * loss.most
    return WeightedPairs(
        np.stack([_gram(layout, codes, one) for one in curve]),
        np.stack([_reduced(layout, _sums(layout, codes, one)) for one in slope]),
        _sums(layout, codes, loss.rounded(np.ones(len(rows.target)), rows.weights)),
        total,
    )


def scores_of(layout: Layout, coefficients: Floats, codes: Sequence[Array], n: int) -> Floats:
    """The scores of rows: (scores, rows)."""
    if not codes:
        return np.repeat(coefficients[:, :1], n, axis=1)
    effects = layout.effects(coefficients.T).T
    return np.stack([one[0] + layout.sum(one[1:], codes) for one in effects])


def _sums(layout: Layout, codes: Sequence[Array], each: Floats) -> Floats:
    found = np.empty(1 + layout.cells)
    found[0] = each.sum()
    for start, width, code in zip(layout.starts, layout.widths, codes, strict=False):
        found[1 + start : 1 + start + width] = np.bincount(code + np.int32(1), each, width + 1)[1:]
    return found


def _reduced(layout: Layout, sums: Floats) -> Floats:
    """Sums over the rows of each cell, as sums for each coefficient."""
    parts = [sums[:1]]
    for basis, start, width in zip(layout.bases, layout.starts, layout.widths, strict=False):
        parts.append(sums[1 + start : 1 + start + width] @ basis)
    return np.concatenate(parts)


def _gram(layout: Layout, codes: Sequence[Array], weights: Floats) -> Floats:
    """The Gram matrix: row by row where rows are few, else from how often cells come together.

    Both are exact, and so the same.
    """
    if len(weights) <= _FEW * layout.cells:
        rows = _rows(layout, codes, len(weights))
        return (rows.T * weights) @ rows
    return _gram_of_cells(layout, codes, weights)


def _rows(layout: Layout, codes: Sequence[Array], n: int) -> Floats:
    """What each row has of each coefficient: (rows, 1 + coefficients)."""
    found = np.empty((n, 1 + layout.coefficients))
    found[:, 0] = 1.0
    for basis, first, rank, code in zip(
        layout.bases, layout.firsts, layout.ranks, codes, strict=False
    ):
        found[:, 1 + first : 1 + first + rank] = basis[code] * (code >= 0)[:, np.newaxis]
    return found


def _gram_of_cells(layout: Layout, codes: Sequence[Array], weights: Floats) -> Floats:
    found = np.zeros((1 + layout.coefficients, 1 + layout.coefficients))
    own = _sums(layout, codes, weights)
    found[0] = found[:, 0] = _reduced(layout, own)
    places = [
        slice(1 + first, 1 + first + rank)
        for first, rank in zip(layout.firsts, layout.ranks, strict=False)
    ]
    widths, bases = layout.widths, layout.bases
    for at, (basis, place) in enumerate(zip(bases, places, strict=True)):
        start = 1 + layout.starts[at]
        found[place, place] = (basis.T * own[start : start + widths[at]]) @ basis
        behind = range(at + 1, len(codes))
        if not behind:
            break
        _, blocks = tally.counts(
            [codes[j] for j in behind], [widths[j] for j in behind], codes[at], widths[at], weights
        )
        for j, block in zip(behind, blocks, strict=True):
            both = basis.T @ block @ bases[j]
            found[place, places[j]] = both
            found[places[j], place] = both.T
    return found
