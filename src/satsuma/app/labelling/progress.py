"""Progress: how far a session has come and whether to go on, worked out in a background thread."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from threading import Condition, Thread
from threading import Event as Flag
from time import monotonic
from typing import Any, Self

from satsuma.app.labelling.panels import Panel
from satsuma.app.labelling.session import Session
from satsuma.data.table import Table
from satsuma.learners.learner import Learner
from satsuma.learners.text.model import TextModel
from satsuma.learners.text.text import Text

#: Seconds without an answer before a panel is made, so that it is made while people read; and
#: seconds after which it is made all the same.
_QUIET, _LONGEST = 0.3, 30.0

#: Seconds for which the background gives way at most, each time.
_PAUSE = 1.0


class Progress:
    """Makes a new panel when there is something new, and leaves time for the questions.

    Parameters
    ----------
    session
        The session that is watched.
    priority
        Whether somebody waits for a question.
    """

    def __init__(self, session: Session, priority: "Priority | None" = None) -> None:
        self._session, self._wake, self._ended = session, Flag(), False
        self._priority = priority or Priority()
        self.latest = Panel()
        self._thread: Thread | None = None

    def wake(self) -> None:
        """There is something new."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = Thread(target=self._run, daemon=True, name="progress")
            self._thread.start()
        self._wake.set()

    def stop(self) -> None:
        """Make no more panels."""
        self._ended = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._ended:
            self._wake.wait()
            begun = monotonic()
            while self._wake.is_set() and not self._ended and monotonic() < begun + _LONGEST:
                self._wake.clear()
                self._wake.wait(_QUIET)
            self._wake.clear()
            if not self._ended:
                self.refresh()

    def refresh(self) -> Panel:
        """Make the panel of now; the session is locked only while it is copied."""
        session = self._session
        with session.lock:
            seq = session.state.seq
            if seq == self.latest.seq:
                return self.latest
            snapshot = session.strategy.snapshot(self._priority.patient)
            kappa = session.state.least_kappa()
        panel = snapshot.panel(seq, kappa)
        with session.lock:
            session.queues.doubts = panel.doubts
            self.latest = panel
        return panel


class Priority:
    """Requests come first: the background pauses while somebody waits for the next question.

    Examples
    --------
    >>> priority = Priority()
    >>> with priority:
    ...     priority.waiting
    1
    >>> priority.pause()  # nobody waits: this is at once
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
            self._changed.wait_for(lambda: not self.waiting, _PAUSE)

    def patient(self, learner: Learner) -> Learner:
        """The same learner; a slow one pauses before each time it learns."""
        if not isinstance(learner, Text):
            return learner  # one of a single round is through before anybody notices
        given: dict[str, Any] = {each.name: getattr(learner, each.name) for each in fields(learner)}
        return _PatientText(**given, pause=self.pause)


@dataclass(kw_only=True, eq=False)
class _PatientText(Text):
    """A `Text` that learns when nobody waits for a question."""

    pause: Callable[[], None] | None = None

    def learn(self, data: Table) -> TextModel:
        """Pause, and learn."""
        if self.pause is not None:
            self.pause()
        return super().learn(data)
