"""Taking: how rows that arrive fall into their clusters, and how these divide."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Self
from weakref import ref

import numpy as np

from satsuma.data.table import Table
from satsuma.kernels.rp0 import Grown, Rows
from satsuma.learners.clusterer import ClusterNumbers
from satsuma.learners.rp0.cluster_growth import GrowthRules, grow_tree
from satsuma.learners.rp0.tree import ClusterTree
from satsuma.numerics.arrays import Array, Codes, Floats


class IncrementalTree(ClusterTree):
    """A tree of clusters that takes rows."""

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
        self.by_cluster()  # as they are before these rows
        if self.learner.boring is not None:
            odd = self._odd(rows, found)
            rows, found = {name: each[odd] for name, each in rows.items()}, found[odd]
        if not len(found):
            return []
        first = len(self.held["row"])
        for name, each in {**rows, "cluster": found}.items():
            self._extend(name, each)
        order = np.argsort(found, kind="stable")
        touched, starts = np.unique(found[order], return_index=True)
        changed: list[int] = []
        for cluster, mine in zip(touched.tolist(), np.split(order, starts[1:]), strict=True):
            self.by_cluster()[cluster] = np.concatenate([self.members(cluster), first + mine])
            vars(self).get("_typical", {}).pop(cluster, None)
            changed += self._divided(cluster)
        return changed

    def _extend(self, name: str, more: Array) -> None:
        """Rows behind those that are held, in room for as many again: one by one costs little."""
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

    def _odd(self, rows: Mapping[str, Array], found: ClusterNumbers) -> Array:
        """Which rows are not boring: no row of their cluster is near, as distances go there."""
        distance, odd = self.distance, np.ones(len(found), np.bool_)
        for cluster in np.unique(found):
            mine = np.flatnonzero(found == cluster)
            theirs = self.members(cluster)
            cells = self.held["number"][theirs], self.held["symbol"][theirs]
            if len(cells[0]) > 1:
                away = distance.matrix((rows["number"][mine], rows["symbol"][mine]), cells)
                odd[mine] = away.min(axis=1) >= self.learner.boring * self._median(cluster, cells)
        return odd

    def _median(self, cluster: int, cells: tuple[Floats, Codes]) -> float:
        """The median distance of the rows that a cluster keeps."""
        known: dict[int, float] = vars(self).setdefault("_typical", {})
        if cluster not in known:
            away = self.distance.matrix(cells, cells)
            known[cluster] = float(np.median(away[np.triu_indices(len(away), 1)]))
        return known[cluster]

    def _divided(self, cluster: int) -> list[int]:
        """Divide a cluster that holds too many rows; the clusters that come of it."""
        learner, mine = self.learner, self.members(cluster)
        stuck: dict[int, int] = vars(self).setdefault("_stuck", {})
        if len(mine) <= max(2 * learner.M, 2 * stuck.get(cluster, 0)):
            return [cluster]
        number, symbol = self.held["number"], self.held["symbol"]
        alone = len(mine) == len(number)  # all rows there are: they are moved where they lie
        cells = (number, symbol) if alone else (number[mine], symbol[mine])
        rows = Rows(*cells, np.arange(len(mine)), learner.p)
        rules = GrowthRules(2 * learner.M, learner.P, learner.keep, learner.spread)
        tree, kept, left = grow_tree(rows, int(self.key[cluster]), rules)
        if not len(tree.below):  # rows that cannot be parted: tried again when twice as many
            stuck[cluster] = len(mine)
            return [cluster]
        if alone:
            for name in self.held.keys() - {"number", "symbol"}:
                self.held[name] = self.held[name][rows.row]
        left[0] += self.count[cluster] - len(mine)
        place = np.empty(len(mine), np.intp)
        place[rows.row] = np.arange(len(mine))
        poles = place[tree.poles]
        made = self._grafted(cluster, tree, (rows.number[poles], rows.symbol[poles]), left)
        at = np.arange(len(mine)) if alone else mine[rows.row]
        self._deal(made, at, kept, tree)
        return made

    def _grafted(
        self, cluster: int, tree: Grown, poles: tuple[Floats, Codes], left: Array
    ) -> list[int]:
        """Put a tree in the place of a cluster; its first cluster gets the number of that one."""
        base, sizes = len(self.below), np.diff(tree.start)
        made = np.array([cluster, *range(self.k, self.k + len(tree.key) - 1)], np.int32)
        self.below[self.below == -1 - cluster] = base
        below = np.where(tree.below < 0, -1 - made[-1 - tree.below], tree.below + base)
        self.below = np.concatenate([self.below, below.astype(np.int32)])
        self.pole_number = np.concatenate([self.pole_number, poles[0]])
        self.pole_symbol = np.concatenate([self.pole_symbol, poles[1]])
        self.gap = np.concatenate([self.gap, self.distance.rooted(tree.gap)])
        self.left = np.concatenate([self.left, left])
        self.key = np.concatenate([self.key, tree.key[1:]])
        self.count = np.concatenate([self.count, sizes[1:]])
        self.key[cluster], self.count[cluster] = tree.key[0], sizes[0]
        return made.tolist()

    def _deal(self, made: list[int], at: Array, kept: Array, tree: Grown) -> None:
        """Deal the rows of a cluster, by where they are in `held`, to those that it became."""
        self.held["cluster"][at] = -1
        self.held["cluster"][at[kept]] = np.repeat(made, np.diff(tree.start))
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
            labels[self.held["row"]] = self.held["cluster"]
            self._labels = ref(table), labels
        return self

    def __copy__(self) -> Self:
        # What grows in place shares nothing with its copy.
        return deepcopy(self)
