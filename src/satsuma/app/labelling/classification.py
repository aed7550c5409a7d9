"""Classification: a strategy that asks for the class of the row most worth a label."""

from collections.abc import Callable, Collection
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from satsuma.active.label_errors import suspicious
from satsuma.active.labelling import Labelling
from satsuma.active.stopping_rule import finds_of, stop_advice
from satsuma.app.labelling.explanations import (
    ClassProbability,
    RowExplanation,
    loudest_drivers,
    model_explanation,
    nearest_rows,
)
from satsuma.app.labelling.strategy import Curve, Panel
from satsuma.app.labelling.task import MOST_CLASSES, Task
from satsuma.app.refusal import Refusal
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import SatsumaError
from satsuma.evaluate.learning_curve import learning_curve
from satsuma.learners.learner import Learner, learns_in_one_round
from satsuma.learners.model import Classifier, Model
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Array, Floats

#: Labels before a curve is drawn and old answers are doubted.
FEWEST = 20

#: Log odds from which on an old answer is doubted: another class is ten times as probable. The
#: rows that were asked about are the hard ones, and for most of them the model is of two minds.
DOUBTED = 2.3

#: Points of a curve of finds; proportions of the labels at which accuracy is measured, and folds:
#: fewer where each of them is learned anew.
_POINTS = 60
_QUICK, _SLOW = ((0.1, 0.2, 0.35, 0.5, 0.75, 1.0), 5), ((0.2, 0.4, 0.7, 1.0), 3)


class Classification:
    """Asks for classes (active learning); see `Strategy`.

    Parameters
    ----------
    task
        The table and its target.
    """

    consensus = True
    goals: tuple[Variable, ...] = ()

    def __init__(self, task: Task) -> None:
        self._task = task
        self.labelling = task.how.begin(task.learned)
        self._first = set(task.how.first(task.learned).tolist())
        self.known: Collection[int] = {int(row) for row in self.labelling.labelled_rows}
        self.labelling.given = frozenset(self.known)  # the first rows are the page's own choice
        self._before = self.labelling.labels.copy() if self.known else None

    @property
    def names(self) -> tuple[str, ...]:
        """The classes to choose among, in the order of their keys."""
        return self.labelling.target.values

    @property
    def left(self) -> int:
        """How many rows have no label."""
        return len(self._task.table) - len(self.labelling.labelled_rows)

    def check(self, value: Any) -> None:
        """Refuse what is no class, and one class too many."""
        if not isinstance(value, str):
            raise Refusal(422, "A label is the name of a class.")
        if value not in self.names and len(self.names) >= MOST_CLASSES:
            raise Refusal(409, f"There are {MOST_CLASSES} classes already, and that is the most.")

    def settle(self, row: int, value: Any) -> None:
        """Learn the class of a row, or forget it; a label that was in the file comes back."""
        if value is not None:
            self.labelling.tell(row, value)
            return
        self.labelling.forget(row)
        if row in self.known and self._before is not None:
            self.labelling.tell(row, self.names[int(self._before[row])])

    def next(self, without: Collection[int]) -> int | None:
        """The row that the model is least sure of, or most sure of where a class is sought."""
        found = self.labelling.ask(without=without)
        return found[0] if found else None

    def filled(self, rows: Array) -> Table:
        """Rows with their labels."""
        target, part = self.labelling.target, self._task.table[rows]
        variables = [target if v.name == target.name else v for v in part.domain]
        labels = self.labelling.labels[rows]
        columns = [labels if v.name == target.name else column
                   for v, column in zip(part.domain, part.columns, strict=True)]  # fmt: skip
        return Table(Domain(variables), columns, name=part.name, check=False)

    def model(self) -> Model:
        """What was learned from the labels so far."""
        if not self.labelling.ready:
            raise Refusal(409, "There is no model before two different answers.")
        return self.labelling.model

    # Why a row is asked about

    def explain(self, row: int) -> RowExplanation:
        """Why a row is asked about: how sure the model is of it, and by what."""
        probabilities = self._probabilities(row)
        if probabilities is None:
            return RowExplanation(self._without_model(row))
        order: list[int] = np.argsort(-probabilities, kind="stable").tolist()
        likely = [ClassProbability(self.names[at], float(probabilities[at])) for at in order[:4]]
        learned = self._task.learned[np.array([row])]
        found = model_explanation(self.labelling, learned, likely[0].name)
        return RowExplanation(
            self._without_model(row) if row in self._first else self._summary(likely),
            likely,
            [] if found is None else loudest_drivers(self.labelling, learned, found),
            nearest_rows(self.labelling, self._task, row, self._distance),
            "" if found is None else found.remark,
        )

    @cached_property
    def _distance(self) -> Distance | None:
        """How rows differ, by the ranges of all; words are compared in another way."""
        used = [v for v in self._task.learned.domain.attributes if v.kind != "text"]
        return Distance.of(self._task.learned.select([v.name for v in used])) if used else None

    def _probabilities(self, row: int) -> Floats | None:
        """The probability of each class; None while there is nothing to learn from."""
        if not self.labelling.ready:
            return None
        model = self.labelling.model
        assert isinstance(model, Classifier)
        return model.probabilities(model.asked(self._task.learned[np.array([row])]))[0]

    def _without_model(self, row: int) -> str:
        if row in self._first:
            return "One of the rows to begin with: they are unlike each other."
        if not len(self.labelling.labelled_rows):
            return "Nothing has a label yet, so any row will do."
        return "All labels so far are the same: rows come in any order until there is another."

    def _summary(self, likely: list[ClassProbability]) -> str:
        sought = self._task.sought
        if sought is not None:
            found = next((each.probability for each in likely if each.name == sought), 0.0)
            return (
                f"Of all rows without a label, this one is most probably “{sought}”: {found:.0%}."
            )
        best, other = likely[0], likely[1]
        if best.probability - other.probability < 0.02:
            words = "cannot decide at all"
        elif best.probability - other.probability < 0.3:
            words = "can hardly decide"
        else:
            words = "is fairly sure of this row, and surer of all others"
        return (
            f"The model {words}: {best.probability:.0%} “{best.name}”, {other.probability:.0%} "
            f"“{other.name}”. Your answer teaches it most here."
        )

    def snapshot(self, patient: Callable[[Learner], Learner]) -> "LabellingSnapshot":
        """The labels as they are now."""
        made, how = copy(self.labelling), self._task.how
        made.labels, made.certainty = made.labels.copy(), made.certainty.copy()
        made.order, made.unknown = list(made.order), list(made.unknown)
        made.how = replace(how, learner=patient(how.learner))
        return LabellingSnapshot(made, self._task.sought)


@dataclass(frozen=True)
class LabellingSnapshot:
    """Labels of one moment, and the class that is sought, if any."""

    labelling: Labelling
    sought: str | None

    def panel(self, seq: int, kappa: float | None) -> Panel:
        """Whether to stop, a curve, and labels to look at again."""
        if not self.labelling.ready:
            return Panel(seq)
        try:
            advice = stop_advice(self.labelling, sought=self.sought, kappa=kappa)
        except SatsumaError:
            advice = None
        curve = self._accuracy() if self.sought is None else self._finds(self.sought)
        return Panel(seq, advice, curve, doubts=self._doubts())

    def _finds(self, sought: str) -> Curve:
        found = np.cumsum(finds_of(self.labelling, sought).found)
        at = np.unique(np.linspace(0, len(found) - 1, min(_POINTS, len(found))).astype(int))
        points = [(float(each + 1), float(found[each])) for each in at]
        return Curve(points, f"rows found that are “{sought}”", percent=False)

    def _accuracy(self) -> Curve | None:
        rows = self.labelling.labelled
        codes = np.bincount(rows.column(self.labelling.target.name))
        if len(rows) < FEWEST or (codes[codes > 0] < 2).any():
            return None
        learner: Any = self.labelling.how.learner
        sizes, folds = _QUICK if learns_in_one_round(learner) else _SLOW
        try:
            curve = learning_curve({"model": learner}, rows, sizes=sizes, folds=folds)
        except SatsumaError:
            return None
        accuracy = curve.scores("CA")["model"].tolist()
        points = list(zip(map(float, curve.sizes), accuracy, strict=True))
        return Curve(points, "accuracy by the number of labels learned from")

    def _doubts(self) -> dict[int, str]:
        """Labels that are probably wrong, by a model of the others (cross-validation)."""
        rows = self.labelling.labelled_rows
        if len(rows) < FEWEST:
            return {}
        learner: Any = self.labelling.how.learner
        try:
            found = suspicious(learner, self.labelling.labelled, folds=5)
        except SatsumaError:
            return {}
        doubted = zip(found.rows.tolist(), found.doubt.tolist(), found.guess, strict=True)
        return {int(rows[at]): guess for at, doubt, guess in doubted if doubt > DOUBTED}
