"""Exports: labels, the model, and its predictions for the rest, as tables and as files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from satsuma.app.labelling.session import Session
from satsuma.app.refusal import Refusal
from satsuma.data.columns import from_cells
from satsuma.data.domain import Domain, free_name
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.data.write import write
from satsuma.learners.model import Model
from satsuma.learners.prediction_files import scored
from satsuma.learners.predictions import GetBoth

#: What is exported, in the words of the page: files of each group, and what they are called.
_GROUPS = (
    ("Labels", (("labels.csv", "CSV"), ("labels.parquet", "Parquet"))),
    ("Model", (("model.satsuma", ".satsuma"),)),
    ("Predictions for the rest", (("predictions.csv", "CSV"), ("predictions.parquet", "Parquet"))),
)


def export_groups(session: Session) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """The files that can be exported now, by group, and what each is called."""
    groups = [*_GROUPS]
    if session.state.set_aside:
        groups.append(("Set aside", (("unmatched.csv", "CSV"),)))
    return groups


def labels(session: Session) -> Table:
    """The rows that somebody has labelled or commented on, and the label of each person.

    Where people disagree, the label is missing.
    """
    with session.lock:
        state, strategy = session.state, session.strategy
        rows = np.array(sorted({*state.touched, *strategy.known}), np.intp)
        part = strategy.filled(rows)
        beside: list[tuple[str, list[Any]]] = [("row", (rows + 1).tolist())]
        for name, person in state.people.items():
            if strategy.consensus and person.answers:
                own = [person.label(int(row)) for row in rows]
                beside.append((f"{session.task.filled[0]} by {name}", own))
        comments = [" / ".join(f"{e.who}: {e.value}" for e in state.comments.get(int(row), []))
                    for row in rows]  # fmt: skip
        if any(comments):
            beside.append(("comments", [each or None for each in comments]))
    return _beside(part, beside)


def _beside(table: Table, more: list[tuple[str, list[Any]]]) -> Table:
    """A table with more columns, which are kept beside the rest."""
    variables, columns = list(table.domain), list(table.columns)
    for name, cells in more:
        kind = "num" if name == "row" else "text" if name == "comments" else "sym"
        variable, column = from_cells(free_name(name, [v.name for v in variables]), cells, kind)
        variables.append(variable.with_role("meta"))
        columns.append(column)
    return Table(Domain(variables), columns, name=table.name)


def model(session: Session) -> Model:
    """What was learned so far; of a search, the tree that says why the best rows are best."""
    with session.lock:
        return session.strategy.model()


def predictions(session: Session) -> Table:
    """The rows without a label, and what the model predicts."""
    task = session.task
    with session.lock:
        learned = session.strategy.model()
        done = {*session.strategy.known, *session.state.labels}
    rest = np.array([row for row in range(len(task.table)) if row not in done], np.intp)
    if not len(rest):
        raise Refusal(409, "No row is left without a label.")
    predicted = scored(learned, [], GetBoth, task.learned[rest])
    names = [name for name in task.table.domain.names if name not in task.filled]
    part = task.table.select(names)[rest]
    at = free_name("row", [*names, *predicted.domain.names])
    variables = [*part.domain, Variable(at, role="meta"), *predicted.domain]
    columns = [*part.columns, rest + 1.0, *predicted.columns]
    return Table(Domain(variables), columns, name=part.name, check=False)


def unmatched(session: Session) -> Table:
    """Answers that are set aside: their row is not in the file, or nobody can say which it is."""
    rows = [
        (e.who, e.what, e.value if isinstance(e.value, str) else json.dumps(e.value), e.shown,
         e.row)
        for e in session.state.set_aside
    ]  # fmt: skip
    if not rows:
        raise Refusal(409, "Every answer has its row in the file.")
    names = ["who", "what", "value", "row", "key"]
    return Table.of(rows, names, target=None, kinds=dict.fromkeys(names, "text"))


def _as_csv(make: Callable[[Session], Table]) -> Callable[[Session, Path, bool], None]:
    # For people and their spreadsheets, names stay as they were.
    return lambda session, path, raw: write(
        make(session), path, marks=False, escape_formulas=not raw
    )


def _as_parquet(make: Callable[[Session], Table]) -> Callable[[Session, Path, bool], None]:
    return lambda session, path, _: write(make(session), path)


#: What can be exported, by the name of the file: called with a path and whether formulas stay.
EXPORTS: dict[str, Callable[[Session, Path, bool], None]] = {
    "labels.csv": _as_csv(labels),
    "labels.parquet": _as_parquet(labels),
    "predictions.csv": _as_csv(predictions),
    "predictions.parquet": _as_parquet(predictions),
    "model.satsuma": lambda session, path, _: model(session).save(path),
    "unmatched.csv": _as_csv(unmatched),
}
