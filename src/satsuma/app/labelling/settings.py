"""Settings: how a table is labelled, as its log remembers it."""

from collections.abc import Sequence
from pathlib import Path

from satsuma.app.labelling.task import Task, task_of, with_target
from satsuma.app.store.log import Log
from satsuma.data.table import Table
from satsuma.errors import DomainError


def resumed_task(
    table: Table,
    log: Path,
    *,
    target: str | None = None,
    classes: Sequence[str] = (),
    sought: str | None = None,
    key: str | None = None,
) -> Task:
    """What is to be asked about a table; what is not given is as it was when it was last labelled.

    Parameters
    ----------
    table
        The rows.
    log
        Where the answers are kept.
    target, classes, sought, key
        As in `task_of`; an empty `sought` searches for no class any more.
    """
    file = Log(log)
    try:
        before = file.settings()
    finally:
        file.close()
    filled = before.get("filled", [])
    if target is None and len(filled) == 1 and not table.domain.goals:
        target = filled[0]
    sought = before.get("sought") if sought is None else sought
    key = before.get("key") if key is None else key
    return task_of(with_target(table, target), classes=classes, sought=sought or None, key=key)


def check_settings(task: Task, log: Log) -> None:
    """Refuse to take labels for those of another column; remember what is new."""
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
    log.remember({"filled": list(task.filled), "sought": task.sought, "key": task.key})
