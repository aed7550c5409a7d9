"""Variance: how much of the spread of a numeric target an attribute explains."""

import numpy as np

from satsuma.data.table import Table
from satsuma.numerics.arrays import Array, Floats


def variance_gain(cells: Array, target: Floats, weights: Floats) -> float:
    """By how much the variance of a target falls when rows are parted by an attribute.

    Symbols part rows by their values, numbers by their best threshold (Breiman et al. 1984). Of the
    rows where the value is known, times their share.

    Parameters
    ----------
    cells
        Numbers with NaN for missing, or codes with -1.
    target
        Numbers, all known.
    weights
        What the rows weigh.

    Examples
    --------
    >>> import numpy as np
    >>> from satsuma.measures import variance_gain
    >>> variance_gain(np.array([1.0, 2.0, 3.0]), np.array([10.0, 10.0, 40.0]), np.ones(3))
    200.0
    """
    share, cells, away, weights = _known(cells, target, weights)
    if not share:
        return 0.0
    if cells.dtype.kind == "f":
        return share * _best_threshold(cells, away, weights)
    return share * _between_values(cells, away, weights) / float(weights.sum())


def _best_threshold(cells: Floats, away: Floats, weights: Floats) -> float:
    """What the best of all thresholds takes off the variance."""
    order = np.argsort(cells, kind="stable")
    size, total = np.cumsum(weights[order]), np.cumsum((weights * away)[order])
    split = np.flatnonzero(np.diff(cells[order]) > 0)
    if not len(split):
        return 0.0
    left, right = size[split], size[-1] - size[split]
    between = total[split] ** 2 / left + (total[-1] - total[split]) ** 2 / right
    return float(between.max() / size[-1])


def correlation_ratio(cells: Array, target: Floats, weights: Floats) -> float:
    """The share of a target's variance that an attribute explains, from 0 to 1.

    Symbols explain it by the means of their values (eta squared, Fisher 1925), numbers by a
    straight line (the squared correlation). Of the rows where the value is known, times their
    share. The parameters are those of `variance_gain`.

    Examples
    --------
    >>> import numpy as np
    >>> from satsuma.measures import correlation_ratio
    >>> correlation_ratio(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]), np.ones(3))
    1.0
    """
    share, cells, away, weights = _known(cells, target, weights)
    spread = float(weights @ away**2)
    if not share or not spread > 0:
        return 0.0
    if cells.dtype.kind != "f":
        return share * min(_between_values(cells, away, weights) / spread, 1.0)
    centred = cells - np.average(cells, weights=weights)
    own = float(weights @ centred**2)
    return share * min(float(weights @ (centred * away)) ** 2 / (own * spread), 1.0) if own else 0.0


def _between_values(cells: Array, away: Floats, weights: Floats) -> float:
    """The sum of squares that the means of the values of a symbol explain."""
    size, total = np.bincount(cells, weights), np.bincount(cells, weights * away)
    return float(np.divide(total**2, size, out=np.zeros_like(size), where=size > 0).sum())


def _known(cells: Array, target: Floats, weights: Floats) -> tuple[float, Array, Floats, Floats]:
    """The share of what known cells weigh; these, their target about its mean, and weights."""
    known = (~np.isnan(cells) if cells.dtype.kind == "f" else cells >= 0) & (weights > 0)
    total = float(weights.sum())
    cells, target, kept = cells[known], target[known], weights[known]
    if not len(kept):
        return 0.0, cells, target, kept
    away = target - np.average(target, weights=kept)
    return float(kept.sum()) / total, cells, away, kept


def target_and_weights(table: Table) -> tuple[Table, Floats, Floats]:
    """The rows whose target is known and that weigh something, with these two columns."""
    target = table.domain.target
    assert target is not None
    used = ~table.missing(target.name)
    weights = np.ones(len(table)) if table.weights is None else table.weights
    rows = np.flatnonzero(used & (weights > 0))
    return table[rows], table.column(target.name)[rows], weights[rows]
