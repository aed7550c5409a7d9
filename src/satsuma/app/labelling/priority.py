"""Turns: questions come first, and what is worked out in the background waits for them."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from threading import Condition
from typing import Any, Self

from satsuma.data.table import Table
from satsuma.learners.learner import Learner
from satsuma.learners.text.learner import Text
from satsuma.learners.text.model import TextModel

#: Seconds for which the background waits at most, each time.
_LONGEST = 1.0


class Turns:
    """Knows whether somebody waits for the next question.

    Examples
    --------
    >>> turns = Turns()
    >>> with turns:
    ...     turns.waiting
    1
    >>> turns.pause()  # nobody waits: this is at once
    """

    def __init__(self) -> None:
        self._changed, self.waiting = Condition(), 0

    def __enter__(self) -> Self:
        with self._changed:
            self.waiting += 1
        return self

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self.waiting -= 1
            self._changed.notify_all()

    def pause(self) -> None:
        """Wait until nobody waits for a question."""
        with self._changed:
            self._changed.wait_for(lambda: not self.waiting, _LONGEST)


@dataclass(kw_only=True, eq=False)
class _PatientText(Text):
    """A `Text` that learns when nobody waits for a question."""

    pause: Callable[[], None] | None = None

    def learn(self, data: Table) -> TextModel:
        """Wait, and learn."""
        if self.pause is not None:
            self.pause()
        return super().learn(data)


def patient(learner: Learner, turns: Turns) -> Learner:
    """The same learner, if it is a slow one with a pause before each time it learns."""
    if not isinstance(learner, Text):
        return learner  # one of a single round is through before anybody notices
    given: dict[str, Any] = {each.name: getattr(learner, each.name) for each in fields(learner)}
    return _PatientText(**given, pause=turns.pause)
