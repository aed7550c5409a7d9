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
_Groups = list[tuple[str, tuple[tuple[str, str], ...]]]
_GROUPS: _Groups = [
    ("Labels", (("labels.csv", "CSV"), ("labels.parquet", "Parquet"))),
    ("Statement", (("statement.txt", "text"),)),
    ("Model", (("model.satsuma", ".satsuma"),)),
    ("Predictions for the rest", (("predictions.csv", "CSV"), ("predictions.parquet", "Parquet"))),
]


def export_groups(session: Session) -> _Groups:
    """The files that can be exported now, by group, and what each is called."""
    groups: _Groups = [*_GROUPS]
    if "title" in session.task.table.domain:
        files = (("labels.ris", "RIS"), ("labels.nbib", "PubMed"), ("labels.bib", "BibTeX"))
        if session.task.sought:
            files = (*files, ("found.ris", f"RIS of “{session.task.sought}”"))
        groups.insert(1, ("References", files))
    if session.state.set_aside:
        groups.append(("Set aside", (("unmatched.csv", "CSV"),)))
    return groups


def labels(session: Session) -> Table:
    """The rows that somebody has labelled or commented on, and the label of each person.

    Where people disagree, the label is missing.
    """
    with session.lock:
        state, strategy = session.state, session.strategy
        every = np.array(sorted({*state.touched, *strategy.known, *strategy.followers}), np.intp)
        part = strategy.filled(every)
        # A row that shares the label of another is there when that one has a label.
        own = np.isin(every, [*state.touched, *strategy.known])
        kept = np.flatnonzero(own | ~part.missing(session.task.filled[0]))
        rows, part = every[kept], part[kept]
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
        done = {*session.strategy.known, *session.state.labels, *session.strategy.followers}
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


def found(session: Session) -> Table:
    """The labelled rows of the class that is sought."""
    target, sought = session.task.filled[0], session.task.sought
    if sought is None:
        raise Refusal(409, "No class is looked for.")
    rows = labels(session)
    return rows[np.flatnonzero(rows.column(target) == rows.domain[target].code(sought))]


def statement(session: Session) -> str:
    """What was labelled by whom, whether that is enough, and what is proved, in sentences."""
    with session.lock:
        state, task = session.state, session.task
        snapshot, kappa = session.strategy.snapshot(lambda learner: learner), state.least_kappa()
        people = {who: len(each.labelled) for who, each in state.people.items() if each.labelled}
        pairs = state.agreements() if session.strategy.consensus else []
        left, disputed, rows = session.strategy.left, len(state.disputed), len(state.labels)
        seq = state.seq
    advice = snapshot.panel(seq, kappa).advice
    lines = [
        f"{task.table.name or 'table'}: {', '.join(task.filled)}, after event {seq:,}.",
        f"{rows:,} rows have a label here, {left:,} have none; people disagree on {disputed:,}.",
        *(f"{who} has labelled {count:,} rows." for who, count in people.items()),
        *(f"{one} and {other}: {str(found).splitlines()[0]}." for one, other, found in pairs),
    ]
    if task.sought:
        lines.append(f"Rows were looked for that are {task.sought!r}.")
    if advice is None:
        return "\n".join([*lines, "Nothing can be said of the result yet."]) + "\n"
    if advice.stop and disputed:
        lines.append("The advice below holds when the disagreements are settled.")
    return "\n".join([*lines, str(advice)]) + "\n"


def _as_csv(make: Callable[[Session], Table]) -> Callable[[Session, Path, bool], None]:
    # For people and their spreadsheets, names stay as they were.
    return lambda session, path, raw: write(
        make(session), path, marks=False, escape_formulas=not raw
    )


def _as_they_are(make: Callable[[Session], Table]) -> Callable[[Session, Path, bool], None]:
    return lambda session, path, _: write(make(session), path)


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")


#: What can be exported, by the name of the file: called with a path and whether formulas stay.
EXPORTS: dict[str, Callable[[Session, Path, bool], None]] = {
    "labels.csv": _as_csv(labels),
    "labels.parquet": _as_they_are(labels),
    "predictions.csv": _as_csv(predictions),
    "predictions.parquet": _as_they_are(predictions),
    "model.satsuma": lambda session, path, _: model(session).save(path),
    "unmatched.csv": _as_csv(unmatched),
    "labels.ris": _as_they_are(labels),
    "labels.nbib": _as_they_are(labels),
    "labels.bib": _as_they_are(labels),
    "found.ris": _as_they_are(found),
    "statement.txt": lambda session, path, _: _write_text(path, statement(session)),
}
