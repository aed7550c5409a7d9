"""DBSCAN: clusters where rows are dense, of any shape, and rows that are in none."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from satsuma.data.fields import Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError, check_number
from satsuma.kernels.nearest import Nearest
from satsuma.learners.clusterer import ClusterNumbers
from satsuma.learners.learner import Learner
from satsuma.learners.row_clusters.nearest_row import NearestRowModel, by_size, order_of
from satsuma.learners.row_clusters.pair_distances import check_rows, near_pairs
from satsuma.learners.takes import Takes
from satsuma.measures.distance import Cells, Distance
from satsuma.measures.elbow import knee
from satsuma.numerics.arrays import Codes, Indices


class DBSCANModel(NearestRowModel):
    """Dense clusters from 1 on; 0 is for rows in none of them.

    The rows that are kept are those in dense places (core rows); where there are none, all.
    """

    reach: float
    noise: int
    clusters_found: int

    schema: ClassVar[Schema] = Schema(
        reach=Number(low=0),
        noise=Number(low=0, whole=True),
        clusters_found=Number(low=0, whole=True),
    )

    def check_state(self) -> None:
        """The core rows are of the clusters that were found."""
        super().check_state()
        if int(self.label.max()) != self.clusters_found:
            raise ReadError("the core rows are not those of the clusters")

    @property
    def k(self) -> int:
        """How many clusters there are, with that of the rows in no dense place."""
        return self.clusters_found + 1

    def clusters(self, batch: Table) -> ClusterNumbers:
        """The cluster of the nearest core row within reach; 0 where there is none."""
        away, at = self.nearest(batch)
        return np.where(away <= self.reach, self.label[at], 0).astype(np.int32)

    def _heading(self) -> str:
        many = self.clusters_found
        return (
            f"{many} dense cluster{'s' * (many != 1)} within a reach of {self.reach:.4g}; "
            f"{self.noise:,} rows are in none"
        )

    def _name(self, cluster: int) -> str:
        if not cluster:
            return f"0: {self.noise:,} rows in no cluster"
        return f"{cluster}: {int((self.label == cluster).sum()):,} core rows"


@dataclass(kw_only=True, eq=False)
class DBSCAN(Learner):
    """Clusters where rows are dense, and of any shape (Ester, Kriegel, Sander and Xu 1996).

    A core row has at least `rows` rows within `reach` of it, itself among them. Core rows within
    reach of each other are of one cluster; any other row is of that of the nearest core row within
    reach, or of none: then its number is 0. The distance is that of `satsuma.distance`: numbers and
    symbols, and a missing cell as far away as it can be.

    Parameters
    ----------
    reach
        How far the neighbours of a row can be away; unless given, where the curve bends of how far
        from each row is the last of as many as must be near.
    rows
        How many rows must be near to make a place dense.
    p
        The power of the distance, above 0; 2 is Euclid's, 1 that of city blocks.

    Notes
    -----
    Of up to 20,000 rows every two are compared. Weights are refused: rows are counted. Clusters are
    numbered from the largest down.

    Examples
    --------
    >>> from satsuma import DBSCAN, load
    >>> iris = load("iris")
    >>> model = DBSCAN(reach=0.12)(iris)
    >>> print(model)
    2 dense clusters within a reach of 0.12; 2 rows are in none
    0: 2 rows in no cluster
    1: 96 core rows
    2: 49 core rows
    >>> model(iris[0])
    2
    """

    reach: float | None = None
    rows: int = 5
    p: float = 2.0

    takes: ClassVar[Takes] = Takes(target="nothing", weights=False, rounds="rows")

    def check(self) -> None:
        """A reach from 0 on, a number of rows, a power above 0."""
        if self.reach is not None:
            check_number(self, "reach", low=0)
        check_number(self, "rows", low=1, whole=True)
        check_number(self, "p", low=1e-3, high=1e3)

    def learn(self, data: Table) -> DBSCANModel:
        """Compare every two rows, and join those in dense places."""
        check_rows(data, "DBSCAN")
        rows, distance = data[order_of(data)], Distance.of(data, self.p)
        cells = distance.cells(rows)
        reach = float(self._reach(distance, cells) if self.reach is None else self.reach)
        label = _labels(distance, cells, reach, int(self.rows))
        core = np.flatnonzero(label > 0) if label.any() else np.arange(len(rows))
        kept = (cells[0][core], cells[1][core])
        model = DBSCANModel(self._alike(), data.domain, distance, kept, label[core])
        model.reach, model.clusters_found = reach, int(label.max())
        model.noise = 0
        model.noise = int((model.clusters(rows) == 0).sum())
        return model

    def _reach(self, distance: Distance, cells: Cells) -> float:
        """Where the curve of the distances bends of the last row that must be near."""
        others = min(int(self.rows) - 1, len(cells[0]) - 1)
        if others < 1:
            return 0.0
        search = Nearest(*cells, distance.p, distance.apart)
        sums = search.find(*cells, others, np.arange(len(cells[0])))[0][:, -1]
        falling = np.sort(distance.rooted(sums))[::-1]
        return float(falling[knee(np.arange(len(falling), dtype=np.float64), falling)])


def _labels(distance: Distance, cells: Cells, reach: float, least: int) -> Codes:
    """The cluster of each core row, from 1 on; 0 for the others."""
    sparse: Any = import_module("scipy.sparse")
    graphs: Any = import_module("scipy.sparse.csgraph")
    n = len(cells[0])
    one, other = near_pairs(distance, cells, reach)
    near = np.bincount(one, minlength=n) + np.bincount(other, minlength=n) + 1
    core = near >= least
    both = core[one] & core[other]
    joined = sparse.coo_array((np.ones(int(both.sum())), (one[both], other[both])), shape=(n, n))
    part: Indices = graphs.connected_components(joined, directed=False)[1]
    label = np.zeros(n, np.int32)
    if core.any():
        label[core] = 1 + np.unique(part[core], return_inverse=True)[1]
    return by_size(label, first=1)
