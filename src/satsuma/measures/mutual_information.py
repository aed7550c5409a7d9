"""Mutual information of an attribute and a numeric target, by nearest neighbours."""

from typing import Any, cast

import numpy as np

from satsuma.numerics.arrays import Array, Floats

#: How far numbers are shaken, so that no two are equal: a share of their scale.
_SHAKEN = 1e-10

#: A radius is so much less than the distance that it stands for, which is beyond rounding errors.
_WITHIN = 1 - 1e-9


def mutual_information(cells: Array, target: Floats, k: int = 3, seed: int = 0) -> float:
    """How many nats an attribute tells of a number, by the distances to the k nearest rows.

    Of two numbers by Kraskov, Stögbauer and Grassberger (2004), of symbols by Ross (2014); an
    estimate below 0 is 0. Of the rows where the value is known, times their share.

    Parameters
    ----------
    cells
        Numbers with NaN for missing, or codes with -1.
    target
        Numbers, all known.
    k
        Neighbours.
    seed
        Equal numbers are told apart by a shake that is a tenth of a billionth of their scale.

    Examples
    --------
    >>> import numpy as np
    >>> from satsuma.measures import mutual_information
    >>> numbers = np.linspace(0, 1, 200)
    >>> mutual_information(numbers, numbers**3) > 2
    True
    """
    known = ~np.isnan(cells) if cells.dtype.kind == "f" else cells >= 0
    share = float(known.mean()) if len(known) else 0.0
    rng = np.random.default_rng(seed)
    y = _shaken(target[known], rng)
    if cells.dtype.kind == "f":
        found = _of_numbers(_shaken(cells[known], rng), y, k)
    else:
        found = _of_symbols(cells[known], y, k)
    return share * max(found, 0.0)


def _shaken(numbers: Floats, rng: "np.random.Generator") -> Floats:
    """Of a spread of 1, and no two alike."""
    spread = float(numbers.std()) if len(numbers) else 0.0
    scaled = numbers / spread if spread > 0 else numbers
    scale = max(1.0, float(np.abs(scaled).mean())) if len(scaled) else 1.0
    return scaled + _SHAKEN * scale * rng.standard_normal(len(scaled))


def _of_numbers(x: Floats, y: Floats, k: int) -> float:
    from scipy import spatial

    n = len(x)
    if n <= k:
        return 0.0
    points = np.column_stack([x, y])
    away: Floats = cast("Any", spatial).KDTree(points).query(points, k + 1, p=np.inf)[0][:, k]
    radius = _WITHIN * away
    inside = _mean_digamma(_within(x, radius)) + _mean_digamma(_within(y, radius))
    return _mean_digamma(n) + _mean_digamma(k) - inside


def _of_symbols(codes: Array, y: Floats, k: int) -> float:
    counts = np.bincount(codes, minlength=1)
    shared = counts[codes] > 1  # a value that one row has says nothing
    codes, y, n = codes[shared], y[shared], int(shared.sum())
    if not n:
        return 0.0
    radius, near = np.zeros(n), np.zeros(n)
    for code in np.unique(codes):
        mine = np.flatnonzero(codes == code)
        near[mine] = least = min(k, len(mine) - 1)
        radius[mine] = _WITHIN * _nearest(y[mine], least)
    inside = _mean_digamma(_within(y, radius)) + _mean_digamma(counts[codes])
    return _mean_digamma(n) + _mean_digamma(near) - inside


def _mean_digamma(numbers: Any) -> float:
    from scipy import special

    found: Floats = np.asarray(cast("Any", special).digamma(numbers), np.float64)
    return float(found.mean())


def _nearest(numbers: Floats, k: int) -> Floats:
    """How far the k-th nearest other number is from each."""
    order = np.argsort(numbers)
    ranked, at = numbers[order], np.arange(len(numbers))
    # The k nearest of a number and itself are neighbours in order: the best of k + 1 stretches.
    best = np.full(len(numbers), np.inf)
    for before in range(k + 1):
        low, high = at - before, at - before + k
        there = (low >= 0) & (high < len(numbers))
        lows, highs = ranked[np.maximum(low, 0)], ranked[np.minimum(high, len(numbers) - 1)]
        best = np.where(there, np.minimum(best, np.maximum(ranked - lows, highs - ranked)), best)
    found = np.empty(len(numbers))
    found[order] = best
    return found


def _within(numbers: Floats, radius: Floats) -> Array:
    """How many numbers are no farther from each than its radius; itself is one."""
    ranked = np.sort(numbers)
    low = np.searchsorted(ranked, numbers - radius, side="left")
    return np.searchsorted(ranked, numbers + radius, side="right") - low
