"""Log file: the SQLite file of a log, made atomically, and checked before it is written to."""

import errno
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from satsuma.app.refusal import NotSaved
from satsuma.errors import SatsumaError

#: What SQLite files of ours begin with ("STSM"), and the version of their tables.
APPLICATION, VERSION = 0x5354534D, 2

#: What SQLite files begin with, and where their header tells the version and the application. They
#: are read without SQLite, which might write to a file that is not ours.
_MAGIC, _HEADER, _VERSION_AT, _ORIGIN_AT = b"SQLite format 3\0", 100, 60, 68

#: Milliseconds that another process is waited for.
_PATIENCE = 20_000

_TABLES = f"""
CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,    -- made by the page, so that sending twice is harmless
    row TEXT NOT NULL,          -- by its cells or the key column
    who TEXT NOT NULL,
    what TEXT NOT NULL CHECK (what IN ('label', 'skip', 'undo', 'unsure', 'comment')),
    value TEXT NOT NULL,        -- JSON: a class, numbers by goal, a comment, or null
    of TEXT,                    -- the event that is undone
    at INTEGER NOT NULL,        -- milliseconds since 1970
    took INTEGER NOT NULL,      -- milliseconds from question to answer
    model INTEGER NOT NULL,     -- the last event that the model had learned from
    why TEXT NOT NULL,          -- JSON: why this row was asked about
    shown TEXT NOT NULL,        -- the row in short, should it no longer be in the file
    cells TEXT NOT NULL         -- a hash of the row's cells as they were
);
CREATE TRIGGER never_changed BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER never_deleted BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE TABLE leases (
    who TEXT PRIMARY KEY,
    row TEXT NOT NULL,
    until INTEGER NOT NULL,
    asked TEXT NOT NULL
);
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL         -- JSON
);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""


class LogError(SatsumaError):
    """A log that is damaged, or no log; it is left as it is."""


def log_path(table: str | os.PathLike[str]) -> Path:
    """Where the labels of a file are kept: beside it.

    Examples
    --------
    >>> log_path("issues.csv").name
    'issues.csv.labels.sqlite'
    """
    file = Path(table)
    return file.with_name(f"{file.name}.labels.sqlite")


def insert_into(table: str, columns: Sequence[str]) -> str:
    """The statement that adds a row."""
    places = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})"  # noqa: S608 - ours


def create(path: Path) -> None:
    """Make an empty log; if somebody else makes one at the same time, it is theirs that counts."""
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        new.unlink(missing_ok=True)
        db = sqlite3.connect(new, isolation_level=None)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript(f"BEGIN; {_TABLES} COMMIT;")
        finally:
            db.close()
        _link_in_place(new, path)
    except OSError as error:
        raise _not_written(error, path) from None
    finally:
        for each in (new, new.with_name(f"{new.name}-wal"), new.with_name(f"{new.name}-shm")):
            with suppress(OSError):
                each.unlink(missing_ok=True)


def _link_in_place(new: Path, path: Path) -> None:
    """Atomic: under its name at once and whole, and never over another file."""
    with suppress(FileExistsError):
        try:
            os.link(new, path)
        except FileExistsError:
            raise
        except OSError:  # a disk without links
            with path.open("xb") as file:
                file.write(new.read_bytes())
                os.fsync(file.fileno())
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)  # the file itself is there after a power cut, not only what is in it
    finally:
        os.close(folder)


def connect(path: Path, synchronous: str) -> sqlite3.Connection:
    """A log to be written to, whose header was checked before."""
    check_origin(path)
    db = open_sqlite(path, "mode=rw")
    try:
        db.execute(f"PRAGMA busy_timeout = {_PATIENCE}")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA synchronous = {synchronous}")
    except sqlite3.Error:
        db.close()
        raise
    return db


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A log in a folder that is read-only, where SQLite has nowhere to keep its notes."""
    check_origin(path)
    waiting = path.with_name(f"{path.name}-wal").exists()
    return open_sqlite(path, "mode=ro" if waiting else "immutable=1")


def open_sqlite(path: Path, mode: str) -> sqlite3.Connection:
    """An SQLite file, whatever is in it."""
    return sqlite3.connect(
        f"{path.resolve().as_uri()}?{mode}", uri=True, timeout=_PATIENCE / 1000,
        isolation_level=None, check_same_thread=False,
    )  # fmt: skip


def check_origin(path: Path) -> None:
    """Refuse what is no log, or one of another version; the file is not touched."""
    if not path.stat().st_size:
        raise LogError(
            f"{path.name} is empty, and a log of labels never is. If there were labels in it, "
            f"bring back a copy of it; otherwise delete it to begin anew."
        )
    with path.open("rb") as file:
        header = file.read(_HEADER)
    if not header.startswith(_MAGIC) or len(header) < _HEADER:
        raise damaged(path, "file is not a database")
    version, application = (int.from_bytes(header[at : at + 4]) for at in (_VERSION_AT, _ORIGIN_AT))
    if application != APPLICATION and not (version == 1 and _has_events(path)):
        raise LogError(
            f"{path.name} is an SQLite file, but no log of labels. It is left as it is: move it "
            f"away, or rename the table, to begin anew."
        )
    if version > VERSION:
        raise LogError(
            f"{path.name} was written by a newer version of Satsuma (logs of version {version}; "
            f"this one writes {VERSION}). Update Satsuma. {_remedy(path)}"
        )
    if version < VERSION:
        raise LogError(
            f"{path.name} was written by an earlier version of Satsuma, which knew rows in another "
            f"way. {_remedy(path)} They are set aside there, as their rows cannot be found."
        )


def _has_events(path: Path) -> bool:
    """Whether it is like a log of the first version, which had no application id."""
    with closing(open_sqlite(path, "immutable=1")) as db:
        query = "SELECT count(*) FROM sqlite_master WHERE name IN ('events', 'leases')"
        return db.execute(query).fetchone()[0] == 2


def check_whole(db: sqlite3.Connection, path: Path) -> None:
    """Refuse a file whose pages do not fit together."""
    (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise damaged(path, str(found).strip().splitlines()[-1])


def damaged(path: Path, what: object) -> LogError:
    """A log that cannot be read as it is, and how to save what is in it."""
    return LogError(
        f"{path.name} is no log of labels, or a damaged one ({what}). It is left as it is. "
        f"{_remedy(path)} Or bring back a copy of it."
    )


def _remedy(path: Path) -> str:
    table = path.name.removesuffix(".labels.sqlite")
    return f"What can be read of its answers is saved by: satsuma label {table} --repair."


def error_of(error: sqlite3.Error, path: Path) -> SatsumaError:
    """What an error of SQLite means for whoever labels."""
    name = getattr(error, "sqlite_errorname", None) or ""
    if name == "SQLITE_FULL":
        return _full(path)
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return _forbidden(path)
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")) or "decode" in str(error):
        return damaged(path, error)
    return NotSaved(f"{path.name} cannot be written to: {error}.")


def _not_written(error: OSError, path: Path) -> NotSaved:
    if error.errno == errno.ENOSPC:
        return _full(path)
    return _forbidden(path)


def _full(path: Path) -> NotSaved:
    return NotSaved(f"The disk is full: {path.name} cannot grow. Make some room.")


def _forbidden(path: Path) -> NotSaved:
    return NotSaved(
        f"The folder of {path.name} cannot be written to. Allow writing there, or start again "
        f"with a copy of the table in a folder of your own."
    )
