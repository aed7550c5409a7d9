"""Rows drawn from Gaussians of several columns, some of which stand for values of symbols."""

from typing import TYPE_CHECKING

import numpy as np

from satsuma.likelihoods.categorical import draw_codes
from satsuma.numerics.arrays import Array, Codes, Floats, Indices

if TYPE_CHECKING:
    from satsuma.likelihoods.multivariate_evidence import Normals


def sample_normals(
    normals: "Normals", classes: Codes, rng: np.random.Generator
) -> dict[str, Array]:
    """Cells from the Gaussians of some classes, by column.

    A symbol has the value that is drawn by its expected zeros and ones, given the symbols before
    it; numbers follow, given all symbols. So shares, means and covariances are those of the
    Gaussians, but where these expect less than 0 or more than 1. Columns that never vary are
    missing.

    Parameters
    ----------
    normals
        The Gaussians.
    classes
        The class of each row, as a code.
    rng
        What draws.
    """
    # Of each column that varies: the number of its attribute, and which of its values it is. No
    # cell that is drawn is missing.
    widths = [1 if level is None else level for level in normals.levels]
    varies = normals.varies[normals.varies < normals.width]
    owner = normals.owner[: len(varies)]
    value = np.concatenate([np.zeros(0, np.intp), *map(np.arange, widths)])[varies]
    found: list[Array] = [
        np.full(len(classes), np.nan) if level is None else np.full(len(classes), -1, np.int32)
        for level in normals.levels
    ]
    symbolic = np.array([level is not None for level in normals.levels], np.bool_)[owner]
    order = np.argsort(~symbolic, kind="stable")  # symbols come first
    symbols, numbers = order[: symbolic.sum()], order[symbolic.sum() :]
    for code in np.unique(classes).tolist():
        rows = np.flatnonzero(classes == code)
        covariance = normals.covariance[code if len(normals.covariance) > 1 else 0]
        drawing = _Drawing(normals.mean[code, order], covariance[np.ix_(order, order)], len(rows))
        for at in np.unique(owner[symbols]).tolist():
            mine = np.flatnonzero(owner[symbols] == at)
            which = drawing.symbol(mine, rng)
            found[at][rows] = np.where(which >= 0, value[symbols[mine]][which], -1)
        for at, cells in zip(owner[numbers].tolist(), drawing.numbers(rng).T, strict=True):
            found[at][rows] = cells
    return dict(zip(normals.names, found, strict=True))


class _Drawing:
    """Rows of one class, as far as they are drawn.

    Parameters
    ----------
    mean, covariance
        Of the columns, symbols first.
    rows
        How many.
    """

    def __init__(self, mean: Floats, covariance: Floats, rows: int) -> None:
        spread = np.sqrt(np.diagonal(covariance))
        alike = np.linalg.cholesky(covariance / np.outer(spread, spread))
        self.mean, self.lower = mean, alike * spread[:, None]
        #: What is drawn, in independent directions; so far, of so many columns.
        self.white, self.done = np.zeros((rows, len(mean))), 0

    def symbol(self, columns: Indices, rng: np.random.Generator) -> Codes:
        """Which of the columns that come next is 1, for each row; the others are 0."""
        before, here = slice(0, self.done), slice(self.done, self.done + len(columns))
        expected = self.mean[here] + self.white[:, before] @ self.lower[here, before].T
        which = draw_codes(np.clip(expected, 0.0, 1.0).T, rng)
        away = np.eye(len(columns))[which] - expected
        self.white[:, here] = np.linalg.solve(self.lower[here, here], away.T).T
        self.done += len(columns)
        return which

    def numbers(self, rng: np.random.Generator) -> Floats:
        """The columns that are left, given those before: numbers."""
        left = slice(self.done, None)
        self.white[:, left] = rng.standard_normal(self.white[:, left].shape)
        return self.mean[left] + self.white @ self.lower[left].T
