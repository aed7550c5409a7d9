"""Boosted trees: slopes as whole numbers, trees grown from their sums, rows sent down them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from satsuma.kernels import use_native
from satsuma.kernels.boost import twin, twin_boosted_tree
from satsuma.kernels.boost.twin import (
    COUNT,
    MANY,
    NUMBER,
    QUANTILE,
    TWO,
    Coded,
    Loss,
    Rules,
    TreeOf,
    Units,
    exponential,
    left_codes,
)
from satsuma.kernels.boost.twin_boosted_tree import Split, Sums, value_of
from satsuma.kernels.threads import FEW_CELLS, TILE, available, helper_threads, map_tiles
from satsuma.numerics.arrays import Array, Codes, Floats, Hashes, Integers

_native: Any = None
if compiled := use_native("boost"):
    from satsuma.kernels.boost import _native

__all__ = [
    "COUNT",
    "MANY",
    "NUMBER",
    "QUANTILE",
    "TWO",
    "Coded",
    "Grower",
    "Loss",
    "Rules",
    "Split",
    "Sums",
    "TreeOf",
    "Trees",
    "Units",
    "add",
    "compiled",
    "exponential",
    "joined",
    "left_codes",
    "slopes",
    "value_of",
]

#: Cells of a table that one thread has grown a tree from before another is awake.
_FEW = 1 << 18


def slopes(
    loss: Loss, scores: Floats, target: Floats, hashes: Hashes, *, key: int, out: Array
) -> None:
    """Slopes and curvatures of the loss at each row to `out` (scores, rows), see the twin."""
    if not compiled:
        twin.slopes(loss, scores, target, hashes, key=key, out=out)
        return
    n = len(target)

    def of_tile(lo: int, hi: int) -> None:
        _native.slopes(loss, scores, target, hashes, key, lo, hi, out)

    map_tiles(of_tile, n, TILE, 1 if n < FEW_CELLS // 4 else None)


def add(score: Floats, leaf: Array, value: Floats) -> None:
    """Add to the score of each row what its leaf says."""
    if not compiled:
        score += value[leaf]
        return
    n = len(score)
    map_tiles(
        lambda lo, hi: _native.add(score, leaf, value, lo, hi),
        n,
        TILE,
        1 if n < FEW_CELLS else None,
    )


class Grower:
    """Grows trees from rows in codes, or from sums of rows that come in batches.

    Parameters
    ----------
    coded
        All rows.
    rules
        When nodes are divided.
    """

    def __init__(self, coded: Coded, rules: Rules) -> None:
        self._task: Any = (_native.Task if compiled else twin_boosted_tree.Task)(coded, rules)
        self._leaf = np.empty(len(coded.records), np.uint16)

    def begin(self, used: Codes, packed: Array, units: Units) -> None:
        """Get ready for a tree.

        Parameters
        ----------
        used
            The columns that may divide.
        packed
            Slopes and curvatures of the rows.
        units
            What 1 in their sums stands for.
        """
        self._used = len(used)
        self._task.begin(used, packed, units)

    def grow(self, rows: Array) -> tuple[TreeOf, Array]:
        """A tree of some rows, each there once, and the node of each of them; others have any.

        The array of nodes is written to again when the next tree grows.
        """
        helpers = available() - 1 if compiled and len(rows) * self._used >= _FEW else 0
        self._task.gather(helpers)
        with helper_threads(self._task.help, helpers):
            try:
                return TreeOf(*self._task.grow(rows, self._leaf)), self._leaf
            finally:
                self._task.end()

    def count(self, slot: Codes, slots: int) -> Integers:
        """Sums of rows by slot and bin: (slots, bins, 2); a row of slot -1 is in none."""
        return self._task.count(slot, slots, 0, len(slot))

    def best(self, bins: Integers, sums: Sums) -> Split | None:
        """The best division of a node whose bins and sums are given."""
        found = self._task.best(bins, sums)
        return None if found is None else Split(*found)


def joined(trees: Sequence[TreeOf]) -> TreeOf:
    """The nodes of several trees, one after the other."""
    none = np.zeros(0, np.int32)
    return TreeOf(
        np.concatenate([none, *(each.column for each in trees)]),
        np.concatenate([none, *(each.left for each in trees)]),
        np.concatenate([np.zeros(0), *(each.value for each in trees)]),
        np.concatenate([np.zeros(0), *(each.weight for each in trees)]),
        np.concatenate([np.zeros(0), *(each.gain for each in trees)]),
        np.concatenate([np.zeros((0, 4), np.uint64), *(each.sets for each in trees)]),
    )


class Trees:
    """Trees one after the other, ready to be walked.

    Parameters
    ----------
    trees
        What they are.
    width
        How many columns rows have.
    """

    def __init__(self, trees: Sequence[TreeOf], width: int) -> None:
        self.first = np.cumsum([0, *(len(each.column) for each in trees)], dtype=np.int64)
        made = _native.Forest if compiled else twin.Forest
        self._forest = made(joined(trees), self.first, width)

    def add(self, records: Array, out: Floats, start: int = 0, stop: int | None = None) -> None:
        """Add what trees say to `out` (rows, scores); tree k is of score k modulo scores."""
        last = len(self.first) - 1 if stop is None else stop

        def of_tile(lo: int, hi: int) -> None:
            self._forest.walk(records, (lo, hi), (start, last), out[lo:hi])

        few = len(records) * max(1, last - start) < FEW_CELLS
        map_tiles(of_tile, len(records), TILE, 1 if few else None)

    def leaves(self, records: Array, tree: int) -> Array:
        """The node in which each row ends in one tree."""
        out = np.empty(len(records), np.uint16)

        def of_tile(lo: int, hi: int) -> None:
            self._forest.leaves(records, tree, (lo, hi), out[lo:hi])

        map_tiles(of_tile, len(records), TILE, 1 if len(records) < FEW_CELLS else None)
        return out
