"""Service: what the page and the notebook may ask for, whatever carries it there."""

from pathlib import Path
from typing import Any

from satsuma.app.http.views import fragments, progress
from satsuma.app.labelling.exports import EXPORTS
from satsuma.app.labelling.priority import Turns
from satsuma.app.labelling.progress import Panels
from satsuma.app.labelling.question import QUEUES
from satsuma.app.labelling.row_notes import notes
from satsuma.app.labelling.session import Desk
from satsuma.app.labelling.task import Task
from satsuma.app.refusal import Refusal
from satsuma.app.store.deed import deed_of, fields
from satsuma.app.store.log import Log

#: What is exported, in the words of the page.
_EXPORTS = (
    ("Labels", (("labels.csv", "CSV"), ("labels.parquet", "Parquet"))),
    ("Model", (("model.satsuma", ".satsuma"),)),
    ("Predictions for the rest", (("predictions.csv", "CSV"), ("predictions.parquet", "Parquet"))),
)


class Service:
    """A table that is being labelled, and all that is shown of it.

    Parameters
    ----------
    task
        What is asked.
    path
        Of the log.
    """

    def __init__(self, task: Task, path: Path) -> None:
        self.name = task.table.name or "table"
        self.desk = Desk(task, Log(path))
        self._turns = Turns()
        self.panels = Panels(self.desk, self._turns)
        if self.desk.state.seq:
            self.panels.wake()

    def page(self, who: str) -> dict[str, Any]:
        """What somebody sees who opens the page; without a name, not much."""
        if not who:
            return {"top": "", "question": "", "answers": "", "panel": "", "fresh": True}
        return self._shown(who, None)

    def ask(self, who: str, body: bytes) -> dict[str, Any]:
        """The row that somebody has in hand, or the next of a queue."""
        with self._turns:
            return self._shown(who, _queue(fields(body, ("queue",))))

    def answer(self, who: str, body: bytes) -> dict[str, Any]:
        """Take in an answer; the next question is asked when it is on disk."""
        given = fields(body, ("id", "row", "what", "value", "of", "took", "queue"))
        queue = _queue({"queue": given.pop("queue", "question")})
        with self._turns:
            self.desk.take(who, deed_of(given))
            self.panels.wake()
            return self._shown(who, queue)

    def notes(self) -> list[str]:
        """What whoever labels should know of the rows and their labels."""
        return notes(self.desk)

    def panel(self, who: str, queue: str) -> dict[str, Any]:
        """How far the labelling has come."""
        return progress(self.desk, who, _queue({"queue": queue}), self.panels.latest)

    def _shown(self, who: str, queue: str | None) -> dict[str, Any]:
        return fragments(self.desk, who, queue, self.panels.latest)

    def exports(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """What can be exported, and where it is."""
        groups = [*_EXPORTS]
        if self.desk.state.set_aside:
            groups.append(("Set aside", (("unmatched.csv", "CSV"),)))
        return [
            (group, [(f"/export/{name}", told) for name, told in links]) for group, links in groups
        ]

    def export(self, name: str, path: Path, raw: bool) -> None:
        """Write a file."""
        EXPORTS[name](self.desk, path, raw)

    def close(self) -> None:
        """Stop what runs in the background, and close the log."""
        self.panels.stop()
        with self.desk.lock:
            self.desk.log.close()


def _queue(given: dict[str, Any]) -> str:
    queue = given.get("queue", "question")
    if not isinstance(queue, str) or queue not in QUEUES:
        raise Refusal(422, "There is no such queue.")
    return queue
