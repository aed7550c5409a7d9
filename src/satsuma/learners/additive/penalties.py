"""Penalties: what rough effects cost, as quadratic forms of the effects of some cells."""

from dataclasses import dataclass

import numpy as np

from satsuma.learners.additive.layout import Layout
from satsuma.numerics.arrays import Floats, Indices


@dataclass(frozen=True)
class Penalty:
    """What effects cost: their quadratic form, times a strength that is learned.

    Parameters
    ----------
    cells
        Which effects, by their places behind the constant.
    matrix
        The quadratic form.
    caution
        How many times stronger than likely it is made: pairs were chosen because they looked good.
    """

    cells: Indices
    matrix: Floats
    caution: float = 1.0

    def cost(self, effects: Floats) -> float:
        """What the effects of all cells cost at a strength of 1."""
        own = effects[self.cells]
        return float(own @ self.matrix @ own)


def penalties_of(layout: Layout, caution: float) -> list[list[Penalty]]:
    """The penalties of each set of cells: columns, missing cells together, pairs.

    Numbers pay for steps between neighbouring bins, and for bends: shapes become smooth, and
    straight, and at last flat. Values of symbols pay for their distance from 0, and so do the
    cells of missing values, all together. A pair pays for both, on its grid.
    """
    found = [_of_column(layout, at) for at in range(len(layout.names))]
    missing = [1 + layout.starts[at] + n for at, n in enumerate(layout.levels)]
    found.append([Penalty(np.array(missing, np.intp), np.eye(len(missing)))] if missing else [])
    found += [_of_pair(layout, at, caution) for at in range(len(layout.pairs))]
    return [each for each in found if each]


def _of_column(layout: Layout, at: int) -> list[Penalty]:
    n, start = layout.levels[at], 1 + layout.starts[at]
    cells = np.arange(start, start + n)
    if not layout.is_number(at) or n == 1:
        return [Penalty(cells, np.eye(n))]
    return [Penalty(cells, _differences(n, order)) for order in (1, 2) if n > order]


def _of_pair(layout: Layout, at: int, caution: float) -> list[Penalty]:
    columns, (rows, across) = layout.pairs[at], layout.grids[at]
    start = 1 + layout.starts[len(layout.names) + at]
    cells = np.arange(start, start + rows * across)
    smooth = np.zeros((rows * across, rows * across))
    if layout.is_number(columns[0]):
        smooth += np.kron(_differences(rows, 1), np.eye(across))
    if layout.is_number(columns[1]):
        smooth += np.kron(np.eye(rows), _differences(across, 1))
    found = [Penalty(cells, np.eye(rows * across), caution)]
    return [*found, Penalty(cells, smooth, caution)] if smooth.any() else found


def _differences(n: int, order: int) -> Floats:
    """The sum of the squares of differences of neighbours, or of differences of these.

    Examples
    --------
    >>> _differences(3, 1).tolist()
    [[1.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]]
    """
    steps = np.diff(np.eye(n), order, axis=0)
    return steps.T @ steps


def centring(layout: Layout, counts: Floats) -> Floats:
    """What holds the effects of each number at an average of 0, at no cost to what they fit."""
    found = np.zeros((1 + layout.cells, 1 + layout.cells))
    for at, n in enumerate(layout.levels):
        own = slice(1 + layout.starts[at], 1 + layout.starts[at] + n)
        total = counts[own].sum()
        if layout.is_number(at) and total > 0:
            shares = counts[own] / total
            found[own, own] = np.outer(shares, shares) * counts[0]
    return found
