"""Answer list: every row that somebody has answered, to be searched, filtered and mended."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from satsuma.app.labelling.session import Session
from satsuma.app.store.events import (
    GOLD,
    Event,
    is_retraction,
    question_kind,
    spelled_value,
    undone_ids,
)
from satsuma.data.columns import spell
from satsuma.data.summary import short_row

#: Rows on a page of the list.
PAGE = 20

#: What a row's label can be beside a class: people differ, or nobody has given one.
DISPUTED, NO_LABEL = "disputed", "no label"


@dataclass(frozen=True)
class PastEvent:
    """One thing that was done about a row.

    Parameters
    ----------
    event
        As it is in the log.
    what
        In words.
    in_force
        Whether it still counts.
    """

    event: Event
    what: str
    in_force: bool


@dataclass(frozen=True)
class AnsweredRow:
    """A row, who said what of it, and all that was done about it.

    Parameters
    ----------
    row, key
        Its number, and what it is known by.
    shown
        The row in short.
    label
        What it counts as: its label, `DISPUTED` or `NO_LABEL`.
    answers
        By whom, and what.
    mine
        The id and the value of the latest answer of whoever looks; None if there is none.
    history
        In order.
    """

    row: int
    key: str
    shown: str
    label: str
    answers: list[tuple[str, str]]
    mine: tuple[str, str] | None
    history: list[PastEvent]


@dataclass(frozen=True)
class AnswerFilter:
    """Which answers are listed.

    Parameters
    ----------
    words
        All of them must be in the row, in a comment or in an answer; capitals do not matter.
    label
        What the rows count as; empty for all.
    by
        Who has answered; empty for anybody.
    page
        Which page of the list, from 0.
    """

    words: str = ""
    label: str = ""
    by: str = ""
    page: int = 0


@dataclass(frozen=True)
class AnswerPage:
    """A page of the list, how many rows there are in all, and what can be chosen."""

    rows: list[AnsweredRow]
    found: int
    page: int
    pages: int
    labels: list[str]
    people: list[str]


def answer_page(session: Session, who: str, wanted: AnswerFilter) -> AnswerPage:
    """The answered rows that a filter lets through, the latest first."""
    with session.lock:
        state = session.state
        rows = [row for row in _latest_first(session) if _is_wanted(session, row, wanted)]
        pages = max(1, -(-len(rows) // PAGE))
        page = min(max(wanted.page, 0), pages - 1)
        shown = rows[page * PAGE : (page + 1) * PAGE]
        return AnswerPage(
            [_answered_row(session, row, who) for row in shown],
            len(rows),
            page,
            pages,
            [*session.strategy.names, DISPUTED, NO_LABEL],
            [name for name, person in state.people.items() if person.answers],
        )


def _latest_first(session: Session) -> Iterator[int]:
    history = session.state.history
    touched = ((events[-1].seq, row) for row, events in history.items() if _said(events))
    return (row for _, row in sorted(touched, reverse=True))


def _said(events: list[Event]) -> bool:
    """Whether somebody has said something: a skip says nothing."""
    said = ("label", "unsure", "comment")
    return any(event.what in said and question_kind(event) != GOLD for event in events)


def _is_wanted(session: Session, row: int, wanted: AnswerFilter) -> bool:
    state = session.state
    if wanted.label and wanted.label != _label(session, row):
        return False
    if wanted.by and (wanted.by not in state.people or row not in state.people[wanted.by].answers):
        return False
    words = wanted.words.casefold().split()
    if not words:
        return True
    table = session.task.table
    cells = (table.cell(row, name) for name in table.domain.names)
    said = (spelled_value(event.value) for event in state.history[row])
    text = "\n".join([*(spell(cell) for cell in cells if cell is not None), *said]).casefold()
    return all(word in text for word in words)


def _label(session: Session, row: int) -> str:
    state = session.state
    if row in state.disputed:
        return DISPUTED
    return spelled_value(state.labels[row]) if row in state.labels else NO_LABEL


def _answered_row(session: Session, row: int, who: str) -> AnsweredRow:
    state = session.state
    latest = {name: person.answers[row][-1] for name, person in state.people.items()
              if person.answers.get(row)}  # fmt: skip
    mine = latest.get(who)
    events = state.history[row]
    undone = undone_ids(events)
    return AnsweredRow(
        row,
        session.keys[row],
        short_row(session.task.table[row], session.task.filled, 300),
        _label(session, row),
        [(name, _answer(event)) for name, event in latest.items()],
        None if mine is None else (mine.id, _answer(mine)),
        [PastEvent(each, _in_words(each), each.id not in undone) for each in events],
    )


def _answer(event: Event) -> str:
    return "unsure" if event.what == "unsure" else spelled_value(event.value)


def _in_words(event: Event) -> str:
    value: Any = event.value
    if event.what == "label":
        return f"answered {spelled_value(value)}"
    if is_retraction(event):
        return "took the answer back"
    words = {"skip": "skipped", "unsure": "was unsure", "undo": "undid the step before"}
    return words.get(event.what, f"commented: {value}")
