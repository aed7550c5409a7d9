"""Leave-one-out of ridge regression: the cross-products without each row, and their solutions."""

from typing import Any, NamedTuple, cast

import numpy as np

from satsuma.data.table import Table
from satsuma.numerics.arrays import Bools, Floats
from satsuma.numerics.one_hot import SideBySide
from satsuma.prepare.encoding import FAR
from satsuma.tallies.features import attributes_of, features_of, levels_of
from satsuma.tallies.scatter import Scatter

#: Products of two columns that are worked out at a time.
_CELLS = 1 << 20

#: What is left of a sum of squares, as a share, for its digits to mean anything.
_DIGITS = 1e-6


class Solved(NamedTuple):
    """The number that is predicted for each row, and where that is not sure."""

    found: Floats
    unsure: Bools


def ridge_left_out(rows: Table, held: Scatter, l2: float) -> Solved:
    """What each row is predicted to be by the solution without it.

    A missing cell is the mean of its column, as far as that is known without the row.

    Parameters
    ----------
    rows
        Of known targets and weights above 0.
    held
        Their cross-products, the target being the last column.
    l2
        The strength of regularization, per standard deviation of a number without the row.
    """
    target = rows.domain.target
    assert target is not None, "the learner has checked that there is a target"
    columns = [rows.column(v.name) for v in attributes_of(rows.domain)]
    levels = levels_of(rows.domain)
    cells = SideBySide([*columns, rows.column(target.name)], [*levels, None])
    number = np.array([value is None for _, value in features_of(rows.domain)], bool)
    weight = np.ones(len(rows)) if rows.weights is None else rows.weights
    found, unsure = np.empty(len(rows)), np.empty(len(rows), bool)
    step = max(1, _CELLS // (len(number) + 1) ** 2)
    whole = _Products.of(held)
    for low in range(0, len(rows), step):
        tile = slice(low, min(low + step, len(rows)))
        x = cells.rows(tile.start, tile.stop)
        found[tile], unsure[tile] = whole.predicted(x, weight[tile], number, l2)
    return Solved(found, unsure)


class _Products(NamedTuple):
    """Cross-products of all rows about the means of the columns.

    Parameters
    ----------
    weight
        (columns, columns): of the rows where both are known.
    mean
        Of each column.
    total
        (columns, columns): what the second adds up to about its mean where the first is known.
    cross
        (columns, columns).
    """

    weight: Floats
    mean: Floats
    total: Floats
    cross: Floats

    @classmethod
    def of(cls, held: Scatter) -> "_Products":
        weight, mean, rest, cross = (each[0] for each in held.pairs)
        # The mean of a column where another is known, less its mean.
        away = (mean - np.diagonal(mean)[:, None]) + (rest - np.diagonal(rest)[:, None])
        middle = np.diagonal(mean) + np.diagonal(rest)
        return cls(weight, middle, weight * away.T, cross + weight * away * away.T)

    def predicted(self, x: Floats, weight: Floats, number: Any, l2: float) -> tuple[Floats, Bools]:
        """What rows are predicted to be, each by all others; and where that is not sure."""
        known, w = ~np.isnan(x), weight[:, None]
        away = np.where(known, x - self.mean, 0.0)
        held = np.diagonal(self.weight) - w * known
        left = np.where(held > 0, held, 1.0)
        move = -w * away / left
        both = w[:, :, None] * (known[:, :, None] & known[:, None])
        total = self.total - both * away[:, None]
        # About means that have moved: what each adds up to where the other is known counts too.
        cross = self.cross - both * away[:, :, None] * away[:, None]
        across = total.transpose(0, 2, 1) * move[:, None]
        cross = cross - across - across.transpose(0, 2, 1)
        cross += (self.weight - both) * move[:, :, None] * move[:, None]
        squares, mean = np.diagonal(cross, axis1=1, axis2=2)[:, :-1], self.mean + move
        whole = np.diagonal(self.cross)[:-1]
        spread = np.sqrt(np.maximum(squares, 0.0) / left[:, :-1])
        says = np.where(number, spread > 1e-14 * np.abs(mean[:, :-1]), mean[:, :-1] > 0)
        varies = whole > 0
        lost = held[:, :-1] < 1e-9 * np.diagonal(self.weight)[:-1]
        lost |= (held[:, :-1] <= 0) | (varies & ~(squares > _DIGITS * whole))
        unsure: Bools = np.logical_or.reduce(lost, axis=1)
        says &= varies | ~number
        scale = np.where(says, np.where(number, spread, 1.0), np.inf)
        gram = cross[:, :-1, :-1] / (scale[:, :, None] * scale[:, None])
        slopes = _solved(gram, cross[:, :-1, -1] / scale, l2)
        here = np.where(known, x - mean, 0.0)[:, :-1]
        asked = np.clip(here / scale, -FAR, FAR)
        return mean[:, -1] + (asked * slopes).sum(axis=1), unsure


def _solved(gram: Floats, with_target: Floats, l2: float) -> Floats:
    """The slopes of each row; without a penalty, 0 along directions that say nothing."""
    if not gram.shape[1]:
        return with_target
    if l2 > 0:
        penalty = l2 * np.eye(gram.shape[1])
        return cast("Floats", np.linalg.solve(gram + penalty, with_target[:, :, None]))[:, :, 0]
    inverse: Any = np.linalg.pinv(gram, rcond=1e-12, hermitian=True)
    return (inverse @ with_target[:, :, None])[:, :, 0]
