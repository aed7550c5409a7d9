"""Covariances: from cross-products, regularized by shrinkage, and made fit to be inverted."""

import numpy as np

from satsuma.numerics.arrays import Floats

#: The least variance in any direction, as a share of the variance of the columns.
FLOOR = 1e-9


def over_degrees(cross: Floats, weight: Floats, groups: Floats | float = 1.0) -> Floats:
    """Cross-products over n - groups; over half the weight where that is more.

    Columns that were never known together count as not correlated.

    Examples
    --------
    >>> over_degrees(np.array([6.0, 6.0, 0.0]), np.array([4.0, 1.5, 0.0]))
    array([2., 8., 0.])
    """
    degrees = np.maximum(weight - groups, weight / 2)
    if degrees.all():
        return cross / degrees
    return np.divide(cross, degrees, out=np.zeros_like(cross), where=degrees > 0)


def shrink(covariance: Floats, share: float) -> Floats:
    """A step towards the average variance in every direction: shrinkage, a regularization.

    Examples
    --------
    >>> shrink(np.array([[3.0, 1.0], [1.0, 1.0]]), 0.5)
    array([[2.5, 0.5],
           [0.5, 1.5]])
    """
    found = (1 - share) * covariance
    found[np.diag_indices_from(found)] += share * np.trace(covariance) / len(covariance)
    return found


def oracle_share(covariance: Floats, rows: float) -> float:
    """How far to shrink: Oracle Approximating Shrinkage (Chen, Wiesel, Eldar and Hero 2010).

    As in scikit-learn, without the term of 2 / width in the paper's numerator.

    Examples
    --------
    >>> round(oracle_share(np.array([[1.0, 0.5], [0.5, 1.0]]), 20), 3)
    0.619
    """
    width = len(covariance)
    if width < 2:
        return 0.0
    square, even = float(np.mean(covariance**2)), (float(np.trace(covariance)) / width) ** 2
    spread = (rows + 1) * (square - even / width)
    return min((square + even) / spread, 1.0) if spread > 0 else 1.0


def shrink_by_oracle(covariance: Floats, rows: float) -> Floats:
    """Shrunk as far as `oracle_share` says, where all columns have the same variance.

    Which is what scikit-learn does too, for its ``shrinkage="auto"``: the units that columns are
    measured in have no say.
    """
    spread = np.sqrt(np.diagonal(covariance))
    varies = np.flatnonzero(spread > 0)
    if not len(varies):
        return covariance
    some = slice(None) if len(varies) == len(spread) else np.ix_(varies, varies)
    scale = np.outer(spread[varies], spread[varies])
    alike = covariance[some] / scale
    made = covariance.copy()
    made[some] = shrink(alike, oracle_share(alike, rows)) * scale
    return made


def make_definite(correlation: Floats) -> Floats:
    """The same matrix where it is positive definite; else one that is.

    No eigenvalue is less than `FLOOR`. Estimates that come from different rows may contradict each
    other, so that eigenvalues are negative: the lowest one tells how wrong they can be, and none is
    then less than its size.

    Examples
    --------
    >>> make_definite(np.array([[1.0, 1.0], [1.0, 1.0]])).round(6).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    >>> np.linalg.eigvalsh(make_definite(np.array([[1.0, 1.2], [1.2, 1.0]]))).round(6).tolist()
    [0.2, 2.2]
    """
    shifted = correlation.copy()
    shifted[np.diag_indices_from(shifted)] -= FLOOR
    try:
        np.linalg.cholesky(shifted)
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(correlation)
        least = max(FLOOR, -float(values[0]) if values[0] < -FLOOR else 0.0)
        return (vectors * np.maximum(values, least)) @ vectors.T
    return correlation
