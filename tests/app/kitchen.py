"""Forks a real server for each line that comes in; see `Kitchen` in serving.py."""

import os
import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from satsuma.app.http.logins import Doors
from satsuma.app.http.service import Service
from satsuma.app.server import serve, server_of
from tests.app.serving import fruit_task

#: Links that this server has told; the first is for the test.
told: list[str] = []


def main(log: Path) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody mourns a server
    task = fruit_task(1500)
    with TemporaryDirectory() as folder:  # what is imported or compiled late is done now
        service = Service(task, Path(folder) / "x.sqlite")
        service.page("Ada")
        server_of(service, Doors(), ["127.0.0.1:0"]).config.load()
        service.close()
    for _ in sys.stdin:
        if os.fork() == 0:
            serve(task, log, name="Ada", browser=False, tell=_told)
            os._exit(0)


def _told(link: str) -> None:
    if not told:
        sys.stdout.write(f"{os.getpid()} {link}\n")
        sys.stdout.flush()
    told.append(link)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
