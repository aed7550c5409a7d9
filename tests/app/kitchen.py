"""Forks a real server for each line that comes in; see `Kitchen` in serving.py."""

import os
import re
import signal
import sys
from pathlib import Path

from satsuma.app.server import serve
from tests.app.serving import fruit_task


def main(log: Path) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody mourns a server
    task = fruit_task(3000)
    task.how()  # what is imported late is imported now
    for _ in sys.stdin:
        if os.fork() == 0:
            serve(task, log, name="Ada", browser=False, say=_told)
            os._exit(0)


def _told(said: str) -> None:
    if (found := re.search(r"Labelling \S+ (\S+)", said)) is not None:
        print(os.getpid(), found.group(1), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
