"""Fold growth: the tree of all rows, beside those that do without a part of them each.

Which part a row is in depends on what is in it, so the trees are the same from a table and from
batches of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from satsuma.data.table import Table
from satsuma.learners.tree import growth
from satsuma.learners.tree.growth import grow_in_memory
from satsuma.learners.tree.setup import Setup, rows_of
from satsuma.learners.tree.structure import GrownTree

#: Parts of the rows that trees do without.
FOLDS = 5


def fold_setups(setup: Setup) -> list[Setup]:
    """The setup of the tree of all rows, and of those without a part of them each."""
    parts = [setup._replace(held_out=1 / FOLDS, fold=fold) for fold in range(FOLDS)]
    return [setup, *parts]


def grow_folds(setup: Setup, table: Table) -> list[GrownTree]:
    """The trees of a table; one that would be grown from no row is left out."""
    whole, *parts = fold_setups(setup)
    known = [part for part in parts if len(rows_of(part, table)[1])]
    return [grow_in_memory(each, table) for each in (whole, *known)]


@dataclass(frozen=True)
class FoldTallies:
    """What the next round is to know for each tree; None for one that is done."""

    each: tuple[Any, ...]

    def __add__(self, other: "FoldTallies") -> "FoldTallies":
        pairs = zip(self.each, other.each, strict=True)
        return FoldTallies(tuple(None if a is None else a + b for a, b in pairs))


@dataclass(frozen=True)
class State:
    """Trees between two rounds, that of all rows first."""

    trees: tuple[growth.State, ...]

    @classmethod
    def start(cls, setup: Setup) -> "State":
        """Nothing but the setups."""
        return cls(tuple(growth.State(each) for each in fold_setups(setup)))

    @property
    def done(self) -> bool:
        """Whether all trees have grown."""
        return all(tree.done for tree in self.trees)

    def tally(self, batch: Table) -> FoldTallies:
        """What the trees are to know of a batch."""
        asked = (None if tree.done else growth.tally(tree, batch) for tree in self.trees)
        return FoldTallies(tuple(asked))

    def advance(self, found: FoldTallies) -> "State":
        """All trees after a round; those that would be grown from no row are left out."""
        pairs = list(zip(self.trees, found.each, strict=True))
        kept = [pairs[0], *(pair for pair in pairs[1:] if not _from_nothing(pair[1]))]
        return State(
            tuple(tree if each is None else growth.advance(tree, each) for tree, each in kept)
        )

    @property
    def outcomes(self) -> Sequence[GrownTree]:
        """What growing has come to."""
        return [tree.outcome for tree in self.trees]


def _from_nothing(found: Any) -> bool:
    return isinstance(found, growth.FirstLook) and not len(found.sample.hashes)
