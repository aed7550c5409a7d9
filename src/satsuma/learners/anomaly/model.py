"""AnomalyModel: trees of clusters, and how far rows are apart in each cluster."""

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from satsuma.data.fields import FloatArray, Instance, IntArray, Many, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError, SatsumaError
from satsuma.kernels import rp0 as kernel
from satsuma.kernels.rp0 import Rows
from satsuma.kernels.threads import map_tiles
from satsuma.learners.model import Model, Query
from satsuma.learners.predictions import Get, GetValue
from satsuma.learners.rp0.model import RP0Model
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Codes, Floats, Integers
from satsuma.numerics.differences import difference

#: Rows that are compared at a time.
_TILE = 2_048

Cells = tuple[Floats, Codes]


class AnomalyModel(Model):
    """Trees of clusters, with what is usual in each cluster.

    A row is compared with the rows ``first[t][c]`` to ``last[t][c]`` that tree t holds, see
    `neighbourhoods`; ``usual[t][c]`` is the median of how far these are from those near to them.

    Parameters
    ----------
    trees
        Each of other poles, and maybe other rows.
    k
        How many near rows a row is compared with.
    """

    learner: Any

    schema: ClassVar[Schema] = Schema(
        "trees",
        "clusters",
        trees=Many(Instance(RP0Model), size="trees"),
        k=Number(low=1, high=1 << 14, whole=True),
        first=Many(IntArray("clusters", dtypes=(np.int64,)), size="trees"),
        last=Many(IntArray("clusters", dtypes=(np.int64,)), size="trees"),
        usual=Many(FloatArray("clusters", low=0), size="trees"),
        limit=Number(),
    )

    def check_state(self) -> None:
        """Every cluster of every tree has the rows that are around it."""
        super().check_state()
        if not self.trees:
            raise ReadError("AnomalyModel has no trees")
        for tree, first, last, usual in zip(
            self.trees, self.first, self.last, self.usual, strict=True
        ):
            rows = len(tree.held["row"])
            if {len(first), len(last), len(usual)} != {tree.k} or tree.domain.attributes != (
                self.domain.attributes
            ):
                raise ReadError("AnomalyModel has a tree of other clusters or columns")
            if (first > last).any() or (last > rows).any():
                raise ReadError("AnomalyModel looks for rows that its trees do not hold")

    def __init__(self, trees: list[RP0Model], k: int) -> None:
        self.trees, self.k = trees, k
        self.first: list[Integers] = []
        self.last: list[Integers] = []
        self.usual: list[Floats] = []
        for tree in trees:
            first, last = neighbourhoods(tree, tree.learner.M)
            self.first.append(first)
            self.last.append(last)
            self.usual.append(self._usual(tree, first, last))
        #: The score above which a row is called an outlier.
        self.limit = 1.0

    def _usual(self, tree: RP0Model, first: Integers, last: Integers) -> Floats:
        pairs, which = np.unique(np.stack([first, last], axis=1), axis=0, return_inverse=True)
        sizes = pairs[:, 1] - pairs[:, 0]
        edges = np.cumsum(sizes) - sizes
        count = int(sizes.sum())
        rows: Integers = np.arange(count) + np.repeat(pairs[:, 0] - edges, sizes)
        cells = tree.held["number"][rows], tree.held["symbol"][rows]
        away = self._near(tree, cells, *(np.repeat(end, sizes) for end in pairs.T))
        parts = np.split(away, edges[1:])
        each = np.array([np.median(part) if len(part) > 1 else 0.0 for part in parts])
        return each[which.ravel()]

    def _near(self, tree: RP0Model, cells: Cells, first: Integers, last: Integers) -> Floats:
        """The mean distance of each row from the k nearest of some rows of a tree."""
        held = tree.held
        rows = Rows(held["number"], held["symbol"], held["row"], tree.learner.p)
        asked = Rows(*cells, np.arange(len(first)), tree.learner.p)
        found = np.empty((len(first), self.k))
        kernel.near(rows, asked, first, last, found)
        away = np.where(np.isinf(found), np.nan, tree.distance.rooted(found))
        known = (~np.isnan(away)).sum(axis=1)
        return np.nansum(away, axis=1) / np.maximum(known, 1)

    def scores(self, batch: Table) -> Floats:
        """The anomaly score of each row. The batch has the columns of this model."""
        number, symbol = self.trees[0].distance.cells(batch)

        def tile(lo: int, hi: int) -> Floats:
            cells, total = (number[lo:hi], symbol[lo:hi]), np.zeros(hi - lo)
            for at, tree in enumerate(self.trees):
                cluster = tree.clusters_of(*cells)
                away = self._near(tree, cells, self.first[at][cluster], self.last[at][cluster])
                total += anomaly_score(away, self.usual[at][cluster])
            return total / len(self.trees)

        return np.concatenate(map_tiles(tile, len(batch), _TILE))

    def __call__(self, query: Query | Table, what: Get = GetValue) -> Any:
        """The anomaly score of a row, from 0 to 1; for a table, a column of scores."""
        if what is not GetValue:
            raise SatsumaError(f"{type(self).__name__} gives an anomaly score, and no more.")
        found = self.scores(self._rows(query))
        return found if isinstance(query, Table) else float(found[0])

    def why(self, query: Query) -> dict[str, float]:
        """The columns that make a row an outlier, with the share of each, the greatest first.

        In each tree the differences between the row and those near to it are compared, column by
        column, with what is usual between the rows there; what is beyond that counts. The shares
        sum to 1, or are all 0 where no column is beyond the usual.

        Examples
        --------
        >>> import satsuma
        >>> iris = satsuma.load("iris")
        >>> model = satsuma.Anomaly()(iris)
        >>> row = {"Sepal.Length": 7.9, "Sepal.Width": 3, "Petal.Length": 1.4, "Petal.Width": 0.2}
        >>> next(iter(model.why(row)))
        'Sepal.Length'
        """
        batch = self._rows(query)
        distance = self.trees[0].distance
        cells = distance.cells(batch)
        names = [*distance.names[0], *distance.names[1]]
        total = np.zeros(len(names))
        for at, tree in enumerate(self.trees):
            cluster = int(tree.clusters_of(*cells)[0])
            lo, hi = int(self.first[at][cluster]), int(self.last[at][cluster])
            held = tree.held["number"][lo:hi], tree.held["symbol"][lo:hi]
            total += _beyond(distance, cells, held, self.k)
        total = np.maximum(total, 0.0)
        shares = total / total.sum() if total.sum() > 0 else total
        order = np.argsort(-shares, kind="stable")
        return {names[column]: float(shares[column]) for column in order}

    def __str__(self) -> str:
        rows = len(self.trees[0].held["row"])
        return (
            f"anomaly scores by {len(self.trees)} trees of {rows} rows each; "
            f"above {self.limit:.3f} a row is an outlier"
        )


def neighbourhoods(tree: RP0Model, least: int) -> tuple[Integers, Integers]:
    """The rows around each cluster: itself, or the least part of the tree that holds so many.

    Of that part no more are taken on either side of the cluster than so many again: a cluster of
    few may hang below very many. The rows of the tree must lie in its order, as they do when it has
    been learned at once.
    """
    start = np.searchsorted(tree.held["cluster"], np.arange(tree.k + 1))
    ends = {-1 - c: (int(start[c]), int(start[c + 1])) for c in range(tree.k)}
    above: dict[int, int] = {}
    for at in range(len(tree.below) - 1, -1, -1):
        one, other = tree.below[at].tolist()
        ends[at] = ends[one][0], ends[other][1]
        above[one] = above[other] = at
    found = np.empty((tree.k, 2), np.int64)
    for cluster in range(tree.k):
        at = -1 - cluster
        while ends[at][1] - ends[at][0] < least and at in above:
            at = above[at]
        lo, hi = ends[-1 - cluster]
        found[cluster] = max(ends[at][0], lo - least), min(ends[at][1], hi + least)
    return found[:, 0].copy(), found[:, 1].copy()


def anomaly_score(away: Floats, usual: npt.NDArray[Any]) -> Floats:
    """0 for a row at no distance, a half for one as far away as is usual, towards 1 beyond that.

    Examples
    --------
    >>> anomaly_score(np.array([0.0, 0.2, 0.6, 0.0]), np.array([0.2, 0.2, 0.2, 0.0]))
    array([0.  , 0.5 , 0.75, 0.5 ])
    """
    both = away + usual
    return np.where(both > 0, away / np.where(both > 0, both, 1.0), 0.5)


def _beyond(distance: Distance, one: Cells, held: Cells, k: int) -> Floats:
    """By column: how much more a row differs from those near to it than these among themselves."""
    others, mine = _differences(distance, held, held), _differences(distance, one, held)[0]
    same = (difference(one[0], held[0]) == difference(one[0], one[0])).all(axis=1)
    same &= (one[1] == held[1]).all(axis=1)
    mine = np.delete(mine, np.flatnonzero(same)[:1], axis=1)
    if not mine.shape[1]:
        return np.zeros(len(mine))
    near = np.argsort(mine.sum(axis=0), kind="stable")[:k]
    total = others.sum(axis=1)
    np.fill_diagonal(total, np.inf)
    theirs = np.argsort(total, axis=1, kind="stable")[:, : min(k, max(1, len(total) - 1))]
    usual = np.take_along_axis(others, theirs[:, None, :], axis=2)
    return mine[:, near].mean(axis=1) - usual.mean(axis=(0, 2))


def _differences(distance: Distance, one: Cells, other: Cells) -> Floats:
    """Differences to the power of p: rows by columns by rows."""
    away = difference(one[0][:, :, None], other[0].T) ** distance.p
    differ = (one[1][:, :, None] != other[1].T) | (one[1][:, :, None] < 0)
    return np.concatenate([away, differ], axis=1)
