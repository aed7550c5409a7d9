"""Number strategy: asks for a number, as the effort of an issue or the price of a house."""

from collections.abc import Callable, Collection
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from satsuma.app.labelling.panels import NumberSnapshot
from satsuma.app.labelling.strategy import Neighbour, RowExplanation
from satsuma.app.labelling.task import Task
from satsuma.app.refusal import Refusal
from satsuma.data.columns import spell
from satsuma.data.summary import short_row
from satsuma.data.table import Table
from satsuma.learners.learner import Learner
from satsuma.learners.model import Model
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Array

#: Nearest neighbours that are shown.
NEIGHBOURS = 3


class NumberStrategy:
    """Asks for the number of the row that is least like those known; see `Strategy`.

    Rows are unlike others by their attributes and by the number that is predicted (Wu, Lin and
    Huang 2019). Of several people, the latest answer holds.

    Parameters
    ----------
    task
        The table and its target.
    """

    consensus = False
    names: tuple[str, ...] = ()
    followers: Collection[int] = ()

    def __init__(self, task: Task) -> None:
        self._task = task
        self.labelling = task.how.begin(task.learned)
        self.goals = (self.labelling.target,)
        self.known: Collection[int] = {int(row) for row in self.labelling.labelled_rows}
        self.labelling.given = frozenset(self.known)
        self._before = self.labelling.labels.copy()

    @property
    def _name(self) -> str:
        return self.labelling.target.name

    @property
    def left(self) -> int:
        """How many rows have no number."""
        return len(self._task.table) - len(self.labelling.labelled_rows)

    def check(self, value: Any) -> None:
        """Refuse what is no number of the target."""
        given: Any = cast("Any", value) if isinstance(value, dict) else ()
        if set(given) != {self._name}:
            raise Refusal(422, f"A number is needed for {self._name}.")

    def settle(self, row: int, value: Any) -> None:
        """Learn the number of a row, or forget it; one that was in the file comes back."""
        if value is not None:
            self.labelling.tell(row, float(value[self._name]))
            return
        self.labelling.forget(row)
        if row in self.known:
            self.labelling.tell(row, float(self._before[row]))

    def next(self, without: Collection[int]) -> int | None:
        """The row that is least like those whose number is known."""
        found = self.labelling.ask(without=without)
        return found[0] if found else None

    def truth(self, row: int) -> Any:
        """The number of a row that was in the file."""
        return {self._name: float(self._before[row])} if row in self.known else None

    def is_audit(self, row: int) -> bool:
        """Whether the row asked about last was drawn at random."""
        return row in self.labelling.drawn

    def filled(self, rows: Array) -> Table:
        """Rows with their numbers."""
        part = self._task.table[rows]
        columns = [self.labelling.labels[rows] if v.name == self._name else column
                   for v, column in zip(part.domain, part.columns, strict=True)]  # fmt: skip
        return Table(part.domain, columns, name=part.name, check=False)

    def model(self) -> Model:
        """What was learned from the numbers so far."""
        if not self.labelling.ready:
            raise Refusal(409, "There is no model before the first answer.")
        return self.labelling.model

    def explain(self, row: int) -> RowExplanation:
        """Why a row is asked about: what is predicted, and which rows are most like it."""
        labelling = self.labelling
        rows = labelling.labelled_rows
        if len(rows) < 2:
            return RowExplanation("One of the rows to begin with: they are unlike each other.")
        model: Any = labelling.model
        one = self._task.learned[np.array([row])]
        predicted = float(model.numbers(model.asked(one))[0])
        words = (
            f"This row is least like those whose {self._name} is known. The model predicts "
            f"{predicted:.4g}; so far they go from {labelling.labels[rows].min():.4g} to "
            f"{labelling.labels[rows].max():.4g}."
        )
        return RowExplanation(words, neighbours=self._neighbours(row))

    @cached_property
    def _distance(self) -> Distance | None:
        used = [v.name for v in self._task.learned.domain.attributes if v.kind in ("num", "sym")]
        return Distance.of(self._task.learned.select(used)) if used else None

    def _neighbours(self, row: int) -> list[Neighbour]:
        rows = self.labelling.labelled_rows
        rows = rows[rows != row]
        if self._distance is None or not len(rows):
            return []
        alike = 1 - self._distance.between(self._task.learned[row], self._task.learned[rows])
        table = self._task.table
        return [
            Neighbour(int(rows[at]), spell(float(self.labelling.labels[rows[at]])),
                      float(alike[at]), short_row(table[int(rows[at])], self._task.filled))
            for at in np.argsort(-alike, kind="stable")[:NEIGHBOURS].tolist()
        ]  # fmt: skip

    def snapshot(self, patient: Callable[[Learner], Learner]) -> NumberSnapshot:
        """The numbers as they are now."""
        made, how = copy(self.labelling), self._task.how
        made.labels, made.certainty = made.labels.copy(), made.certainty.copy()
        made.order, made.unknown = list(made.order), list(made.unknown)
        made.how = replace(how, learner=patient(how.learner))
        return NumberSnapshot(made)
