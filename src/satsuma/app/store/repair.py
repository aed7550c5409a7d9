"""Repair: what can be read of a damaged log, saved in a new one beside it."""

import json
import shlex
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from satsuma.app.store.events import COLUMNS, Event, log_row, logged_event
from satsuma.app.store.log_file import LogError, connect, create, insert_into, open_sqlite
from satsuma.errors import ReadError

#: Where the header of an SQLite file gives the size of its pages, and how many there are.
_SIZE_AT, _PAGES_AT = 16, 28

#: Bytes of a log; a header that gives more is wrong.
_MOST = 2**33

_NOTHING = "Nothing can be read of {} ({}). Bring back a copy of it, or move it away to begin anew."


@dataclass(frozen=True)
class Repaired:
    """A new log, and how much of the old one is in it.

    Parameters
    ----------
    path
        Of the new log.
    old
        Of the log that was read; it is as it was.
    saved
        How many answers were saved: labels, comments, skips and what was undone.
    lost
        How many were not; None where nobody can say.
    """

    path: Path
    old: Path
    saved: int
    lost: int | None

    def __str__(self) -> str:
        lost = "nobody can say how many were lost" if self.lost is None else f"{self.lost:,} lost"
        old, new, aside = (
            shlex.quote(str(each))
            for each in (self.old, self.path, self.old.with_name(f"{self.old.name}.damaged"))
        )
        return (
            f"{self.saved:,} answers saved in {self.path}; {lost}. {self.old.name} is as it was. "
            f"To go on with what was saved:\n  mv {old} {aside}\n  mv {new} {old}"
        )


def repair(log: Path) -> Repaired:
    """Save what can be read of a log in a new one beside it; the old one is left as it is.

    Parameters
    ----------
    log
        Of any version, whole or damaged.
    """
    if not log.exists():
        raise ReadError("there is no such log", file=str(log), remedy="Nothing was labelled yet.")
    with TemporaryDirectory(prefix="satsuma-") as folder:
        copy = _padded_copy(log, Path(folder))
        try:
            with closing(open_sqlite(copy, "mode=rw")) as db:
                numbers, settings = _event_numbers(db), _read_settings(db)
                events = list(_read_events(db, numbers))
        except sqlite3.Error as error:
            raise LogError(_NOTHING.format(log.name, error)) from None
    if not events:
        raise LogError(_NOTHING.format(log.name, "there is no event in it"))
    path = _free_path(log)
    create(path)
    with closing(connect(path, "FULL")) as db:
        _write(db, events, settings)
    return Repaired(path, log, len(events), len(numbers) - len(events) if numbers else None)


def _free_path(log: Path) -> Path:
    """A path that is not taken."""
    stem = log.name.removesuffix(".sqlite")
    for number in range(1, 1000):
        path = log.with_name(f"{stem}.repaired{'' if number == 1 else f'-{number}'}.sqlite")
        if not path.exists():
            return path
    raise LogError(f"There are a thousand repaired logs beside {log.name}. Move some away.")


def _padded_copy(log: Path, folder: Path) -> Path:
    """A copy to read from, padded with zeros where the file was cut short."""
    copy = folder / "log.sqlite"
    shutil.copyfile(log, copy)
    waiting = log.with_name(f"{log.name}-wal")
    if waiting.exists():
        shutil.copyfile(waiting, folder / "log.sqlite-wal")
    with copy.open("r+b") as file:
        header = file.read(100)
        size = int.from_bytes(header[_SIZE_AT : _SIZE_AT + 2])
        size = 65536 if size == 1 else size
        there, whole = copy.stat().st_size, size * int.from_bytes(header[_PAGES_AT : _PAGES_AT + 4])
        if there < whole < _MOST:
            file.truncate(there - there % size)  # what is left of a page is not to be trusted
            file.truncate(whole)
    return copy


def _event_numbers(db: sqlite3.Connection) -> range:
    """The numbers of all events that there ever were; none is left out."""
    for query in (
        "SELECT seq FROM sqlite_sequence WHERE name = 'events'",
        "SELECT max(seq) FROM events",
        "SELECT count(*) FROM events",
    ):
        try:
            found = db.execute(query).fetchone()
        except sqlite3.Error:
            continue
        if found is not None and isinstance(found[0], int):
            return range(1, found[0] + 1)
    return range(0)


def _read_events(db: sqlite3.Connection, numbers: range) -> Iterator[Event]:
    """One by one, so that a page that cannot be read takes along only what is on it."""
    there = {name for _, name, *_ in db.execute("PRAGMA table_info(events)")}
    names = [name if name in there else "''" for name in COLUMNS]
    query = f"SELECT {', '.join(names)} FROM events WHERE seq = ?"  # noqa: S608 - ours
    ids = set[str]()
    for number in numbers:
        try:
            found = db.execute(query, (number,)).fetchone()
            event = None if found is None else logged_event(found)
        except (sqlite3.Error, ValueError):
            continue
        if event is not None and event.id not in ids:
            ids.add(event.id)
            yield event


def _read_settings(db: sqlite3.Connection) -> list[tuple[Any, ...]]:
    try:
        found = db.execute("SELECT name, value FROM settings").fetchall()
        _ = [json.loads(value) for _, value in found]
    except (sqlite3.Error, ValueError, TypeError):
        return []
    return found


def _write(db: sqlite3.Connection, events: list[Event], settings: list[tuple[Any, ...]]) -> None:
    """Events keep their numbers, by which others refer to them."""
    db.execute("BEGIN IMMEDIATE")
    db.executemany(insert_into("events", COLUMNS), map(log_row, events))
    db.executemany("INSERT INTO settings VALUES (?, ?)", settings)
    db.execute("COMMIT")
