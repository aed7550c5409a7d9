"""``satsuma label``: a page in the browser that asks about the rows most worth asking about."""

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from satsuma.cli import command_options as o
from satsuma.cli.table_input import GOAL_OPTIONS, TableInput, takes_table
from satsuma.cli.terminal import as_json, in_options, note, show_lines
from satsuma.data.urls import scheme_of
from satsuma.errors import DomainError

if TYPE_CHECKING:
    from satsuma.app.labelling.task import Task


@takes_table(*GOAL_OPTIONS)
def label(
    asked: TableInput,
    *,
    target: Annotated[
        str | None,
        typer.Option("--target", "-t", metavar="NAME", help="The column to fill in; may be new."),
    ] = None,
    classes: Annotated[
        str | None,
        typer.Option(
            "--classes",
            "-c",
            metavar="A,B,…",
            help="The classes to choose among; more may be added.",
        ),
    ] = None,
    find: Annotated[
        str | None,
        typer.Option(
            "--find", metavar="CLASS", help="Search for the rows of one class, the rare one."
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="NAME", help="A column that identifies rows, such as an id."),
    ] = None,
    name: Annotated[
        str, typer.Option("--name", "-n", help="Who labels; the user's name unless given.")
    ] = "",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="The port; 0 is any free one.")
    ] = 0,
    host: Annotated[
        str, typer.Option("--host", help="Where to listen; on this machine alone unless given.")
    ] = "127.0.0.1",
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the link, and open nothing.")
    ] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Save what can be read of a damaged log, in a new one.")
    ] = False,
    json: o.Json = False,
) -> None:
    """Label a table in the browser: one row at a time, the one most worth asking about.

    Answers are kept beside the file, each before the next row appears; run it again to go on.
    With goals (--more, --less, or --marks) the best row is searched for.

    \b
    Examples:
      satsuma label issues.csv --target kind --classes bug,feature,docs
      satsuma label papers.csv --target relevant --find yes --classes yes,no
      satsuma label issues.csv --key number
    """
    from satsuma.app.labelling.task import resumed_task
    from satsuma.app.server import serve
    from satsuma.app.store.log_file import log_path

    log = log_path(_one_file(asked))
    if repair:
        _repair(log, json=json)
        return
    names = [each.strip() for each in (classes or "").split(",") if each.strip()]
    table = asked.table()
    task = resumed_task(table, log, target=target, classes=names, sought=find, key=key)
    notes = list(table.notes)
    remembered = _as_before(task, find, key)
    tell = _json_link(log, notes) if json else _link(table.name, log, remembered, notes)
    with suppress(KeyboardInterrupt):  # the way to end it
        serve(
            task, log, name=name, host=host, port=port, browser=not no_browser, tell=tell,
            note=notes.append, wording=in_options,
        )  # fmt: skip


def _link(name: str, log: Path, remembered: list[str], notes: list[str]) -> Callable[[str], None]:
    """Shows each link as it is made; the first one with where answers are kept, and with notes."""
    links = list[str]()

    def tell(link: str) -> None:
        links.append(link)
        if len(links) > 1:
            show_lines(f"Another browser: {link}")
        else:
            show_lines(f"Labelling {name}: {link}")
            show_lines(f"Every answer is kept in {log}. End with Ctrl-C.")
            for each in [*remembered, *notes]:
                note(each)
        sys.stdout.flush()  # whoever reads it waits for it

    return tell


def _json_link(log: Path, notes: list[str]) -> Callable[[str], None]:
    """Prints the first link as JSON, and no other."""
    links = list[str]()

    def tell(link: str) -> None:
        links.append(link)
        if len(links) == 1:
            as_json({"link": link, "log": str(log), **({"notes": notes} if notes else {})})
            sys.stdout.flush()

    return tell


def _as_before(task: "Task", find: str | None, key: str | None) -> list[str]:
    """What the log remembers and nobody has said again."""
    made = list[str]()
    if task.sought and find is None:
        made.append(f"As before, rows are looked for that are {task.sought!r}. Else: --find ''.")
    if task.key and key is None:
        made.append(f"As before, rows are known by column {task.key!r}.")
    return made


def _repair(log: Path, *, json: bool) -> None:
    from satsuma.app.store.repair import repair

    found = repair(log)
    if json:
        as_json({"log": str(found.path), "saved": found.saved, "lost": found.lost})
        return
    show_lines(str(found))


def _one_file(asked: TableInput) -> Path:
    """The file that the labels are kept beside; those of a shipped table are kept here."""
    path = Path(asked.file)
    if asked.file == "-" or asked.is_pattern or scheme_of(asked.file):
        raise DomainError("labels are kept beside a file. Name one file, no pattern and not -.")
    if not asked.shipped:
        asked.check_there()
    return path
