"""NearestRowModel: models of clusters that keep their rows; a new row goes where the nearest is."""

from typing import Any, ClassVar

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.fields import FloatArray, Instance, IntArray
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError
from satsuma.learners.clusterer import Clusterer, ClusterNumbers, check_codes
from satsuma.learners.learner import Learner
from satsuma.measures.distance import Cells, Distance
from satsuma.numerics.arrays import Array, Codes, Floats, Indices
from satsuma.tallies.by_class import numbers_of, symbols_of
from satsuma.tallies.content_hashes import hashes_of

#: Clusters that are printed.
_CLUSTERS = 20


def order_of(rows: Table) -> Indices:
    """Rows by what is in them: so clusters do not depend on the order in which rows come."""
    return np.argsort(hashes_of(rows, rows.domain.attributes), kind="stable")


def by_size(label: Array, first: int = 0) -> Codes:
    """The same clusters, numbered from the largest down; those below `first` keep their number.

    Examples
    --------
    >>> by_size(np.array([0, 1, 1, 2, 2, 2])).tolist()
    [2, 1, 1, 0, 0, 0]
    """
    sizes = np.bincount(label)[first:]
    order = np.argsort(-sizes, kind="stable")
    number = np.arange(len(sizes) + first)
    number[first + order] = first + np.arange(len(sizes))
    return number[label].astype(np.int32)


class NearestRowModel(Clusterer):
    """Clusters of rows that are kept: a row belongs to the cluster of the one nearest to it.

    Parameters
    ----------
    learner
        With its parameters; `p` is the power of the distance.
    domain
        The columns.
    distance
        Between rows.
    cells, label
        The rows that are kept, and the cluster of each.
    """

    learner: Any

    schema: ClassVar[Schema] = Schema(
        "rows",
        learner=Instance(Learner),
        lo=FloatArray("num", missing=True),
        hi=FloatArray("num", missing=True),
        number=FloatArray("rows", "num", low=0, high=1, missing=True),
        symbol=IntArray("rows", "sym", low=-1),
        label=IntArray("rows", low=0, below="rows"),
    )

    def check_state(self) -> None:
        """There are rows, and their clusters are numbered without a gap."""
        super().check_state()
        if not len(self.label) or not self.domain.attributes:
            raise ReadError(f"{type(self).__name__} has no rows")
        check_codes(self.symbol, self.domain)

    def __init__(
        self, learner: Any, domain: Domain, distance: Distance, cells: Cells, label: Codes
    ) -> None:
        self.learner, self.domain = learner, domain
        self.lo, self.hi = distance.lo, distance.hi
        self.number, self.symbol = cells
        self.label = label

    @property
    def k(self) -> int:
        """How many clusters there are."""
        return int(self.label.max()) + 1

    @property
    def distance(self) -> Distance:
        """How far rows are apart."""
        names = (
            tuple(v.name for v in numbers_of(self.domain)),
            tuple(v.name for v in symbols_of(self.domain)),
        )
        return Distance(names, self.lo, self.hi, self.learner.p)

    def nearest(self, batch: Table) -> tuple[Floats, Indices]:
        """How far the nearest of the rows that are kept is from each row, and which it is."""
        from satsuma.kernels.nearest import Nearest

        distance = self.distance
        search = Nearest(self.number, self.symbol, distance.p, distance.apart)
        sums, at = search.find(*distance.cells(batch, self.domain), 1)
        return distance.rooted(sums[:, 0]), at[:, 0]

    def clusters(self, batch: Table) -> ClusterNumbers:
        """The cluster of each row: that of the nearest row that is kept."""
        return self.label[self.nearest(batch)[1]]

    def _heading(self) -> str:
        return f"{self.k} cluster{'s' * (self.k != 1)}"

    def _name(self, cluster: int) -> str:
        return f"{cluster}: {int((self.label == cluster).sum()):,} rows"

    def __str__(self) -> str:
        lines = [self._heading(), *map(self._name, range(min(self.k, _CLUSTERS)))]
        if self.k > _CLUSTERS:
            lines.append(f"and {self.k - _CLUSTERS} more")
        return "\n".join(lines)
