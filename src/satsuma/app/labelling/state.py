"""State: who has answered what about which row: a replay of the log, event by event."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from satsuma.active.agreement import Agreement, agreement
from satsuma.app.store.events import EDIT, GOLD, Event, is_retraction, question_kind, undone_ids

#: Kinds of questions in which others' answers are seen: they say nothing of independent agreement.
_NOT_ALONE = ("disagreement", "second look", EDIT)


#: Of so many steps, the latest, the median tells how long a label takes; and the fewest labels.
_PACE, _FEWEST = 60, 5


@dataclass
class Person:
    """What one person has done.

    Parameters
    ----------
    events
        Everything that is in force and can be undone, in order.
    answers
        By row: answers in force, the latest last; an answer is a label or "unsure".
    skipped
        Rows that were skipped, by the kind of question.
    returned
        What was undone last; its row is asked about again.
    gold
        Answers to gold questions by row; they change no label.
    """

    events: list[Event] = field(default_factory=list[Event])
    answers: dict[int, list[Event]] = field(default_factory=dict[int, list[Event]])
    skipped: dict[tuple[int, str], int] = field(default_factory=dict[tuple[int, str], int])
    returned: Event | None = None
    gold: dict[int, Event] = field(default_factory=dict[int, Event])

    def label(self, row: int) -> Any:
        """The label that a row has from this person; None if it has none."""
        last = self.answers[row][-1] if self.answers.get(row) else None
        return last.value if last is not None and last.what == "label" else None

    def first_label(self, row: int) -> Any:
        """The first label that was given without seeing those of others."""
        alone = (e for e in self.answers.get(row, []) if question_kind(e) not in _NOT_ALONE)
        first = next(alone, None)
        return first.value if first is not None and first.what == "label" else None

    @property
    def pace(self) -> float | None:
        """Seconds for a label, the median of the latest; None while there are few."""
        took = [event.took for event in self.events[-_PACE:] if event.what == "label"]
        return float(np.median(took)) / 1000 if len(took) >= _FEWEST and max(took) > 0 else None

    @property
    def labelled(self) -> list[int]:
        """The rows that have a label from this person, in order."""
        return [row for row in self.answers if self.label(row) is not None]


class State:
    """All that follows from the events, in their order; events never fail, at worst they are void.

    Parameters
    ----------
    find
        The row of a key; None if there is none.
    settle
        Called with a row and its label when it becomes another one; None for no label any more.
    consensus
        Whether people must agree on a row; otherwise the latest answer holds.
    """

    def __init__(
        self,
        find: Callable[[str], int | None],
        settle: Callable[[int, Any], None],
        *,
        consensus: bool = True,
    ) -> None:
        self.find, self._settle, self._consensus = find, settle, consensus
        #: The number of the last event.
        self.seq = 0
        self.people: defaultdict[str, Person] = defaultdict(Person)
        #: The label of each row on which people agree.
        self.labels: dict[int, Any] = {}
        #: Rows on which they do not.
        self.disputed: dict[int, None] = {}
        #: Rows that somebody has given a second look.
        self.reviewed: set[int] = set()
        self.comments: defaultdict[int, list[Event]] = defaultdict(list)
        #: All that was done about each row, whether it is in force or not.
        self.history: defaultdict[int, list[Event]] = defaultdict(list)
        #: Events about rows that are not in the table (any more), or of which nobody can say
        #: which row was meant.
        self.unmatched: list[Event] = []

    def apply(self, event: Event) -> None:
        """Let an event count."""
        self.seq = event.seq
        row = self.find(event.row)
        person = self.people[event.who]
        if row is None:
            self.unmatched.append(event)
            return
        self.history[row].append(event)
        if is_retraction(event):
            self._retract(row, person)
        elif event.what == "undo":
            self._undo(row, person, event)
        else:
            person.events.append(event)
            person.returned = None
            self._do(row, person, event)

    def _do(self, row: int, person: Person, event: Event) -> None:
        if event.what == "comment":
            self.comments[row].append(event)
        elif event.what == "skip":
            at = row, question_kind(event)
            person.skipped[at] = person.skipped.get(at, 0) + 1
        elif question_kind(event) == GOLD:
            person.gold[row] = event
        else:
            person.answers.setdefault(row, []).append(event)
            if question_kind(event) == "second look":
                self.reviewed.add(row)
            self._vote(row)

    def _undo(self, row: int, person: Person, undo: Event) -> None:
        done = next((each for each in reversed(person.events) if each.id == undo.of), None)
        if done is None:
            return
        person.events.remove(done)
        asked = done.what != "comment" and question_kind(done) != EDIT
        person.returned = done if asked else None
        if done.what == "comment":
            self.comments[row].remove(done)
        elif done.what == "skip":
            at = row, question_kind(done)
            person.skipped[at] -= 1
            if not person.skipped[at]:
                del person.skipped[at]
        elif question_kind(done) == GOLD:
            person.gold.pop(row, None)
        else:
            person.answers[row].remove(done)
            if not person.answers[row]:
                del person.answers[row]
            self.reviewed.discard(row)
            self._vote(row)

    def _retract(self, row: int, person: Person) -> None:
        """A person has no answer about a row any more, whatever it was before."""
        gone = person.answers.pop(row, [])
        person.events = [each for each in person.events if each not in gone]
        self.reviewed.discard(row)
        self._vote(row)

    def _vote(self, row: int) -> None:
        """The label of a row by all answers about it: that of more than half of the people."""
        labels = [p.label(row) for p in self.people.values() if p.label(row) is not None]
        if not self._consensus:
            latest = [p.answers[row][-1] for p in self.people.values() if p.label(row) is not None]
            labels = [max(latest, key=lambda event: event.seq).value] if latest else []
        best = max(labels, key=labels.count) if labels else None
        agreed = best if labels and 2 * labels.count(best) > len(labels) else None
        self.disputed.pop(row, None)
        if labels and agreed is None:
            self.disputed[row] = None
        if agreed == self.labels.get(row):
            return
        if agreed is None:
            del self.labels[row]
        else:
            self.labels[row] = agreed
        self._settle(row, agreed)

    def last_event(self, who: str) -> Event | None:
        """What this person could undo."""
        events = self.people[who].events if who in self.people else []
        return events[-1] if events else None

    def latest_answer(self, row: int) -> Event | None:
        """The latest answer about a row that is in force."""
        answers = [p.answers[row][-1] for p in self.people.values() if p.answers.get(row)]
        return max(answers, key=lambda event: event.seq, default=None)

    @property
    def touched(self) -> set[int]:
        """Rows that somebody has labelled or commented on."""
        labelled = {row for person in self.people.values() for row in person.labelled}
        return labelled | {row for row, events in self.comments.items() if events}

    @property
    def set_aside(self) -> list[Event]:
        """Labels and comments in force that have no row."""
        undone = undone_ids(self.unmatched)
        return [e for e in self.unmatched if e.what in ("label", "comment") and e.id not in undone]

    def agreements(self) -> list[tuple[str, str, Agreement]]:
        """How far each two people agree (Cohen's kappa), by labels given without the other's."""
        names = [name for name, person in self.people.items() if person.answers]
        found: list[tuple[str, str, Agreement]] = []
        for at, one in enumerate(names):
            for other in names[at + 1 :]:
                a, b = self.people[one], self.people[other]
                both = [row for row in a.answers if row in b.answers]
                pairs = [(a.first_label(row), b.first_label(row)) for row in both]
                pairs = [(x, y) for x, y in pairs if x is not None and y is not None]
                if pairs:
                    labels: Any = list(zip(*pairs, strict=True))
                    found.append((one, other, agreement(*labels)))
        return found

    def least_kappa(self) -> float | None:
        """Kappa of the two people who agree least; None if nobody shares rows that differ."""
        kappas = [found.kappa for _, _, found in self.agreements()]
        return min((kappa for kappa in kappas if not np.isnan(kappa)), default=None)
