"""Server: the labelling page of a file, on this machine alone unless another host is named."""

import getpass
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import uvicorn

from satsuma.app.http.logins import Logins
from satsuma.app.http.routes import Routes
from satsuma.app.http.views import Views
from satsuma.app.labelling.task import Task
from satsuma.app.store.events import NAME
from satsuma.errors import ParameterError

#: Seconds for which one thread may keep others waiting (Python's switch interval). While the
#: panel is worked out, an answer waits so long at every step, so it is a tenth of what is usual.
_SWITCH_INTERVAL = 5e-4

#: What this machine is called from itself.
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only where the protocol is named does asyncio send small replies at once (TCP_NODELAY).
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


def host_names(host: str, port: int) -> list[str]:
    """What a server that listens at an address may be called, the best name first."""
    names = [f"[{host}]" if ":" in host else host]
    if host in ("127.0.0.1", "localhost", "::1"):
        names = [*names, *LOOPBACK]
    elif host in ("0.0.0.0", "::"):  # noqa: S104 - a comparison
        own = socket.gethostname()
        names = [own, *LOOPBACK]
        with suppress(OSError):
            names += [str(each[4][0]) for each in socket.getaddrinfo(own, None, socket.AF_INET)]
    return [f"{name}:{port}" for name in dict.fromkeys(names)]


def http_server(views: Views, logins: Logins, names: Sequence[str]) -> uvicorn.Server:
    """What answers requests; it is to be run with a socket."""
    settings = uvicorn.Config(
        Routes(views, logins, names).app(), log_level="error", access_log=False, http="h11",
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
    wording: Callable[[str], str] = str,
) -> None:
    """Serve the page until Ctrl-C.

    Parameters
    ----------
    task
        What is asked; see `task_of`.
    log
        Where the answers are kept.
    name
        Who labels; the name of the user if not given.
    host
        Where to listen; the default is this machine alone.
    port
        0 for any that is free.
    browser
        Whether to open the page.
    tell
        Called with a link that lets a browser in, and with another whenever one was used.
    note
        Called before with what should be known of the rows and their labels.
    wording
        How the page words a note on the table, whose remedy is in Python.
    """
    with (
        closing(listening_socket(host, port)) as listening,
        closing(Views(task, log, wording)) as views,
    ):
        names = host_names(host, listening.getsockname()[1])
        for each in views.session.notes():
            note(each)

        def link(token: str) -> str:
            return f"http://{names[0]}/?token={token}"

        logins = Logins((name or _user())[:NAME], lambda token: tell(link(token)))
        first = link(logins.new_token())
        tell(first)
        if browser:
            threading.Timer(0.3, webbrowser.open, [first]).start()
        with _switching_threads_every(_SWITCH_INTERVAL):
            http_server(views, logins, names).run(sockets=[listening])


@contextmanager
def _switching_threads_every(seconds: float) -> Generator[None, None, None]:
    """Set Python's switch interval, which is one for the whole process, and set it back."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(seconds)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "me"
