"""Queues: which row comes next for whom: questions, disagreements, second looks and opinions."""

from dataclasses import dataclass

from satsuma.app.labelling.explanations import RowExplanation
from satsuma.app.labelling.state import State, question_kind
from satsuma.app.labelling.strategy import Strategy

#: The queues that a person can choose, and the kinds of questions that come then.
QUEUES = {
    "question": ("question", "second opinion", "second look"),
    "disagreement": ("disagreement",),
    "second look": ("second look",),
}

#: The proportion of a person's labels that others have given too, so that agreement is measured.
SHARED = 0.15

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
        ``question``, ``second opinion``, ``disagreement`` or ``second look``.
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


class Queues:
    """What is next for a person; all but the doubts follows from the log.

    Parameters
    ----------
    state
        Who has answered what.
    strategy
        Which row is most worth a question.
    """

    def __init__(self, state: State, strategy: Strategy) -> None:
        self._state, self._strategy = state, strategy
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
        return None if row is None else (row, "question")

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


#: What is special about a kind of question, instead of why the row was chosen.
INTRODUCTIONS = {
    "second opinion": "Somebody else has answered this one. Two answers to the same row "
    "tell how far you agree; theirs is shown when you differ.",
    "disagreement": "You do not agree on this one. Look again, talk, and answer; or skip "
    "it to leave it open.",
    "second look": "A model of all other answers predicts another class. Look "
    "again: answer as you think right, or skip to leave it as it is.",
}
