"""BisectingKMeans: rows divided in two by k-means, and each part again, down to small clusters."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from satsuma.data.fields import LARGE, FloatArray, IntArray
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError, check_choice, check_number, refuse
from satsuma.kernels import kmeans
from satsuma.learners.clusterer import ClusterNumbers, check_codes
from satsuma.learners.kmeans.kmeans import SCALES
from satsuma.learners.kmeans.lloyd import Start, run_in_memory, set_up
from satsuma.learners.kmeans.nearest_centre import NearestCentreModel
from satsuma.learners.kmeans.seeding import draw_centres
from satsuma.learners.kmeans.space import Cells, Extent, Space
from satsuma.learners.learner import Learner
from satsuma.learners.takes import Takes
from satsuma.numerics.arrays import Array, Codes, Floats, Hashes
from satsuma.tallies.content_hashes import hashes_of


class Division:
    """A node of a `BisectingKMeansModel`: rows around a centre, that may be divided in two.

    Iterating goes over it and all below it, from the top down.

    Examples
    --------
    >>> rows = [(1,), (2,), (8,), (9,)]
    >>> model = BisectingKMeans(leaf=2)(Table.of(rows, ["x"], target=None))
    >>> [(node.depth, node.n, node.cluster) for node in model.root]
    [(0, 4.0, None), (1, 2.0, 0), (1, 2.0, 1)]
    """

    def __init__(self, model: "BisectingKMeansModel", index: int, depth: int = 0) -> None:
        self.model, self.index, self.depth = model, index, depth

    @property
    def n(self) -> float:
        """What its rows weigh."""
        return float(self.model.node_weight[self.index])

    @property
    def centre(self) -> dict[str, object]:
        """Means and modes of its rows."""
        return dict(self.model.node_centres[self.index].items())

    @property
    def cluster(self) -> int | None:
        """The number of its cluster, if it is not divided."""
        found = int(self.model.cluster[self.index])
        return None if found < 0 else found

    @property
    def parts(self) -> tuple["Division", ...]:
        """The two parts that it is divided into; none for a cluster."""
        below = self.model.parts[self.index].tolist()
        return tuple(Division(self.model, at, self.depth + 1) for at in below if at >= 0)

    def __iter__(self) -> Iterator["Division"]:
        waiting: list[Division] = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.parts)

    def __repr__(self) -> str:
        told = "divided" if self.cluster is None else f"cluster {self.cluster}"
        return f"Division({self.n:g} rows at depth {self.depth}, {told})"


class BisectingKMeansModel(NearestCentreModel):
    """Clusters at the ends of divisions in two; a row goes to the nearer centre at each.

    Parameters
    ----------
    space
        How rows are seen.
    near, mode
        The centre of each node, as the distance sees it.
    parts
        (nodes, 2): the nodes below each; -1 for none.
    cluster
        The number of each node that is not divided; else -1.
    weight
        What the rows of each node weigh.
    """

    schema: ClassVar[Schema] = Schema(
        "nodes",
        near=FloatArray("nodes", "num", low=-LARGE, high=LARGE),
        node_mode=IntArray("nodes", "sym", low=-1),
        parts=IntArray("nodes", 2, low=-1, below="nodes", dtypes=(np.int64,)),
        cluster=IntArray("nodes", low=-1, below="clusters"),
        node_weight=FloatArray("nodes", low=0),
    )

    def check_state(self) -> None:
        """Nodes are a tree: two below each that has no number, none below the others."""
        super().check_state()
        check_codes(self.node_mode, self.domain)
        inner = self.cluster < 0
        below = self.parts[inner]
        if not len(inner) or (below <= np.flatnonzero(inner)[:, None]).any():
            raise ReadError("a node of the tree of clusters comes before those below it")
        if (self.parts[~inner] >= 0).any() or len(np.unique(below)) != len(inner) - 1:
            raise ReadError("a node of the tree of clusters is not below exactly one other")
        if (np.sort(self.cluster[~inner]) != np.arange(self.k)).any() or below.size != len(
            inner
        ) - 1:
            raise ReadError("the nodes of the tree of clusters do not end in its clusters")

    def __init__(
        self, space: Space, centres: Cells, parts: Array, cluster: Array, weight: Floats
    ) -> None:
        ends = np.flatnonzero(cluster >= 0)
        ends = ends[np.argsort(cluster[ends])]
        at = space.plain(centres.number)
        super().__init__(
            space.domain,
            (space.lo, space.hi),
            space.scale,
            (at[ends], centres.symbol[ends]),
            weight[ends],
        )
        self.near, self.node_mode, self.parts = centres.number, centres.symbol, parts
        self.cluster, self.node_weight = cluster, weight

    @property
    def root(self) -> Division:
        """The node that all rows belong to: where a walk begins."""
        return Division(self, 0)

    @property
    def node_centres(self) -> Table:
        """The centres of all nodes, in the order of their numbers."""
        at = self.space.plain(self.near)
        ranges = self.lo, self.hi
        return NearestCentreModel(
            self.domain, ranges, self.scale, (at, self.node_mode), self.node_weight
        ).centres

    def clusters(self, batch: Table) -> ClusterNumbers:
        """The cluster that each row comes to, going to the nearer centre at each division."""
        cells = self.space.cells(batch)
        found = np.full(len(batch), self.cluster[0], np.int32)
        waiting = [(0, np.arange(len(batch)))] if self.cluster[0] < 0 else []
        while waiting:
            node, rows = waiting.pop()
            both = self.parts[node]
            side = kmeans.labels(*cells.of(rows), self.near[both], self.node_mode[both])
            for at, below in enumerate(both.tolist()):
                mine = rows[side == at]
                if self.cluster[below] >= 0:
                    found[mine] = self.cluster[below]
                elif len(mine):
                    waiting.append((below, mine))
        return found

    def _heading(self) -> str:
        return f"{super()._heading()} by {int((self.cluster < 0).sum())} divisions"


@dataclass(kw_only=True, eq=False)
class BisectingKMeans(Learner):
    """Rows divided in two clusters by k-means, and each of them again, until they are small.

    A missing cell says nothing, as in `KMeans`.

    Parameters
    ----------
    leaf
        A cluster that weighs no more is not divided; the square root of what all rows weigh unless
        given.
    scale
        As in `KMeans`.
    steps, tolerance
        As in `KMeans`, for each division.
    seed
        For drawing the rows that divisions start from.

    Notes
    -----
    All rows must be in memory. A cluster in which no two rows differ is not divided. Where k-means
    leaves all rows on one side, the two rows that it started from divide.

    Examples
    --------
    >>> from satsuma import BisectingKMeans, load
    >>> iris = load("iris")
    >>> model = BisectingKMeans(leaf=60)(iris)
    >>> model.k, model.weight.tolist()
    (4, [50.0, 27.0, 34.0, 39.0])
    """

    leaf: float | None = None
    scale: str | None = "range"
    steps: int = 100
    tolerance: float = 1e-4
    seed: int = 0

    takes: ClassVar[Takes] = Takes(target="nothing", rounds="rows")

    def check(self) -> None:
        """Every parameter has a range."""
        if self.leaf is not None:
            check_number(self, "leaf", low=0)
            if self.leaf <= 0:
                raise refuse(self, "leaf", "a number above 0, or None")
        check_choice(self, "scale", SCALES)
        check_number(self, "steps", low=1, whole=True)
        check_number(self, "tolerance", low=0)
        check_number(self, "seed", low=0, whole=True)

    def learn(self, data: Table) -> BisectingKMeansModel:
        """Divide from the top down."""
        return _Divided(self, data).model()


class _Divided:
    """Rows while they are divided."""

    def __init__(self, learner: BisectingKMeans, data: Table) -> None:
        self.k, self.init, self.starts = 2, "k-means++", 1
        self.scale, self.steps = learner.scale, learner.steps
        self.tolerance, self.seed = learner.tolerance, learner.seed
        extent = Extent.of(data)
        self.setup = set_up(self, extent, data.domain, None, type(learner).__name__)
        self.cells = self.setup.space.cells(data)
        self.hashes = hashes_of(data, data.domain.attributes)
        self.weight = np.ones(len(data)) if data.weights is None else data.weights
        self.leaf = np.sqrt(extent.weight) if learner.leaf is None else learner.leaf

    def model(self) -> BisectingKMeansModel:
        """All divisions."""
        everything = np.flatnonzero(self.weight > 0)
        number, symbol = list[Floats](), list[Codes]()
        parts, cluster, weight = list[list[int]](), list[int](), list[float]()
        waiting: list[tuple[int, int, Cells, Array]] = [(-1, 0, self.setup.middle, everything)]
        ends = 0
        while waiting:
            above, side, centre, rows = waiting.pop()
            node = len(cluster)
            if above >= 0:
                parts[above][side] = node
            number.append(centre.number)
            symbol.append(centre.symbol)
            weight.append(float(self.weight[rows].sum()))
            below = self._divided(rows, node)
            parts.append([-1, -1])
            cluster.append(-1 if below else ends)
            ends += not below
            waiting += [(node, at, *each) for at, each in reversed(list(enumerate(below)))]
        centres = Cells(np.concatenate(number), np.concatenate(symbol))
        return BisectingKMeansModel(
            self.setup.space,
            centres,
            np.array(parts, np.int64),
            np.array(cluster, np.int32),
            np.array(weight, np.float64),
        )

    def _part(self, rows: Array) -> tuple[Cells, Floats, Hashes]:
        return self.cells.of(rows), self.weight[rows], self.hashes[rows]

    def _divided(self, rows: Array, node: int) -> list[tuple[Cells, Array]]:
        """The two parts of some rows, with their centres; none if they stay together."""
        if self.weight[rows].sum() <= self.leaf:
            return []
        cells, weight, hashes = self._part(rows)
        setup = self.setup
        start, _ = draw_centres(cells, hashes, weight, setup.middle, 2, setup.init, self.seed, node)
        if start is None or len(start.number) < 2:
            return []
        begin = Start(node, start, drawing=False)
        found, label = run_in_memory(
            begin, cells, weight, setup.space.offset, setup.steps, setup.least
        )
        centres = found.centres
        assert centres is not None
        if (label == label[0]).all():  # modes have met: the rows drawn do divide
            centres, label = start, kmeans.labels(*cells, *start)
        return [(centres.of(slice(at, at + 1)), rows[label == at]) for at in range(2)]
