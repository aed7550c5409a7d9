"""Queues: whose turn it is for which row: questions, disagreements, second looks and opinions."""

from dataclasses import replace

from satsuma.app.labelling.classification import Classes
from satsuma.app.labelling.explanations import Reasons
from satsuma.app.labelling.optimisation import Goals
from satsuma.app.labelling.state import State, asked_as

#: The share of a person's labels that others have given too, so that agreement can be told.
SHARED = 0.15

#: Every so many answers of a person, one that is doubted comes back.
BETWEEN_LOOKS = 8


class Queues:
    """What is next for a person; all but the doubts follows from the log.

    Parameters
    ----------
    state
        Who has said what.
    asking
        Which row is most worth a question.
    """

    def __init__(self, state: State, asking: Classes | Goals) -> None:
        self._state, self._asking = state, asking
        #: Rows whose label a model of the others doubts, and what it would have said.
        self.doubts: dict[int, str] = {}

    def next(self, who: str, queue: str, away: set[int]) -> tuple[int, str] | None:
        """A row and in which way it is asked about; `away` are rows in others' hands."""
        person = self._state.people.get(who)
        if queue == "disagreement":
            return next(((row, queue) for row in self.disagreements(who) if row not in away), None)
        if queue == "second look":
            return next(((row, queue) for row in self.second_looks(who) if row not in away), None)
        if person is not None and person.returned is not None:
            row = self._state.find(person.returned.row)
            if row is not None and row not in away:
                return row, asked_as(person.returned)
        if (row := self._shared(who, away)) is not None:
            return row, "second opinion"
        if person is not None and len(person.labelled) % BETWEEN_LOOKS == BETWEEN_LOOKS - 1:
            for row in self.second_looks(who):
                if row not in away and person.label(row) is not None:
                    return row, "second look"
        return self._open(who, away)

    def _open(self, who: str, away: set[int]) -> tuple[int, str] | None:
        """The row most worth asking about; those that were skipped come at the very end."""
        person = self._state.people.get(who)
        said = set(person.said) if person is not None else set[int]()
        skipped = {row for row, _ in person.skipped} if person is not None else set[int]()
        gone = said | away | set(self._state.differing)
        row = self._asking.next(gone | skipped)
        if row is None and skipped - gone:
            row = self._asking.next(gone)
        return None if row is None else (row, "question")

    def _shared(self, who: str, away: set[int]) -> int | None:
        """A row that another has labelled, if too few are shared."""
        person = self._state.people.get(who)
        if person is None or self._asking.names == () or len(self._state.people) < 2:
            return None
        others = [p for name, p in self._state.people.items() if name != who and p.said]
        mine = person.labelled
        both = sum(any(row in each.said for each in others) for row in mine)
        if not others or both >= SHARED * (len(mine) + 1):
            return None
        theirs = (row for each in others for row in each.labelled)
        skipped = {row for row, _ in person.skipped}
        return next(
            (row for row in theirs if row not in person.said and row not in away | skipped), None
        )

    def disagreements(self, who: str) -> list[int]:
        """Rows on which people differ, but for those that this person has left as they are."""
        person = self._state.people.get(who)
        left = person.skipped if person is not None else {}
        return [row for row in self._state.differing if (row, "disagreement") not in left]

    def second_looks(self, who: str) -> list[int]:
        """Rows whose label is doubted and was not looked at again, the most doubtful first."""
        person = self._state.people.get(who)
        left = person.skipped if person is not None else {}
        return [
            row
            for row in self.doubts
            if row in self._state.settled
            and row not in self._state.looked_at
            and (row, "second look") not in left
        ]

    def told(self, kind: str, reasons: Reasons) -> Reasons:
        """The reasons, with what is special about the way of asking in front."""
        words = {
            "second opinion": "Somebody else has answered this one. Two answers to the same row "
            "tell how far you agree; theirs is shown when you differ.",
            "disagreement": "You do not agree on this one. Look again, talk, and answer; or skip "
            "it to leave it open.",
            "second look": "A model of all other answers would have answered otherwise. Look "
            "again: answer as you think right, or skip to leave it as it is.",
        }.get(kind)
        return reasons if words is None else replace(reasons, told=words)
