"""Classification strategy: asks for the class of the row most worth a label."""

from collections.abc import Callable, Collection
from copy import copy
from dataclasses import replace
from functools import cached_property
from math import exp
from typing import Any

import numpy as np

from satsuma.active.labelling import Labelling
from satsuma.app.labelling.panels import LabellingSnapshot
from satsuma.app.labelling.strategy import ClassProbability, Driver, Neighbour, RowExplanation
from satsuma.app.labelling.task import MOST_CLASSES, Task
from satsuma.app.refusal import Refusal
from satsuma.data.columns import spell
from satsuma.data.domain import Domain
from satsuma.data.summary import cut, short_row
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import SatsumaError
from satsuma.learners.explanation import LEAST, PRIOR, Explanation
from satsuma.learners.learner import Learner
from satsuma.learners.model import Classifier, Model
from satsuma.learners.text.model import REST, TextModel
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Array, Floats

#: What is shown at most: drivers of a prediction, and nearest neighbours.
DRIVERS, NEIGHBOURS = 5, 3

#: Labelled rows among which the nearest are looked for, the latest.
AMONG = 5000


class ClassificationStrategy:
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
        self.followers: Collection[int] = self.labelling.followers
        # The first rows are the page's own choice: they were found as all others.
        self.labelling.given = frozenset([*self.known, *self.followers])
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

    def truth(self, row: int) -> Any:
        """The class of a row that was in the file."""
        if self._before is None or row not in self.known:
            return None
        return self.names[int(self._before[row])]

    def is_audit(self, row: int) -> bool:
        """Whether the row asked about last was drawn at random, to prove something by it."""
        return row in self.labelling.drawn

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
        found = _model_explanation(self.labelling, learned, likely[0].name)
        return RowExplanation(
            self._without_model(row) if row in self._first else self._summary(likely),
            likely,
            [] if found is None else _loudest_drivers(self.labelling, learned, found),
            _nearest_rows(self.labelling, self._task, row, self._distance),
            "" if found is None else found.remark,
        )

    @cached_property
    def _distance(self) -> Distance | None:
        """How rows differ, by the ranges of all; words are compared in another way."""
        used = [v for v in self._task.learned.domain.attributes if v.kind in ("num", "sym")]
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
            words = "is fairly sure of this row, but less than of any other"
        return (
            f"The model {words}: {best.probability:.0%} “{best.name}”, {other.probability:.0%} "
            f"“{other.name}”. Your answer teaches it most here."
        )

    def snapshot(self, patient: Callable[[Learner], Learner]) -> LabellingSnapshot:
        """The labels as they are now."""
        made, how = copy(self.labelling), self._task.how
        made.labels, made.certainty = made.labels.copy(), made.certainty.copy()
        made.order, made.unknown = list(made.order), list(made.unknown)
        made.how = replace(how, learner=patient(how.learner))
        return LabellingSnapshot(made, self._task.sought)


def _model_explanation(labelling: Labelling, row: Table, predicted: str) -> Explanation | None:
    """What speaks for a class; None of a model that does not add up log-odds."""
    model: Any = labelling.model
    try:
        if model.terms_of != "log-odds":
            return None
        return model.explain(row[0], predicted)
    except (AttributeError, SatsumaError):
        return None


def _loudest_drivers(labelling: Labelling, row: Table, found: Explanation) -> list[Driver]:
    """The words or cells that speak loudest for or against a class."""
    parts = {
        name: each
        for name, each in found.items()
        if name not in (PRIOR, REST) and abs(each) >= LEAST
    }
    made: list[Driver] = []
    for name in sorted(parts, key=lambda name: -abs(parts[name]))[:DRIVERS]:
        side = (found.value if parts[name] > 0 else found.against) or ""
        how = f"{_times(abs(parts[name]))} as probable"
        if isinstance(labelling.model, TextModel):
            made.append(Driver(f"“{name}”", side, how))
        else:
            made.append(Driver(_cell(row, name), side, how + _usual(labelling, name, side)))
    return made


def _times(log_odds: float) -> str:
    if log_odds > 6.9:
        return "over 1,000 times"
    return f"{exp(log_odds):.3g} times"


def _cell(row: Table, name: str) -> str:
    if name not in row.domain:
        return name  # columns that are counted together
    cell = row.cell(0, name)
    return f"{name} = {'?' if cell is None else cut(spell(cell), 40)}"


def _usual(labelling: Labelling, name: str, side: str) -> str:
    """The range of most numbers of a class: its first to its last decile among the labels."""
    rows = labelling.labelled
    if name not in rows.domain or rows.domain[name].kind != "num":
        return ""
    own = rows.column(labelling.target.name) == labelling.target.code(side)
    cells = rows.column(name)[own]
    cells = cells[~np.isnan(cells)]
    if len(cells) < 3:
        return ""
    low, high = np.quantile(cells, [0.1, 0.9])
    return f"; most of “{side}” are from {low:.4g} to {high:.4g}"


def _nearest_rows(
    labelling: Labelling, task: Task, row: int, distance: Distance | None
) -> list[Neighbour]:
    """The labelled rows that are most like one: by their words, or by all their columns."""
    among = [at for at in dict.fromkeys(reversed(labelling.order)) if at != row][:AMONG]
    if not among:
        among = labelling.labelled_rows[:AMONG].tolist()
    rows = np.array(sorted(among), np.intp)
    if not len(rows):
        return []
    model: Any = labelling.model
    if isinstance(model, TextModel):
        matrix = model.matrix(task.learned)
        alike = (matrix[rows] @ matrix[row].T).toarray().ravel()
    elif distance is not None:
        alike = 1 - distance.between(task.learned[row], task.learned[rows])
    else:
        return []
    best = np.argsort(-alike, kind="stable")[:NEIGHBOURS].tolist()
    values = labelling.target.values
    return [
        Neighbour(int(rows[at]), values[int(labelling.labels[rows[at]])], float(alike[at]),
             short_row(task.table[int(rows[at])], task.filled))
        for at in best if alike[at] > 0
    ]  # fmt: skip
