"""Log: every answer in the order in which it was given; nothing is changed or taken out."""

import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from satsuma.app.event import COLUMNS, Event, NotSaved, event_of, spelled
from satsuma.errors import SatsumaError

#: Milliseconds that another process is waited for.
_PATIENCE = 20_000

_TABLES = """
CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,    -- made by the page, so that sending twice is harmless
    row TEXT NOT NULL,          -- by its cells; see keys.py
    who TEXT NOT NULL,
    what TEXT NOT NULL CHECK (what IN ('label', 'skip', 'undo', 'unsure', 'comment')),
    value TEXT NOT NULL,        -- JSON: a class, numbers by goal, a comment, or null
    of TEXT,                    -- the event that is undone
    at INTEGER NOT NULL,        -- milliseconds since 1970
    took INTEGER NOT NULL,      -- milliseconds from question to answer
    model INTEGER NOT NULL,     -- the last event that the model had learned from
    why TEXT NOT NULL,          -- JSON: why this row was asked about
    shown TEXT NOT NULL         -- the row in short, should it no longer be in the file
);
CREATE TRIGGER IF NOT EXISTS never_changed BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER IF NOT EXISTS never_deleted BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE TABLE IF NOT EXISTS leases (
    who TEXT PRIMARY KEY,
    row INTEGER NOT NULL,
    until INTEGER NOT NULL,
    asked TEXT NOT NULL
);
PRAGMA user_version = 1;
"""


class Log:
    """The events of one table, in an SQLite file beside it.

    An event is on disk, synced, when `append` returns. Where the file cannot be written to, what
    was written can still be read, and each `append` tries anew.

    Parameters
    ----------
    path
        Of the file; it is made when the first row is handed out.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     log = Log(Path(folder) / "days.csv.labels.sqlite")
    ...     first = log.append(Event("a1", "f00", "Ada", "label", "yes"))
    ...     again = log.append(Event("a1", "f00", "Ada", "label", "yes"))
    ...     log.close()
    >>> first.seq, again.seq
    (1, 1)
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._db: sqlite3.Connection | None = None
        self._quick: sqlite3.Connection | None = None

    def append(self, event: Event) -> Event:
        """Put an event on disk; one with the same id that is there already is returned instead."""
        with self._writing() as db:
            db.execute("BEGIN IMMEDIATE")
            known = db.execute(f"SELECT {COLUMNS} FROM events WHERE id = ?", (event.id,))  # noqa: S608
            if (found := known.fetchone()) is not None:
                db.execute("ROLLBACK")
                return event_of(found)
            cells = (
                event.id, event.row, event.who, event.what, spelled(event.value), event.of,
                event.at, event.took, event.model, spelled(event.why), event.shown,
            )  # fmt: skip
            marks = ", ".join("?" * len(cells))
            made = db.execute(f"INSERT INTO events ({COLUMNS[:-5]}) VALUES ({marks})", cells)  # noqa: S608
            db.execute("COMMIT")  # the sync is here
            return replace(event, seq=made.lastrowid or 0)

    def after(self, seq: int) -> list[Event]:
        """The events behind one, in order."""
        return self._found("seq > ? ORDER BY seq", seq)

    def find(self, id: str) -> Event | None:  # noqa: A002 - the word for it
        """The event of an id, if there is one."""
        return next(iter(self._found("id = ?", id)), None)

    def _found(self, where: str, value: object) -> list[Event]:
        asked = f"SELECT {COLUMNS} FROM events WHERE {where}"  # noqa: S608 - ours
        return [event_of(found) for found in self._read(asked, value)]

    def _read(self, asked: str, *values: object) -> list[Any]:
        db = self._readable()
        if db is None:
            return []
        try:
            return db.execute(asked, values).fetchall()
        except sqlite3.Error as error:
            raise self._trouble(error) from None
        finally:
            if db is not self._db:
                db.close()

    def leases(self) -> list[tuple[str, int, int, str]]:
        """Who has which row in hand until when, and what was asked."""
        return self._read("SELECT who, row, until, asked FROM leases")

    def lease(self, who: str, row: int, until: int, asked: str) -> None:
        """Note that somebody has a row in hand; it need not be on disk at once."""
        self._noted("INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?)", (who, row, until, asked))

    def give_back(self, who: str) -> None:
        """Note that somebody has no row in hand."""
        self._noted("DELETE FROM leases WHERE who = ?", (who,))

    def _noted(self, statement: str, values: tuple[Any, ...]) -> None:
        """Without a sync: a lease that is lost with the power costs nobody an answer."""
        with suppress(sqlite3.Error):
            if self._quick is None:
                self._quick = self._connected("NORMAL")
            self._quick.execute(statement, values)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        for db in (self._db, self._quick):
            if db is not None:
                with suppress(sqlite3.Error):
                    db.close()
        self._db = self._quick = None

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection, None, None]:
        try:
            if self._db is None:
                self._db = self._opened()
            yield self._db
        except sqlite3.Error as error:
            self.close()  # what was begun is undone, and the next try starts afresh
            raise self._trouble(error) from None

    def _opened(self) -> sqlite3.Connection:
        db = self._connected("FULL")
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # the file itself is there after a power cut, not only what is in it
        finally:
            os.close(folder)
        return db

    def _connected(self, synchronous: str) -> sqlite3.Connection:
        db = sqlite3.connect(
            self.path, timeout=_PATIENCE / 1000, isolation_level=None, check_same_thread=False
        )
        try:
            db.execute(f"PRAGMA busy_timeout = {_PATIENCE}")
            db.execute("PRAGMA journal_mode = WAL")
            db.execute(f"PRAGMA synchronous = {synchronous}")
            if db.execute("PRAGMA user_version").fetchone()[0] != 1:
                db.executescript(f"BEGIN IMMEDIATE; {_TABLES} COMMIT;")
        except sqlite3.Error:
            db.close()
            raise
        return db

    def _readable(self) -> sqlite3.Connection | None:
        """The file as it can be had: to be written to, or else to be read alone."""
        if self._db is not None:
            return self._db
        if not self.path.exists():
            return None
        with suppress(sqlite3.OperationalError, OSError):
            self._db = self._opened()
            return self._db
        # In a folder that is read-only SQLite has nowhere to keep its notes.
        waiting = self.path.with_name(self.path.name + "-wal").exists()
        mode = "mode=ro" if waiting else "immutable=1"
        try:
            return sqlite3.connect(f"{self.path.resolve().as_uri()}?{mode}", uri=True)
        except sqlite3.Error as error:
            raise self._trouble(error) from None

    def _trouble(self, error: sqlite3.Error) -> SatsumaError:
        name, file = getattr(error, "sqlite_errorname", None) or "", self.path.name
        if name == "SQLITE_FULL":
            return NotSaved(f"The disk is full: {file} cannot grow. Make some room.")
        if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
            return NotSaved(
                f"The folder of {file} cannot be written to. Allow writing there, or start again "
                f"with a copy of the table in a folder of your own."
            )
        if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
            return SatsumaError(
                f"{file} is no log of labels, or a damaged one ({error}). Move it away to begin "
                f"anew, or bring back a copy of it."
            )
        return NotSaved(f"{file} cannot be written to: {error}.")
