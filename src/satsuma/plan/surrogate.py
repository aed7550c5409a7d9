"""Surrogate model: how far from the ideal point rows may be whose goals are not known yet."""

from typing import NamedTuple

import numpy as np

from satsuma.active.acquisition.bayesian_optimisation import Surrogate
from satsuma.numerics.arrays import Floats

#: Distances over which rows are alike, and shares of the variance that columns do not tell: all
#: pairs of them are tried.
LENGTHS = (0.1, 0.2, 0.4, 0.8, 1.6)
NOISES = (0.02, 0.2, 0.5, 0.8)

#: A pair whose weight is below this is left out.
_LEAST = 0.02


class _Pair(NamedTuple):
    """A length and a noise, and what they make of the labelled rows."""

    near: Floats
    axes: Floats
    weights: Floats
    spread: Floats
    noise: float
    scale: float


def fit_surrogate(away: Floats, rows: list[int], known: Floats, left: float) -> Surrogate:
    """A Gaussian process: rows that are alike are about as far from the ideal point.

    Lengths and noises are not searched for but weighed by how probable they make what is known,
    and all have their say: with few labels, no pair is much more probable than all others.

    Parameters
    ----------
    away
        (labelled, rows): how far the labelled rows are from all.
    rows
        Which rows are labelled.
    known
        How far these are from the ideal point.
    left
        The share of the budget that is left.

    Examples
    --------
    >>> at = np.array([0.0, 0.1, 0.5, 0.9, 1.0])
    >>> away = np.abs(at[[0, 4], None] - at)
    >>> surrogate = fit_surrogate(away, [0, 4], np.array([0.2, 0.8]), left=0.5)
    >>> bool(surrogate.mean[1] < surrogate.mean[3]), bool(surrogate.sd[2] > surrogate.sd[1])
    (True, True)
    """
    middle, unit = float(known.mean()), float(known.std()) or 1.0
    pairs, logs = _pairs(away, rows, (known - middle) / unit)
    weight = np.exp(logs - logs.max())
    weight = np.where(weight < _LEAST * weight.sum(), 0.0, weight)
    weight /= weight.sum()
    mean, square = np.zeros((2, away.shape[1]))
    for share, pair in zip(weight.tolist(), pairs, strict=True):
        if share:
            predicted, variance = _prediction(pair)
            mean += share * predicted
            square += share * (variance + predicted * predicted)
    sd = np.sqrt(np.maximum(square - mean * mean, 1e-12))
    return Surrogate(middle + unit * mean, unit * sd, float(known.min()), left)


def _pairs(away: Floats, rows: list[int], known: Floats) -> tuple[list[_Pair], Floats]:
    """All pairs, and the logarithm of how probable each makes what is known."""
    pairs: list[_Pair] = []
    logs: list[float] = []
    for length in LENGTHS:
        near = _nearness(away / length)
        # A row with a missing value is away from itself, and yet it is itself.
        among = near[:, rows]
        among[np.diag_indices(len(rows))] = 1.0
        values, axes = np.linalg.eigh((among + among.T) / 2)
        turned = axes.T @ known
        for noise in NOISES:
            spread = (1 - noise) * np.maximum(values, 0.0) + noise
            scale = max(float((turned * turned / spread).mean()), 1e-12)
            pairs.append(_Pair(near, axes, turned / spread, spread, noise, scale))
            logs.append(-0.5 * (len(rows) * np.log(scale) + float(np.log(spread).sum())))
    return pairs, np.array(logs)


def _nearness(away: Floats) -> Floats:
    """The correlation of rows so far apart: Matérn's, nu = 5/2."""
    far = np.sqrt(5.0) * away
    return (1 + far + far * far / 3) * np.exp(-far)


def _prediction(pair: _Pair) -> tuple[Floats, Floats]:
    """The mean and the variance of all rows, by one pair."""
    turned = (1 - pair.noise) * (pair.axes.T @ pair.near)
    left = (1 - pair.noise) - (turned * turned / pair.spread[:, None]).sum(axis=0)
    return turned.T @ pair.weights, np.maximum(left, 1e-9) * pair.scale
