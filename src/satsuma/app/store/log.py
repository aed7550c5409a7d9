"""Log: every answer in the order in which it was given; nothing is changed or taken out."""

import json
import os
import sqlite3
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from satsuma.app.store import log_file
from satsuma.app.store.events import COLUMNS, Event, NotSaved, cells_of, event_of, spelled
from satsuma.errors import SatsumaError


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
        self._looked_at = False
        self._remembered: dict[str, Any] = {}

    def append(self, event: Event) -> Event:
        """Put an event on disk; one with the same id that is there already is returned instead."""
        with self._writing() as db:
            db.execute("BEGIN IMMEDIATE")
            known = db.execute(f"SELECT {COLUMNS} FROM events WHERE id = ?", (event.id,))  # noqa: S608
            if (found := known.fetchone()) is not None:
                db.execute("ROLLBACK")
                return self._event(found)
            for name, value in self._remembered.items():
                db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, spelled(value)))
            cells = cells_of(event)
            marks = ", ".join("?" * len(cells))
            made = db.execute(f"INSERT INTO events ({COLUMNS[:-5]}) VALUES ({marks})", cells)  # noqa: S608
            db.execute("COMMIT")  # the sync is here
            self._remembered = {}
            return replace(event, seq=made.lastrowid or 0)

    def remember(self, settings: Mapping[str, Any]) -> None:
        """Keep settings with the next event, if they are not what was kept before."""
        before = self.settings()
        self._remembered = {
            name: value for name, value in settings.items() if before.get(name) != value
        }

    def settings(self) -> dict[str, Any]:
        """What was kept of how the table is labelled."""
        found = self._read("SELECT name, value FROM settings")
        try:
            return {str(name): json.loads(value) for name, value in found}
        except (ValueError, TypeError):
            raise log_file.damaged(self.path, "its settings cannot be read") from None

    def after(self, seq: int) -> list[Event]:
        """The events behind one, in order."""
        return self._found("seq > ? ORDER BY seq", seq)

    def find(self, id: str) -> Event | None:  # noqa: A002 - the word for it
        """The event of an id, if there is one."""
        return next(iter(self._found("id = ?", id)), None)

    def _found(self, where: str, value: object) -> list[Event]:
        asked = f"SELECT {COLUMNS} FROM events WHERE {where}"  # noqa: S608 - ours
        return [self._event(found) for found in self._read(asked, value)]

    def _event(self, found: tuple[Any, ...]) -> Event:
        try:
            return event_of(found)
        except ValueError:
            raise log_file.damaged(self.path, f"event {found[-1]} cannot be read") from None

    def _read(self, asked: str, *values: object) -> list[Any]:
        db = self._readable()
        if db is None:
            return []
        try:
            return db.execute(asked, values).fetchall()
        except sqlite3.Error as error:
            raise log_file.trouble(error, self.path) from None
        finally:
            if db is not self._db:
                db.close()

    def leases(self) -> list[tuple[str, str, int, str]]:
        """Who has which row in hand until when, and what was asked."""
        return self._read("SELECT who, row, until, asked FROM leases")

    def lease(self, who: str, row: str, until: int, asked: str) -> None:
        """Note that somebody has a row in hand; it need not be on disk at once."""
        self._noted("INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?)", (who, row, until, asked))

    def give_back(self, who: str) -> None:
        """Note that somebody has no row in hand."""
        self._noted("DELETE FROM leases WHERE who = ?", (who,))

    def _noted(self, statement: str, values: tuple[Any, ...]) -> None:
        """Without a sync: a lease that is lost with the power costs nobody an answer."""
        with suppress(sqlite3.Error, OSError, NotSaved):
            if self._quick is None:
                self._opened()
                self._quick = log_file.connect(self.path, "NORMAL")
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
            yield self._opened()
        except sqlite3.Error as error:
            self.close()  # what was begun is undone, and the next try starts afresh
            raise log_file.trouble(error, self.path) from None
        except OSError as error:
            raise NotSaved(f"{self.path.name} cannot be written to: {error.strerror}.") from None

    def _opened(self) -> sqlite3.Connection:
        """The file to be written to; it is made if there is none, and looked at once."""
        if self._db is None:
            if not self.path.exists():
                log_file.create(self.path)
            self._db = log_file.connect(self.path, "FULL")
            if not self._looked_at:
                self._look()
        return self._db

    def _look(self) -> None:
        """Refuse a file whose pages do not fit together before it is written to."""
        assert self._db is not None
        try:
            log_file.check_whole(self._db, self.path)
        except (sqlite3.Error, SatsumaError):
            self.close()
            raise
        self._looked_at = True

    def _readable(self) -> sqlite3.Connection | None:
        """The file as it can be had: to be written to, or else to be read alone."""
        if self._db is None and not self.path.exists():
            return None
        try:
            with suppress(sqlite3.OperationalError, OSError):
                return self._opened()
            return log_file.connect_to_read(self.path)
        except sqlite3.Error as error:
            raise log_file.trouble(error, self.path) from None
