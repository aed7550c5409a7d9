"""How wrong densities of kernels are about rows that were held out, column by column."""

from collections.abc import Sequence

import numpy as np

from satsuma.data.table import Table
from satsuma.likelihoods.kde import KDE, Densities
from satsuma.numerics.arrays import Array, Codes, Floats
from satsuma.tallies.values import Values


def densities_of(rows: Table, names: Sequence[str]) -> Densities:
    """The densities of some columns of rows, which have a class and a weight."""
    others = [v.name for v in rows.domain if v.role != "x"]
    return KDE().conclude(Values.of(rows.select([*names, *others])))


def density_losses(
    rows: Table, fold: Codes, class_weight: Floats, names: Sequence[str], least: float
) -> list[float]:
    """The log loss of each column, where it is all that is known, on rows that were held out.

    Parameters
    ----------
    rows
        Those that are dealt, with their class and what they weigh.
    fold
        The one in which each row is held out.
    class_weight
        What the classes weigh without each fold; negative where nothing is left to learn from.
    names
        The columns.
    least
        The least probability that a loss is reckoned with.

    Examples
    --------
    >>> from satsuma.data.domain import Domain
    >>> from satsuma.data.variable import Variable
    >>> domain = Domain(
    ...     [
    ...         Variable("x"),
    ...         Variable("y", "sym", ("a", "b"), "target"),
    ...         Variable("w", role="weight"),
    ...     ]
    ... )
    >>> x = np.concatenate([np.arange(20.0), np.arange(100.0, 120)])
    >>> y = np.repeat(np.array([0, 1], np.int32), 20)
    >>> fold = np.arange(40, dtype=np.int32) % 2
    >>> rows = Table(domain, [x, y, np.ones(40)])
    >>> density_losses(rows, fold, np.full((2, 2), 10.0), ["x"], 1e-9)[0] < 1e-6
    True
    """
    target = rows.domain.target
    assert target is not None, "rows that are dealt have a class"
    label, weight = rows.column(target.name), rows.weights
    assert weight is not None, "rows that are dealt have a weight"
    losses = np.zeros(len(names))
    for held in range(len(class_weight)):
        if class_weight[held, 0] < 0:
            continue
        test, train = np.flatnonzero(fold == held), rows[np.flatnonzero(fold != held)]
        with np.errstate(divide="ignore"):
            prior = np.log(class_weight[held] / class_weight[held].sum())
        for at, name in enumerate(names):
            mine = test[~rows.missing(name)[test]]
            if len(mine):
                scores = prior + densities_of(train, [name]).log_evidence(rows[mine])
                losses[at] += _loss(scores, label[mine], weight[mine], least)
    return losses.tolist()


def _loss(scores: Floats, label: Array, weight: Floats, least: float) -> float:
    """The log loss of rows with these logarithms of prior times density."""
    top = scores.max(axis=1, keepdims=True)
    odds = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    right = odds[np.arange(len(odds)), label] / np.maximum(odds.sum(axis=1), least)
    return float(-(weight * np.log(np.maximum(right, least))).sum())
