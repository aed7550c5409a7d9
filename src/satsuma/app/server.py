"""Server: the labelling page of a file, on this machine alone unless told otherwise."""

import getpass
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path

import uvicorn

from satsuma.app.http.logins import Doors
from satsuma.app.http.routes import Routes
from satsuma.app.http.service import Service
from satsuma.app.labelling.task import Task
from satsuma.app.store.deed import NAME
from satsuma.errors import ParameterError

#: Seconds for which one thread may keep others waiting.
_TURN = 5e-4

#: What this machine is called from itself.
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def log_of(path: str | os.PathLike[str]) -> Path:
    """Where the labels of a file are kept: beside it.

    Examples
    --------
    >>> log_of("issues.csv").name
    'issues.csv.labels.sqlite'
    """
    file = Path(path)
    return file.with_name(f"{file.name}.labels.sqlite")


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only where the protocol is told does asyncio send small replies at once.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise ParameterError(
            f"Nobody can listen at {host}, port {port}: {error.strerror}. Choose another port, or "
            f"0 for any that is free."
        ) from None
    made.listen()
    return made


def names_of(host: str, port: int) -> list[str]:
    """What a server that listens at an address may be called, the best name first."""
    names = [f"[{host}]" if ":" in host else host]
    if host in ("127.0.0.1", "localhost", "::1"):
        names = [*names, *LOOPBACK]
    elif host in ("0.0.0.0", "::"):  # noqa: S104 - this asks whether it was said
        own = socket.gethostname()
        names = [own, *LOOPBACK]
        with suppress(OSError):
            names += [str(each[4][0]) for each in socket.getaddrinfo(own, None, socket.AF_INET)]
    return [f"{name}:{port}" for name in dict.fromkeys(names)]


def server_of(service: Service, doors: Doors, names: Sequence[str]) -> uvicorn.Server:
    """What answers requests; it is to be run with a socket."""
    settings = uvicorn.Config(
        Routes(service, doors, names).app(), log_level="error", access_log=False, http="h11",
        loop="asyncio", ws="none", lifespan="off", server_header=False,
    )  # fmt: skip
    return uvicorn.Server(settings)


def serve(
    task: Task,
    log: Path,
    *,
    name: str = "",
    host: str = "127.0.0.1",
    port: int = 0,
    browser: bool = True,
    tell: Callable[[str], object],
    note: Callable[[str], object] = lambda _: None,
) -> None:
    """Serve the page until it is told to end (Ctrl-C).

    Parameters
    ----------
    task
        What is asked; see `task_of`.
    log
        Where the answers are kept.
    name
        Who labels; the name of the user if not given.
    host
        Where to listen: on this machine alone unless told otherwise.
    port
        0 for any that is free.
    browser
        Whether to open the page.
    tell
        Called with a link that lets a browser in, and with another whenever one was used.
    note
        Called before with what should be known of the rows and their labels.
    """
    with closing(bound(host, port)) as listening, closing(Service(task, log)) as service:
        names = names_of(host, listening.getsockname()[1])
        for each in service.notes():
            note(each)

        def link(word: str) -> str:
            return f"http://{names[0]}/?token={word}"

        doors = Doors((name or _user())[:NAME], lambda word: tell(link(word)))
        first = link(doors.word())
        tell(first)
        if browser:
            threading.Timer(0.3, webbrowser.open, [first]).start()
        # While the panel is worked out, an answer waits for its turn at every step; turns are
        # short so.
        sys.setswitchinterval(_TURN)
        server_of(service, doors, names).run(sockets=[listening])


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "me"
