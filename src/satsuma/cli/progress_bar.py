"""Bars: how far long work has come, on stderr, where a person is watching."""

import sys
from collections.abc import Generator
from contextlib import contextmanager

from satsuma.engines.thread_pool import Progress


@contextmanager
def bar(what: str) -> Generator[Progress | None]:
    """A bar that can be told how much is done; None where nobody is watching.

    The library may tell of several passes, one after the other; each begins anew.
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

        def tell(done: int, total: int) -> None:
            shown.update(task, completed=done, total=max(1, total))

        yield tell
