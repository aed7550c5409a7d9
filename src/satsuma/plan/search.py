"""Search: what was asked on the way to the best row, what was found, and why it is best."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from satsuma.data.row import Row
from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.evaluate.results_display import aligned
from satsuma.learners.tree.model import RegressionTreeModel
from satsuma.measures.ideal_point import IdealPoint, distance_to_ideal
from satsuma.numerics.arrays import Array, Floats
from satsuma.plan.advice import Advice, advise_by_tree
from satsuma.plan.aim import Aim
from satsuma.plan.contrast import Contrasts, contrast
from satsuma.plan.goal_tree import DISTANCE, goal_tree
from satsuma.plan.pareto import front, goal_losses, hypervolume

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Rows that are printed, and characters of a cell.
SHOWN, WIDTH = 5, 16


class Search:
    """A search for the best row over several goals, as `optimise` made it.

    Parameters
    ----------
    table
        All rows; goals are not looked at.
    rows
        The numbers of the labelled rows in it, in the order in which they were asked about.
    labelled
        These rows, in that order, with the goals that were told.
    asked
        How many questions it took; "don't know" is an answer too.
    """

    def __init__(self, table: Table, rows: "Sequence[int]", labelled: Table, asked: int) -> None:
        self.table, self.rows, self.labelled, self.asked = table, list(rows), labelled, asked

    @cached_property
    def goal_distance(self) -> IdealPoint:
        """The distance to the ideal point, by the ranges of the goals that were told."""
        return distance_to_ideal(self.labelled)

    @cached_property
    def distances(self) -> Floats:
        """How far each labelled row is from the ideal point, in the order of the questions."""
        return self.goal_distance(self.labelled)

    @cached_property
    def path(self) -> Floats:
        """The least distance to the ideal point so far, after each label."""
        return np.minimum.accumulate(self.distances)

    @cached_property
    def order(self) -> Array:
        """The places of the labelled rows, the best first; of equals, the one asked about first."""
        return np.argsort(self.distances, kind="stable")

    @property
    def best(self) -> Row:
        """The labelled row that is nearest to the ideal point, with its goals."""
        return self.labelled[int(self.order[0])]

    @property
    def best_row(self) -> int:
        """Its number in the table."""
        return self.rows[int(self.order[0])]

    @cached_property
    def front(self) -> list[int]:
        """The Pareto front: row numbers, the nearest to the ideal point first.

        No other labelled row is as good as these in all goals, and better in one.
        """
        best = set(front(goal_losses(self.labelled)).tolist())
        return [self.rows[int(at)] for at in self.order if int(at) in best]

    @cached_property
    def hypervolume(self) -> float:
        """The share of the space of goals that is worse than some labelled row, from 0 to 1.

        Goals are from their best to their worst among the labelled rows.
        """
        return hypervolume(goal_losses(self.labelled))

    @cached_property
    def tree(self) -> RegressionTreeModel:
        """A tree of the labelled rows: what parts those near the ideal point from the others."""
        return goal_tree(self.labelled, self.distances)

    def contrast(self, *, alpha: float = 0.05, size: int = 1) -> Contrasts:
        """What sets the best labelled rows apart from the rest; the best are the square root."""
        best = self.order[: max(1, round(len(self.order) ** 0.5))]
        return contrast(self.labelled, best, alpha=alpha, size=size)

    def advise(
        self, row: Row | Mapping[str, object], *, fixed: Iterable[str] = (), enough: float = 0.5
    ) -> Advice:
        """The smallest change that moves a row towards the ideal point; see `satsuma.advise`."""
        aim = Aim(self.distances, -1, DISTANCE)
        return advise_by_tree(row, self.labelled, aim, self.tree, fixed=fixed, enough=enough)

    def __repr__(self) -> str:
        return (
            f"Search({len(self.rows)} of {len(self.table)} rows labelled, the best is row "
            f"{self.best_row}, {self.distances.min():.3g} from the ideal point)"
        )

    def __str__(self) -> str:
        unknown = self.asked - len(self.rows)
        told = f"; of {unknown} nothing is known" if unknown else ""
        head = (
            f"{len(self.rows)} of {len(self.table)} rows were labelled{told}. Half of them are "
            f"{np.median(self.distances):.3g} from the ideal point or farther; the nearest:"
        )
        return "\n".join([head, "", *aligned(self._lines()), "", str(self.tree)])

    def _lines(self) -> list[list[str]]:
        goals = [goal.name for goal in self.labelled.domain.goals]
        names = [*(v.name for v in self.labelled.domain.attributes), *goals]
        lines = [["row", "label", *(cut(name, WIDTH) for name in names), "distance"]]
        for at in map(int, self.order[:SHOWN]):
            cells = [_cell(self.labelled.cell(at, name)) for name in names]
            lines.append([str(self.rows[at]), str(at + 1), *cells, f"{self.distances[at]:.3f}"])
        return lines


def _cell(value: object) -> str:
    if value is None:
        return "?"
    return f"{value:.5g}" if isinstance(value, float) else cut(str(value), WIDTH)
