"""Surrogate model: how far from the ideal point rows may be whose goals are not known yet.

Other models beside the process, with a say by their likelihood of labels held out, and other ways
to search were tried and left out, for none pays. The figures are means over tables (with goals, of
moot) of what is gained on the process alone, at 20, 30 and 50 labels, ± their standard error. The
rule was to take what gains on the other tables if one is left out.

- A process with a length of its own for each column (relevance by the mode of likelihood and
  prior): +0.3, -0.1, -0.2 (± 0.7, 0.6, 0.4; seven tables, 43 seeds or more, of one 20), at two to
  three times the time. The rule takes it where it loses (auto93, coc1000), and not where it gains.
- Counts of values among the best and the rest (naive Bayes): -0.5, -0.5, -1.0 (± 0.8, 0.7, 0.6; six
  tables, 40 seeds or more).
- A random forest: given 12 or 30 labels of rows drawn at random, its ranks of the other rows are
  nearer to the truth than those of the process on two of six tables, and farther on four.
- A process for each goal, put together (Uhrenholt and Jensen 2019): its ranks of other rows are
  nearer to the truth on four of five tables, and yet its search is not better: beside the process
  -1.0, +0.1, -1.8 (± 1.5, 1.2, 0.9; six tables, 10 to 40 seeds), alone worse.
- Logarithms of the distance: +0.1, -0.1, -0.6 (± 0.6, 0.6, 0.4; seven tables, 20 seeds or more).
- Expected improvement alone, the least mean for the last third of the budget, two or six rows to
  begin with: on three tables, 20 seeds or more, nothing beyond two standard errors is gained.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from satsuma.active.acquisition.bayesian_optimisation import Surrogate
from satsuma.data.table import Table
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Codes, Floats
from satsuma.numerics.differences import difference
from satsuma.plan.warping import warped

#: Distances over which rows are alike, and shares of the variance that columns do not tell: all
#: pairs of them are tried.
LENGTHS = (0.1, 0.2, 0.4, 0.8, 1.6)
NOISES = (0.02, 0.2, 0.5, 0.8)

#: The distance over which cells of one column are alike, where columns add up.
_ALONE = 0.5

#: A pair whose weight is below this share of the greatest is left out.
_LEAST = 0.05


class Likeness:
    """How alike some rows of a pool are to all of it, in several ways, one row at a time.

    Numbers are taken as they are, by ranks and by logarithms (see `warped`). In each of these ways
    rows are alike if they are in all columns at once (Matérn's correlation of the distance, over
    several lengths), or columns add up: the mean of the correlations of single columns.

    Parameters
    ----------
    rows
        The pool.
    """

    def __init__(self, rows: Table) -> None:
        distance = Distance.of(rows)
        self._symbol = distance.cells(rows)[1]
        self._numbers = warped([rows.column(name) for name in distance.names[0]])
        if not distance.names[0]:
            self._numbers = [np.empty((len(rows), 0))]
        self._far: list[Floats] = []
        #: By row: in each way, how alike it is to all.
        self._near: list[list[Floats]] = []

    def add(self, at: int) -> None:
        """See how alike one more row is to all."""
        near: list[Floats] = []
        for place, view in enumerate(self._numbers):
            away = self._differences(view, at)
            far = np.sqrt((away * away).mean(axis=1))
            near += [_nearness(far / length) for length in LENGTHS]
            near.append(_nearness(away / _ALONE).mean(axis=1))
            if not place:
                self._far.append(far)
        self._near.append(near)

    def _differences(self, numbers: Floats, at: int) -> Floats:
        symbol: Codes = self._symbol
        differ = (symbol != symbol[at]) | (symbol < 0)
        return np.hstack([difference(numbers, numbers[at]), differ])

    def distances(self, places: Sequence[int]) -> Floats:
        """How far the rows that were added at these places are from all, by numbers as they are."""
        return np.array([self._far[at] for at in places])

    def correlations(self, places: Sequence[int]) -> list[Floats]:
        """How alike the rows that were added at these places are to all, in each way."""
        return [np.array(way) for way in zip(*(self._near[at] for at in places), strict=True)]


class _Pair(NamedTuple):
    """A way of being alike and a noise, and what they make of the labelled rows."""

    near: Floats
    axes: Floats
    weights: Floats
    spread: Floats
    noise: float
    scale: float


def fit_surrogate(
    near: Sequence[Floats], rows: Sequence[int], known: Floats, left: float
) -> Surrogate:
    """A Gaussian process: rows that are alike are about as far from the ideal point.

    Ways of being alike, and noises, are not searched for but weighed by how probable they make what
    is known, and all have their say: with few labels, no pair is much more probable than others.

    Parameters
    ----------
    near
        In each way, (labelled, rows): how alike the labelled rows are to all, from 0 to 1.
    rows
        Which rows are labelled.
    known
        How far these are from the ideal point.
    left
        The share of the budget that is left.

    Examples
    --------
    >>> at = np.array([0.0, 0.1, 0.5, 0.9, 1.0])
    >>> near = np.exp(-np.abs(at[[0, 4], None] - at))
    >>> surrogate = fit_surrogate([near], [0, 4], np.array([0.2, 0.8]), left=0.5)
    >>> bool(surrogate.mean[1] < surrogate.mean[3]), bool(surrogate.sd[2] > surrogate.sd[1])
    (True, True)
    """
    middle, unit = float(known.mean()), float(known.std()) or 1.0
    pairs, logs = _pairs(near, rows, (known - middle) / unit)
    weight = np.exp(logs - logs.max())
    weight = np.where(weight < _LEAST, 0.0, weight)  # the greatest is 1
    weight /= weight.sum()
    mean, square = np.zeros((2, near[0].shape[1]))
    for share, pair in zip(weight.tolist(), pairs, strict=True):
        if share:
            predicted, variance = _prediction(pair)
            mean += share * predicted
            square += share * (variance + predicted * predicted)
    sd = np.sqrt(np.maximum(square - mean * mean, 1e-12))
    return Surrogate(middle + unit * mean, unit * sd, float(known.min()), left)


def _pairs(
    ways: Sequence[Floats], rows: Sequence[int], known: Floats
) -> tuple[list[_Pair], Floats]:
    """All pairs, and the logarithm of how probable each makes what is known."""
    pairs: list[_Pair] = []
    logs: list[float] = []
    for near in ways:
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
