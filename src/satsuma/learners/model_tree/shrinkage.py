"""Shrinkage: a linear model at a node, drawn towards that of the node above; what pays is kept."""

from typing import NamedTuple

import numpy as np

from satsuma.numerics.arrays import Bools, Floats

#: Costs nearer to each other than this, as a share, are the same: the last feature is dropped.
_TIE = 1e-9

#: What is added to the diagonal for each row, so that columns may say the same twice.
_JITTER = 1e-9

#: What is left over, beside the variance of the target, where nothing is.
_NOTHING = 1e-6

#: Imaginary rows where a node is looked at alone.
_ALONE = 0.1

#: A feature that varies less at a node, beside its variance in all rows, has no term there.
LEAST = 1e-10


class NodeFit(NamedTuple):
    """A linear model at a node.

    Parameters
    ----------
    beta
        A constant and slopes, by column that is fitted: (1 + features, width).
    kept
        Which of them are not 0.
    rss
        The sum of squares that is left over.
    freedom
        Effective degrees of freedom, those of the nodes above included by their share of rows.
    weight
        Of the rows.
    k
        Imaginary rows that spoke for the model above.
    """

    beta: Floats
    kept: Bools
    rss: float
    freedom: float
    weight: float
    k: float

    @property
    def variance(self) -> float:
        """Of what is left over, unbiased."""
        return self.rss / max(self.weight - self.freedom, 1.0)

    def adjusted(self, searched: float = 0.0) -> float:
        """The sum of squares to be expected of so many new rows, after Quinlan (1992).

        Parameters
        ----------
        searched
            Degrees of freedom that the search for splits has cost.
        """
        freedom = self.freedom + searched
        if freedom >= self.weight:
            return np.inf
        return self.rss * (self.weight + freedom) / (self.weight - freedom)


def node_fit(gram: Floats, least: Floats, above: NodeFit | None, k: float, drop: float) -> NodeFit:
    """The model of a node.

    What it adds to the model above is the least-squares fit to rows of the node and to up to `k`
    imaginary rows, spread as the rows are, for which the model above is right. A feature whose
    addition lowers the sum of squares by less than `drop` times the variance is left as above.

    Parameters
    ----------
    gram
        The cross-products of a constant, the features, and the columns that are fitted.
    least
        The sum of squares about its mean that each feature must have for a slope of its own.
    above
        The model of the node above; None at the root.
    k
        Imaginary rows; at the root, the strength of regularization.
    drop
        What a feature must be worth.
    """
    q = 1 + len(least)
    a, b, squares = gram[:q, :q], gram[:q, q:], gram[q:, q:]
    n = float(a[0, 0])
    before = np.zeros(b.shape) if above is None else above.beta
    score = b - a @ before
    rss = float(np.trace(squares) - (before * (b + score)).sum())
    mean, variance = spread_of(a)
    allowed = variance > LEAST
    allowed[1:] &= n * variance[1:] >= least
    allowed[0] = True
    if above is not None:
        alone = _inverse(a, penalty(mean, variance, _ALONE), allowed)
        k *= _doubt(a, score, alone, rss)
    price = ridge(variance, k) if above is None else penalty(mean, variance, k)
    inverse = _inverse(a, price, allowed)
    worth = drop * _left(a, score, inverse, rss)
    delta, inverse, kept = _dropped(inverse, inverse @ score, allowed, worth)
    left = max(rss - float((delta * (2 * score - a @ delta)).sum()), n * _NOTHING)
    freedom = float((inverse * a).sum())
    if above is not None:
        kept, freedom = kept | above.kept, freedom + above.freedom * n / above.weight
    return NodeFit(before + delta, kept, left, freedom, n, k)


def simplified(fit: NodeFit, gram: Floats, drop: float, *, root: bool) -> Floats:
    """The coefficients of a model without terms that do not pay at its node.

    A feature that is the same in all rows of the node becomes part of the constant. The others
    make up for a term that is dropped, as far as they can.

    Parameters
    ----------
    fit, gram
        The model of a node, and the cross-products that it was made of.
    drop
        What a term must be worth.
    root
        Whether the node is the root.
    """
    q = len(fit.beta)
    a = gram[:q, :q]
    mean, variance = spread_of(a)
    beta, kept = _folded(fit.beta, mean, variance), fit.kept & (variance > LEAST)
    kept[0] = True
    price = ridge(variance, fit.k) if root else penalty(mean, variance, fit.k)
    inverse = _inverse(a, price, kept)
    return _dropped(inverse, beta, kept, drop * fit.variance)[0]


def _folded(beta: Floats, mean: Floats, variance: Floats) -> Floats:
    """Coefficients (features first) where features that never vary are part of the constant."""
    same = variance <= LEAST
    same[0] = False
    found = np.where(same[:, None], 0.0, beta)
    found[0] += (beta * mean[:, None])[same].sum(axis=0)
    return found


def spread_of(a: Floats) -> tuple[Floats, Floats]:
    """The mean and the variance of each feature, from cross-products with a constant in front."""
    n = a[..., :1, 0]
    mean = a[..., 0, :] / n
    return mean, np.maximum(np.diagonal(a, axis1=-2, axis2=-1) / n - mean * mean, 0.0)


def ridge(variance: Floats, strength: float) -> Floats:
    """What slopes cost: the same for each standard deviation."""
    free = variance.copy()
    free[..., 0] = 0.0
    return strength * free[..., None] * np.eye(free.shape[-1])


def penalty(mean: Floats, variance: Floats, k: float) -> Floats:
    """What additions cost: the squares that they have in `k` rows as those of the node."""
    return ridge(variance, k) + k * mean[..., :, None] * mean[..., None, :]


def _doubt(a: Floats, score: Floats, inverse: Floats, rss: float) -> float:
    """The variance that a model of the node alone leaves, as a part of what the one above leaves.

    Where rows are far from the model above and near to one of their own, imaginary rows that speak
    for the one above count less.
    """
    n = float(a[0, 0])
    if n - float((inverse * a).sum()) < 1 or not rss > 0:
        return 1.0
    return min(1.0, _left(a, score, inverse, rss) / (rss / n))


def _left(a: Floats, score: Floats, inverse: Floats, rss: float) -> float:
    """The variance of what is left over after an addition."""
    delta = inverse @ score
    left = max(rss - float((delta * (2 * score - a @ delta)).sum()), 0.0)
    return left / max(float(a[0, 0]) - float((inverse * a).sum()), 1.0)


def _inverse(a: Floats, price: Floats, allowed: Bools) -> Floats:
    """The inverse of penalised cross-products, 0 beside features that are not allowed."""
    found = np.zeros(a.shape)
    inside = np.ix_(allowed, allowed)
    found[inside] = np.linalg.inv((a + price + float(a[0, 0]) * _JITTER * np.eye(len(a)))[inside])
    return found


def _dropped(
    inverse: Floats, delta: Floats, kept: Bools, least: float
) -> tuple[Floats, Floats, Bools]:
    """Coefficients without those that are worth less, one by one; the inverse, and what is kept."""
    kept = kept.copy()
    while kept[1:].any():
        places = np.flatnonzero(kept[1:]) + 1
        cost = (delta[places] ** 2).sum(axis=1) / np.maximum(np.diagonal(inverse)[places], 1e-300)
        if cost.min() > least:
            break
        at = places[np.flatnonzero(cost <= cost.min() + _TIE * least)[-1]]
        column = inverse[:, at] / inverse[at, at]
        delta = delta - column[:, None] * delta[at]
        inverse = inverse - column[:, None] * inverse[at]
        delta[at], inverse[at, :], inverse[:, at], kept[at] = 0.0, 0.0, 0.0, False
    return delta, inverse, kept


def gains_of(grams: Floats, before: Floats, k: float) -> Floats:
    """What parts of rows gain by a model of their own, drawn towards the one before by `k` rows.

    Parameters
    ----------
    grams
        Those of each part: (parts, columns, columns).
    before
        The coefficients before.
    k
        Imaginary rows.
    """
    q = len(before)
    a = grams[:, :q, :q]
    score = grams[:, :q, q:] - a @ before
    mean, variance = spread_of(a)
    weight = a[:, :1, :1]
    matrix = a + penalty(mean, np.maximum(variance, LEAST), k)
    matrix = matrix + weight * _JITTER * np.eye(q)
    return (score * np.linalg.solve(matrix, score)).sum(axis=(1, 2))
