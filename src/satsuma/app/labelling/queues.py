"""Queues: which row comes next for whom, and rows that are kept for whoever has them."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from satsuma.app.labelling.state import State
from satsuma.app.labelling.strategy import RowExplanation, Strategy
from satsuma.app.store.events import GOLD, now, question_kind
from satsuma.app.store.log import Log

#: The queues that a person can choose, and the kinds of questions that come then.
QUEUES = {
    "question": ("question", GOLD, "audit", "second opinion", "second look"),
    "disagreement": ("disagreement",),
    "second look": ("second look",),
}

#: The proportion of a person's labels that others have given too, so that agreement is measured.
SHARED = 0.15

#: Milliseconds for which a row is kept for whom it was handed to.
LEASE = 10 * 60_000

#: Every so many answers of a person, one that is doubted comes back.
BETWEEN_LOOKS = 8


@dataclass(frozen=True)
class Question:
    """A row, and all that is shown beside it.

    Parameters
    ----------
    row
        Its number.
    key
        What it is known by.
    kind
        ``question``, ``audit``, ``second opinion``, ``disagreement`` or ``second look``.
    explanation
        Why it is asked about.
    answers
        By whom, and what, where that is to be seen.
    comments
        By whom, and what.
    """

    row: int
    key: str
    kind: str
    explanation: RowExplanation
    answers: list[tuple[str, str]]
    comments: list[tuple[str, str]]

    @property
    def why(self) -> dict[str, Any]:
        """What the log keeps of the explanation, by the names that are in its files."""
        likely = {each.name: round(each.probability, 6) for each in self.explanation.prediction}
        return {"kind": self.kind, "told": self.explanation.summary, "guess": likely}

    @property
    def without_prediction(self) -> "Question":
        """The same question for somebody who is not to be led by what the model predicts."""
        return replace(self, explanation=RowExplanation(INTRODUCTIONS.get(self.kind, HIDDEN)))


class Queues:
    """What is next for a person; all but the doubts follows from the log.

    Parameters
    ----------
    state
        Who has answered what.
    strategy
        Which row is most worth a question.
    gold
        The share of a person's questions whose answer is in the file.
    """

    def __init__(self, state: State, strategy: Strategy, gold: float = 0.0) -> None:
        self._state, self._strategy, self._gold_share = state, strategy, gold
        known = sorted(strategy.known) if gold and strategy.consensus else []
        #: Rows for gold questions, in random order.
        self.gold_rows: list[int] = np.random.default_rng(0).permutation(known).tolist()
        #: Rows whose label a model of the others doubts, and what it predicts.
        self.doubts: dict[int, str] = {}

    def next(self, who: str, queue: str, leased: set[int]) -> tuple[int, str] | None:
        """A row and the kind of question; `leased` are rows that others have."""
        person = self._state.people.get(who)
        if queue != "question":
            rows = self.disagreements(who) if queue == "disagreement" else self.second_looks(who)
            return next(((row, queue) for row in rows if row not in leased), None)
        if person is not None and person.returned is not None:
            row = self._state.find(person.returned.row)
            if row is not None and row not in leased:
                return row, question_kind(person.returned)
        if (row := self._gold(who, leased)) is not None:
            return row, GOLD
        if (row := self._shared(who, leased)) is not None:
            return row, "second opinion"
        if person is not None and len(person.labelled) % BETWEEN_LOOKS == BETWEEN_LOOKS - 1:
            for row in self.second_looks(who):
                if row not in leased and person.label(row) is not None:
                    return row, "second look"
        return self._open(who, leased)

    def _open(self, who: str, leased: set[int]) -> tuple[int, str] | None:
        """The row most worth asking about; those that were skipped come at the very end."""
        person = self._state.people.get(who)
        answered = set(person.answers) if person is not None else set[int]()
        skipped = {row for row, _ in person.skipped} if person is not None else set[int]()
        gone = answered | leased | set(self._state.disputed)
        row = self._strategy.next(gone | skipped)
        if row is None and skipped - gone:
            row = self._strategy.next(gone)
        if row is None:
            return None
        return row, "audit" if self._strategy.is_audit(row) else "question"

    def _gold(self, who: str, leased: set[int]) -> int | None:
        """A row whose answer is in the file, if this person has had too few of them."""
        person = self._state.people.get(who)
        if person is None or not self.gold_rows:
            return None
        if len(person.gold) + 1 > self._gold_share * (len(person.labelled) + len(person.gold) + 1):
            return None
        gone = {*person.gold, *person.answers, *leased, *(row for row, _ in person.skipped)}
        return next((row for row in self.gold_rows if row not in gone), None)

    def _shared(self, who: str, leased: set[int]) -> int | None:
        """A row that another has labelled, if too few are shared."""
        person = self._state.people.get(who)
        if person is None or not self._strategy.consensus or len(self._state.people) < 2:
            return None
        others = [p for name, p in self._state.people.items() if name != who and p.answers]
        mine = person.labelled
        both = sum(any(row in each.answers for each in others) for row in mine)
        if not others or both >= SHARED * (len(mine) + 1):
            return None
        theirs = (row for each in others for row in each.labelled)
        gone = leased | {row for row, _ in person.skipped}
        return next((row for row in theirs if row not in person.answers and row not in gone), None)

    def disagreements(self, who: str) -> list[int]:
        """Rows on which people differ, but for those that this person has left as they are."""
        left = self._left(who)
        return [row for row in self._state.disputed if (row, "disagreement") not in left]

    def second_looks(self, who: str) -> list[int]:
        """Rows whose label is doubted and was not looked at again, the most doubtful first."""
        left = self._left(who)
        return [
            row
            for row in self.doubts
            if row in self._state.labels
            and row not in self._state.reviewed
            and (row, "second look") not in left
        ]

    def _left(self, who: str) -> dict[tuple[int, str], int]:
        person = self._state.people.get(who)
        return person.skipped if person is not None else {}


#: Why a row is asked about, where the prediction is hidden.
HIDDEN = "One of the rows most worth asking about. What the model predicts is hidden."

#: What is special about a kind of question, instead of why the row was chosen.
INTRODUCTIONS = {
    "audit": "This row was drawn at random, whatever the model thinks of it: such rows prove how "
    "good the result is.",
    "second opinion": "Somebody else has answered this one. Two answers to the same row "
    "tell how far you agree; theirs is shown when you differ.",
    "disagreement": "You do not agree on this one. Look again, talk, and answer; or skip "
    "it to leave it open.",
    "second look": "A model of all other answers predicts another class. Look "
    "again: answer as you think right, or skip to leave it as it is.",
}


@dataclass(frozen=True)
class Lease:
    """A row that is kept for somebody, and how it was asked about.

    Parameters
    ----------
    row
        Its number.
    until
        Milliseconds since 1970.
    kind, why
        Of the question.
    model
        The number of the last event that the model had learned from.
    """

    row: int
    until: int
    kind: str
    why: Mapping[str, Any]
    model: int


class Leases:
    """Rows that are kept for people while they think, so that no two are asked about the same.

    Parameters
    ----------
    log
        Where other processes see them, and where they outlive this one.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._held: dict[str, Lease] = {}

    def resume(self, find: Callable[[str], int | None]) -> None:
        """Take over the leases in the log; `find` is the row of a key."""
        for who, key, until, asked in self._log.leases():
            row = find(key)
            if row is not None:
                with suppress(ValueError, TypeError):  # of a lease that is no good, nothing hangs
                    self._held[who] = Lease(row, until, **json.loads(asked))

    def held(self, who: str) -> Lease | None:
        """The row that somebody has, if any."""
        return self._held.get(who)

    def others(self, who: str, find: Callable[[str], int | None]) -> set[int]:
        """Rows that others have, be it from another process."""
        here = [(name, each.row, each.until) for name, each in self._held.items()]
        there = [(name, find(key), until) for name, key, until, _ in self._log.leases()]
        at = now()
        held = (row for name, row, until in (*here, *there) if name != who and until > at)
        return {row for row in held if row is not None}

    def keep(self, who: str, question: Question, model: int) -> None:
        """Keep the row of a question for somebody."""
        lease = Lease(question.row, now() + LEASE, question.kind, question.why, model)
        self._held[who] = lease
        asked = json.dumps({"kind": lease.kind, "why": lease.why, "model": model})
        self._log.lease(who, question.key, lease.until, asked)

    def release(self, who: str) -> None:
        """Keep no row for somebody any more."""
        self._held.pop(who, None)
        self._log.release(who)
