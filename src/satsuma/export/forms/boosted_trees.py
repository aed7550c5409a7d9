"""Boosted trees: scores as sums of what small trees say."""

import numpy as np

from satsuma.export.columns import Columns
from satsuma.export.expressions import (
    Case,
    Expression,
    Number,
    Program,
    Whole,
    compared,
    every,
    exponent,
    is_known,
    is_missing,
    lookup,
    some,
    total,
)
from satsuma.export.forms.linear import among_all
from satsuma.export.forms.trees import LEVELS
from satsuma.export.softmax import softmax
from satsuma.kernels.boost import TreeOf, left_codes
from satsuma.learners.boosted_trees.model import (
    BoostedTreesClassifier,
    BoostedTreesModel,
    BoostedTreesRegressor,
)
from satsuma.numerics.arrays import Bools


def boosted_trees(model: BoostedTreesModel) -> Program:
    """The sums of what the trees say, as what the model predicts."""
    return boosted(model, _scores(model))


def boosted(model: BoostedTreesModel, scores: list[Expression]) -> Program:
    """The probabilities that go with scores; the number; of counts, its exponent."""
    if isinstance(model, BoostedTreesClassifier):
        both = [Number(0.0), *scores] if len(model.seen) <= 2 else scores
        return among_all(model.classes, model.seen.tolist(), softmax(both))
    counts = isinstance(model, BoostedTreesRegressor) and model.of == "counts"
    return Program(exponent(scores[0]) if counts else scores[0])


def _scores(model: BoostedTreesModel) -> list[Expression]:
    columns, count = Columns(model.domain), len(model.start)
    said = [_Written(model, tree, columns).answer() for tree in model.trees()]
    starts = [Number(float(each)) for each in model.start]
    return [total(start, *said[at::count]) for at, start in enumerate(starts)]


class _Written:
    """A tree.

    Parameters
    ----------
    model, tree
        Of which model, and which of its trees.
    columns
        Where its columns are.
    """

    def __init__(self, model: BoostedTreesModel, tree: TreeOf, columns: Columns) -> None:
        self.model, self.tree, self.columns = model, tree, columns
        self.left, self.go = tree.left.tolist(), left_codes(tree.sets)

    def answer(self) -> Expression:
        """What the tree says of a row."""
        roots = self._below([0])
        if not roots:
            return self._walk(0, leaves=True)
        found = self._walk(0, leaves=False)
        while roots:
            on = [(compared(found, "=", Whole(at)), self._walk(at, leaves=False)) for at in roots]
            found, roots = Case(tuple(on), found), self._below(roots)
        return lookup(found, self.tree.value.tolist())

    def _below(self, roots: list[int]) -> list[int]:
        """The nodes that are divided, as many levels below others as are written at once."""
        for _ in range(LEVELS):
            roots = [self.left[at] + side for at in roots if self.left[at] >= 0 for side in (0, 1)]
        return [at for at in roots if self.left[at] >= 0]

    def _walk(self, node: int, levels: int = LEVELS, *, leaves: bool) -> Expression:
        """What is said where a row ends, or the node where it is after so many levels."""
        if self.left[node] < 0 or not levels:
            return Number(float(self.tree.value[node])) if leaves else Whole(node)
        left, right = (
            self._walk(self.left[node] + side, levels - 1, leaves=leaves) for side in (0, 1)
        )
        return Case(((self._goes_left(node), left),), right)

    def _goes_left(self, node: int) -> Expression:
        at = int(self.tree.column[node])
        name, cuts, places = self.model.layout.names[at], self.model.cuts[at], self.model.places[at]
        go, level = self.go[node], int(self.model.layout.levels[at])
        missing = bool(go[level])
        if not len(cuts):
            values = np.flatnonzero(np.where(places >= 0, go[places], missing))
            code = self.columns.code(name)
            return _either([compared(code, "=", Whole(v)) for v in values.tolist()], code, missing)
        known, x = go[:level], self.columns.number(name)
        return _either(_intervals(x, known, cuts.tolist()), x, missing)


def _intervals(x: Expression, known: Bools, cuts: list[float]) -> list[Expression]:
    """Where a number is in any of some intervals, of which the last has no end."""
    found = list[Expression]()
    edges = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]])))
    for first, end in edges.reshape(-1, 2).tolist():
        ends = list[Expression]()
        if first:
            ends.append(compared(x, ">", Number(cuts[first - 1], exact=True)))
        if end < len(cuts):
            ends.append(compared(x, "<=", Number(cuts[end - 1], exact=True)))
        found.append(every(ends) if ends else is_known(x))
    return found


def _either(conditions: list[Expression], cell: Expression, missing: bool) -> Expression:
    told = [*conditions, *([is_missing(cell)] if missing else [])]
    return some(told) if told else compared(Whole(0), "=", Whole(1))
