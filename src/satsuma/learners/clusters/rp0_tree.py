"""The tree of clusters: its divisions, the rows in its clusters, and how it goes on growing."""

from collections.abc import Iterator, Mapping
from typing import Any, Self
from weakref import ref

import numpy as np

from satsuma.data.columns import Array, Codes, Floats
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.kernels import rp0 as kernel
from satsuma.kernels.nearest_twin import sums
from satsuma.kernels.rp0_twin import Grown, Rows, mixed
from satsuma.kernels.threads import map_tiles
from satsuma.learners.clusters.clustering import Groups
from satsuma.learners.clusters.rp0_growing import Manner, grown
from satsuma.learners.clusters.rp0_node import ClusterNode
from satsuma.learners.clusters.rp0_show import show
from satsuma.learners.model import Model, Query
from satsuma.measures.distance import Distance
from satsuma.tallies.grouping import numbers_of, symbols_of

#: Rows that go down the tree together.
_TILE = 8_192


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
        self.key = np.array([mixed(learner.seed)], np.uint64)
        #: What is kept of rows: their cells, their numbers in the order in which they came, and
        #: their clusters; -1 for those that a division has left out.
        self.held: dict[str, Array] = {
            "number": np.zeros((0, numbers)),
            "symbol": np.zeros((0, symbols), np.int32),
            "row": np.zeros(0, np.int64),
            "group": np.zeros(0, np.int32),
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
        return (node for node in self.root if node.group is not None)

    def leaf(self, query: Query) -> ClusterNode:
        """The cluster that a row falls into, as a node; as many divisions are asked as are above it.

        Examples
        --------
        >>> import satsuma
        >>> iris = satsuma.load("iris")
        >>> node = satsuma.RP0(M=25)(iris).leaf(iris[0])
        >>> node.group, node.depth
        (3, 2)
        """
        number, symbol = self.distance.cells(self._rows(query))
        node = self.root
        while node.at >= 0:
            poles = zip(self.pole_number[node.at], self.pole_symbol[node.at], strict=True)
            first, second = (sums(number, symbol, *pole, self.learner.p)[0] for pole in poles)
            node = node.below[int(second < first)]
        return node

    def groups(self, batch: Table) -> Groups:
        """The cluster of each row. The batch has the columns of this model."""
        known = vars(self).get("_labels")
        if known is not None and known[0]() is batch:
            return known[1].copy()
        return self.clusters_of(*self.distance.cells(batch))

    def clusters_of(self, number: Floats, symbol: Codes) -> Groups:
        """The cluster of each row, by its cells as the distance sees them."""
        row = np.arange(len(number))

        def tile(lo: int, hi: int) -> Groups:
            part = Rows(number[lo:hi], symbol[lo:hi], row[lo:hi], self.learner.p)
            return kernel.walk(self.below, self.pole_number, self.pole_symbol, part)

        return np.concatenate(map_tiles(tile, len(number), _TILE))

    def members(self, group: int) -> Array:
        """Where the rows that a cluster keeps are in `held`."""
        return self._by_group()[group]

    def _by_group(self) -> dict[int, Array]:
        known: dict[int, Array] | None = vars(self).get("_members")
        if known is None:
            order = np.argsort(self.held["group"], kind="stable")
            ends = np.searchsorted(self.held["group"][order], np.arange(self.k + 1))
            known = {at: order[ends[at] : ends[at + 1]] for at in range(self.k)}
            self._members = known
        return known

    def seen(self, at: int) -> int:
        """How many rows fell into a division, or into the cluster -1 - at."""
        if at < 0:
            return int(self.count[-1 - at])
        known: list[int] | None = vars(self).get("_seen")
        if known is None:
            known, count = self.left.tolist(), self.count.tolist()
            for here, sides in reversed(list(enumerate(self.below.tolist()))):
                known[here] += sum(known[s] if s >= 0 else count[-1 - s] for s in sides)
            self._seen = known
        return known[at]

    def take(self, rows: Mapping[str, Array]) -> list[int]:
        """Let rows fall into their clusters; those that then hold too many divide.

        Parameters
        ----------
        rows
            Their cells, ``number`` and ``symbol``, their numbers, ``row``, and whatever else is
            held of each.

        Returns
        -------
        list
            The clusters that hold other rows than before.
        """
        found = self.clusters_of(rows["number"], rows["symbol"])
        self.count += np.bincount(found, minlength=self.k)
        for name in ("_labels", "_seen"):
            vars(self).pop(name, None)
        self._by_group()  # as they are before these rows
        if self.learner.boring is not None:
            odd = self._odd(rows, found)
            rows, found = {name: each[odd] for name, each in rows.items()}, found[odd]
        if not len(found):
            return []
        first = len(self.held["row"])
        for name, each in {**rows, "group": found}.items():
            self._extend(name, each)
        order = np.argsort(found, kind="stable")
        touched, starts = np.unique(found[order], return_index=True)
        changed: list[int] = []
        for group, mine in zip(touched.tolist(), np.split(order, starts[1:]), strict=True):
            self._by_group()[group] = np.concatenate([self.members(group), first + mine])
            vars(self).get("_typical", {}).pop(group, None)
            changed += self._divided(group)
        return changed

    def _extend(self, name: str, more: Array) -> None:
        """Rows behind those that are held, in room for as many again: one at a time costs little."""
        held, rooms = self.held[name], vars(self).setdefault("_room", {})
        n = len(held) + len(more)
        room = rooms.get(name)
        if not len(held):
            self.held[name] = more.astype(held.dtype, copy=False)
            return
        if room is None or len(room) < n:
            room = rooms[name] = np.empty((2 * n, *held.shape[1:]), held.dtype)
            room[: len(held)] = held
        room[len(held) : n] = more
        self.held[name] = room[:n]

    def _odd(self, rows: Mapping[str, Array], found: Groups) -> Array:
        """Which rows are not boring: no row of their cluster is near, as distances go there."""
        distance, odd = self.distance, np.ones(len(found), np.bool_)
        for group in np.unique(found):
            mine = np.flatnonzero(found == group)
            cells = self.held["number"][self.members(group)], self.held["symbol"][self.members(group)]
            if len(cells[0]) > 1:
                away = distance.matrix((rows["number"][mine], rows["symbol"][mine]), cells)
                odd[mine] = away.min(axis=1) >= self.learner.boring * self._median(group, cells)
        return odd

    def _median(self, group: int, cells: tuple[Floats, Codes]) -> float:
        """The median distance of the rows that a cluster keeps."""
        known: dict[int, float] = vars(self).setdefault("_typical", {})
        if group not in known:
            away = self.distance.matrix(cells, cells)
            known[group] = float(np.median(away[np.triu_indices(len(away), 1)]))
        return known[group]

    def _divided(self, group: int) -> list[int]:
        """Divide a cluster that holds too many rows; the clusters that come of it."""
        learner, mine = self.learner, self.members(group)
        stuck: dict[int, int] = vars(self).setdefault("_stuck", {})
        if len(mine) <= max(2 * learner.M, 2 * stuck.get(group, 0)):
            return [group]
        number, symbol = self.held["number"], self.held["symbol"]
        alone = len(mine) == len(number)  # all rows there are: they are moved where they lie
        cells = (number, symbol) if alone else (number[mine], symbol[mine])
        rows = Rows(*cells, np.arange(len(mine)), learner.p)
        manner = Manner(2 * learner.M, learner.P, learner.keep, learner.spread)
        tree, kept, left = grown(rows, int(self.key[group]), manner)
        if not len(tree.below):  # rows that cannot be parted: tried again when twice as many
            stuck[group] = len(mine)
            return [group]
        if alone:
            for name in self.held.keys() - {"number", "symbol"}:
                self.held[name] = self.held[name][rows.row]
        left[0] += self.count[group] - len(mine)
        place = np.empty(len(mine), np.intp)
        place[rows.row] = np.arange(len(mine))
        poles = place[tree.poles]
        made = self._grafted(group, tree, (rows.number[poles], rows.symbol[poles]), left)
        at = np.arange(len(mine)) if alone else mine[rows.row]
        self._deal(made, at, kept, tree)
        return made

    def _grafted(self, group: int, tree: Grown, poles: tuple[Floats, Codes], left: Array) -> list[int]:
        """Put a tree in the place of a cluster; its first cluster gets the number of that one."""
        base, sizes = len(self.below), np.diff(tree.start)
        made = np.array([group, *range(self.k, self.k + len(tree.key) - 1)], np.int32)
        self.below[self.below == -1 - group] = base
        below = np.where(tree.below < 0, -1 - made[-1 - tree.below], tree.below + base)
        self.below = np.concatenate([self.below, below.astype(np.int32)])
        self.pole_number = np.concatenate([self.pole_number, poles[0]])
        self.pole_symbol = np.concatenate([self.pole_symbol, poles[1]])
        self.gap = np.concatenate([self.gap, self.distance.rooted(tree.gap)])
        self.left = np.concatenate([self.left, left])
        self.key = np.concatenate([self.key, tree.key[1:]])
        self.count = np.concatenate([self.count, sizes[1:]])
        self.key[group], self.count[group] = tree.key[0], sizes[0]
        return made.tolist()

    def _deal(self, made: list[int], at: Array, kept: Array, tree: Grown) -> None:
        """Deal the rows of a cluster, by where they are in `held`, to those that it became."""
        self.held["group"][at] = -1
        self.held["group"][at[kept]] = np.repeat(made, np.diff(tree.start))
        if len(at) == len(self.held["row"]):
            del self._members  # it is made anew when it is asked for
            return
        parts = np.split(at[kept], tree.start[1:-1])
        self._members.update({g: np.sort(part) for g, part in zip(made, parts, strict=True)})

    def begin(self, table: Table, told: Mapping[str, Array] | None = None) -> Self:
        """Take the first rows; `told` is held beside their cells."""
        number, symbol = self.distance.cells(table)
        rows = {"number": number, "symbol": symbol, "row": np.arange(len(table)), **(told or {})}
        self.held |= {name: each[:0] for name, each in (told or {}).items()}
        step = len(table) if self.learner.boring is None else 2 * self.learner.M
        for lo in range(0, len(table), step):
            self.take({name: each[lo : lo + step] for name, each in rows.items()})
        if self.learner.keep == 1 and self.learner.boring is None:
            labels = np.empty(len(table), np.int32)
            labels[self.held["row"]] = self.held["group"]
            self._labels = ref(table), labels
        return self

    def __str__(self) -> str:
        return show(self)
