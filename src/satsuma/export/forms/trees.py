"""Trees and forests: the leaf where a row ends, or all of them where a cell is missing."""

from collections.abc import Sequence

import numpy as np

from satsuma.export.columns import Columns
from satsuma.export.expressions import (
    NOTHING,
    Case,
    Expression,
    Known,
    Number,
    Operation,
    Program,
    Whole,
    case,
    compared,
    every,
    is_known,
    is_missing,
    lookup,
    product,
    some,
    total,
)
from satsuma.export.forms.asked_cells import AskedCells
from satsuma.export.softmax import classified
from satsuma.kernels.tree import Flat, branches_of, depths
from satsuma.learners.tree.asked_columns import SPREAD, AskedColumns
from satsuma.learners.tree.forest_model import ForestModel, RegressionForestModel, Trees
from satsuma.learners.tree.model import RegressionTreeModel, TreeModel
from satsuma.numerics.arrays import Floats

#: How many divisions stand inside of one another; what is below them is gone on with.
LEVELS = 10

#: How many levels of spread rows are written at once.
_APART = 5

_ZERO = Number(0.0)

#: A way out of a node: what leads there, and the node.
Ways = list[tuple[Expression, int]]


def tree(model: TreeModel) -> Program:
    """The m-estimates of the classes at the leaf; an average where a row is spread."""
    says = model.estimates(model.counts)
    found = _Written(model.flat, model.asked_columns, Columns(model.domain)).answers(says)
    return classified(model.classes, found)


def regression_tree(model: RegressionTreeModel) -> Program:
    """The mean at the leaf; an average where a row is spread."""
    written = _Written(model.flat, model.asked_columns, Columns(model.domain))
    return Program(written.answers(model.mean[:, None])[0])


def forest(model: ForestModel) -> Program:
    """The average of what the trees say."""
    return classified(model.classes, _averages(model))


def regression_forest(model: RegressionForestModel) -> Program:
    """The average of what the trees say."""
    return Program(_averages(model)[0])


def _averages(model: Trees) -> list[Expression]:
    columns, asked, ones = Columns(model.domain), model.asked_columns, dict[int, Expression]()
    each = [_Written(flat, asked, columns, ones).answers(says) for flat, says in model.trees()]
    return [product(1 / len(each), total(*answers)) for answers in zip(*each, strict=True)]


class _Written:
    """A tree.

    A row in which all cells that are asked for are known ends at one node, which is found by its
    number. Another is spread over the branches of a node, by their shares.

    Parameters
    ----------
    flat
        Its nodes.
    asked
        What they ask for.
    columns
        Where it is.
    ones
        By column asked for, 1 where it is known: shared by the trees of a forest.
    """

    def __init__(
        self,
        flat: Flat,
        asked: AskedColumns,
        columns: Columns,
        ones: dict[int, Expression] | None = None,
    ) -> None:
        self.flat, self.asked, self.cells = flat, asked, AskedCells(asked, columns)
        self.ones = {} if ones is None else ones
        self._tests: dict[int, Ways] = {}

    def answers(self, says: Floats) -> list[Expression]:
        """Of each column of what the nodes say, what is said of a row."""
        if self.flat.column[0] < 0:
            return [Number(float(each)) for each in says[0]]
        spread = self._spread_columns()
        end = self._end()
        if not spread:
            return [lookup(end, each) for each in says.T.tolist()]
        whole = every([is_known(self.cells.cell(column)) for column in spread])
        end = case((whole, end), otherwise=Whole(-1))
        pairs = zip(says.T.tolist(), self._averages(says, whole), strict=True)
        return [lookup(end, each, average) for each, average in pairs]

    def _averages(self, says: Floats, whole: Expression) -> list[Expression]:
        """What is said of a row that may be spread over several nodes; missing of another.

        Probabilities sum to 1, so the last one follows.
        """
        count = says.shape[1]
        told = says.T if count == 1 else says.T[:-1]
        found = [self._average(each, whole) for each in told]
        if count > 1:
            found.append(total(Number(1.0), *(product(-1.0, each) for each in found)))
        return found

    def _spread_columns(self) -> list[int]:
        """The columns asked for whose missing cells spread a row."""
        asked = sorted(set(self.flat.column[self.flat.column >= 0].tolist()))
        return [column for column in asked if self.asked.sides[column] == SPREAD]

    def _ways(self, node: int) -> Ways:
        """What leads to each branch; for a missing cell that is spread, nothing does."""
        if node not in self._tests:
            numeric = not np.isnan(self.flat.threshold[node])
            self._tests[node] = self._of_number(node) if numeric else self._of_symbol(node)
        return self._tests[node]

    def _of_number(self, node: int) -> Ways:
        column, threshold = int(self.flat.column[node]), float(self.flat.threshold[node])
        low, high = self.cells.sides(column, threshold)
        left, right = branches_of(self.flat, node)
        return [(low, left), (high, right)]

    def _of_symbol(self, node: int) -> Ways:
        """A condition for each node below; no branch is for a value that was not seen."""
        column = int(self.flat.column[node])
        first = int(self.flat.first[node])
        led = self.flat.branches[first : int(self.flat.first[node + 1])].tolist()
        ways: dict[int, list[Expression]] = {}
        for value, child in enumerate(led):
            if child >= 0:
                ways.setdefault(child, []).append(self.cells.is_value(column, value))
        return [(some(conditions), child) for child, conditions in ways.items()]

    def _end(self) -> Expression:
        """The number of the node where a row ends that is not spread."""
        found, roots = self._walk(0), [0]
        while roots := self._below(roots):
            on = [(compared(found, "=", Whole(root)), self._walk(root)) for root in roots]
            found = Case(tuple(on), found)
        return found

    def _below(self, roots: Sequence[int]) -> list[int]:
        """The nodes that ask something, as many levels below some others as are written at once."""
        for _ in range(LEVELS):
            roots = [child for root in roots for child in branches_of(self.flat, root)]
        return [root for root in dict.fromkeys(roots) if self.flat.column[root] >= 0]

    def _walk(self, node: int, levels: int = LEVELS) -> Expression:
        """The node where a row ends, or where it is after so many levels."""
        if self.flat.column[node] < 0 or not levels:
            return Whole(node)
        ways = self._ways(node)
        whens = [(condition, self._walk(child, levels - 1)) for condition, child in ways]
        if not np.isnan(self.flat.threshold[node]):  # one or the other
            return Case((whens[0],), whens[1][1])
        return Case(tuple(whens), Whole(node))

    def _average(self, says: Floats, whole: Expression) -> Expression:
        """One column of what is said of a row that may be spread over several nodes."""
        made, depth = dict[int, Expression](), depths(self.flat)
        for node in reversed(range(len(says))):  # branches come after their node
            if self.flat.column[node] < 0:
                made[node] = Number(float(says[node]))
                continue
            made[node] = self._at(node, made, float(says[node]))
            if depth[node] % _APART == 0 and not isinstance(made[node], Number):
                made[node] = Case(((whole, NOTHING),), made[node], apart=True)
        return made[0]

    def _at(self, node: int, made: dict[int, Expression], own: float) -> Expression:
        """What is said below a node: of one branch, or of all of them by their shares."""
        column, ways = int(self.flat.column[node]), self._ways(node)
        if self.asked.sides[column] != SPREAD:
            whens = tuple((condition, made[child]) for condition, child in ways)
            if not np.isnan(self.flat.threshold[node]):
                return Case((whens[0],), whens[1][1])
            return Case(whens, Number(own))
        share = [float(self.flat.share[child]) for _, child in ways]
        if not np.isnan(self.flat.threshold[node]):
            return self._spread_number(column, ways, share, made)
        lost = is_missing(self.cells.cell(column))
        parts = [
            case((some([condition, lost]), self._part(column, of, made[child])), otherwise=_ZERO)
            for (condition, child), of in zip(ways, share, strict=True)
            if not _is_zero(made[child])
        ]
        stays = some([lost, *(condition for condition, _ in ways)])
        return total(*parts, *([case((stays, _ZERO), otherwise=Number(own))] if own else []))

    def _spread_number(
        self, column: int, ways: Ways, share: list[float], made: dict[int, Expression]
    ) -> Expression:
        """What is said by both branches: nothing by one that a known number does not lead to."""
        (low, left), (high, right) = ways
        parts = [
            case((excludes, _ZERO), otherwise=self._part(column, of, made[at]))
            for excludes, of, at in zip((high, low), share, (left, right), strict=True)
            if not _is_zero(made[at])
        ]
        return total(*parts)

    def _part(self, column: int, share: float, says: Expression) -> Expression:
        """What a branch says: all of it, or its share where the cell is missing."""
        part = Known(self._one(column), share)
        if isinstance(says, Number) and says.value == 1:
            return part
        return Operation("product", (part, says))

    def _one(self, column: int) -> Expression:
        """1 where a cell is known, else missing."""
        if column not in self.ones:
            made = case((is_known(self.cells.cell(column)), Number(1.0)), otherwise=NOTHING)
            self.ones[column] = made
        return self.ones[column]


def _is_zero(each: Expression) -> bool:
    return isinstance(each, Number) and each.value == 0
