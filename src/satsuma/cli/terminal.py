"""Terminal: tables, sentences and progress for people, JSON for machines."""

import json
import math
import sys
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from satsuma.cli.remedies import as_options
from satsuma.data.notes import Note
from satsuma.data.summary import cut
from satsuma.engines.thread_pool import Progress


def console(*, stderr: bool = False) -> Console:
    """Where people read: without colours where it is not a terminal, and cells never markup."""
    return Console(markup=False, highlight=False, emoji=False, stderr=stderr)


def _put(shown: Any, *, stderr: bool = False, **how: Any) -> None:
    to = console(stderr=stderr)
    if to.is_terminal:
        to.print(shown, **how)
        return
    with to.capture() as said:
        to.print(shown, **how)
    # Lines are filled up with blanks, which nobody needs in a file.
    stream = sys.stderr if stderr else sys.stdout
    stream.write("".join(f"{line.rstrip()}\n" for line in said.get().splitlines()))


def say(text: str, style: str = "") -> None:
    """A paragraph, wrapped at the width of the terminal."""
    lines = "\n".join(printable(line) for line in text.split("\n"))
    _put(Text(lines, style=style))


def show_lines(text: str, style: str = "") -> None:
    """Lines as they are, however long."""
    lines = "\n".join(printable(line) for line in text.split("\n"))
    _put(Text(lines, style=style), soft_wrap=True)


def note(text: str, *, stderr: bool = False) -> None:
    """Something to be known, on a line of its own with a mark in front.

    It goes to stderr where stdout is for rows alone.
    """
    grid = Grid.grid(padding=(0, 1))
    grid.add_column()
    grid.add_column(overflow="fold")  # where wide letters are measured wrong, none is lost
    grid.add_row(Text("!", style="yellow"), Text(printable(in_options(text))))
    _put(grid, stderr=stderr)


def in_options(text: str) -> str:
    """A note, or another message of the library, with its remedy in options of the command."""
    return text.command if isinstance(text, Note) and text.command != text else as_options(text)


def show_grid(
    head: Sequence[str],
    lines: Iterable[Sequence[str]],
    *,
    left: Iterable[int] = (0,),
    wide: int | None = None,
    bold: Iterable[int] = (),
    spare: Sequence[int] = (),
) -> None:
    """Lines of cells below a head.

    Parameters
    ----------
    head
        The names of the columns.
    lines
        The cells.
    left
        Columns that are set to the left; all others to the right.
    wide
        The column that gives way where there is too little room.
    bold
        Lines that stand out.
    spare
        Columns that are left out where there is too little room, the first of them first.
    """
    lines = [list(line) for line in lines]
    kept = columns_that_fit([head, *lines], spare, console().width)
    head, lines = [head[at] for at in kept], [[line[at] for at in kept] for line in lines]
    left, wide = [kept.index(at) for at in left], None if wide is None else kept.index(wide)
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    on_the_left, standing_out = set(left), set(bold)
    for at, name in enumerate(head):
        grid.add_column(
            Text(name),
            justify="left" if at in on_the_left else "right",
            no_wrap=at != wide,
            overflow="fold" if at == wide else "ellipsis",
        )
    for at, line in enumerate(lines):
        style = "bold" if at in standing_out else ""
        grid.add_row(*(Text(printable(cell)) for cell in line), style=style)
    _put(grid)


def columns_that_fit(lines: Sequence[Sequence[str]], spare: Sequence[int], width: int) -> list[int]:
    """The columns that are shown; spare ones are left out until the rest has room.

    Examples
    --------
    >>> columns_that_fit([["learner", "CA", "Brier"], ["Tree", "0.95", "0.1"]], [2], 14)
    [0, 1]
    """
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    kept, waiting = list(range(len(widths))), list(spare)
    while waiting and sum(widths[at] + 2 for at in kept) - 2 > width:
        kept.remove(waiting.pop(0))
    return kept


def printable(cell: str) -> str:
    """A cell with what cannot be printed spelled out, so that none can steer a terminal."""
    return cut(cell, 10_000)


def as_json(value: Mapping[str, Any]) -> None:
    """One JSON document, and nothing else; what is not a number is null."""
    # Bytes, so that no terminal setting gets in the way of UTF-8.
    said = json.dumps(_plain(value), ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.write(said.encode("utf-8", "replace").decode() + "\n")


def _plain(value: Any) -> Any:
    if isinstance(value, Note):
        return value.command
    if isinstance(value, np.generic):
        return _plain(cast("Any", value).item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        pairs = cast("Mapping[Any, Any]", value).items()
        return {str(name): _plain(each) for name, each in pairs}
    if isinstance(value, np.ndarray):
        return _plain(cast("Any", value).tolist())
    if isinstance(value, list | tuple):
        return [_plain(each) for each in cast("list[Any]", value)]
    return value


@contextmanager
def progress_bar(what: str) -> Generator[Progress | None]:
    """A bar, as the function that moves it; None where nobody is watching.

    The library may go over the rows several times; each time the bar begins anew. It is drawn at
    every percent, so that quick work is seen to move, too.
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
            before = shown.tasks[0].percentage
            shown.update(task, completed=done, total=max(1, total))
            if int(shown.tasks[0].percentage) != int(before):
                shown.refresh()

        yield update
