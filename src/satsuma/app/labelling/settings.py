"""Settings: how a table is labelled, kept in its log, so that nobody has to say it again."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from satsuma.app.labelling.task import Task, task_of, with_target
from satsuma.app.store.log import Log
from satsuma.data.table import Table
from satsuma.errors import DomainError


def kept_settings(log: Path) -> dict[str, Any]:
    """What a log remembers of how its table was labelled; nothing if there is no log."""
    file = Log(log)
    try:
        return file.settings()
    finally:
        file.close()


def resumed_task(
    table: Table,
    log: Path,
    *,
    target: str | None = None,
    classes: Sequence[str] = (),
    sought: str | None = None,
    key: str | None = None,
    guidelines: str | None = None,
    hidden: bool | None = None,
    number: bool | None = None,
    duplicates: bool | None = None,
    gold: float | None = None,
    audit: float | None = None,
    reading: Mapping[str, Any] | None = None,
) -> Task:
    """What is to be asked about a table; what is not given is as it was when it was last labelled.

    Parameters
    ----------
    table
        The rows.
    log
        Where the answers are kept.
    target, classes, sought, key, guidelines, hidden, number, duplicates, gold,
    audit, reading
        As in `task_of` and `Task`; an empty `sought` searches for no class any more, and empty
        `guidelines` are shown no more.
    """
    before = kept_settings(log)
    filled = before.get("filled", [])
    if target is None and len(filled) == 1 and not table.domain.goals:
        target = filled[0]
    given: dict[str, Any] = {
        "key": key, "guidelines": guidelines, "hidden": hidden, "number": number, "audit": audit,
        "duplicates": duplicates, "gold": gold, "reading": reading,
    }  # fmt: skip
    kept = {name: before.get(name) if each is None else each for name, each in given.items()}
    sought = before.get("sought") if sought is None else sought
    return task_of(
        with_target(table, target),
        classes=[*before.get("classes", []), *classes],
        sought=sought or None,
        **{name: each for name, each in kept.items() if each is not None},
    )


def check_settings(task: Task, log: Log) -> None:
    """Refuse to take labels for those of another column; the log remembers what is new."""
    before = log.settings()
    filled: list[str] = before.get("filled", list(task.filled))
    if filled != list(task.filled):
        there, here = (", ".join(map(repr, each)) for each in (filled, task.filled))
        raise DomainError(
            f"{log.path.name} has labels of {there}, not of {here}. Name the target as before, or "
            f"label {here} in a copy of the table."
        )
    if before.get("key") not in (None, task.key):
        raise DomainError(
            f"{log.path.name} knows rows by column {before['key']!r}, not by {task.key!r}. Name "
            f"the key as before, or label a copy of the table."
        )
    log.remember(task.settings)
