"""Explanations: why a row is asked about: the prediction, what drives it, and rows like it."""

from dataclasses import dataclass, field
from math import exp
from typing import Any

import numpy as np

from satsuma.active.labelling import Labelling
from satsuma.app.labelling.task import Task
from satsuma.data.columns import spell
from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.errors import SatsumaError
from satsuma.learners.explanation import LEAST, PRIOR, Explanation
from satsuma.learners.text.model import REST, TextModel
from satsuma.measures.distance import Distance

#: What is shown at most: drivers of a prediction, nearest neighbours, characters of a row.
DRIVERS, NEIGHBOURS, WIDTH = 5, 3, 90

#: Labelled rows among which the nearest are looked for, the latest.
AMONG = 5000


@dataclass(frozen=True)
class ClassProbability:
    """A class, and its probability by the model."""

    name: str
    probability: float


@dataclass(frozen=True)
class Driver:
    """A word or a cell that speaks for a class.

    Parameters
    ----------
    what
        The word, or the column and its cell.
    speaks_for
        The class.
    how
        How much more probable it makes the class, and which range is usual.
    """

    what: str
    speaks_for: str
    how: str


@dataclass(frozen=True)
class Neighbour:
    """A labelled row that is like this one."""

    row: int
    label: str
    alike: float
    shown: str


@dataclass(frozen=True)
class RowExplanation:
    """Why a row is asked about.

    Parameters
    ----------
    summary
        In a sentence or two.
    prediction
        The most probable classes.
    drivers
        The words or cells that speak loudest for or against the first of them.
    remark
        That none does, in a sentence.
    neighbours
        Labelled rows that are most like it.
    """

    summary: str
    prediction: list[ClassProbability] = field(default_factory=list[ClassProbability])
    drivers: list[Driver] = field(default_factory=list[Driver])
    neighbours: list[Neighbour] = field(default_factory=list[Neighbour])
    remark: str = ""

    def brief(self) -> dict[str, Any]:
        """What the log keeps of it, by the names that are in its files."""
        probabilities = {each.name: round(each.probability, 6) for each in self.prediction}
        return {"told": self.summary, "guess": probabilities}


def model_explanation(labelling: Labelling, row: Table, predicted: str) -> Explanation | None:
    """What speaks for a class; None of a model that does not explain itself."""
    model: Any = labelling.model
    try:
        return model.explain(row[0], predicted)
    except (AttributeError, SatsumaError):
        return None


def loudest_drivers(labelling: Labelling, row: Table, found: Explanation) -> list[Driver]:
    """The words or cells that speak loudest for or against a class."""
    parts = {
        name: each
        for name, each in found.items()
        if name not in (PRIOR, REST) and abs(each) >= LEAST
    }
    made: list[Driver] = []
    for name in sorted(parts, key=lambda name: -abs(parts[name]))[:DRIVERS]:
        side = found.value if parts[name] > 0 else found.against
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


def nearest_rows(
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
        matrix = model.vocabulary.matrix(task.learned)
        alike = (matrix[rows] @ matrix[row].T).toarray().ravel()
    elif distance is not None:
        alike = 1 - distance.between(task.learned[row], task.learned[rows])
    else:
        return []
    best = np.argsort(-alike, kind="stable")[:NEIGHBOURS].tolist()
    values = labelling.target.values
    return [
        Neighbour(int(rows[at]), values[int(labelling.labels[rows[at]])], float(alike[at]),
             short_row(task.table, int(rows[at]), task.filled))
        for at in best if alike[at] > 0
    ]  # fmt: skip


def short_row(table: Table, row: int, without: tuple[str, ...], width: int = WIDTH) -> str:
    """A row in short: its cells in order, texts first.

    Examples
    --------
    >>> short_row(
    ...     Table.of([(3, "a story", "yes")], ["n", "t", "y"], kinds={"t": "text"}), 0, ("y",)
    ... )
    'a story · n 3'
    """
    texts, others = list[str](), list[str]()
    for variable in table.domain:
        cell = table.cell(row, variable.name)
        if variable.name in without or cell is None or variable.role == "ignore":
            continue
        if variable.kind == "text":
            texts.append(" ".join(str(cell)[: 2 * width].split()))
        else:
            others.append(f"{variable.name} {spell(cell)}")
    made = " · ".join([*texts, *others])
    return made if len(made) <= width else made[: width - 1] + "…"
