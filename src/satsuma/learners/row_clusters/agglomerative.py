"""Agglomerative: rows joined to clusters, the nearest first, up to one that has them all."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Literal

import numpy as np

from satsuma.data.fields import FloatArray
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ParameterError, ReadError, check_choice, check_number
from satsuma.learners.learner import Learner
from satsuma.learners.row_clusters.nearest_row import NearestRowModel, by_size, order_of
from satsuma.learners.row_clusters.pair_distances import check_rows, pair_distances
from satsuma.learners.takes import Takes
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Codes, Floats

LINKAGES = ("average", "complete", "single", "ward")

#: Clusters, at most, where their number is chosen.
_MOST = 10


class AgglomerativeModel(NearestRowModel):
    """Clusters of rows, and how they were joined: see `plot.dendrogram`.

    `merges` has a line for each join, as SciPy's ``linkage`` does: the two clusters that are
    joined (rows come first, then what was joined before), their distance, and how many rows that
    makes.
    """

    merges: Floats

    schema: ClassVar[Schema] = Schema("merges", merges=FloatArray("merges", 4, low=0))

    def check_state(self) -> None:
        """The joins lead from the rows to one cluster."""
        super().check_state()
        n, pairs = len(self.label), self.merges[:, :2]
        if len(self.merges) != n - 1 or (pairs >= n + np.arange(n - 1)[:, None]).any():
            raise ReadError("the joins do not lead from the rows to one cluster")
        if len(np.unique(pairs)) != pairs.size or (pairs != np.rint(pairs)).any():
            raise ReadError("a cluster is joined twice, or is none")
        if (np.diff(self.merges[:, 2]) < 0).any():
            raise ReadError("the distances of the joins do not rise")

    @property
    def heights(self) -> Floats:
        """The distance of the two clusters of each join, from the least to the greatest."""
        return self.merges[:, 2]

    def cut(self, k: int) -> "AgglomerativeModel":
        """The model with another number of clusters; nothing is learned anew.

        Examples
        --------
        >>> import satsuma
        >>> model = satsuma.Agglomerative(satsuma.load("iris"))
        >>> [model.cut(k).k for k in (1, 2, 5)]
        [1, 2, 5]
        """
        if not 1 <= k <= len(self.label):
            raise ParameterError(f"k must be from 1 to {len(self.label)}, the rows. Got {k!r}.")
        cells, label = (self.number, self.symbol), labels_at(self.merges, k)
        made = AgglomerativeModel(self.learner, self.domain, self.distance, cells, label)
        made.merges = self.merges
        return made

    def _heading(self) -> str:
        return f"{super()._heading()} by {self.learner.linkage} linkage of {len(self.label):,} rows"


@dataclass(kw_only=True, eq=False)
class Agglomerative(Learner):
    """Hierarchical clusters: every row is one at first, and the two nearest are joined, and so on.

    The distance is that of `satsuma.distance`: numbers and symbols, and a missing cell as far away
    as it can be. Of up to 20,000 rows every two are compared, so that the joins are exact.

    Parameters
    ----------
    k
        How many clusters; unless given, up to ten, before the join that is farther than the one
        before it by most. ``model.cut(k)`` gives other numbers of them without learning anew.
    linkage
        How far clusters are apart: by the ``average`` of the distances of their rows, by the
        farthest two (``complete``), by the nearest two (``single``), or by how much the squared
        distances from the middle grow (``ward``, with ``p=2``).
    p
        The power of the distance, above 0; 2 is Euclid's, 1 that of city blocks.

    Notes
    -----
    A row that is asked about belongs to the cluster of the nearest row that was learned from.
    Clusters are numbered from the largest down. Weights are refused: rows are counted.

    Examples
    --------
    >>> from satsuma import Agglomerative, load
    >>> iris = load("iris")
    >>> model = Agglomerative()(iris)
    >>> print(model)
    2 clusters by average linkage of 150 rows
    0: 100 rows
    1: 50 rows
    >>> model(iris[0]), model.cut(3).k
    (1, 3)
    """

    k: int | None = None
    linkage: Literal["average", "complete", "single", "ward"] = "average"
    p: float = 2.0

    takes: ClassVar[Takes] = Takes(target="nothing", weights=False, rounds="rows")

    def check(self) -> None:
        """A number of clusters, a linkage, a power above 0."""
        if self.k is not None:
            check_number(self, "k", low=1, whole=True)
        check_choice(self, "linkage", list(LINKAGES))
        check_number(self, "p", low=1e-3, high=1e3)

    def learn(self, data: Table) -> AgglomerativeModel:
        """Compare every two rows, and join."""
        check_rows(data, "Agglomerative")
        rows, distance = data[order_of(data)], Distance.of(data, self.p)
        cells = distance.cells(rows)
        merges = joins(pair_distances(distance, cells), len(rows), self.linkage)
        k = chosen_k(merges[:, 2]) if self.k is None else min(int(self.k), len(rows))
        label = labels_at(merges, k)
        model = AgglomerativeModel(self._alike(), data.domain, distance, cells, label)
        model.merges = merges
        return model


def joins(away: Floats, n: int, linkage: str) -> Floats:
    """The joins of n rows whose distances from each other are known, the nearest first."""
    if n < 2:
        return np.zeros((0, 4))
    hierarchy: Any = import_module("scipy.cluster.hierarchy")
    return hierarchy.linkage(away, linkage)


def labels_at(merges: Floats, k: int) -> Codes:
    """The cluster of each row after all joins but the last k - 1.

    Examples
    --------
    >>> merges = joins(np.array([1.0, 9.0, 8.0]), 3, "single")
    >>> labels_at(merges, 2).tolist()
    [0, 0, 1]
    """
    n = len(merges) + 1
    above = np.arange(2 * n - 1)
    for at in range(n - k):
        above[merges[at, :2].astype(np.intp)] = n + at
    top = np.arange(2 * n - 1)
    for node in range(2 * n - 2, -1, -1):  # what is above has a greater number
        top[node] = node if above[node] == node else top[above[node]]
    return by_size(np.unique(top[:n], return_inverse=True)[1])


def chosen_k(heights: Floats) -> int:
    """How many clusters there are before the join that is farther than the last by most.

    Examples
    --------
    >>> chosen_k(np.array([1.0, 1.2, 1.4, 6.0, 6.5]))
    3
    """
    if not len(heights):
        return 1
    steps = np.diff(heights[-_MOST:], prepend=heights[-_MOST - 1] if len(heights) > _MOST else 0.0)
    return len(steps) - int(np.argmax(steps)) + 1
