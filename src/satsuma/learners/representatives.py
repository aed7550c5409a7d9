"""Representatives: some rows of each cluster that stand for the others."""

from typing import Any

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import ParameterError
from satsuma.learners.clusterer import Clusterer
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Indices

#: Rows of a cluster that are compared with each other, at most.
_MOST = 1000


def representatives(model: Any, table: Table, n: int = 3) -> dict[int, list[int]]:
    """The rows to look at first, or to ask about, in each cluster.

    The first of a cluster is its medoid, the row that is nearest to all others; each further one is
    the row that is farthest from those before it, so that the edges are seen, too.

    Parameters
    ----------
    model
        Of clusters.
    table
        The rows that are put into clusters. Of a cluster of more than 1,000 rows, so many are
        compared, evenly spaced.
    n
        How many of each cluster, where it has as many.

    Returns
    -------
    dict
        For each cluster that has rows, their numbers in the table.

    Examples
    --------
    >>> from satsuma import KMeans, load, representatives
    >>> iris = load("iris")
    >>> found = representatives(KMeans(k=3)(iris), iris, n=2)
    >>> {cluster: len(rows) for cluster, rows in found.items()}
    {0: 2, 1: 2, 2: 2}
    """
    if not isinstance(model, Clusterer):
        raise ParameterError(
            f"model must be one of clusters, such as KMeans()(table). Got {model!r} instead."
        )
    if n < 1:
        raise ParameterError(f"n must be a whole number of at least 1. Got {n!r} instead.")
    label, distance = model(table), Distance.of(table)
    return {
        cluster: _chosen(distance, table, np.flatnonzero(label == cluster), n)
        for cluster in np.unique(label).tolist()
    }


def _chosen(distance: Distance, table: Table, rows: Indices, n: int) -> list[int]:
    if len(rows) > _MOST:
        rows = rows[np.linspace(0, len(rows) - 1, _MOST).astype(np.intp)]
    some = table[rows]
    cells = distance.cells(some)
    total = [distance.between(some[at], some).sum() for at in range(len(some))]
    found = [int(np.argmin(total))]
    near = np.full(len(rows), np.inf)
    while len(found) < min(n, len(rows)):
        last = cells[0][found[-1:]], cells[1][found[-1:]]
        near = np.minimum(near, distance.matrix(last, cells)[0])
        near[found] = -1.0
        found.append(int(near.argmax()))
    return rows[found].tolist()
