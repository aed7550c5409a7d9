"""Least squares: what sums of squared errors follow from, for columns as models see them."""

from dataclasses import dataclass

import numpy as np

from satsuma.learners.takes import nothing_known
from satsuma.numerics.arrays import Floats
from satsuma.prepare.encoding import Encoding, refuse_endless
from satsuma.tallies.scatter import Scatter
from satsuma.tallies.target_tallies import TargetScatter


@dataclass(frozen=True)
class LeastSquares:
    """Cross-products of standardized columns and a target, about their means.

    Parameters
    ----------
    encoding
        How numbers are scaled and symbols taken apart.
    rows
        What all rows weigh.
    middle
        The mean of the target.
    gram
        (columns, columns): sums of products of two columns.
    with_target
        Those of a column and the target.
    squares
        That of the target with itself.
    """

    encoding: Encoding
    rows: float
    middle: float
    gram: Floats
    with_target: Floats
    squares: float

    @classmethod
    def of(
        cls, tally: TargetScatter, learner: str, encoding: Encoding | None = None
    ) -> "LeastSquares":
        """What follows from a tally; on columns that are scaled as in other rows, if wanted."""
        held = tally.held
        rows = float(held.class_weight[0])
        if not rows > 0:
            raise nothing_known(learner)
        products = _about_means(held)
        if encoding is None:
            known, mean = np.diagonal(held.weight[0])[:-1], held.mean[0, :-1]
            encoding = Encoding.from_spread(tally.domain, known, mean, np.diagonal(products)[:-1])
        scale = np.append(encoding.scale, 1.0)
        products = products / np.outer(scale, scale)
        return cls(
            encoding,
            rows,
            float(held.mean[0, -1]),
            products[:-1, :-1],
            products[:-1, -1],
            float(products[-1, -1]),
        )

    def left(self, slopes: Floats) -> float:
        """The sum of squared errors of slopes."""
        found = self.squares - 2 * slopes @ self.with_target + slopes @ self.gram @ slopes
        return max(float(found), 0.0)


def _about_means(held: Scatter) -> Floats:
    """The cross-products of all rows, where a missing cell is the mean of its column.

    Those of two columns are known about their means over the rows where both are known.
    """
    weight, mean, rest, cross = (each[0] for each in held.pairs)
    away = (mean - np.diagonal(mean)[:, None]) + (rest - np.diagonal(rest)[:, None])
    with np.errstate(over="ignore", invalid="ignore"):
        found = cross + weight * away * away.T
    refuse_endless(held.features, np.diagonal(found))
    return found
