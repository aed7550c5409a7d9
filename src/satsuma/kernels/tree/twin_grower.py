"""Growing a tree in memory, in numpy: what the compiled kernel does, node by node."""

from typing import Any, NamedTuple

import numpy as np

from satsuma.kernels.tree.flat import Flat, divided
from satsuma.kernels.tree.random_splits import drawn_split, total_weight
from satsuma.kernels.tree.splits import (
    THRESHOLD,
    Rules,
    Split,
    best_found,
    best_split,
    between,
    refine,
    significant,
    weights_of,
)
from satsuma.numerics.arrays import Array, Codes, Floats, Indices
from satsuma.numerics.splitmix import splitmix64
from satsuma.numerics.sums import weighted_bincount


def chosen(columns: int, tried: int, path: int, before: int = 0) -> Indices:
    """Which columns a node looks at, drawn by its way from the root.

    Parameters
    ----------
    columns, tried
        How many there are, and how many are looked at.
    path
        The way from the root.
    before
        How many were looked at before, in vain.

    Examples
    --------
    >>> chosen(3, 3, 7).tolist(), chosen(4, 3, 7).tolist(), chosen(4, 3, 7, before=3).tolist()
    ([0, 1, 2], [1, 2, 3], [0])
    """
    order = np.arange(columns)
    if tried >= columns:
        return order
    last = min(before + tried, columns)
    for k in range(last):
        path = splitmix64(path)
        at = k + path % (columns - k)
        order[[k, at]] = order[[at, k]]
    return np.sort(order[before:last])


class Bud(NamedTuple):
    """Rows at a node that is still to be looked at, and how it hangs on the node above."""

    rows: Array
    shares: Floats
    depth: int
    path: int
    up: int
    branch: int
    part: float


class Grower:
    """A tree in the making; see `satsuma.kernels.tree.grow` for what it takes."""

    def __init__(self, coded: Any, forms: Codes, rules: Rules, tried: int) -> None:
        self.coded, self.forms, self.rules, self.tried = coded, forms, rules, tried
        self.column: list[int] = []
        self.threshold: list[float] = []
        self.branches: list[list[int]] = []
        self.share: list[float] = []
        self.stats: list[Floats] = []
        self.weights = np.zeros(0)

    def grow(self, rows: Array, seed: int) -> tuple[Flat, Floats]:
        """The tree of some rows, in reading order, and what the rows at each node come to."""
        first = np.flatnonzero(np.append(True, rows[1:] != rows[:-1])) if len(rows) else rows
        times = np.diff(np.append(first, len(rows))).astype(np.float64)
        weights = self.coded.weights
        self.weights = np.zeros(len(self.coded.records))
        self.weights[rows[first]] = times if weights is None else weights[rows[first]] * times
        waiting = [Bud(rows[first], np.ones(len(first)), 0, seed, -1, 0, 1.0)]
        while waiting:
            bud = waiting.pop()
            waiting += self._node(bud)[::-1]
        first = np.concatenate([[0], np.cumsum([len(each) for each in self.branches])])
        led = np.array([to for each in self.branches for to in each], np.int32)
        column, threshold = np.array(self.column, np.int32), np.array(self.threshold)
        flat = Flat(column, threshold, first.astype(np.int64), led, np.array(self.share))
        return flat, np.array(self.stats)

    def _node(self, bud: Bud) -> list[Bud]:
        me = len(self.column)
        if bud.up >= 0:
            led = self.branches[bud.up]
            self.branches[bud.up] = [me if to == -2 - bud.branch else to for to in led]
        weight = bud.shares * self.weights[bud.rows]
        stats = self._stats(bud.rows, weight)
        self.column.append(-1)
        self.threshold.append(np.nan)
        self.branches.append([])
        self.share.append(bud.part)
        self.stats.append(stats)
        return [] if self._is_leaf(stats, bud.depth) else self._divided(bud, me, weight, stats)

    def _labels(self, rows: Array) -> Array:
        return self.coded.records[rows, len(self.coded.columns)].astype(np.intp)

    def _channels(self, rows: Array, weight: Floats) -> Floats:
        if not self.coded.classes:
            return np.stack([weight, weight * self.coded.target[rows]], axis=1)
        made = np.zeros((len(rows), self.coded.classes))
        made[np.arange(len(rows)), self._labels(rows)] = weight
        return made

    def _stats(self, rows: Array, weight: Floats) -> Floats:
        if self.coded.classes:
            return weighted_bincount(self._labels(rows), weight, self.coded.classes)
        y = self.coded.target[rows]
        sums = [weight.sum(), (weight * y).sum(), (weight * y * y).sum()]
        return np.array([*sums, y.min(initial=np.inf), y.max(initial=-np.inf)])

    def _is_leaf(self, stats: Floats, depth: int) -> bool:
        rules = self.rules
        pure = (stats > 0).sum() < 2 if self.coded.classes else not stats[3] < stats[4]
        light = float(weights_of(stats, rules.measure)) < rules.min_split
        return bool(pure or light or depth >= rules.max_depth)

    def _divided(self, bud: Bud, me: int, weight: Floats, stats: Floats) -> list[Bud]:
        each, tie = self._channels(bud.rows, weight), self._scale(stats)
        width = len(self.coded.columns)
        find = self._drawn if self.rules.random else self._best
        for before in range(0, width, max(self.tried, 1)):
            found = find(bud, chosen(width, self.tried, bud.path, before), each, tie)
            if found is not None:
                return self._branched(bud, me, *found)
        return []

    def _best(
        self, bud: Bud, looked: Indices, each: Floats, tie: float
    ) -> tuple[Split, float] | None:
        """The best division by the columns that are looked at, and its threshold."""
        counted = [self._cells(bud.rows, column, each) for column in looked.tolist()]
        cells = np.zeros((len(looked), max(len(c) for c, _ in counted), each.shape[1]))
        for at, (found, _) in enumerate(counted):
            cells[at, : len(found)] = found
        levels = np.array([len(found) - 1 for found, _ in counted])
        split = best_split(cells, levels, self.forms[looked], self.rules, tie)
        if split is None:
            return None
        low, high = counted[split.column][1][list(split.bins)].tolist()
        split = split._replace(column=int(looked[split.column]), bins=(low, high))
        return self._settled(bud, split, each, tie)

    def _drawn(
        self, bud: Bud, looked: Indices, each: Floats, tie: float
    ) -> tuple[Split, float] | None:
        """The best of what is drawn for each column."""
        found = [
            drawn_split(
                self.coded,
                bud.rows,
                each,
                column,
                form=int(self.forms[column]),
                rules=self.rules,
                path=bud.path,
            )
            for column in looked.tolist()
        ]
        gains = [(one[0], one[1]) for one in found if one is not None]
        split = best_found(gains, total_weight(each, self.rules), self.rules, tie)
        if split is None:
            return None
        return split, next(one[2] for one in found if one is not None and one[1] is split)

    def _branched(self, bud: Bud, me: int, split: Split, threshold: float) -> list[Bud]:
        if not significant(split.known, self.rules):
            return []
        self.column[me], self.threshold[me] = split.column, threshold
        of_bin = [0, 1] if split.form == THRESHOLD else split.branch.tolist()
        self.branches[me] = [-2 - branch if branch >= 0 else -1 for branch in of_bin]
        return self._buds(bud, me, split, threshold)

    def _cells(self, rows: Array, column: int, each: Floats) -> tuple[Floats, Array]:
        """What rows come to by bin, or by value, the missing last; and the bin of each."""
        codes = self.coded.records[rows, column].astype(np.intp)
        levels = int(self.coded.levels[column])
        every = self.rules.every and self.forms[column] == THRESHOLD
        if not (every and self.coded.mixed[column, :levels].any()):
            cells = np.zeros((levels + 1, each.shape[1]))
            np.add.at(cells, codes, each)
            return cells, np.arange(levels + 1)
        found = self.coded.columns[column][rows] + 0.0
        known = codes < levels
        _, first, at = np.unique(found[known], return_index=True, return_inverse=True)
        place = np.full(len(rows), len(first))
        place[known] = at
        cells = np.zeros((len(first) + 1, each.shape[1]))
        np.add.at(cells, place, each)
        return cells, np.append(codes[known][first], levels)

    def _scale(self, stats: Floats) -> float:
        if self.coded.classes:
            return float(stats.sum())
        return float(max(stats[2] - stats[1] ** 2 / stats[0], 0.0)) if stats[0] > 0 else 0.0

    def _settled(self, bud: Bud, split: Split, each: Floats, tie: float) -> tuple[Split, float]:
        """The division with its threshold found exactly."""
        if split.form != THRESHOLD:
            return split, np.nan
        low, high = split.bins
        edges = self.coded.edges[split.column]
        if not self.coded.mixed[split.column, [low, high]].any():
            return split, between(edges[low], edges[high])
        code = self.coded.records[bud.rows, split.column].astype(np.intp)
        bins = np.zeros((self.coded.levels[split.column] + 1, each.shape[1]))
        np.add.at(bins, code, each)
        below = bins[:low].sum(axis=0)
        here = (code == low) | (code == high)
        found = self.coded.columns[split.column][bud.rows[here]] + 0.0
        values, at = np.unique(found, return_inverse=True)
        cells = np.zeros((len(values), each.shape[1]))
        np.add.at(cells, at, each[here])
        known = split.known.sum(axis=0)
        threshold, sides = refine(values, cells, below, known, rules=self.rules, tie=tie)
        return split._replace(known=sides), threshold

    def _buds(self, bud: Bud, me: int, split: Split, threshold: float) -> list[Bud]:
        code = self.coded.records[bud.rows, split.column].astype(np.intp)
        lost = code == self.coded.levels[split.column]
        if split.form == THRESHOLD:
            to = (self.coded.columns[split.column][bud.rows] > threshold).astype(np.intp)
        else:
            to = np.append(split.branch, -1)[code]
        weight = weights_of(split.known, self.rules.measure)
        to = np.where(lost & (bud.shares < 1), weight.argmax(), to)  # what is a part stays one
        lost &= bud.shares == 1
        made: list[Bud] = []
        parts = weight / weight.sum()
        for branch, (part, of_row) in enumerate(
            zip(map(float, parts), divided(parts), strict=True)
        ):
            share = np.where(lost, of_row, bud.shares)
            here = np.where(lost, share > 0, to == branch)
            path = splitmix64(bud.path ^ (branch + 1))
            made.append(Bud(bud.rows[here], share[here], bud.depth + 1, path, me, branch, part))
        return made
