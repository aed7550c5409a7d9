"""Forks a real server for each line that comes in; see `ServerProcesses` in serving.py."""

import os
import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from satsuma.app.http.logins import Logins
from satsuma.app.http.views import Views
from satsuma.app.server import http_server, serve
from tests.app.serving import fruit_task

#: Links that this server has printed; the first is for the test.
links: list[str] = []


def main(log: Path) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody mourns a server
    task = fruit_task(1500)
    with TemporaryDirectory() as folder:  # what is imported or compiled late is done now
        views = Views(task, Path(folder) / "x.sqlite")
        views.page("Ada")
        http_server(views, Logins(), ["127.0.0.1:0"]).config.load()
        views.close()
    for _ in sys.stdin:
        if os.fork() == 0:
            serve(task, log, name="Ada", browser=False, tell=_print_first)
            os._exit(0)


def _print_first(link: str) -> None:
    if not links:
        sys.stdout.write(f"{os.getpid()} {link}\n")
        sys.stdout.flush()
    links.append(link)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
