"""Label: the labelling view as a notebook widget; requests and replies are messages."""

import json
from pathlib import Path
from typing import Any, ClassVar, cast
from urllib.parse import parse_qs, parse_qsl, urlsplit

import anywidget
import traitlets

from satsuma.app.http.views import Views, static_file
from satsuma.app.labelling import exports
from satsuma.app.labelling.task import Task
from satsuma.app.refusal import Refusal
from satsuma.app.store.events import NAME, plain_text, request_fields
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

    _esm: ClassVar[str] = static_file("label.js").decode()
    _css: ClassVar[str] = static_file("label.css").decode()
    _body = traitlets.Unicode().tag(sync=True)

    def __init__(self, task: Task, log: Path, name: str) -> None:
        self._views, self._who = Views(task, log), plain_text(name, NAME, "name")
        super().__init__(_body=self._views.whole(self._who, online=False))
        self.on_msg(self._heard)

    def _heard(self, _widget: Any, content: Any, _buffers: Any) -> None:
        asked = cast("dict[str, Any]", content if isinstance(content, dict) else {})
        status, body = self.reply(str(asked.get("path")), asked.get("body"))
        self.send({"number": asked.get("number"), "status": status, "body": body})

    def reply(self, path: str, given: Any) -> tuple[int, dict[str, Any]]:
        """The reply of a server to a request: a status, and a body."""
        body = json.dumps(given).encode()
        try:
            return 200, self._reply(urlsplit(path).path, urlsplit(path).query, body)
        except Refusal as refusal:
            return refusal.status, {"message": str(refusal)}
        except SatsumaError as error:
            return 409, {"message": str(error)}

    def _reply(self, path: str, query: str, body: bytes) -> dict[str, Any]:
        if path == "/ask":
            return self._views.ask(self._who, body)
        if path == "/answer":
            return self._views.answer(self._who, body)
        if path == "/panel":
            return self._views.panel(self._who, parse_qs(query).get("queue", ["question"])[0])
        if path == "/answers":
            return self._views.answers(self._who, dict(parse_qsl(query)))
        if path == "/name":
            self._who = plain_text(request_fields(body, ("name",)).get("name"), NAME, "name")
            return self._views.page(self._who)
        raise Refusal(404, "There is nothing of that name.")

    @property
    def labels(self) -> Table:
        """The rows that were labelled so far, with the label of each person."""
        return exports.labels(self._views.session)

    @property
    def model(self) -> Model:
        """What was learned so far."""
        return exports.model(self._views.session)

    @property
    def predictions(self) -> Table:
        """The rows without a label, and what the model predicts."""
        return exports.predictions(self._views.session)

    def close(self) -> None:
        """Close the view and the log."""
        self._views.close()
        super().close()
