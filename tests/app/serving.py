"""Tables to label, and servers of the page: in this process, and in others that can be killed."""

import itertools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import numpy as np

from satsuma import Table
from satsuma.app.http.logins import Logins
from satsuma.app.http.views import Views
from satsuma.app.labelling.task import Task, task_of
from satsuma.app.server import host_names, http_server, listening_socket

_count = itertools.count()


def new_id() -> str:
    return f"id-{os.getpid()}-{next(_count):06}"


def fruits(rows: int = 200, classes: tuple[str, ...] = ("sweet", "sour"), seed: int = 0) -> Table:
    """Numbers and symbols that tell the class, which is not in the table."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(0, len(classes), rows)
    cells = [
        (round(float(rng.normal(3 * kind, 1)), 3), ["red", "green", "blue"][kind % 3]
         if rng.random() < 0.8 else "grey", None if rng.random() < 0.1 else float(rng.integers(9)))
        for kind in kinds
    ]  # fmt: skip
    return Table.of(cells, ["size", "colour", "seeds"], target=None, name="fruits")


def truth(table: Table, row: int, classes: tuple[str, ...] = ("sweet", "sour")) -> str:
    """The answer that a person would give, by what is seen of the row."""
    size = table.cell(row, "size")
    return classes[int(np.clip(round(size / 3), 0, len(classes) - 1))]


def fruit_task(rows: int = 200, classes: tuple[str, ...] = ("sweet", "sour")) -> Task:
    return task_of(fruits(rows, classes), classes=classes)


class Labeller:
    """A browser without a window: what the page sends, over real HTTP."""

    def __init__(self, origin: str, link: str) -> None:
        self.http = httpx.Client(
            base_url=origin, headers={"Origin": origin}, timeout=120, verify=False, trust_env=False
        )
        self.http.get(link).raise_for_status()
        self.state: dict[str, Any] = {}

    def call(self, name: str) -> "Labeller":
        self.state = self.http.post("/name", json={"name": name}).raise_for_status().json()
        return self

    def ask(self, queue: str = "question") -> dict[str, Any]:
        reply = self.http.post("/ask", json={"queue": queue})
        self.state = reply.raise_for_status().json()
        return self.state

    def send(self, what: str, value: Any = None, **more: Any) -> httpx.Response:
        body = {"id": new_id(), "row": self.state["row"], "what": what, **more}
        if value is not None:
            body["value"] = value
        reply = self.http.post("/answer", json=body)
        if reply.status_code == 200:
            self.state = reply.json()
        return reply

    def undo(self) -> httpx.Response:
        last = self.state["undo"]
        return self.send("undo", of=last["id"], row=last["row"])

    def close(self) -> None:
        self.http.close()


class Served:
    """A server of the page in this process."""

    def __init__(self, views: Views, logins: Logins, names: list[str]) -> None:
        self.views, self.logins, self.host = views, logins, names[0]
        self.session = views.session
        self.origin = f"http://{self.host}"

    def link(self) -> str:
        return f"{self.origin}/?token={self.logins.new_token()}"

    @contextmanager
    def labeller(self, name: str = "") -> Iterator[Labeller]:
        made = Labeller(self.origin, self.link())
        try:
            if name:
                made.call(name)
            else:
                made.ask()
            yield made
        finally:
            made.close()


@contextmanager
def served(task: Task, log: Path, name: str = "Ada") -> Iterator[Served]:
    listening = listening_socket("127.0.0.1", 0)
    names = host_names("127.0.0.1", listening.getsockname()[1])
    views, logins = Views(task, log), Logins(name)
    server = http_server(views, logins, names)
    thread = Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield Served(views, logins, names)
    finally:
        server.should_exit = True
        thread.join()
        views.close()
        listening.close()


class ServerProcesses:
    """A process that has everything imported, and forks a server whenever it is told to."""

    def __init__(self, log: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.app.server_processes", str(log)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip

    def start(self) -> tuple[int, str, str]:
        """The number of a fresh server's process, its origin, and the link that lets one in."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        found = re.search(r"^(\d+) ((http://[^/]+)/\S+)", self._process.stdout.readline())
        assert found is not None
        return int(found.group(1)), found.group(3), found.group(2)

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


@contextmanager
def server_processes(log: Path) -> Iterator[ServerProcesses]:
    made = ServerProcesses(log)
    try:
        yield made
    finally:
        made.close()
