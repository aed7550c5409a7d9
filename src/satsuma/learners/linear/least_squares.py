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
        cls,
        tally: TargetScatter,
        learner: str,
        informative: tuple[str, ...] = (),
    ) -> "LeastSquares":
        """What follows from a tally, with indicators of missing cells in some columns."""
        held = tally.held
        if not held.class_weight[0] > 0:
            raise nothing_known(learner)
        known, mean = np.diagonal(held.weight[0])[:-1], held.mean[0]
        away = _away(held)
        products = _about(held, away)
        squares = np.diagonal(products)[:-1]
        encoding = Encoding.from_spread(tally.domain, known, mean[:-1], squares)
        if informative:
            at = _places(held, informative)
            share = 1 - known[at] / float(held.class_weight[0])
            encoding = encoding.with_shares(share, informative)
            products = _with_missing(held, products, away, at, share)
        return cls._scaled(encoding, float(mean[-1]), held, products)

    def of_others(self, tally: TargetScatter) -> "LeastSquares":
        """The same of other rows, measured from the means of these and in their units."""
        held, encoding = tally.held, self.encoding
        width = len(encoding.features)
        away = _away(held, np.append(encoding.mean[:width], self.middle))
        products = _about(held, away)
        if encoding.informative:
            at = _places(held, encoding.informative)
            products = _with_missing(held, products, away, at, encoding.mean[width:])
        return self._scaled(encoding, self.middle, held, products)

    @classmethod
    def _scaled(
        cls, encoding: Encoding, middle: float, held: Scatter, products: Floats
    ) -> "LeastSquares":
        scale = np.append(encoding.scale, 1.0)
        made = products / np.outer(scale, scale)
        rows = float(held.class_weight[0])
        gram = np.ascontiguousarray(made[:-1, :-1])
        return cls(encoding, rows, middle, gram, made[:-1, -1], float(made[-1, -1]))

    def left(self, slopes: Floats) -> float:
        """The sum of squared errors of slopes."""
        found = self.squares - 2 * slopes @ self.with_target + slopes @ self.gram @ slopes
        return max(float(found), 0.0)


def _about(held: Scatter, away: Floats) -> Floats:
    """The cross-products of all rows about a centre, of which a missing cell is.

    Those of two columns are known about their means over the rows where both are known.
    """
    weight, _, _, cross = (each[0] for each in held.pairs)
    with np.errstate(over="ignore", invalid="ignore"):
        found = cross + weight * away * away.T
    refuse_endless(held.features, np.diagonal(found))
    return found


def _away(held: Scatter, centre: Floats | None = None) -> Floats:
    """How far the mean of each column, where another is known, is from a centre.

    That is its mean in all rows, unless given.
    """
    _, mean, rest, _ = (each[0] for each in held.pairs)
    if centre is None:
        return (mean - np.diagonal(mean)[:, None]) + (rest - np.diagonal(rest)[:, None])
    return (mean - centre[:, None]) + rest


def _places(held: Scatter, informative: tuple[str, ...]) -> list[int]:
    """The first feature of each of some columns: known where the column is."""
    names = [name for name, _ in held.features]
    return [names.index(name) for name in informative]


def _with_missing(
    held: Scatter, products: Floats, away: Floats, at: list[int], centre: Floats
) -> Floats:
    """The cross-products with those of indicators of missing cells, in front of the target.

    Where another is missing, a column adds up to what it does in all rows, less what it does where
    that is known.

    Parameters
    ----------
    held
        What is known of every two columns.
    products, away
        Their cross-products, and how far their means are from their centres.
    at, centre
        The columns that have an indicator, and what this is measured from.
    """
    weight, total = held.pairs.weight[0], float(held.class_weight[0])
    sums = weight * away
    known = np.diagonal(weight)[at]
    lost = total - known
    across = np.diagonal(sums)[:, None] * (1 - centre) - sums[:, at]
    both = lost - known[:, None] + weight[np.ix_(at, at)]
    apart = lost / total - centre
    own = both - np.outer(lost, lost) / total + total * np.outer(apart, apart)
    both = np.block([[products, across], [across.T, own]])
    end = len(products)
    order = [*range(end - 1), *range(end, len(both)), end - 1]
    return both[np.ix_(order, order)]
