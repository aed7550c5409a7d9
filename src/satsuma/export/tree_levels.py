"""Levels of trees: all nodes that are as far from their roots, with the share of a row they get.

A row that is spread over branches needs no path through a tree: what a node gets of a row is what
the node above it gets, times a factor that follows from one cell. That is how graphs of operations
on whole columns take it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from satsuma.kernels.boost import left_codes
from satsuma.kernels.tree import Flat, branches_of
from satsuma.learners.boosted_trees.model import BoostedTreesModel
from satsuma.learners.tree.asked_columns import FAR, GREATEST, LEAST, SPREAD, VALUE, AskedColumns
from satsuma.numerics.arrays import Floats

#: A cell as nodes see it: its column, and what stands for a missing number.
Seen = tuple[str, float]

#: What a node gets, or keeps, of a row by a symbol: missing, unseen, and each value.
Table = list[float]


@dataclass
class Level:
    """Nodes as far from their roots; those that ask for numbers above them come first.

    Parameters
    ----------
    parent
        The place of the node above each, in the level before.
    numbers
        Of nodes below a number: the cell, where it is parted, whether the node is above, and what
        it gets where the cell is missing.
    symbols
        Of the others: the column, and what they get.
    ends
        The places of leaves, with what they say.
    stays
        The places of nodes that keep rows: the column that they ask for, what they keep, and what
        they say.
    """

    parent: list[int] = field(default_factory=list[int])
    numbers: list[tuple[Seen, float, bool, float]] = field(default_factory=list[Any])
    symbols: list[tuple[str, Table]] = field(default_factory=list[Any])
    ends: list[tuple[int, Floats]] = field(default_factory=list[Any])
    stays: list[tuple[int, str, Table, Floats]] = field(default_factory=list[Any])


@dataclass(frozen=True)
class Branch:
    """A way out of a node: the node below, and by a number or by a symbol what it gets."""

    to: int
    number: tuple[Seen, float, bool, float] | None = None
    symbol: tuple[str, Table] | None = None


@dataclass(frozen=True)
class OneTree:
    """A tree as it is walked.

    Parameters
    ----------
    branches
        Those of a node; none of a leaf.
    keeps
        The column and what a node keeps of a row that no branch is for, if it may.
    says
        What is said at a node.
    """

    branches: Callable[[int], list[Branch]]
    keeps: Callable[[int], tuple[str, Table] | None]
    says: Callable[[int], Floats]


def levels_of(trees: Sequence[OneTree]) -> list[Level]:
    """The levels of all trees together, the first of which has the roots."""
    here = [(tree, 0) for tree in trees]
    level, found = Level(parent=[0] * len(here)), list[Level]()
    while here:
        found.append(level)
        below = list[tuple[OneTree, int, Branch]]()
        for place, (tree, node) in enumerate(here):
            branches = tree.branches(node)
            below += [(tree, place, each) for each in branches]
            if not branches:
                level.ends.append((place, tree.says(node)))
            elif (kept := tree.keeps(node)) is not None:
                level.stays.append((place, *kept, tree.says(node)))
        below.sort(key=lambda each: each[2].number is None)
        level = Level(
            [place for _, place, _ in below],
            [each.number for _, _, each in below if each.number is not None],
            [each.symbol for _, _, each in below if each.symbol is not None],
        )
        here = [(tree, each.to) for tree, _, each in below]
    return found


def grown_trees(asked: AskedColumns, trees: Iterable[tuple[Flat, Floats]]) -> list[OneTree]:
    """A tree, or the trees of a forest, by what they ask for; each with what its nodes say."""
    return [_GrownTree(asked, flat, says).tree() for flat, says in trees]


class _GrownTree:
    def __init__(self, asked: AskedColumns, flat: Flat, says: Floats) -> None:
        self.asked, self.flat, self.says = asked, flat, says

    def tree(self) -> OneTree:
        return OneTree(self.branches, self.keeps, lambda node: self.says[node])

    def branches(self, node: int) -> list[Branch]:
        if self.flat.column[node] < 0:
            return []
        column = int(self.flat.column[node])
        name, side = self._name(column), self.asked.sides[column]
        children = branches_of(self.flat, node)
        share = [float(self.flat.share[child]) for child in children]
        if np.isnan(self.flat.threshold[node]):
            led = self._led(node)
            tables = [
                [of if side == SPREAD else float(led[-1] == child), 0.0,
                 *(float(to == child) for to in led[: len(led) - (side == VALUE)])]
                for child, of in zip(children, share, strict=True)
            ]  # fmt: skip
            pairs = zip(children, tables, strict=True)
            return [Branch(child, symbol=(name, table)) for child, table in pairs]
        seen = name, {LEAST: -FAR, GREATEST: FAR}.get(side, np.nan)
        threshold = float(self.flat.threshold[node])
        parts = zip(children, (False, True), share, strict=True)
        return [Branch(to, number=(seen, threshold, above, of)) for to, above, of in parts]

    def keeps(self, node: int) -> tuple[str, Table] | None:
        if not np.isnan(self.flat.threshold[node]):
            return None
        column, led = int(self.flat.column[node]), self._led(node)
        value = self.asked.sides[column] == VALUE
        kept = [float(to < 0) for to in led]
        table = [kept[-1] if value else 0.0, 1.0, *kept[: len(led) - value]]
        return self._name(column), table

    def _name(self, column: int) -> str:
        return self.asked.attributes[self.asked.source[column]].name

    def _led(self, node: int) -> list[int]:
        """The node that each value leads to."""
        first, end = (int(self.flat.first[node + at]) for at in (0, 1))
        return self.flat.branches[first:end].tolist()


def trees_of_boosted(model: BoostedTreesModel) -> list[OneTree] | None:
    """Boosted trees, each of which says something of one score; None if they are odd ones."""
    layout, count = model.layout, len(model.start)

    def written(at: int, tree: Any) -> OneTree:
        go, left = left_codes(tree.sets), tree.left.tolist()

        def branches(node: int) -> list[Branch]:
            if left[node] < 0:
                return []
            column, to = int(tree.column[node]), left[node]
            name, places = layout.names[column], layout.places[column]
            level = int(layout.levels[column])
            missing = float(go[node][level])
            if len(places):
                known = np.where(places >= 0, go[node][places], missing).astype(float).tolist()
                table = [missing, missing, *known]
                other = [1 - each for each in table]
                return [Branch(to, symbol=(name, table)), Branch(to + 1, symbol=(name, other))]
            lefts = int(go[node][:level].sum())
            threshold = float([-FAR / 2, *layout.cuts[column][:-1], FAR / 2][lefts])
            number = (name, -FAR if missing else FAR), threshold
            return [Branch(to + at, number=(*number, bool(at), 0.0)) for at in (0, 1)]

        score = np.eye(count)[at % count]
        return OneTree(branches, lambda _: None, lambda node: score * float(tree.value[node]))

    made = model.trees()
    for tree in made:
        for node in np.flatnonzero(tree.left >= 0).tolist():
            column = int(tree.column[node])
            known = left_codes(tree.sets[node])[: int(layout.levels[column])]
            if len(layout.cuts[column]) and (np.diff(known.astype(int)) > 0).any():
                return None
    return [written(at, tree) for at, tree in enumerate(made)]
