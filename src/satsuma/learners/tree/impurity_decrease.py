"""Impurity decrease: how much less mixed the rows became by the divisions of each column."""

import numpy as np

from satsuma.data.domain import Domain
from satsuma.kernels.tree import VARIANCE, Flat, disorder
from satsuma.learners.tree.asked_columns import AskedColumns
from satsuma.learners.tree.structure import SQUARES, SUM, WEIGHT
from satsuma.numerics.arrays import Floats
from satsuma.numerics.sums import weighted_bincount


def disorder_at(stats: Floats, measure: int) -> Floats:
    """How mixed the rows of each node are: weight times impurity, or the sum of squares."""
    if measure != VARIANCE:
        return disorder(stats, measure)
    weight = np.maximum(stats[:, WEIGHT], np.finfo(float).tiny)
    return stats[:, SQUARES] - stats[:, SUM] ** 2 / weight


def impurity_decrease(flat: Flat, mixed: Floats, asked: AskedColumns) -> Floats:
    """By attribute, how much of what is mixed its divisions took away (Breiman et al. 1984).

    Parameters
    ----------
    flat
        The tree.
    mixed
        How mixed the rows of each node are.
    asked
        What nodes ask for, and of which attribute each is.
    """
    above = np.repeat(np.arange(len(mixed)), np.diff(flat.first))
    there = flat.branches >= 0
    up = np.full(len(mixed), -1)
    up[flat.branches[there]] = above[there]
    below = np.flatnonzero(up >= 0)
    gain = mixed - weighted_bincount(up[below], mixed[below], len(mixed))
    asks = flat.column >= 0
    source = np.array(asked.source, np.intp)[flat.column[asks]]
    return weighted_bincount(source, np.maximum(gain[asks], 0.0), len(asked.attributes))


def shares_by_name(domain: Domain, gains: Floats) -> dict[str, float]:
    """The share of each attribute in all that was gained; largest first."""
    total = float(gains.sum()) or 1.0
    names = [v.name for v in domain.attributes]
    found = zip(names, (gains / total).tolist(), strict=True)
    return dict(sorted(found, key=lambda each: -each[1]))
