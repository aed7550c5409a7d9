"""Forks a real server for each line that comes in; see `Kitchen` in serving.py."""

import os
import re
import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from satsuma.app.desk import Desk
from satsuma.app.log import Log
from satsuma.app.panel import Panel
from satsuma.app.server import serve
from satsuma.app.view import fragments
from tests.app.serving import fruit_task


def main(log: Path) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody mourns a server
    task = fruit_task(1500)
    with TemporaryDirectory() as folder:  # what is imported or compiled late is done now
        desk = Desk(task, Log(Path(folder) / "x.sqlite"))
        fragments(desk, "Ada", "question", Panel())
        desk.log.close()
    for _ in sys.stdin:
        if os.fork() == 0:
            serve(task, log, name="Ada", browser=False, say=_told)
            os._exit(0)


def _told(said: str) -> None:
    if (found := re.search(r"Labelling \S+ (\S+)", said)) is not None:
        sys.stdout.write(f"{os.getpid()} {found.group(1)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
