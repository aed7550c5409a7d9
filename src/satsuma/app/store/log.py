"""Log: every event in its order, durable and append-only: nothing is changed or taken out."""

import json
import os
import sqlite3
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from satsuma.app.refusal import NotSaved
from satsuma.app.store import log_file
from satsuma.app.store.events import COLUMNS, Event, log_row, logged_event, to_json
from satsuma.errors import SatsumaError

_SELECT = f"SELECT {', '.join(COLUMNS)} FROM events WHERE"  # noqa: S608 - ours
_INSERT = log_file.insert_into("events", COLUMNS[:-1])  # the number is the log's


class Log:
    """The events of one table, in an SQLite file beside it.

    `append` is atomic, durable and idempotent: an event is on disk, synced, when it returns, and
    an id that is known adds nothing. Where the file cannot be written to, what was written can
    still be read, and each `append` tries anew.

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
        self._unsynced: sqlite3.Connection | None = None
        self._checked = False
        self._new_settings: dict[str, Any] = {}

    def append(self, event: Event) -> Event:
        """Put an event on disk; one with the same id that is there already is returned instead."""
        with self._writing() as db:
            db.execute("BEGIN IMMEDIATE")
            known = db.execute(f"{_SELECT} id = ?", (event.id,))
            if (row := known.fetchone()) is not None:
                db.execute("ROLLBACK")
                return self._event(row)
            for name, value in self._new_settings.items():
                db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, to_json(value)))
            added = db.execute(_INSERT, log_row(event)[:-1])
            db.execute("COMMIT")  # the sync is here
            self._new_settings = {}
            return replace(event, seq=added.lastrowid or 0)

    def remember(self, settings: Mapping[str, Any]) -> None:
        """Keep settings with the next event, if they are not what was kept before."""
        before = self.settings()
        for name, value in settings.items():
            self._new_settings.pop(name, None)
            if before.get(name) != value:
                self._new_settings[name] = value

    def settings(self) -> dict[str, Any]:
        """What was kept of how the table is labelled."""
        rows = self._read("SELECT name, value FROM settings")
        try:
            return {str(name): json.loads(value) for name, value in rows}
        except (ValueError, TypeError):
            raise log_file.damaged(self.path, "its settings cannot be read") from None

    def after(self, seq: int) -> list[Event]:
        """The events behind one, in order."""
        return self._events("seq > ? ORDER BY seq", seq)

    def find(self, id: str) -> Event | None:  # noqa: A002 - the word for it
        """The event of an id, if there is one."""
        return next(iter(self._events("id = ?", id)), None)

    def _events(self, where: str, value: object) -> list[Event]:
        return [self._event(row) for row in self._read(f"{_SELECT} {where}", value)]

    def _event(self, row: tuple[Any, ...]) -> Event:
        try:
            return logged_event(row)
        except ValueError:
            raise log_file.damaged(self.path, f"event {row[-1]} cannot be read") from None

    def _read(self, query: str, *values: object) -> list[Any]:
        db = self._readable()
        if db is None:
            return []
        try:
            return db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise log_file.error_of(error, self.path) from None
        finally:
            if db is not self._db:
                db.close()

    def leases(self) -> list[tuple[str, str, int, str]]:
        """Who has which row until when, and what was asked."""
        return self._read("SELECT who, row, until, asked FROM leases")

    def lease(self, who: str, row: str, until: int, asked: str) -> None:
        """Keep a row for somebody; it need not be on disk at once."""
        self._write_unsynced(
            "INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?)", (who, row, until, asked)
        )

    def release(self, who: str) -> None:
        """Keep no row for somebody any more."""
        self._write_unsynced("DELETE FROM leases WHERE who = ?", (who,))

    def _write_unsynced(self, statement: str, values: tuple[Any, ...]) -> None:
        """Without a sync: a lease that is lost with the power costs nobody an answer."""
        with suppress(sqlite3.Error, OSError, NotSaved):
            if self._unsynced is None:
                self._opened()
                self._unsynced = log_file.connect(self.path, "NORMAL")
            self._unsynced.execute(statement, values)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        for db in (self._db, self._unsynced):
            if db is not None:
                with suppress(sqlite3.Error):
                    db.close()
        self._db = self._unsynced = None

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection, None, None]:
        try:
            yield self._opened()
        except sqlite3.Error as error:
            self.close()  # what was begun is undone, and the next try starts afresh
            raise log_file.error_of(error, self.path) from None
        except OSError as error:
            raise NotSaved(f"{self.path.name} cannot be written to: {error.strerror}.") from None

    def _opened(self) -> sqlite3.Connection:
        """The file to be written to; it is made if there is none, and looked at once."""
        if self._db is None:
            if not self.path.exists():
                log_file.create(self.path)
            self._db = log_file.connect(self.path, "FULL")
            if not self._checked:
                self._check_once()
        return self._db

    def _check_once(self) -> None:
        """Refuse a file whose pages do not fit together before it is written to."""
        assert self._db is not None
        try:
            log_file.check_whole(self._db, self.path)
        except (sqlite3.Error, SatsumaError):
            self.close()
            raise
        self._checked = True

    def _readable(self) -> sqlite3.Connection | None:
        """The file as it can be had: to be written to, or else to be read alone."""
        if self._db is None and not self.path.exists():
            return None
        try:
            with suppress(sqlite3.OperationalError, OSError):
                return self._opened()
            return log_file.connect_to_read(self.path)
        except sqlite3.Error as error:
            raise log_file.error_of(error, self.path) from None
