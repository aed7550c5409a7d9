"""Goal tree: a tree of how far rows are from the ideal point, and the paths to its leaves."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from satsuma.data.breaks import cut_text
from satsuma.data.domain import Domain, free_name
from satsuma.data.row import Cell
from satsuma.data.table import Table
from satsuma.data.time_features import with_times
from satsuma.data.variable import Variable
from satsuma.learners.tree.decision_tree import RegressionTree
from satsuma.learners.tree.model import RegressionTreeModel
from satsuma.learners.tree.node import Node
from satsuma.numerics.arrays import Array, Floats

#: What the tree predicts.
DISTANCE = "distance to the ideal point"

#: The least rows of a leaf, and the most questions to one: to be read at a glance.
LEAF, DEPTH = 3, 3


def goal_tree(rows: Table, distances: Floats, name: str = DISTANCE) -> RegressionTreeModel:
    """A small tree that parts rows near the ideal point from those far from it.

    Parameters
    ----------
    rows
        Of which the attributes are asked for.
    distances
        How far each is from the ideal point, or another number that tells how good it is.
    name
        What that number is called.

    Examples
    --------
    >>> import numpy as np
    >>> rows = Table.of([(size,) for size in range(8)], ["size"], target=None)
    >>> print(goal_tree(rows, np.repeat([0.1, 0.9], 4)))
    distance to the ideal point
    size ≤ 3.5: 0.1 ± 0 (4)
    size > 3.5: 0.9 ± 0 (4)
    """
    domain, leaf = rows.domain, max(LEAF, round(len(rows) ** 0.5 / 2))
    target = Variable(free_name(name, list(domain.names)), role="target")
    learned = with_times(Domain(domain.attributes), domain)
    columns = [rows.column(v.name) for v in learned]
    made = Table(Domain([*learned, target]), [*columns, distances], check=False)
    # What to do is a condition on a known cell: missing cells have no way of their own.
    learner = RegressionTree(
        split="multiway",
        min_leaf=leaf,
        min_split=2 * leaf,
        max_depth=DEPTH,
        prune=None,
        missing="ignore",
    )
    model = learner(made)
    assert isinstance(model, RegressionTreeModel)
    return model


@dataclass(frozen=True)
class DecisionPath:
    """The conditions on the way to a leaf, by column.

    Parameters
    ----------
    ranges
        Numbers must be above the first and at most the second.
    values
        Symbols must be one of these.
    """

    ranges: dict[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])
    values: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are asked for."""
        return (*self.ranges, *self.values)

    def above(self, column: str, low: float, high: float) -> "DecisionPath":
        """The same path with a narrower range."""
        a, b = self.ranges.get(column, (-np.inf, np.inf))
        return DecisionPath({**self.ranges, column: (max(a, low), min(b, high))}, self.values)

    def among(self, column: str, values: tuple[str, ...]) -> "DecisionPath":
        """The same path with fewer symbols."""
        return DecisionPath(self.ranges, {**self.values, column: values})

    def holds(self, rows: Table, column: str) -> Array:
        """Which rows fulfil the conditions of a column; where it is missing, they do not."""
        if column in self.ranges:
            low, high = self.ranges[column]
            numbers: Floats = rows.column(column)
            return (numbers > low) & (numbers <= high)
        codes = [rows.domain[column].codes.get(value, -2) for value in self.values[column]]
        return np.isin(rows.column(column), codes)

    def leads(self, rows: Table) -> Array:
        """Which rows fulfil all conditions."""
        held = [self.holds(rows, column) for column in self.columns]
        return np.all(held, axis=0) if held else np.ones(len(rows), np.bool_)

    def condition(self, column: str) -> str:
        """The condition on a column, as a person would write them."""
        if column in self.values:
            values = self.values[column]
            return f"= {values[0]}" if len(values) == 1 else f"in {{{', '.join(values)}}}"
        low, high = self.ranges[column]
        if np.isinf(low):
            return f"≤ {cut_text(high)}"
        return f"> {cut_text(low)}" if np.isinf(high) else f"in ({cut_text(low)}, {cut_text(high)}]"


def decision_paths(root: Node) -> Iterator[DecisionPath]:
    """The path to each leaf."""
    waiting = [(root, DecisionPath())]
    while waiting:
        node, path = waiting.pop()
        name, cut = node.attribute, node.threshold
        if name is None:
            yield path
        elif cut is None:
            waiting += [(below, path.among(name, values)) for values, below in node.groups]
        else:
            sides = ((-np.inf, cut), (cut, np.inf))
            pairs = zip(sides, node.groups, strict=True)
            waiting += [(below, path.above(name, *side)) for side, (_, below) in pairs]


def nearest_cell(rows: Table, column: str, now: Cell) -> Cell:
    """The cell that is nearest to one now: of numbers, else the most frequent of symbols."""
    variable = rows.domain[column]
    cells = rows.column(column)
    if variable.kind == "sym":
        return variable.values[int(np.bincount(cells[cells >= 0]).argmax())]
    number = float(np.median(cells)) if now is None else now
    return float(cells[np.argmin(np.abs(cells - number))])
