"""State: who has said what of which row, as the log tells it, event by event."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from satsuma.active.agreement import Agreement, agreement
from satsuma.app.store.events import Event

#: Ways to be asked in which others' answers are known: they say nothing of independent agreement.
_NOT_ALONE = ("disagreement", "second look")

#: What an event settles about a row: its number, and the answer, None for nothing (any more).
Settle = Callable[[int, Any], None]


def asked_as(event: Event) -> str:
    """In which way the row of an event was asked about."""
    why: Any = event.why or {}
    return str(why.get("kind", "question"))


@dataclass
class Person:
    """What one person has done.

    Parameters
    ----------
    deeds
        Everything that is in force and can be undone, in order.
    said
        By row: answers in force, the latest last; an answer is a label or "unsure".
    skipped
        Rows that were skipped, by the way in which they were asked about.
    returned
        The row of an answer that was undone last, to be asked about again.
    """

    deeds: list[Event] = field(default_factory=list[Event])
    said: dict[int, list[Event]] = field(default_factory=dict[int, list[Event]])
    skipped: dict[tuple[int, str], int] = field(default_factory=dict[tuple[int, str], int])
    returned: Event | None = None

    def label(self, row: int) -> Any:
        """The label that a row has from this person; None if it has none."""
        last = self.said[row][-1] if self.said.get(row) else None
        return last.value if last is not None and last.what == "label" else None

    def first_label(self, row: int) -> Any:
        """The first label that was given without knowing what others say."""
        alone = (e for e in self.said.get(row, []) if asked_as(e) not in _NOT_ALONE)
        first = next(alone, None)
        return first.value if first is not None and first.what == "label" else None

    @property
    def labelled(self) -> list[int]:
        """The rows that have a label from this person, in order."""
        return [row for row in self.said if self.label(row) is not None]


class State:
    """All that follows from the events, in their order; events never fail, at worst they are void.

    Parameters
    ----------
    find
        The row of a key; None if there is none.
    settle
        Called when the answer about a row becomes another one.
    one_mind
        Whether people must agree on a row; otherwise the latest answer holds.
    """

    def __init__(
        self, find: Callable[[str], int | None], settle: Settle, *, one_mind: bool = True
    ) -> None:
        self.find, self._settle, self._one_mind = find, settle, one_mind
        self.seq = 0
        self.people: defaultdict[str, Person] = defaultdict(Person)
        self.settled: dict[int, Any] = {}
        self.differing: dict[int, None] = {}
        self.looked_at: set[int] = set()
        self.comments: defaultdict[int, list[Event]] = defaultdict(list)
        #: Events about rows that are not in the table (any more), or of which nobody can say
        #: which row was meant.
        self.strays: list[Event] = []

    def apply(self, event: Event) -> None:
        """Let an event count."""
        self.seq = event.seq
        row = self.find(event.row)
        person = self.people[event.who]
        if row is None:
            self.strays.append(event)
        elif event.what == "undo":
            self._undo(row, person, event)
        else:
            person.deeds.append(event)
            person.returned = None
            self._do(row, person, event)

    def _do(self, row: int, person: Person, event: Event) -> None:
        if event.what == "comment":
            self.comments[row].append(event)
        elif event.what == "skip":
            at = row, asked_as(event)
            person.skipped[at] = person.skipped.get(at, 0) + 1
        else:
            person.said.setdefault(row, []).append(event)
            if asked_as(event) == "second look":
                self.looked_at.add(row)
            self._weigh(row)

    def _undo(self, row: int, person: Person, undo: Event) -> None:
        done = next((each for each in reversed(person.deeds) if each.id == undo.of), None)
        if done is None:
            return
        person.deeds.remove(done)
        person.returned = done if done.what != "comment" else None
        if done.what == "comment":
            self.comments[row].remove(done)
        elif done.what == "skip":
            at = row, asked_as(done)
            person.skipped[at] -= 1
            if not person.skipped[at]:
                del person.skipped[at]
        else:
            person.said[row].remove(done)
            if not person.said[row]:
                del person.said[row]
            self.looked_at.discard(row)
            self._weigh(row)

    def _weigh(self, row: int) -> None:
        """What all have said of a row, taken together: most must be of one mind."""
        told = [p.label(row) for p in self.people.values() if p.label(row) is not None]
        if not self._one_mind:
            latest = [p.said[row][-1] for p in self.people.values() if p.label(row) is not None]
            told = [max(latest, key=lambda event: event.seq).value] if latest else []
        best = max(told, key=told.count) if told else None
        agreed = best if told and 2 * told.count(best) > len(told) else None
        self.differing.pop(row, None)
        if told and agreed is None:
            self.differing[row] = None
        if agreed == self.settled.get(row):
            return
        if agreed is None:
            del self.settled[row]
        else:
            self.settled[row] = agreed
        self._settle(row, agreed)

    def last_deed(self, who: str) -> Event | None:
        """What this person could undo."""
        deeds = self.people[who].deeds if who in self.people else []
        return deeds[-1] if deeds else None

    @property
    def set_aside(self) -> list[Event]:
        """Labels and comments in force that have no row."""
        undone = {event.of for event in self.strays if event.what == "undo"}
        return [e for e in self.strays if e.what in ("label", "comment") and e.id not in undone]

    def latest(self, row: int) -> Event | None:
        """The latest answer about a row that is in force."""
        said = [p.said[row][-1] for p in self.people.values() if p.said.get(row)]
        return max(said, key=lambda event: event.seq, default=None)

    def agreements(self) -> list[tuple[str, str, Agreement]]:
        """How far each two people agree, by their first answers, given without the other's."""
        names = [name for name, person in self.people.items() if person.said]
        found: list[tuple[str, str, Agreement]] = []
        for at, one in enumerate(names):
            for other in names[at + 1 :]:
                a, b = self.people[one], self.people[other]
                both = [row for row in a.said if row in b.said]
                pairs = [(a.first_label(row), b.first_label(row)) for row in both]
                pairs = [(x, y) for x, y in pairs if x is not None and y is not None]
                if pairs:
                    told: Any = list(zip(*pairs, strict=True))
                    found.append((one, other, agreement(*told)))
        return found
