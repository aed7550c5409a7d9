"""``satsuma label``: a page in the browser that asks about the rows most worth asking about."""

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from satsuma.cli import command_options as o
from satsuma.cli.table_input import GOAL_OPTIONS, TableInput, takes_table
from satsuma.cli.terminal import as_json, in_options, note, show_lines
from satsuma.data.urls import scheme_of
from satsuma.errors import DomainError, ReadError, require_extra

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
    guidelines: Annotated[
        str | None,
        typer.Option(
            "--guidelines", metavar="FILE", help="What to know before answering: Markdown or text."
        ),
    ] = None,
    hidden: Annotated[
        bool | None,
        typer.Option(
            "--hide-prediction/--show-prediction", help="Whether nobody sees the model's guess."
        ),
    ] = None,
    number: Annotated[
        bool,
        typer.Option("--number", help="Ask for a number, rather than a class."),
    ] = False,
    duplicates: Annotated[
        bool | None,
        typer.Option(
            "--duplicates/--no-duplicates",
            help="Whether texts that are equal are asked about one by one, or share one label.",
        ),
    ] = None,
    gold: Annotated[
        float | None,
        typer.Option(
            "--gold",
            metavar="SHARE",
            min=0,
            max=1,
            help="The share of questions whose answer is in the file, to see how good people are.",
        ),
    ] = None,
    audit: Annotated[
        float | None,
        typer.Option(
            "--audit",
            metavar="SHARE",
            min=0,
            max=1,
            help="The share of questions about rows drawn at random, as a proof; 0.1 with --find.",
        ),
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

    Answers are kept beside the file, each before the next row appears, and so is what the options
    say; run it again to go on.
    With goals (--more, --less, or --marks) the best row is searched for.

    \b
    Examples:
      satsuma label issues.csv --target kind --classes bug,feature,docs
      satsuma label papers.csv --target relevant --find yes --classes yes,no
      satsuma label issues.csv --target hours --number
      satsuma label issues.csv --key number --guidelines codebook.md
    """
    from satsuma.app.labelling.settings import kept_settings, resumed_task

    packages = "starlette, uvicorn and jinja2"
    with require_extra("label", "The page to label rows", packages):
        from satsuma.app.server import serve
    from satsuma.app.store.log_file import log_path

    log = log_path(_one_file(asked))
    if repair:
        _repair(log, json=json)
        return
    names = [each.strip() for each in (classes or "").split(",") if each.strip()]
    before = kept_settings(log)
    asked, reading = _read_as_before(asked, before.get("reading", {}))
    table = asked.table()
    task = resumed_task(
        table, log, target=target, classes=names, sought=find, key=key, hidden=hidden,
        guidelines=guidelines and _text(guidelines), number=number or None, duplicates=duplicates,
        gold=gold, audit=audit, reading=reading,
    )  # fmt: skip
    notes = list(table.notes)
    said = {
        "sought": find, "key": key, "hidden": hidden, "guidelines": guidelines, "audit": audit,
        "gold": gold, "duplicates": duplicates,
    }  # fmt: skip
    remembered = _as_before(task, before.get("reading", {}), said)
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


def _read_as_before(asked: TableInput, before: dict[str, Any]) -> tuple[TableInput, dict[str, Any]]:
    """The input with the kinds, roles and options of the last time, where none are given now."""
    now = {"kinds": dict(asked.kinds), "roles": dict(asked.roles), "options": dict(asked.options)}
    now["options"].pop("storage_options", None)  # may hold credentials
    kept = {name: {**before.get(name, {}), **each} for name, each in now.items()}
    options = {**kept["options"], **asked.options}
    return replace(asked, kinds=kept["kinds"], roles=kept["roles"], options=options), kept


def _text(path: str) -> str:
    try:
        return Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        told = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ReadError(f"it cannot be read: {told}", file=path, remedy="Name a text.") from None


def _as_before(task: "Task", read: dict[str, Any], said: dict[str, Any]) -> list[str]:
    """What the log remembers and nobody has said again."""
    words = {
        "sought": f"rows are looked for that are {task.sought!r}. Else: --find ''.",
        "key": f"rows are known by column {task.key!r}.",
        "hidden": "predictions are hidden. Else: --show-prediction.",
        "guidelines": "guidelines are shown. Else: --guidelines ''.",
        "duplicates": "equal texts are asked about one by one. Else: --no-duplicates.",
        "gold": f"{task.gold:.0%} of the questions are gold. Else: --gold 0.",
        "audit": f"{task.audit or 0:.0%} of the rows are drawn at random. Else: --audit SHARE.",
    }
    made = [f"As before, {told}" for name, told in words.items()
            if said[name] is None and getattr(task, name)]  # fmt: skip
    options = [f"{name}={each}" for what in read.values() for name, each in what.items()]
    if options:
        made.append(f"As before, the file is read with {', '.join(options)}.")
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
