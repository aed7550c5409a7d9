"""Session: hands out rows, takes in answers, and knows nothing that is not in the log."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import RLock
from typing import Any

import numpy as np

from satsuma.active.agreement import Agreement
from satsuma.app.labelling.classification_strategy import ClassificationStrategy
from satsuma.app.labelling.crowd import Crowd, crowd_of, gold_scores
from satsuma.app.labelling.number_strategy import NumberStrategy
from satsuma.app.labelling.optimisation_strategy import OptimisationStrategy
from satsuma.app.labelling.queues import INTRODUCTIONS, QUEUES, Leases, Question, Queues
from satsuma.app.labelling.settings import check_settings
from satsuma.app.labelling.state import State
from satsuma.app.labelling.strategy import Strategy
from satsuma.app.labelling.task import Task
from satsuma.app.refusal import Refusal
from satsuma.app.store.events import Event, now, spelled_value
from satsuma.app.store.log import Log
from satsuma.app.store.row_keys import RowKeys, RowMatches, row_list
from satsuma.data.summary import short_row
from satsuma.errors import SatsumaError

#: Groups of equal rows that are named; there may be many more.
_NAMED = 3


@dataclass(frozen=True)
class Overview:
    """How far the labelling has come, for one person.

    Parameters
    ----------
    seq
        The last event that counts.
    last
        What this person could undo.
    people
        How many have answered.
    labels, left, mine
        Rows with a label, rows without an answer, and labels by this person.
    disagreements, second_looks
        How many wait for this person.
    counts
        Labels of each class.
    agreements
        How far each two people agree.
    notes
        Sentences about the rows and their labels.
    set_aside
        Labels and comments without a row.
    disputed
        How many rows people disagree on.
    gold
        By person: gold questions with the right answer, and all of them.
    quality
        By person: the share of right answers by Dawid and Skene, where three or more have answered.
    alpha
        Krippendorff's, of three or more.
    pace
        Seconds that this person takes for a label, by the median; None while nobody knows.
    """

    seq: int
    last: Event | None
    people: int
    labels: int
    left: int
    mine: int
    disagreements: int
    second_looks: int
    counts: list[tuple[str, int]]
    agreements: list[tuple[str, str, Agreement]]
    notes: list[str]
    set_aside: list[Event]
    disputed: int
    gold: list[tuple[str, int, int]]
    quality: list[tuple[str, float]]
    alpha: float | None
    pace: float | None


class Session:
    """One table that is being labelled by one or more people.

    The log comes first: an event is durable before it counts, and a replay of the log gives the
    same state. Events of other processes count when the next request comes.

    Parameters
    ----------
    task
        What is asked.
    log
        Where answers are kept.
    """

    def __init__(self, task: Task, log: Log) -> None:
        self.task, self.log, self.lock = task, log, RLock()
        self.keys = RowKeys(task.table, task.filled, task.key)
        self._leases = Leases(log)
        self._depth = 0
        try:
            check_settings(task, log)
            self._hiding = {str(who) for who in log.settings().get("hiding", [])}
            self._replay()
            self._leases.resume(self.state.find)
        except SatsumaError:
            log.close()
            raise

    def close(self) -> None:
        """Close the log."""
        with self.lock:
            self.log.close()

    # The log

    def _replay(self) -> None:
        """Let all events of the log count, from the first on."""
        task, events = self.task, self.log.after(0)
        self.matches = RowMatches(self.keys, events)
        self.strategy = _strategy_of(task)
        self.state = State(
            self.matches.find, self.strategy.settle, consensus=self.strategy.consensus
        )
        self.queues = Queues(self.state, self.strategy, task.gold)
        for event in events:
            self.state.apply(event)

    @contextmanager
    def current(self) -> Generator[None, None, None]:
        """Hold the lock, with all events of the log counted, whoever put them there.

        Inside of itself it does nothing: a request that answers and asks reads the log once.
        """
        with self.lock:
            if not self._depth:
                self._count(self.log.after(self.state.seq))
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1

    def _count(self, events: list[Event]) -> None:
        """Let new events count, in their order."""
        if any(self.matches.ambiguous(event.row) for event in events):
            self._replay()  # somebody labels another version of the file: all are matched anew
            return
        for event in events:
            self.state.apply(event)

    # Asking

    def ask(self, who: str, queue: str | None = None) -> Question | None:
        """The row that somebody has, if it is of the queue, or the next one of it.

        Parameters
        ----------
        who
            Who asks.
        queue
            One of `QUEUES`; if none is named, whatever they have, or a question.
        """
        with self.current():
            held = self._leases.held(who)
            if held is not None and (queue is None or held.kind in QUEUES[queue]):
                return self._question(held.row, held.kind)
            return self._lease_next(who, queue or "question")

    def _lease_next(self, who: str, queue: str) -> Question | None:
        found = self.queues.next(who, queue, self._leases.others(who, self.state.find))
        if found is None:
            self._leases.release(who)
            return None
        question = self._question(*found)
        self._leases.keep(who, question, self.state.seq)
        return question

    def _question(self, row: int, kind: str) -> Question:
        explanation = self.strategy.explain(row)
        if kind in INTRODUCTIONS:
            explanation = replace(explanation, summary=INTRODUCTIONS[kind])
        labels = [(name, person.label(row)) for name, person in self.state.people.items()]
        seen = [(name, spelled_value(value)) for name, value in labels if value is not None]
        return Question(
            row,
            self.keys[row],
            kind,
            explanation,
            seen if kind in ("disagreement", "second look") else [],
            [(e.who, str(e.value)) for e in self.state.comments.get(row, [])],
        )

    def hides(self, who: str) -> bool:
        """Whether somebody does not see what the model predicts."""
        return self.task.hidden or who in self._hiding

    def hide(self, who: str, *, hide: bool) -> None:
        """Show somebody no predictions from now on, or show them again; the log remembers it."""
        with self.lock:
            self._hiding = self._hiding | {who} if hide else self._hiding - {who}
            self.log.remember({"hiding": sorted(self._hiding)})

    # Answering

    def take(self, event: Event) -> Event:
        """Put what somebody did on disk, and let it count; idempotent, by the id of the event."""
        with self.current():
            stored = self.log.find(event.id)
            if stored is None:
                stored = self.log.append(self._complete(event))
                # If it has the next number, no event of another process came in between.
                following = stored.seq == self.state.seq + 1
                self._count([stored] if following else self.log.after(self.state.seq))
                if self._is_done(event):
                    self._leases.release(event.who)
            if not stored.same_action(event):
                raise Refusal(409, "Something else was sent under the same id.")
            return stored

    def _is_done(self, event: Event) -> bool:
        """Whether somebody is done with the row in hand: another row may have been mended."""
        if event.what == "comment":
            return False
        held = self._leases.held(event.who)
        return event.why is None or (held is not None and self.keys[held.row] == event.row)

    def _complete(self, event: Event) -> Event:
        """What a page has sent, checked, with all that the session knows."""
        row = (self.state if event.what == "undo" else self.keys).find(event.row)
        if row is None:
            raise Refusal(404, "There is no such row in the table.")
        if event.what == "label":
            self.strategy.check(event.value)
        if event.why is not None:
            why, model = self._mended(event, row)
        elif event.what == "undo":
            why, model = self._undone(event)
        else:
            why, model = self._asked(event.who, row)
        return replace(
            event,
            at=now(),
            why=why,
            model=model,
            shown=short_row(self.task.table[row], self.task.filled, 200),
            cells=self.keys.content(row),
        )

    def _undone(self, event: Event) -> tuple[None, int]:
        last = self.state.last_event(event.who)
        if last is None or last.id != event.of or last.row != event.row:
            raise Refusal(409, "There is nothing of yours to undo, or it is not the latest.")
        return None, self.state.seq

    def _mended(self, event: Event, row: int) -> tuple[dict[str, Any], int]:
        person = self.state.people.get(event.who)
        own = person.answers.get(row) if person is not None else None
        if event.what == "undo" and (not own or own[-1].id != event.of):
            raise Refusal(409, "There is no answer of yours to take back, or it is not the latest.")
        if event.what != "undo" and not self.state.history.get(row):
            raise Refusal(409, "Nobody has answered anything about this row yet.")
        return dict(event.why), self.state.seq

    def _asked(self, who: str, row: int) -> tuple[dict[str, Any], int]:
        lease = self._leases.held(who)
        if lease is None or lease.row != row:
            raise Refusal(409, "This row is not in your hands: it was answered in another window.")
        return dict(lease.why), lease.model

    # Looking

    def overview(self, who: str) -> Overview:
        """How far the labelling has come, for one person."""
        with self.lock:
            state, person = self.state, self.state.people.get(who)
            labels = list(state.labels.values())
            crowd = crowd_of(state) if self.strategy.consensus else Crowd()
            return Overview(
                seq=state.seq,
                last=state.last_event(who),
                people=len(state.people),
                labels=len(labels),
                left=self.strategy.left,
                mine=len(person.labelled) if person is not None else 0,
                disagreements=len(self.queues.disagreements(who)),
                second_looks=len(self.queues.second_looks(who)),
                counts=[(name, labels.count(name)) for name in self.strategy.names],
                agreements=state.agreements() if self.strategy.consensus else [],
                notes=self.notes(),
                set_aside=state.set_aside,
                disputed=len(state.disputed) if self.strategy.consensus else 0,
                gold=gold_scores(state, self.strategy),
                quality=list(crowd.quality.items()),
                alpha=crowd.alpha,
                pace=None if person is None else person.pace,
            )

    def notes(self) -> list[str]:
        """What whoever labels should know of the rows and their labels."""
        with self.lock:
            made = [
                _equal_rows(self.keys),
                _followers(len(self.strategy.followers)),
                _set_aside(self.matches, self.state.set_aside),
                _edited(self.keys, self.edited),
            ]
            return [each for each in made if each]

    @property
    def edited(self) -> list[int]:
        """Rows, known by their key, whose cells are not what they were when they were labelled."""
        if self.keys.column is None:
            return []
        latest = ((row, self.state.latest_answer(row)) for row in self.state.labels)
        return [row for row, event in latest
                if event is not None and event.cells != self.keys.content(row)]  # fmt: skip


def _strategy_of(task: Task) -> Strategy:
    if task.is_search:
        return OptimisationStrategy(task)
    return NumberStrategy(task) if task.number else ClassificationStrategy(task)


# What whoever labels should know of the rows and their labels, in sentences


def _equal_rows(keys: RowKeys) -> str:
    groups = keys.equal_rows
    if not groups:
        return ""
    named = "; ".join(row_list(rows) for rows in groups[:_NAMED])
    if len(groups) > _NAMED:
        named += f"; and {len(groups) - _NAMED:,} more groups"
    return (
        f"Some rows are the same in every column: {named}. Their labels are kept for the first, "
        f"the second … of them, and are set aside if their number changes. If a column tells rows "
        f"apart, name it as the key (--key NAME)."
    )


def _followers(count: int) -> str:
    if not count:
        return ""
    rows = "1 row has" if count == 1 else f"{count:,} rows have"
    return (
        f"{rows} the same text as an earlier one: each such text is asked about once, and all its "
        f"rows get the answer. To ask about each: --duplicates."
    )


def _set_aside(matches: RowMatches, events: list[Event]) -> str:
    if not events:
        return ""
    ambiguous = sum(matches.ambiguous(event.row) for event in events)
    are = "answer is" if len(events) == 1 else "answers are"
    reasons = list[str]()
    if len(events) > ambiguous:
        reasons.append(f"{len(events) - ambiguous:,} of rows that are not in the file as it is now")
    if ambiguous:
        reasons.append(
            f"{ambiguous:,} of rows that are the same as others, whose number has changed"
        )
    return (
        f"{len(events):,} {are} set aside: {', '.join(reasons)}. They are kept in the log and in "
        f"unmatched.csv."
    )


def _edited(keys: RowKeys, rows: list[int]) -> str:
    if not rows:
        return ""
    were = "row was" if len(rows) == 1 else "rows were"
    return (
        f"{len(rows):,} {were} edited since labelled: {row_list(np.array(rows))}. The labels stay "
        f"with them, by column {keys.column!r}."
    )
