"""Progress bar: how far long work has come, on stderr, where a person is watching."""

import sys
from collections.abc import Generator
from contextlib import contextmanager

from satsuma.engines.thread_pool import Progress


@contextmanager
def progress_bar(what: str) -> Generator[Progress | None]:
    """A bar, as the function that moves it; None where nobody is watching.

    The library may go over the rows several times; each time the bar begins anew.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Shown

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
    )
    with Shown(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(what, total=None)

        def update(done: int, total: int) -> None:
            shown.update(task, completed=done, total=max(1, total))

        yield update
