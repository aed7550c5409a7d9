"""Whitening: what makes distances of covariances."""

from functools import cached_property
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from satsuma.kernels.normal import Packed
from satsuma.numerics.arrays import Floats

#: Numbers that covariances of many rows may have at a time.
CELLS = 1 << 20

#: By how much all columns together may be wider than each is given the others: beyond that,
#: differences of what they have are known to few digits.
SOUND = 1e5

#: Columns beyond which triangles are inverted by LAPACK's own routine for them.
WIDE = 256


class Whitening:
    """Gaussians of classes, made ready to be asked.

    Parameters
    ----------
    mean
        (classes, columns).
    covariance
        (1 or classes, columns, columns), all of full rank.
    middle
        (columns,): where distances are measured from.

    Examples
    --------
    >>> whitening = Whitening(np.array([[0.0], [2.0]]), np.array([[[4.0]]]), np.array([1.0]))
    >>> whitening.densities().scores(np.array([[2.0]])).round(4)
    array([[-2.1121, -1.6121]])
    >>> whitening.ratios().scores(np.array([[2.0]]))
    array([[-0.375,  0.125]])
    """

    def __init__(self, mean: Floats, covariance: Floats, middle: Floats) -> None:
        self.mean, self.covariance, self.middle = mean, covariance, middle

    @cached_property
    def _factors(self) -> tuple[Floats, Floats]:
        """Lower triangles that whiten, and the logarithms of the densities at the mean."""
        spread = np.sqrt(np.diagonal(self.covariance, axis1=1, axis2=2))
        alike = self.covariance / (spread[:, :, None] * spread[:, None, :])
        lower = np.linalg.cholesky(alike)
        whiten = _inverses(lower) / spread[:, None, :]
        volume = np.log(np.diagonal(lower, axis1=1, axis2=2)).sum(axis=1)
        volume = volume + np.log(spread).sum(axis=1)
        return whiten, -volume - 0.5 * len(self.middle) * np.log(2 * np.pi)

    @cached_property
    def _centres(self) -> Floats:
        """The means of the classes, whitened."""
        return np.einsum("kij,kj->ki", *self._each(self._factors[0], self.mean - self.middle))

    def _each(self, *arrays: Floats) -> list[Floats]:
        count = len(self.mean)
        return [np.broadcast_to(each, (count, *each.shape[1:])) for each in arrays]

    def whitening_matrix(self) -> Floats:
        """(columns, columns): what gives columns the covariance of one that all classes share."""
        return self._factors[0][0]

    def densities(self) -> Packed:
        """What makes the logarithms of the densities."""
        made: Packed | None = vars(self).get("_densities")
        if made is None:
            whiten, peak = self._factors
            base = np.array(self._each(peak)[0])
            made = self._densities = Packed.of(self.middle, whiten, self._centres, base)
        return made

    def ratios(self) -> Packed:
        """The same up to a summand that all classes share: linear, if all have one covariance."""
        if len(self.covariance) > 1 or len(self.mean) == 1:
            return self.densities()
        made: Packed | None = vars(self).get("_ratios")
        if made is None:
            base = -0.5 * (self._centres**2).sum(axis=1)
            made = self._ratios = Packed.of(self.middle, self._slopes[None], None, base)
        return made

    @cached_property
    def _slopes(self) -> Floats:
        """(classes, columns): what a unit of each column adds, where all share a covariance."""
        return self._centres @ self._factors[0][0]

    def within(self, known: npt.NDArray[np.intp]) -> "Whitening":
        """The same for some of the columns: their own means and covariances."""
        covariance = self.covariance[:, known[:, None], known]
        return Whitening(self.mean[:, known], covariance, self.middle[known])

    def densities_of(self, x: Floats) -> Floats:
        """Rows by classes: the logarithms of the densities of rows that each have a gap elsewhere.

        Examples
        --------
        >>> whitening = Whitening(np.zeros((1, 2)), np.eye(2)[None], np.zeros(2))
        >>> whitening.densities_of(np.array([[0.0, np.nan], [np.nan, 1.0]])).round(4).tolist()
        [[-0.9189], [-1.4189]]
        """
        known = ~np.isnan(x)
        count = known.sum(axis=1)
        found = np.zeros((len(x), len(self.mean)))
        if self.is_wide:
            most = count > x.shape[1] // 2
            for row in np.flatnonzero(most):
                found[row] = self._density_without(x[row], np.flatnonzero(~known[row]))
            count = np.where(most, 0, count)
        for width in np.unique(count[count > 0]).tolist():
            mine = np.flatnonzero(count == width)
            some = max(1, CELLS // (width * width * len(self.covariance)))
            for first in range(0, len(mine), some):
                rows = mine[first : first + some]
                at = np.nonzero(known[rows])[1].reshape(len(rows), width)
                found[rows] = self._densities_at(np.take_along_axis(x[rows], at, axis=1), at)
        return found

    @cached_property
    def is_sound(self) -> bool:
        """Whether what is known of a row can be told by what all columns have, to many digits."""
        spread = np.diagonal(self.covariance, axis1=1, axis2=2)
        if self.is_wide:
            return False
        explained = np.diagonal(self._precision, axis1=1, axis2=2) * spread
        return bool((explained.sum(axis=1) < SOUND).all())

    @cached_property
    def gaps(self) -> tuple[Floats, Floats]:
        """The inverses of the covariances, and the means times these: what rows with gaps need."""
        precision = self._precision
        pull = np.einsum("kij,kj->ki", *self._each(precision, self.mean - self.middle))
        return precision, np.ascontiguousarray(pull)

    @property
    def is_wide(self) -> bool:
        """Whether there are so many columns that no covariance of a part of them is factored."""
        return len(self.middle) > WIDE

    @cached_property
    def _precision(self) -> Floats:
        """(1 or classes, columns, columns): the inverses of the covariances."""
        return np.stack([each.T @ each for each in self._factors[0]])

    def _density_without(self, x: Floats, gaps: npt.NDArray[np.intp]) -> Floats:
        """By class, the logarithm of the density of a row that has gaps, by what all columns have.

        With P the inverse of the covariance and m the gaps, that of the others alone is the part of
        P that belongs to them, less P_om P_mm⁻¹ P_mo; and its determinant follows from P_mm.
        """
        away = np.where(np.isnan(x), 0.0, x - self.mean)
        precision, peak = self._each(self._precision, self._factors[1])
        pull = np.einsum("kij,kj->ki", precision, away)
        inside = precision[:, gaps[:, None], gaps]
        square = (away * pull).sum(axis=1)
        square = square - (pull[:, gaps] * _solved(inside, pull[:, gaps, None])[..., 0]).sum(axis=1)
        volume = np.linalg.slogdet(inside)[1]
        return peak + 0.5 * (len(gaps) * np.log(2 * np.pi) - volume - square)

    def _densities_at(self, x: Floats, at: npt.NDArray[np.intp]) -> Floats:
        """The same for rows that have equally many columns known: those at these places."""
        covariance = self.covariance[:, at[:, :, None], at[:, None, :]]
        spread = np.sqrt(np.diagonal(covariance, axis1=2, axis2=3))
        lower = np.linalg.cholesky(covariance / (spread[..., :, None] * spread[..., None, :]))
        volume = np.log(np.diagonal(lower, axis1=2, axis2=3) * spread).sum(axis=2)
        away = (x - self.mean[:, at]) / spread
        if len(self.covariance) == 1:  # then all classes are solved for at once
            white = _solved(lower[0], away.transpose(1, 2, 0))
            square = (white * white).sum(axis=1)
        else:
            white = _solved(lower, away[..., None])[..., 0]
            square = (white * white).sum(axis=2).T
        return -volume.T - 0.5 * (square + at.shape[1] * np.log(2 * np.pi))

    def by_column(self, x: Floats) -> Floats:
        """Columns by rows by classes: what each column adds to `ratios`.

        Where all classes share a covariance, that is linear. Else a distance is a sum over pairs of
        columns, and what a pair adds is shared by the two: their Shapley value, with columns that
        are not yet known at the mean of the class. The peak of the density is shared by all.
        """
        whiten, peak = self._factors
        if len(self.covariance) > 1:
            constant = self._each(peak)[0] / max(len(self.middle), 1)
            away = x[:, None, :] - self.mean
            told = np.einsum("kij,rkj->rki", whiten, away)
            split = -0.5 * away * np.einsum("kij,rki->rkj", whiten, told)
            return split.transpose(2, 0, 1) + constant
        away = x - self.middle
        half = 0.5 * (self.mean - self.middle)
        return self._slopes.T[:, None] * (away.T[:, :, None] - half.T[:, None])


def _inverses(lower: npt.NDArray[np.floating[Any]]) -> Floats:
    """The inverses of lower triangles."""
    if lower.shape[1] <= WIDE:
        return np.asarray(np.tril(np.linalg.inv(lower)), np.float64)
    from scipy.linalg import lapack

    invert: Any = cast("Any", lapack).dtrtri  # in a sixth of the time
    return np.stack([invert(each, lower=1)[0] for each in lower])


def _solved(matrices: npt.NDArray[np.floating[Any]], sides: Floats) -> Floats:
    return np.asarray(np.linalg.solve(matrices, sides), np.float64)
