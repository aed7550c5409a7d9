"""Exports: labels, the model, and what it says of the rest, as files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from satsuma.app.labelling.classification import Classes
from satsuma.app.labelling.session import Desk
from satsuma.app.refusal import Refusal
from satsuma.data.column_names import free_name
from satsuma.data.columns import from_cells
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.data.write import write
from satsuma.learners.distribution import GetBoth
from satsuma.learners.model import Model
from satsuma.learners.prediction_files import scored
from satsuma.numerics.arrays import Array


def labels(desk: Desk) -> Table:
    """The rows that somebody has labelled or commented on, what was settled, and who said what.

    Where people differ, what was settled is missing.
    """
    with desk.lock:
        state, people = desk.state, desk.state.people
        some = {row for person in people.values() for row in person.labelled}
        rows = np.array(sorted({*some, *desk.asking.known, *_commented(desk)}), np.intp)
        part = _filled(desk, rows)
        told: list[tuple[str, list[Any]]] = [("row", (rows + 1).tolist())]
        for name, person in people.items():
            if not desk.task.is_search and person.said:
                said = [person.label(int(row)) for row in rows]
                told.append((f"{desk.task.filled[0]} by {name}", said))
        comments = [" / ".join(f"{e.who}: {e.value}" for e in state.comments.get(int(row), []))
                    for row in rows]  # fmt: skip
        if any(comments):
            told.append(("comments", [each or None for each in comments]))
    return _beside(part, told)


def _commented(desk: Desk) -> list[int]:
    return [row for row, events in desk.state.comments.items() if events]


def _filled(desk: Desk, rows: Array) -> Table:
    """Rows with what is settled about them."""
    if isinstance(desk.asking, Classes):
        labelling = desk.asking.labelling
        new: dict[str, Array] = {labelling.target.name: labelling.told[rows]}
        variables = [labelling.target if v.name in new else v for v in desk.task.table.domain]
    else:
        variables, new = list(desk.task.table.domain), {}
        for goal in desk.asking.goals:
            cells = [desk.asking.told(int(row)).get(goal.name, np.nan) for row in rows]
            new[goal.name] = np.array(cells, np.float64)
    part = desk.task.table[rows]
    columns = [new.get(v.name, c) for v, c in zip(part.domain, part.columns, strict=True)]
    return Table(Domain(variables), columns, name=part.name, check=False)


def _beside(table: Table, told: list[tuple[str, list[Any]]]) -> Table:
    """A table with more columns, which are kept beside the rest."""
    variables, columns = list(table.domain), list(table.columns)
    for name, cells in told:
        kind = "num" if name == "row" else "text" if name == "comments" else "sym"
        variable, column = from_cells(free_name(name, [v.name for v in variables]), cells, kind)
        variables.append(variable.with_role("meta"))
        columns.append(column)
    return Table(Domain(variables), columns, name=table.name)


def model(desk: Desk) -> Model:
    """What was learned so far; of a search, the tree that tells why the best rows are best."""
    with desk.lock:
        if isinstance(desk.asking, Classes):
            if not desk.asking.labelling.ready:
                raise Refusal(409, "There is no model before two different answers.")
            return desk.asking.labelling.model
        search = desk.asking.search()
        if search is None:
            raise Refusal(409, "There is no model before the first answer.")
        return search.tree


def predictions(desk: Desk) -> Table:
    """The rows without a label, and what the model says of them."""
    with desk.lock:
        learned = model(desk)
        done = {*desk.asking.known, *desk.state.settled}
    rest = np.array([row for row in range(len(desk.task.table)) if row not in done], np.intp)
    if not len(rest):
        raise Refusal(409, "No row is left without a label.")
    answers = scored(learned, [], GetBoth, desk.task.learned[rest])
    names = [name for name in desk.task.table.domain.names if name not in desk.task.filled]
    part = desk.task.table.select(names)[rest]
    at = free_name("row", [*names, *answers.domain.names])
    variables = [*part.domain, Variable(at, role="meta"), *answers.domain]
    columns = [*part.columns, rest + 1.0, *answers.columns]
    return Table(Domain(variables), columns, name=part.name, check=False)


def strays(desk: Desk) -> Table:
    """Answers that are set aside: their row is not in the file, or nobody can say which it is."""
    rows = [
        (e.who, e.what, e.value if isinstance(e.value, str) else json.dumps(e.value), e.shown,
         e.row)
        for e in desk.state.set_aside
    ]  # fmt: skip
    if not rows:
        raise Refusal(409, "Every answer has its row in the file.")
    names = ["who", "what", "value", "row", "key"]
    return Table.of(rows, names, target=None, kinds=dict.fromkeys(names, "text"))


def _written(make: Callable[[Desk], Table], ending: str) -> Callable[[Desk, Path, bool], None]:
    def put(desk: Desk, path: Path, raw: bool) -> None:
        # For people and their spreadsheets, names stay as they were.
        options: Any = {"marks": False, "escape_formulas": not raw} if ending == "csv" else {}
        write(make(desk), path, **options)

    return put


def _saved(desk: Desk, path: Path, raw: bool) -> None:  # noqa: ARG001 - as the others
    model(desk).save(path)


#: What can be exported, by the name of the file.
EXPORTS: dict[str, Callable[[Desk, Path, bool], None]] = {
    "labels.csv": _written(labels, "csv"),
    "labels.parquet": _written(labels, "parquet"),
    "predictions.csv": _written(predictions, "csv"),
    "predictions.parquet": _written(predictions, "parquet"),
    "model.satsuma": _saved,
    "unmatched.csv": _written(strays, "csv"),
}
