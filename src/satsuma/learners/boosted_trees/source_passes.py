"""Passes: boosting of rows that are not in memory. Each pass works out their scores anew."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from satsuma.data.table import Table
from satsuma.kernels import boost as kernel
from satsuma.kernels.boost import Coded, Grower, TreeOf, Trees
from satsuma.learners.boosted_trees.booster import (
    Settings,
    held_out,
    leaf_quantiles,
    leaf_sketches,
)
from satsuma.learners.boosted_trees.code_layout import Layout, signs_of
from satsuma.learners.boosted_trees.objective import Objective, units_of
from satsuma.learners.boosted_trees.open_tree import OpenTree
from satsuma.learners.boosted_trees.stopping import Progress, Stop
from satsuma.learners.boosted_trees.training_rows import CodedRows
from satsuma.numerics.arrays import Array, Integers
from satsuma.tallies.quantile_sketch import QuantileSketch


@dataclass(frozen=True)
class RoundSums:
    """What a pass finds. Two of them add up to one.

    Parameters
    ----------
    bins, totals
        Of each tree: sums by node and bin, and slope, curvature, weight and rows of each node.
    farthest
        The largest slope.
    lost, tested
        The loss of the rows held out, and how many they are.
    sketches
        Of what is left over in each leaf, where quantiles are predicted.
    """

    bins: tuple[Integers, ...]
    totals: tuple[Integers, ...]
    farthest: float
    lost: int
    tested: int
    sketches: tuple[QuantileSketch, ...] = ()

    def __add__(self, other: "RoundSums") -> "RoundSums":
        """What both have found."""
        return RoundSums(
            tuple(a + b for a, b in zip(self.bins, other.bins, strict=True)),
            tuple(a + b for a, b in zip(self.totals, other.totals, strict=True)),
            max(self.farthest, other.farthest),
            self.lost + other.lost,
            self.tested + other.tested,
            tuple(a + b for a, b in zip(self.sketches, other.sketches, strict=True)),
        )


@dataclass
class Passes:
    """Boosting between two passes over the rows.

    Parameters
    ----------
    layout, seen, unit
        How rows become codes, classes places, and weights whole numbers.
    monotone
        Columns that what is predicted may only rise or fall with.
    objective, settings, stop
        What scores are of, how trees are grown, and when there are enough.
    trees
        Those of complete rounds.
    open
        Those of this round.
    closed
        The same once they are complete, where leaves are yet to be given their quantiles.
    """

    layout: Layout
    seen: Array
    unit: float | None
    monotone: Any
    objective: Objective
    settings: Settings
    stop: Stop
    bound: float
    trees: list[TreeOf] = field(default_factory=list[TreeOf])
    open: list[OpenTree] = field(default_factory=list[OpenTree])
    wanted: list[list[int]] = field(default_factory=list[list[int]])
    closed: list[TreeOf] | None = None
    farthest: float = 0.0
    progress: Progress | None = None
    over: bool = False

    @property
    def rounds(self) -> int:
        """How many rounds are complete."""
        return len(self.trees) // max(1, self.objective.scores)

    def begin(self) -> None:
        """Begin the next round."""
        o = self.objective
        self.over = not o.scores or (self.rounds >= self.stop.most and not self.stop.patience)
        units = units_of(o.loss(self.bound), self.unit or 1.0)
        signs = signs_of(self.layout.names, self.monotone)
        width = len(self.layout.names)
        self.open = [
            OpenTree(
                self.settings.rules,
                units,
                self.settings.columns(width, self.rounds * o.scores + score),
                signs=signs,
            )
            for score in range(o.scores)
        ]
        self.wanted, self.closed = [tree.wanted() for tree in self.open], None

    def _coded(self, records: Array, weights: Array | None) -> Coded:
        layout = self.layout
        return Coded(
            records,
            np.zeros((0, 0), np.uint8),
            layout.levels,
            layout.offset,
            layout.symbols,
            signs_of(layout.names, self.monotone),
            weights,
        )

    def tally(self, batch: Table) -> RoundSums:
        """What a batch of rows has to say."""
        rows = CodedRows.of(batch, self.layout, self.seen, self.unit)
        records, target, hashes = rows.records[0], rows.target[0], rows.hashes[0]
        weights = None if rows.weights is None else rows.weights[0]
        o, width = self.objective, records.shape[1]
        scores = np.tile(o.start, (len(target), 1))
        if self.trees:
            Trees(self.trees, width).add(records, scores)
        scores = np.ascontiguousarray(scores.T)
        learned = np.ones(len(target), bool)
        if self.stop.patience:
            learned = ~held_out(hashes, self.stop.held_out)
        lost, tested = self._lost(scores, target, weights, ~learned)
        farthest = o.farthest(scores[:, learned], target[learned])
        sees = self.settings.sees(hashes, self.rounds)
        used = learned if sees is None else learned & sees
        if self.closed is not None:
            leaf = Trees(self.closed, width).leaves(records, 0)[used]
            heavy = None if weights is None else weights[used].astype(np.float64)
            away = target[used] - scores[0][used]
            nodes = len(self.closed[0].value)
            sketches = tuple(leaf_sketches(nodes, leaf, away, heavy))
            return RoundSums((), (), farthest, lost, tested, sketches)
        packed = np.empty(scores.shape, np.uint32)
        key = self.settings.rounding_key(self.rounds)
        kernel.slopes(o.loss(self.bound), scores, target, hashes, key=key, out=packed)
        coded = self._coded(records, weights)
        grower = Grower(coded, self.settings.rules)
        found = [
            self._counted(grower, coded, (tree, wanted), packed[score], used)
            for score, (tree, wanted) in enumerate(zip(self.open, self.wanted, strict=True))
        ]
        bins, totals = zip(*found, strict=True)
        return RoundSums(bins, totals, farthest, lost, tested)

    def _lost(
        self, scores: Array, target: Array, weights: Array | None, tested: Array
    ) -> tuple[int, int]:
        if not self.stop.patience:
            return 0, 0
        each = self.objective.losses(np.ascontiguousarray(scores[:, tested]), target[tested])
        if weights is None:
            return int(each.sum()), len(each)
        pairs = zip(each.tolist(), weights[tested].tolist(), strict=True)
        return sum(a * b for a, b in pairs), len(each)

    def _counted(
        self,
        grower: Grower,
        coded: Coded,
        asked: tuple[OpenTree, list[int]],
        packed: Array,
        used: Array,
    ) -> tuple[Integers, Integers]:
        """Sums of the rows at some nodes of a tree, by bin and altogether."""
        (tree, wanted), records, weights = asked, coded.records, coded.weights
        node = Trees([tree.tree()], records.shape[1]).leaves(records, 0)
        slot_of = np.full(len(tree.nodes), -1, np.int32)
        slot_of[wanted] = np.arange(len(wanted))
        slot = np.where(used, slot_of[node], np.int32(-1)).astype(np.int32)
        grower.begin(tree.used, packed, tree.units)
        bins = grower.count(slot, len(wanted))
        there = slot >= 0
        heavy = np.ones(len(slot), np.int64) if weights is None else weights.astype(np.int64)
        slope = (packed >> 16).astype(np.uint16).view(np.int16).astype(np.int64)
        each = (slope * heavy, (packed & 0xFFFF).astype(np.int64) * heavy, heavy, heavy * 0 + 1)
        totals = np.zeros((len(wanted), 4), np.int64)
        for channel, one in enumerate(each):
            np.add.at(totals[:, channel], slot[there], one[there])
        return bins, totals

    def advance(self, found: RoundSums) -> None:
        """Go on after a pass."""
        if self.closed is not None:
            signs = signs_of(self.layout.names, self.monotone)
            values = leaf_quantiles(self.objective, self.closed[0], list(found.sketches), signs)
            self._close([self.closed[0]._replace(value=values)])
            return
        first = all(len(tree.nodes) == 1 for tree in self.open)
        if first:
            self.farthest = found.farthest
            if self._stops(found):
                self._end()
                return
        none = self._coded(np.zeros((0, len(self.layout.names)), np.uint8), None)
        for tree, wanted, bins, totals in zip(
            self.open, self.wanted, found.bins, found.totals, strict=True
        ):
            tree.learn(none, wanted, bins, totals)
        self.wanted = [tree.wanted() for tree in self.open]
        if any(self.wanted):
            return
        grown = [tree.grown() for tree in self.open]
        if self.objective.of == "quantile":
            self.closed = grown
        else:
            self._close(grown)

    def _stops(self, found: RoundSums) -> bool:
        """Whether the rows held out have shown that there are trees enough."""
        if not self.stop.patience:
            return False
        if not found.tested:  # none was held out
            return self.rounds >= self.stop.most
        if self.progress is None:
            self.progress = Progress(found.lost, self.stop.patience)
        elif not self.progress.add(found.lost):
            return True
        return self.rounds >= self.stop.most

    def _end(self) -> None:
        """That was the last round; or begin again, with all rows and the rounds that are best."""
        if self.progress is None or not self.stop.again:
            self.over = True
            return
        self.stop = self.stop._replace(most=self.progress.best, patience=0)
        self.trees, self.progress, self.bound = [], None, self.objective.reach
        self.begin()

    def _close(self, grown: Sequence[TreeOf]) -> None:
        made = [t._replace(value=t.value * self.settings.learning_rate) for t in grown]
        moved = max(float(np.abs(tree.value).max()) for tree in made)
        self.bound = self.objective.next_bound(self.farthest, moved)
        self.trees = [*self.trees, *made]
        self.begin()

    def conclude(self) -> list[TreeOf]:
        """The trees."""
        if self.progress is None:
            return self.trees
        return self.trees[: self.progress.best * self.objective.scores]
