"""Label: the labelling view as a notebook widget; requests and replies are messages."""

import json
from pathlib import Path
from typing import Any, ClassVar, cast
from urllib.parse import parse_qs, urlsplit

import anywidget
import traitlets

from satsuma.app.http.service import Service
from satsuma.app.http.views import body_of, static
from satsuma.app.labelling import exports
from satsuma.app.labelling.task import Task
from satsuma.app.refusal import Refusal
from satsuma.app.store.deed import NAME, fields, text
from satsuma.app.store.events import NotSaved
from satsuma.data.table import Table
from satsuma.errors import SatsumaError
from satsuma.learners.model import Model


class Label(anywidget.AnyWidget):
    """A table that is being labelled in a notebook; see `satsuma.label`.

    Parameters
    ----------
    task
        What is asked.
    log
        Where the answers are kept.
    name
        Who labels.
    """

    _esm: ClassVar[str] = static("label.js").decode()
    _css: ClassVar[str] = static("label.css").decode()
    _body = traitlets.Unicode().tag(sync=True)

    def __init__(self, task: Task, log: Path, name: str) -> None:
        self._service, self._who = Service(task, log), text(name, NAME, "name")
        body = body_of(self._service.page(self._who), self._who, self._service.name)
        super().__init__(_body=body)
        self.on_msg(self._heard)

    def _heard(self, _widget: Any, content: Any, _buffers: Any) -> None:
        asked = cast("dict[str, Any]", content if isinstance(content, dict) else {})
        status, body = self.answered(str(asked.get("path")), asked.get("body"))
        self.send({"number": asked.get("number"), "status": status, "body": body})

    def answered(self, path: str, given: Any) -> tuple[int, dict[str, Any]]:
        """What a server would say to a request: a status, and a body."""
        body = json.dumps(given).encode()
        try:
            return 200, self._answered(urlsplit(path).path, urlsplit(path).query, body)
        except Refusal as refusal:
            return refusal.status, {"told": refusal.told}
        except NotSaved as trouble:
            return 507, {"told": str(trouble)}
        except SatsumaError as error:
            return 409, {"told": str(error)}

    def _answered(self, path: str, query: str, body: bytes) -> dict[str, Any]:
        if path == "/ask":
            return self._service.ask(self._who, body)
        if path == "/answer":
            return self._service.answer(self._who, body)
        if path == "/panel":
            return self._service.panel(self._who, parse_qs(query).get("queue", ["question"])[0])
        if path == "/name":
            self._who = text(fields(body, ("name",)).get("name"), NAME, "name")
            return self._service.page(self._who)
        raise Refusal(404, "There is nothing of that name.")

    @property
    def labels(self) -> Table:
        """The rows that were labelled so far, with who said what."""
        return exports.labels(self._service.desk)

    @property
    def model(self) -> Model:
        """What was learned so far."""
        return exports.model(self._service.desk)

    @property
    def predictions(self) -> Table:
        """The rows without a label, and what the model says of them."""
        return exports.predictions(self._service.desk)

    def close(self) -> None:
        """Close the view and the log."""
        self._service.close()
        super().close()
