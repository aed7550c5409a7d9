"""How a boosted tree grows from sums of slopes, in NumPy: the definition of the compiled one."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from satsuma.kernels.boost.twin import Coded, Rules, Units, left_codes, unpacked
from satsuma.numerics.arrays import Array, Codes, Floats, Hashes, Integers
from satsuma.numerics.sums import weighted_bincount

_SLACK = 1.0 - 1e-9

#: Symbols of so many values are divided as they are.
_FEW_VALUES = 4


@dataclass(frozen=True)
class Sums:
    """What the rows at a node come to, and the bounds of what it may say."""

    slope: int
    curve: int
    weight: int
    low: float = -np.inf
    high: float = np.inf


class Split(NamedTuple):
    """A division: what it gains, by what, and what its left side comes to."""

    gain: float
    column: int
    slope: int
    curve: int
    set: Hashes


class _Scale:
    """Sums of slopes and curvatures, in what they stand for."""

    def __init__(self, task: "Task", node: Sums, l2: float, sign: int) -> None:
        self.l2, self.node, self.sign, self.task = l2, node, sign, task
        self.bound = node.low > -np.inf or node.high < np.inf
        self.slope, self.curve = node.slope * task.units.slope, node.curve * task.units.curve
        weight = node.weight * task.units.weight
        self.need = task.rules.min_leaf * (self.curve / weight) * _SLACK
        with np.errstate(divide="ignore", invalid="ignore"):
            self.parent = float(self.worth(np.array(self.slope), np.array(self.curve)))

    def said(self, slope: Floats, curve: Floats) -> Floats:
        w = -slope / (curve + self.l2)
        return np.minimum(np.maximum(w, self.node.low), self.node.high)

    def worth(self, slope: Floats, curve: Floats) -> Floats:
        d = curve + self.l2
        if not self.bound:
            return slope * slope / d
        w = self.said(slope, curve)
        return -(2.0 * slope * w + d * w * w)

    def gained(self, slopes: Integers, curves: Integers) -> Floats:
        """What is gained where the left side comes to this; -1 where it may not be."""
        slope = slopes.astype(np.float64) * self.task.units.slope
        curve = curves.astype(np.float64) * self.task.units.curve
        other, rest = self.slope - slope, self.curve - curve
        fine = (curve >= self.need) & (rest >= self.need) & (curve > 0) & (rest > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.sign:
                fine &= self.sign * (self.said(other, rest) - self.said(slope, curve)) >= 0
            gain = self.worth(slope, curve) + self.worth(other, rest) - self.parent
        return np.where(fine, gain, -1.0)


def _bits(codes: Any) -> Hashes:
    found = np.zeros(256, np.uint8)
    found[codes] = 1
    return np.packbits(found, bitorder="little").view("<u8").astype(np.uint64)


@dataclass(eq=False)
class _Leaf:
    rows: Array
    sums: Sums
    node: int
    depth: int
    split: Split | None = None


def _sums(index: Integers, numbers: Integers, size: int) -> Integers:
    """Whole numbers added up by index, in two halves, whose sums a float holds exactly."""
    high, low = numbers >> 20, numbers & 0xFFFFF
    sums = [weighted_bincount(index, half.astype(np.float64), size) for half in (high, low)]
    return (sums[0].astype(np.int64) << 20) + sums[1].astype(np.int64)


class Task:
    """Rows in codes, and the rules of a tree."""

    def __init__(self, coded: Coded, rules: Rules) -> None:
        self.coded, self.rules = coded, rules
        n, weights = len(coded.records), coded.weights
        self.weight = np.ones(n, np.int64) if weights is None else weights.astype(np.int64)

    def begin(self, used: Codes, slopes: Array, units: Units) -> None:
        """The columns, the slopes and their units of the next tree."""
        self.used, self.units = used, units
        self.slope, self.curve = unpacked(slopes)

    def gather(self, helpers: int) -> None:
        """There is nothing to get ready."""

    def help(self) -> None:
        """There is nothing to help with."""

    def end(self) -> None:
        """Nobody helps."""

    def count(self, slot: Codes, slots: int, lo: int, hi: int) -> Integers:
        """Sums of slopes and curvatures of rows, by slot and bin; a row of slot -1 is in none."""
        offset = self.coded.offset
        size = int(offset[-1])
        bins = np.zeros((slots * size, 2), np.int64)
        rows = np.flatnonzero(slot[lo:hi] >= 0) + lo
        each = [one[rows] * self.weight[rows] for one in (self.slope, self.curve)]
        for j in self.used.tolist():
            index = slot[rows] * np.int64(size) + offset[j] + self.coded.records[rows, j]
            for channel, one in enumerate(each):
                bins[:, channel] += _sums(index, one, slots * size)
        return bins.reshape(slots, size, 2)

    def best(self, bins: Integers, node: Sums) -> Split | None:
        """The best division of a node by any of the columns; None where there is none."""
        best = None
        for j in self.used.tolist():
            here = bins[self.coded.offset[j] : self.coded.offset[j + 1]]
            found = (self._symbol if self.coded.symbols[j] else self._number)(node, here, j)
            least = self.rules.min_gain if best is None else best.gain
            if found is not None and found.gain > least:
                best = found
        return best

    def _number(self, node: Sums, bins: Integers, column: int) -> Split | None:
        levels = len(bins) - 1
        scale = _Scale(self, node, self.rules.l2, int(self.coded.monotone[column]))
        lost, known = bins[levels], (bins[:levels] != 0).any(axis=1)
        holes = bool(lost.any())
        best = None
        for left in (False, True) if holes else (False,):
            last = levels - 1 + (holes and not left)
            sums = np.cumsum(bins[:last], axis=0) + (lost if left else 0)
            gains = np.where(known[:last], scale.gained(sums[:, 0], sums[:, 1]), -1.0)
            at = int(gains.argmax()) if last else -1
            if at >= 0 and gains[at] > (self.rules.min_gain if best is None else best[0]):
                best = float(gains[at]), at, left, sums[at]
        if best is None:
            return None
        gain, at, left, sums = best
        after = np.flatnonzero(known[at + 1 :])
        # In the middle of what no row is in.
        last = (at + at + int(after[0])) // 2 if len(after) else levels - 1
        if not holes:
            left = bool(2 * sums[1] >= node.curve)
        codes = [*range(last + 1), *([levels] if left else [])]
        return Split(gain, column, int(sums[0]), int(sums[1]), _bits(codes))

    def _symbol(self, node: Sums, bins: Integers, column: int) -> Split | None:
        """Values in the order of what they say, where the best two sets lie (Fisher 1958)."""
        levels, rules = len(bins) - 1, self.rules
        each = node.curve * self.units.curve / (node.weight * self.units.weight)
        few = levels <= _FEW_VALUES
        smooth = 0.0 if few else rules.symbol_smooth * each
        least = 0.0 if few else rules.symbol_least * each * _SLACK
        scale = _Scale(self, node, rules.l2 if few else rules.l2 + rules.symbol_l2 * each, 0)
        often = (bins[:, 1] > 0) & (bins[:, 1] * self.units.curve >= least)
        # Of many values, those that few rows have go together, at the end.
        codes, rares = np.flatnonzero(often), np.flatnonzero(~often)
        rare = bins[rares].sum(axis=0)
        sums = np.concatenate([bins[codes], [rare]] if rare[1] else [bins[codes]])
        if len(sums) < 2:
            return None
        key = sums[:, 0] * self.units.slope / (sums[:, 1] * self.units.curve + smooth)
        order = np.argsort(key, kind="stable")
        sums = np.cumsum(sums[order], axis=0)[:-1]
        gains = scale.gained(sums[:, 0], sums[:, 1])
        at = int(gains.argmax())
        if not gains[at] > rules.min_gain:
            return None
        first = order[: at + 1]
        alike = bool((first == len(codes)).any()) if rare[1] else 2 * int(sums[at, 1]) >= node.curve
        left = np.concatenate([codes[first[first < len(codes)]], rares if alike else rares[:0]])
        return Split(float(gains[at]), column, int(sums[at, 0]), int(sums[at, 1]), _bits(left))

    def grow(self, rows: Array, leaf: Array) -> tuple[Array, ...]:
        """A tree of some rows, the leaf that gains most being divided first; `leaf` is filled."""
        heavy = self.weight[rows]
        slope, curve = (int((each[rows] * heavy).sum()) for each in (self.slope, self.curve))
        root = _Leaf(rows, Sums(slope, curve, int(heavy.sum())), 0, 0)
        nodes: list[list[Any]] = []
        self._plant(nodes, root)
        self._look(root)
        leaves = [root]
        while len(leaves) < self.rules.leaves:
            best = max(
                leaves,
                key=lambda each: (-np.inf if each.split is None else each.split.gain, -each.node),
            )
            if best.split is None:
                break
            leaves.remove(best)
            split, parts = best.split, self._divide(best, best.split)
            nodes[best.node][:2] = split.column, len(nodes)
            nodes[best.node][4:] = split.gain, split.set
            for part in parts:
                self._plant(nodes, part)
            leaves += parts
            if len(leaves) < self.rules.leaves:
                for part in parts:
                    self._look(part)
        for each in leaves:
            leaf[each.rows] = each.node
        column, left, value, weight, gain, sets = zip(*nodes, strict=True)
        return (
            np.array(column, np.int32),
            np.array(left, np.int32),
            np.array(value, np.float64),
            np.array(weight, np.float64),
            np.array(gain, np.float64),
            np.array(sets, np.uint64),
        )

    def _look(self, leaf: _Leaf) -> None:
        weight = leaf.sums.weight * self.units.weight
        may = leaf.depth < self.rules.depth and weight >= 2 * self.rules.min_leaf * _SLACK
        if not may or len(leaf.rows) < 2 or self.rules.leaves < 2:
            return
        slot = np.full(len(self.slope), -1, np.int32)
        slot[leaf.rows] = 0
        bins = self.count(slot, 1, 0, len(slot))[0]
        leaf.split = self.best(bins, leaf.sums)

    def _divide(self, leaf: _Leaf, split: Split) -> list[_Leaf]:
        go = left_codes(split.set)[self.coded.across[split.column][leaf.rows]]
        mine, rest = leaf.rows[go], leaf.rows[~go]
        s, weight = leaf.sums, int(self.weight[mine].sum())
        left = replace(s, slope=split.slope, curve=split.curve, weight=weight)
        right = replace(
            s, slope=s.slope - split.slope, curve=s.curve - split.curve, weight=s.weight - weight
        )
        sign = int(self.coded.monotone[split.column])
        if sign:
            middle = (
                value_of(left, self.rules, self.units) + value_of(right, self.rules, self.units)
            ) / 2
            lower, upper = (left, right) if sign > 0 else (right, left)
            lower, upper = replace(lower, high=middle), replace(upper, low=middle)
            left, right = (lower, upper) if sign > 0 else (upper, lower)
        return [_Leaf(mine, left, -1, leaf.depth + 1), _Leaf(rest, right, -1, leaf.depth + 1)]

    def _plant(self, nodes: list[list[Any]], leaf: _Leaf) -> None:
        leaf.node = len(nodes)
        value = value_of(leaf.sums, self.rules, self.units)
        weight = leaf.sums.weight * self.units.weight
        nodes.append([-1, -1, value, weight, 0.0, np.zeros(4, np.uint64)])


def value_of(sums: Sums, rules: Rules, units: Units) -> float:
    """What a node says: Newton's step, within its bounds."""
    curve = sums.curve * units.curve + rules.l2
    w = -(sums.slope * units.slope) / curve if curve else 0.0
    return min(max(w, sums.low), sums.high)
