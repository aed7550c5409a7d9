"""Desk: hands out rows, takes in answers, and knows nothing that is not in the log."""

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import RLock
from typing import Any, cast

from satsuma.app.labelling.classification import Classes
from satsuma.app.labelling.explanations import shown
from satsuma.app.labelling.optimisation import Goals
from satsuma.app.labelling.question import KINDS, Question
from satsuma.app.labelling.queues import Queues
from satsuma.app.labelling.settings import check_settings
from satsuma.app.labelling.state import State
from satsuma.app.labelling.task import MOST_CLASSES, Task
from satsuma.app.refusal import Refusal
from satsuma.app.store.deed import Deed
from satsuma.app.store.events import Event
from satsuma.app.store.log import Log
from satsuma.app.store.places import Places
from satsuma.app.store.row_keys import Keys
from satsuma.data.columns import spell
from satsuma.errors import SatsumaError

#: Milliseconds for which a row is kept for whom it was handed to.
LEASE = 10 * 60_000


@dataclass(frozen=True)
class Lease:
    """A row in somebody's hand."""

    row: int
    until: int
    kind: str
    why: Mapping[str, Any]
    model: int


class Desk:
    """One table that is being labelled by one or more people.

    Parameters
    ----------
    task
        What is asked.
    log
        Where answers are kept.
    """

    def __init__(self, task: Task, log: Log) -> None:
        self.task, self.log, self.lock = task, log, RLock()
        self.keys = Keys(task.table, task.filled, task.key)
        self._leases: dict[str, Lease] = {}
        try:
            check_settings(task, log)
            self._begin()
            self._take_up_leases()
        except SatsumaError:
            log.close()
            raise

    def _take_up_leases(self) -> None:
        for who, key, until, asked in self.log.leases():
            row = self.state.find(key)
            if row is not None:
                with suppress(ValueError, TypeError):  # of a lease that is no good, nothing hangs
                    self._leases[who] = Lease(row, until, **json.loads(asked))

    def _begin(self) -> None:
        """Let all events of the log count."""
        task, events = self.task, self.log.after(0)
        self.places = Places(self.keys, events)
        self.asking: Classes | Goals = Goals(task) if task.is_search else Classes(task)
        self.state = State(self.places.find, self.asking.settle, one_mind=not task.is_search)
        self.queues = Queues(self.state, self.asking)
        for event in events:
            self.state.apply(event)

    def catch_up(self) -> None:
        """Let the new events of the log count, whoever put them there."""
        events = self.log.after(self.state.seq)
        if any(self.places.doubtful(event.row) for event in events):
            self._begin()  # somebody labels another version of the file: all are weighed anew
            return
        for event in events:
            self.state.apply(event)

    @property
    def edited(self) -> list[int]:
        """Rows whose cells are not what they were when they were labelled."""
        latest = ((row, self.state.latest(row)) for row in self.state.settled)
        return [row for row, event in latest
                if event is not None and event.cells != self.keys.content(row)]  # fmt: skip

    # Asking

    def ask(self, who: str, queue: str | None = None) -> Question | None:
        """The row that somebody has in hand, if it is of the queue, or the next one of it.

        Parameters
        ----------
        who
            Whose turn it is.
        queue
            One of `QUEUES`; if none is named, whatever is in hand, or a question.
        """
        with self.lock:
            self.catch_up()
            held = self._leases.get(who)
            if held is not None and (queue is None or held.kind in KINDS[queue]):
                return self._question(held.row, held.kind)
            return self._handed(who, queue or "question")

    def _handed(self, who: str, queue: str) -> Question | None:
        now = _now()
        found = self.queues.next(who, queue, self._away(who, now))
        if found is None:
            self._leases.pop(who, None)
            self.log.give_back(who)
            return None
        question = self._question(*found)
        why = {"kind": question.kind, **question.reasons.brief()}
        lease = Lease(question.row, now + LEASE, question.kind, why, self.state.seq)
        self._leases[who] = lease
        asked = json.dumps({"kind": lease.kind, "why": why, "model": lease.model})
        self.log.lease(who, question.key, lease.until, asked)
        return question

    def _away(self, who: str, now: int) -> set[int]:
        """Rows in the hands of others, be it at the desk of another process."""
        here = [(name, each.row, each.until) for name, each in self._leases.items()]
        there = [(name, self.state.find(key), until) for name, key, until, _ in self.log.leases()]
        held = (row for name, row, until in (*here, *there) if name != who and until > now)
        return {row for row in held if row is not None}

    def _question(self, row: int, kind: str) -> Question:
        people = self.state.people.items()
        open_kinds = ("disagreement", "second look")
        said = [(name, p.label(row)) for name, p in people if p.label(row) is not None]
        return Question(
            row,
            self.keys[row],
            kind,
            self.queues.told(kind, self.asking.reasons(row)),
            [(name, _told(value)) for name, value in said] if kind in open_kinds else [],
            [(e.who, str(e.value)) for e in self.state.comments.get(row, [])],
        )

    # Answering

    def take(self, who: str, deed: Deed) -> Event:
        """Put what somebody did on disk, and let it count; sent again, it changes nothing."""
        with self.lock:
            self.catch_up()
            stored = self.log.find(deed.id)
            if stored is None:
                stored = self.log.append(self._event(who, deed))
                self.catch_up()
                self._release(who, deed)
            if not stored.same(self._plain(who, deed)):
                raise Refusal(409, "Something else was sent under the same id.")
            return stored

    def _release(self, who: str, deed: Deed) -> None:
        if deed.what != "comment":
            self._leases.pop(who, None)
            self.log.give_back(who)

    def _plain(self, who: str, deed: Deed) -> Event:
        return Event(deed.id, deed.row, who, deed.what, deed.value, deed.of, _now(), deed.took)

    def _event(self, who: str, deed: Deed) -> Event:
        made = self._plain(who, deed)
        row = (self.state if deed.what == "undo" else self.keys).find(deed.row)
        if row is None:
            raise Refusal(404, "There is no such row in the table.")
        self._check_value(deed)
        lease = self._leases.get(who)
        why: Any = None
        model = self.state.seq
        if deed.what == "undo":
            last = self.state.last_deed(who)
            if last is None or last.id != deed.of or last.row != deed.row:
                raise Refusal(409, "There is nothing of yours to undo, or it is not the latest.")
        elif lease is None or lease.row != row:
            raise Refusal(409, "This row is not in your hands: it was answered in another window.")
        else:
            why, model = dict(lease.why), lease.model
        brief = shown(self.task.table, row, self.task.filled, 200)
        cells = self.keys.content(row)
        return replace(made, why=why, model=model, shown=brief, cells=cells)

    def _check_value(self, deed: Deed) -> None:
        if deed.what != "label":
            return
        if isinstance(self.asking, Goals):
            names = cast("Any", deed.value) if isinstance(deed.value, dict) else ()
            if set(names) != set(self.task.filled):
                raise Refusal(422, f"A number is needed for each of {', '.join(self.task.filled)}.")
        elif not isinstance(deed.value, str):
            raise Refusal(422, "A label is the name of a class.")
        elif deed.value not in self.asking.names and len(self.asking.names) >= MOST_CLASSES:
            raise Refusal(409, f"There are {MOST_CLASSES} classes already, and that is the most.")


def _now() -> int:
    return time.time_ns() // 1_000_000


def _told(value: Any) -> str:
    if not isinstance(value, dict):
        return str(value)
    goals = cast("dict[str, float]", value)
    return ", ".join(f"{name} {spell(each)}" for name, each in goals.items())
