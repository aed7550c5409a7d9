"""The tree of clusters: its divisions, the rows in its clusters, and how it goes on growing."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.fields import Anything, ByName, Field, FloatArray, Instance, IntArray
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError
from satsuma.kernels import rp0 as kernel
from satsuma.kernels.rp0 import Rows
from satsuma.kernels.threads import map_tiles
from satsuma.learners.clusterer import ClusterNumbers, check_codes
from satsuma.learners.model import Model, Query
from satsuma.learners.rp0.cluster_node import ClusterNode
from satsuma.learners.rp0.show import show
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Array, Codes, Floats
from satsuma.numerics.differences import difference_sums
from satsuma.numerics.splitmix import splitmix64
from satsuma.tallies.by_class import numbers_of, symbols_of

#: Rows that go down the tree together.
_TILE = 8_192


def _rp0() -> type:
    from satsuma.learners.rp0.rp0 import RP0

    return RP0


def check_divisions(below: Array, clusters: int) -> None:
    """Raise a `ReadError` unless divisions are a tree that ends in so many clusters."""
    ends = np.sort(-1 - below[below < 0].astype(np.int64))
    one = not len(below) and clusters == 1
    if not one and not np.array_equal(ends, np.arange(clusters)):
        raise ReadError(f"the divisions do not end in the {clusters} clusters")
    inner = np.sort(below[below >= 0])
    later = (below > np.arange(len(below))[:, None]) | (below < 0)
    if not later.all() or not np.array_equal(inner, np.arange(1, max(1, len(below)))):
        raise ReadError("a division is not below exactly one other that comes before it")


def check_held(held: dict[str, Array], domain: Domain, clusters: int) -> None:
    """Raise a `ReadError` unless the rows that a tree holds are such of its columns."""
    kinds = [v.kind for v in domain.attributes]
    sizes = {"num": kinds.count("num"), "sym": kinds.count("sym"), "clusters": clusters}
    _HELD.check(held, sizes, "held")
    check_codes(held["symbol"], domain)
    for name in held.keys() - _HELD.fields.keys():
        what, _, column = name.partition(" ")
        if what != "column" or column not in domain:
            raise ReadError(f"the rows of the clusters hold {name!r}, which is no column")
        variable = domain[column]
        values: Field = FloatArray("rows", missing=True)
        if variable.kind != "num":
            values = IntArray("rows", low=-1, below=len(variable.values))
        values.check(held[name], name, sizes)


#: What every tree holds of rows.
_HELD = Schema(
    number=FloatArray("rows", "num", low=0, high=1, missing=True),
    symbol=IntArray("rows", "sym", low=-1),
    row=IntArray("rows", dtypes=(np.int64,)),
    cluster=IntArray("rows", low=-1, below="clusters"),
)


class ClusterTree(Model):
    """Clusters, and the divisions that lead to them.

    The division i has the poles ``pole_number[i]`` and ``pole_symbol[i]``; at its sides are the
    divisions ``below[i]``, or where that is negative, the cluster ``-1 - below[i]``. The first one
    is at the top; where there is none, all rows are in one cluster.

    Parameters
    ----------
    learner
        With the parameters of `RP0`.
    domain
        The columns.
    distance
        Between rows.
    """

    learner: Any

    schema: ClassVar[Schema] = Schema(
        "divisions",
        "clusters",
        learner=Instance(_rp0),
        lo=FloatArray("num", missing=True),
        hi=FloatArray("num", missing=True),
        below=IntArray("divisions", 2, low=-(1 << 31), below="divisions"),
        pole_number=FloatArray("divisions", 2, "num", low=0, high=1, missing=True),
        pole_symbol=IntArray("divisions", 2, "sym", low=-1),
        gap=FloatArray("divisions", low=0),
        left=IntArray("divisions", dtypes=(np.int64,)),
        count=IntArray("clusters", dtypes=(np.int64,)),
        key=IntArray("clusters", dtypes=(np.uint64,)),
        held=ByName(Anything()),
    )

    def check_state(self) -> None:
        """Divisions are a tree that ends in the clusters, and rows are held in these."""
        super().check_state()
        check_divisions(self.below, self.k)
        if not self.domain.attributes:
            raise ReadError("the clusters are of no columns")
        check_codes(self.pole_symbol, self.domain)
        check_held(self.held, self.domain, self.k)
        if int(self.left.sum()) + int(self.count.sum()) > 1 << 62:
            raise ReadError("more rows are counted than there can be")

    def __init__(self, learner: Any, domain: Domain, distance: Distance) -> None:
        self.learner, self.domain = learner, domain
        self.lo, self.hi = distance.lo, distance.hi
        numbers, symbols = map(len, distance.names)
        self.below = np.zeros((0, 2), np.int32)
        self.pole_number = np.zeros((0, 2, numbers))
        self.pole_symbol = np.zeros((0, 2, symbols), np.int32)
        self.gap = np.zeros(0)
        #: How many rows each division has left out, and how many fell into each cluster.
        self.left, self.count = np.zeros(0, np.int64), np.zeros(1, np.int64)
        #: What chance goes on from in each cluster.
        self.key = np.array([splitmix64(learner.seed)], np.uint64)
        #: What is kept of rows: their cells, their numbers in the order in which they came, and
        #: their clusters; -1 for those that a division has left out.
        self.held: dict[str, Array] = {
            "number": np.zeros((0, numbers)),
            "symbol": np.zeros((0, symbols), np.int32),
            "row": np.zeros(0, np.int64),
            "cluster": np.zeros(0, np.int32),
        }

    @property
    def k(self) -> int:
        """How many clusters there are."""
        return len(self.key)

    @property
    def distance(self) -> Distance:
        """The distance between rows that the divisions go by."""
        numbers, symbols = numbers_of(self.domain), symbols_of(self.domain)
        names = tuple(v.name for v in numbers), tuple(v.name for v in symbols)
        return Distance(names, self.lo, self.hi, self.learner.p)

    @property
    def root(self) -> ClusterNode:
        """Where every row begins."""
        return ClusterNode(self, 0 if len(self.below) else -1)

    @property
    def leaves(self) -> Iterator[ClusterNode]:
        """The clusters, as nodes, from the left to the right of the tree."""
        return (node for node in self.root if node.cluster is not None)

    def leaf(self, query: Query) -> ClusterNode:
        """The cluster that a row falls into, as a node; only divisions on the way are asked.

        Examples
        --------
        >>> import satsuma
        >>> iris = satsuma.load("iris")
        >>> node = satsuma.RP0(M=25)(iris).leaf(iris[0])
        >>> node.cluster, node.depth
        (3, 2)
        """
        number, symbol = self.distance.cells(self._rows(query))
        node = self.root
        while node.at >= 0:
            poles = zip(self.pole_number[node.at], self.pole_symbol[node.at], strict=True)
            first, second = (
                difference_sums(number, symbol, *pole, self.learner.p)[0] for pole in poles
            )
            node = node.below[int(second < first)]
        return node

    def clusters(self, batch: Table) -> ClusterNumbers:
        """The cluster of each row. The batch has the columns of this model."""
        known = vars(self).get("_labels")
        if known is not None and known[0]() is batch:
            return known[1].copy()
        return self.clusters_of(*self.distance.cells(batch))

    def clusters_of(self, number: Floats, symbol: Codes) -> ClusterNumbers:
        """The cluster of each row, by its cells as the distance sees them."""
        row = np.arange(len(number))

        def tile(lo: int, hi: int) -> ClusterNumbers:
            part = Rows(number[lo:hi], symbol[lo:hi], row[lo:hi], self.learner.p)
            return kernel.walk(self.below, self.pole_number, self.pole_symbol, part)

        return np.concatenate(map_tiles(tile, len(number), _TILE))

    def members(self, cluster: int) -> Array:
        """Where the rows that a cluster keeps are in `held`."""
        return self.by_cluster()[cluster]

    def by_cluster(self) -> dict[int, Array]:
        """Where the rows that each cluster keeps are in `held`."""
        known: dict[int, Array] | None = vars(self).get("_members")
        if known is None:
            order = np.argsort(self.held["cluster"], kind="stable")
            ends = np.searchsorted(self.held["cluster"][order], np.arange(self.k + 1))
            known = {at: order[ends[at] : ends[at + 1]] for at in range(self.k)}
            self._members = known
        return known

    def seen(self, at: int) -> int:
        """How many rows fell into a division, or into the cluster -1 - at."""
        if at < 0:
            return int(self.count[-1 - at])
        if "_seen" not in vars(self):
            known, count = self.left.tolist(), self.count.tolist()
            for here, sides in reversed(list(enumerate(self.below.tolist()))):
                known[here] += sum(known[s] if s >= 0 else count[-1 - s] for s in sides)
            self._seen: list[int] = known
        return self._seen[at]

    def __str__(self) -> str:
        return show(self)
