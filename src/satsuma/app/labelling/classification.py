"""Classes: the questions of a table whose rows are to get a class."""

from collections.abc import Collection
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np

from satsuma.active.labelling import Labelling
from satsuma.app.labelling.explanations import Guess, Reasons, driven, near_rows
from satsuma.app.labelling.task import Task
from satsuma.learners.model import Classifier
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Floats


class Classes:
    """A labelling, and the reasons for its questions.

    Parameters
    ----------
    task
        The table and its target.
    """

    def __init__(self, task: Task) -> None:
        self.task, self.how = task, task.how
        self.labelling = self.how.begin(task.learned)
        self._first = set(self.how.first(task.learned).tolist())
        #: Rows that had a label in the file.
        self.known = {int(row) for row in self.labelling.labelled_rows}
        self.labelling.given = frozenset(self.known)  # the first rows are the page's own choice
        self._before = self.labelling.told.copy() if self.known else None

    @property
    def names(self) -> tuple[str, ...]:
        """The classes to choose among, in the order of their keys."""
        return self.labelling.target.values

    @cached_property
    def _distance(self) -> Distance | None:
        """How rows differ, by the ranges of all; words are compared in another way."""
        used = [v for v in self.task.learned.domain.attributes if v.kind != "text"]
        return Distance.of(self.task.learned.select([v.name for v in used])) if used else None

    def settle(self, row: int, value: Any) -> None:
        """Take in what was settled about a row; None where nothing is, any more."""
        if value is not None:
            self.labelling.tell(row, value)
            return
        self.labelling.forget(row)
        if row in self.known and self._before is not None:
            self.labelling.tell(row, self.labelling.target.values[int(self._before[row])])

    def next(self, without: Collection[int]) -> int | None:
        """The row most worth asking about."""
        found = self.labelling.ask(without=without)
        return found[0] if found else None

    @property
    def left(self) -> int:
        """How many rows have no label."""
        return len(self.task.table) - len(self.labelling.labelled_rows)

    def chances(self, row: int) -> Floats | None:
        """How probable each class is for a row; None while there is nothing to go by."""
        if not self.labelling.ready:
            return None
        model = self.labelling.model
        assert isinstance(model, Classifier)
        return model.probabilities(model.asked(self.task.learned[np.array([row])]))[0]

    def reasons(self, row: int) -> Reasons:
        """Why a row is asked about."""
        chances = self.chances(row)
        if chances is None:
            return Reasons(self._begun(row))
        order: list[int] = np.argsort(-chances, kind="stable").tolist()
        guesses = [Guess(self.names[code], float(chances[code])) for code in order[:4]]
        told = self._begun(row) if row in self._first else self._in_words(guesses)
        learned = self.task.learned[np.array([row])]
        return Reasons(
            told,
            guesses,
            driven(self.labelling, learned, guesses[0].name),
            near_rows(self.labelling, self.task, row, self._distance),
        )

    def _begun(self, row: int) -> str:
        if row in self._first:
            return "One of the rows to begin with: they are unlike each other."
        kinds = len(np.unique(self.labelling.told[self.labelling.labelled_rows]))
        if not kinds:
            return "Nothing has a label yet, so any row will do."
        return "All labels so far are the same: rows come in any order until there is another."

    def _in_words(self, guesses: list[Guess]) -> str:
        if self.task.sought is not None:
            share = next((g.chance for g in guesses if g.name == self.task.sought), 0.0)
            return (
                f"Of all rows without a label, this one is most probably "
                f"“{self.task.sought}”: {share:.0%}."
            )
        best, other = guesses[0], guesses[1]
        if best.chance - other.chance < 0.02:
            words = "cannot decide at all"
        elif best.chance - other.chance < 0.3:
            words = "can hardly decide"
        else:
            words = "is fairly sure of this row, and surer of all others"
        return (
            f"The model {words}: {best.chance:.0%} “{best.name}”, {other.chance:.0%} "
            f"“{other.name}”. Your answer teaches it most here."
        )

    def snapshot(self) -> Labelling:
        """The labelling as it is now; what is told later does not change it."""
        made = copy(self.labelling)
        made.told, made.certainty = made.told.copy(), made.certainty.copy()
        made.order, made.unknown = list(made.order), list(made.unknown)
        return made
