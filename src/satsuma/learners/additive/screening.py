"""Screening: which pairs of columns say more together than alone, from what is left over."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from satsuma.learners.additive.layout import Layout
from satsuma.learners.additive.loss import Loss
from satsuma.numerics.arrays import Array, Floats

#: By how much the cells of a pair may differ, in units of what is left over: the best is taken.
_SPREADS = tuple(4.0**power for power in range(-6, 3))

#: Blocks of a number in a pair: few rows may speak for these where they do not for more cells.
_BLOCKS = 5

#: What speaks for a pair must be above the logarithm of the number of pairs, times this. Where
#: penalties are exactly as likely as they should be, a pair too many does less harm.
_CAUTION = {"numbers": 0.5, "classes": 1.0, "counts": 1.0}

#: Coefficients of all pairs together, at most.
_COEFFICIENTS = 640


@dataclass(frozen=True)
class Grids:
    """Slopes and curvatures summed over the rows in each cell of each pair.

    Parameters
    ----------
    slope, curve
        For each pair an array (scores, cells).
    """

    slope: tuple[Floats, ...]
    curve: tuple[Floats, ...]

    def __add__(self, other: "Grids") -> "Grids":
        """Those of the rows of both."""
        return Grids(
            tuple(a + b for a, b in zip(self.slope, other.slope, strict=True)),
            tuple(a + b for a, b in zip(self.curve, other.curve, strict=True)),
        )


def grids_of(asked: Layout, loss: Loss, scores: Floats, codes: Sequence[Array], rows: Any) -> Grids:
    """What scores leave over of the rows, on the grids of the pairs that are asked for."""
    _, slope, curve = loss.at(scores, rows.target)
    slope, curve = loss.rounded(slope, rows.weights), loss.rounded(curve, rows.weights)
    pairs = list(zip(asked.grids, asked.pair_codes(codes), strict=True))
    slopes, curves = (
        tuple(_summed(code, each, rows_ * columns) for (rows_, columns), code in pairs)
        for each in (slope, curve)
    )
    return Grids(slopes, curves)


def _summed(code: Array, each: Floats, cells: int) -> Floats:
    key = code + np.int32(1)  # rows in no cell are -1
    found = [np.bincount(key, one, cells + 1)[1:] for one in each]
    return np.stack(found).astype(np.float64, copy=False)


def evidence_of_pairs(asked: Layout, grids: Grids, effects: Floats, spread: float) -> list[float]:
    """What speaks for each pair of a layout.

    It is the logarithm of the ratio of two likelihoods of what is left over: one where the cells
    of the pair differ, the other where they do not. They may differ in any way, from cell to cell
    or from block to block, or by the product of something that is known of each column: its
    effects (the test of Tukey 1949), or the order of its bins.
    """
    known = [_coarse_scores(asked, effects, at) for at in range(len(asked.names))]
    each = zip(grids.slope, grids.curve, asked.pairs, _blocks(asked), strict=True)
    return [
        max(
            _evidence(s, c, spread),
            _evidence(_in_blocks(s, blocks), _in_blocks(c, blocks), spread),
            _evidence_of_products(s, c, spread, known[a], known[b]),
        )
        for s, c, (a, b), blocks in each
    ]


def chosen_pairs(
    asked: Layout, there: tuple[tuple[int, int], ...], gains: list[float], most: int, of: str
) -> tuple[tuple[int, int], ...]:
    """The pairs that the rows speak for most, beside those that are there, where it is no accident.

    Of many pairs one does well by accident, so that the ratio of likelihoods must be above their
    number, or for numbers above the root of it.
    """
    pairs = asked.pairs
    least = _CAUTION[of] * float(np.log(max(len(pairs), 1)))
    order = sorted(range(len(pairs)), key=lambda at: (-gains[at], at))
    order = [at for at in order if gains[at] > least][: most - len(there)]
    room = _COEFFICIENTS - sum(replace(asked, pairs=there).ranks[len(asked.names) :])
    sizes = np.cumsum([np.prod(asked.pair_ranks(at)) for at in order])
    return tuple(pairs[at] for at, size in zip(order, sizes, strict=True) if size <= room)


def _blocks(asked: Layout) -> list[tuple[Floats, Floats]]:
    """Of each pair, which few blocks the coarse bins of its two columns are in."""
    found: list[tuple[Floats, Floats]] = []
    for pair, grid in zip(asked.pairs, asked.grids, strict=True):
        one, other = (
            np.eye(min(n, _BLOCKS))[np.arange(n) * min(n, _BLOCKS) // n]
            if asked.is_number(at)
            else np.eye(n)
            for at, n in zip(pair, grid, strict=True)
        )
        found.append((one, other))
    return found


def _in_blocks(sums: Floats, blocks: tuple[Floats, Floats]) -> Floats:
    """Sums over cells (scores, cells), by block."""
    one, other = blocks
    cells = sums.reshape(len(sums), len(one), len(other))
    return (one.T @ cells @ other).reshape(len(sums), -1)


def _evidence(slope: Floats, curve: Floats, spread: float) -> float:
    """The logarithm of the ratio of likelihoods, where cells differ by what fits best."""
    left, known = slope**2 / spread, curve / spread
    return max(
        float(np.sum(left * width / spread / (1 + known * width) - np.log1p(known * width))) / 2
        for width in (spread * each for each in _SPREADS)
    )


def _coarse_scores(layout: Layout, effects: Floats, at: int) -> list[Floats]:
    """What is known of the coarse bins of a column: its effects, and for a number their order."""
    start, coarse = 1 + layout.starts[at], layout.coarse[at]
    sizes = np.bincount(coarse)
    own = effects[:, start : start + layout.levels[at]]
    found = [np.bincount(coarse, one) / sizes for one in own]
    return [*found, np.arange(len(sizes), dtype=float)] if layout.is_number(at) else found


def _evidence_of_products(
    slope: Floats, curve: Floats, spread: float, one: list[Floats], other: list[Floats]
) -> float:
    """The same, where cells differ by a multiple of a product of what is known of the columns."""
    best = 0.0
    for u in one:
        for v in other:
            weight = curve.sum(axis=0).reshape(len(u), len(v))
            product = np.outer(_about_mean(u, weight.sum(1)), _about_mean(v, weight.sum(0))).ravel()
            free = np.sum(curve * product**2, axis=1) * spread
            ratio = np.sum(slope * product, axis=1) ** 2 / np.where(free > 0, free, np.inf)
            ratio = np.maximum(ratio, 1.0)
            best = max(best, float(np.sum(ratio - 1 - np.log(ratio))) / 2)
    return best


def _about_mean(each: Floats, weight: Floats) -> Floats:
    total = weight.sum()
    return each - (each @ weight / total if total > 0 else 0.0)


def all_pairs(columns: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Each two of some columns."""
    return tuple(combinations(sorted(columns), 2))
