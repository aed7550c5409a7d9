"""Boosting in memory: one tree after the other, each of what those before it left over."""

from typing import NamedTuple

import numpy as np

from satsuma.kernels import boost as kernel
from satsuma.kernels.boost import Rules, TreeOf, Trees
from satsuma.learners.boosted_trees.objective import Objective, units_of
from satsuma.learners.boosted_trees.training_rows import Training
from satsuma.numerics.arrays import Array, Bools, Codes, Floats, Hashes
from satsuma.numerics.splitmix import WORD, mix_bits, splitmix64
from satsuma.tallies.quantile_sketch import QuantileSketch

#: What numbers drawn for a tree are for; each use has its own.
_ROUNDING, _ROWS, _COLUMNS, _FOLDS = (splitmix64(k) for k in range(4))


class Settings(NamedTuple):
    """How trees are grown.

    Parameters
    ----------
    rules
        When nodes are divided.
    learning_rate
        What the values of leaves are multiplied by.
    row_sample, column_sample
        Shares of the rows and of the columns that a tree sees.
    seed
        What these, and the rounding of slopes, are drawn by.
    """

    rules: Rules
    learning_rate: float
    row_sample: float
    column_sample: float
    seed: int

    def key(self, use: int, tree: int) -> int:
        """A number that looks like chance, for a use and a tree."""
        return splitmix64(use ^ splitmix64((self.seed << 32 ^ tree) & WORD))

    def rounding_key(self, round_: int) -> int:
        """What slopes are rounded by in a round."""
        return self.key(_ROUNDING, round_)

    def sees(self, hashes: Hashes, round_: int) -> Bools | None:
        """Which rows the trees of a round see; None for all. Equal rows are seen together."""
        if self.row_sample >= 1:
            return None
        return shares(hashes, self.key(_ROWS, round_)) < self.row_sample

    def columns(self, width: int, tree: int) -> Codes:
        """The columns that a tree sees."""
        count = max(1, round(self.column_sample * width)) if width else 0
        if count >= width:
            return np.arange(width, dtype=np.int32)
        key = self.key(_COLUMNS, tree)
        drawn = [splitmix64((key + at) & WORD) for at in range(width)]
        return np.sort(np.argsort(np.array(drawn, np.uint64), kind="stable")[:count]).astype(
            np.int32
        )


def shares(hashes: Hashes, key: int) -> Floats:
    """A number in [0, 1) for each row, which depends on what is in it and on the key."""
    return (mix_bits(hashes ^ np.uint64(key)) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def folds_of(hashes: Hashes, folds: int) -> Array:
    """The fold of each row, by what is in it; equal rows are dealt to all folds in turn.

    Examples
    --------
    >>> folds_of(np.array([7, 7, 7, 7], np.uint64), 2).tolist() in ([0, 1, 0, 1], [1, 0, 1, 0])
    True
    """
    order = np.argsort(hashes, kind="stable")
    held = hashes[order]
    first = np.flatnonzero(np.append(True, held[1:] != held[:-1]))
    turn = np.arange(len(held)) - np.repeat(first, np.diff(np.append(first, len(held))))
    found = np.empty(len(held), np.int64)
    found[order] = ((shares(held, _FOLDS) * folds).astype(np.int64) + turn) % folds
    return found


def held_out(hashes: Hashes, share: float) -> Bools:
    """Which rows are held out: about a share of all, and equal rows together."""
    return shares(hashes, _FOLDS) < share


class Booster:
    """Rows with their scores, round after round.

    Parameters
    ----------
    training
        All rows.
    objective
        What scores are of.
    settings
        How trees are grown.
    learned
        The rows that trees are grown from, in order; the others get scores all the same.
    """

    def __init__(
        self, training: Training, objective: Objective, settings: Settings, learned: Array
    ) -> None:
        self.training, self.objective, self.settings = training, objective, settings
        self.learned = learned
        self.all = len(learned) == len(training.target)
        self.scores = np.repeat(objective.start[:, np.newaxis], len(training.target), axis=1)
        self.packed = np.empty(self.scores.shape, np.uint32)
        self.grower = kernel.Grower(training.coded, settings.rules)
        self.bound = objective.reach
        self.rounds = 0

    def step(self) -> list[TreeOf]:
        """The trees of another round, one for each score."""
        t, o, s = self.training, self.objective, self.settings
        loss = o.loss(self.bound)
        key = s.rounding_key(self.rounds)
        kernel.slopes(loss, self.scores, t.target, t.hashes, key=key, out=self.packed)
        farthest = self._farthest()
        rows = self._rows()
        grown = [self._tree(score, rows) for score in range(o.scores)]
        moved = max(float(np.abs(tree.value).max()) for tree in grown)
        self.bound = o.next_bound(farthest, moved)
        self.rounds += 1
        return grown

    def _farthest(self) -> float:
        t, at = self.training, slice(None) if self.all else self.learned
        return self.objective.farthest(self.scores[:, at], t.target[at])

    def _rows(self) -> Array:
        seen = self.settings.sees(self.training.hashes, self.rounds)
        rows = self.learned if seen is None else self.learned[seen[self.learned]]
        return rows if len(rows) else self.learned

    def _tree(self, score: int, rows: Array) -> TreeOf:
        t, o, s = self.training, self.objective, self.settings
        width = t.coded.records.shape[1]
        used = s.columns(width, self.rounds * o.scores + score)
        units = units_of(o.loss(self.bound), t.weight_unit)
        self.grower.begin(used, self.packed[score], units)
        tree, leaf = self.grower.grow(rows)
        if o.of == "quantile":
            tree = tree._replace(value=self._quantiles(tree, rows, leaf))
        tree = tree._replace(value=tree.value * s.learning_rate)
        if len(rows) < len(t.target):
            leaf = Trees([tree], width).leaves(t.coded.records, 0)
        kernel.add(self.scores[score], leaf, tree.value)
        return tree

    def _quantiles(self, tree: TreeOf, rows: Array, leaf: Array) -> Floats:
        """The quantile of what is left over, at each leaf."""
        t = self.training
        away = t.target[rows] - self.scores[0][rows]
        weights = None if t.coded.weights is None else t.coded.weights[rows].astype(np.float64)
        sketches = leaf_sketches(len(tree.value), leaf[rows], away, weights)
        return leaf_quantiles(self.objective, tree, sketches, t.coded.monotone)

    def lost(self, rows: Array) -> int:
        """The loss of some rows, as a whole number."""
        t = self.training
        each = self.objective.losses(self.scores[:, rows], t.target[rows])
        if t.coded.weights is None:
            return int(each.sum())
        return sum(
            a * b for a, b in zip(each.tolist(), t.coded.weights[rows].tolist(), strict=True)
        )


def leaf_sketches(
    nodes: int, leaf: Array, away: Floats, weights: Floats | None
) -> list[QuantileSketch]:
    """The sketch of numbers in each node."""
    order = np.argsort(leaf, kind="stable")
    ends = np.searchsorted(leaf[order], np.arange(nodes + 1))
    found: list[QuantileSketch] = []
    for lo, hi in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        at = order[lo:hi]
        found.append(QuantileSketch.of(away[at], None if weights is None else weights[at]))
    return found


def leaf_quantiles(
    objective: Objective, tree: TreeOf, sketches: list[QuantileSketch], signs: Array
) -> Floats:
    """What each leaf says: the quantile of what is left over in it.

    Where columns are monotone, it gives way as far as it must.
    """
    found = [
        float(sketch.quantile(objective.quantile)) if left < 0 and len(sketch.count) else 0.0
        for left, sketch in zip(tree.left.tolist(), sketches, strict=True)
    ]
    return in_order(np.array(found), tree, signs)


def in_order(value: Floats, tree: TreeOf, signs: Array) -> Floats:
    """The values of leaves, where those that break the order of a monotone column meet half-way.

    From the root down, leaves on the side that may not say more are held below the middle of what
    both sides say, and the others above it. Further down, values move towards others of their side.

    Parameters
    ----------
    value
        By node.
    tree
        Which nodes there are.
    signs
        Of each column: 1 where it may only rise, -1 where it may only fall, else 0.

    Examples
    --------
    >>> none = np.zeros(3)
    >>> tree = TreeOf(np.array([0, -1, -1]), np.array([1, -1, -1]), none, none, none, none)
    >>> in_order(np.array([0.0, 5.0, 1.0]), tree, np.array([1])).tolist()
    [0.0, 3.0, 3.0]
    """
    value = value.copy()
    for node in np.flatnonzero(tree.left >= 0).tolist():  # parents came to be first
        sign = int(signs[tree.column[node]])
        if not sign:
            continue
        sides = [_leaves_below(tree, int(tree.left[node]) + side) for side in (0, 1)]
        low, high = sides[::sign]
        most, least = value[low].max(), value[high].min()
        if most > least:
            middle = most / 2 + least / 2
            value[low] = np.minimum(value[low], middle)
            value[high] = np.maximum(value[high], middle)
    return value


def _leaves_below(tree: TreeOf, node: int) -> list[int]:
    """The leaves that a node leads to."""
    waiting, found = [node], list[int]()
    while waiting:
        at = waiting.pop()
        left = int(tree.left[at])
        if left < 0:
            found.append(at)
        else:
            waiting += [left, left + 1]
    return found
