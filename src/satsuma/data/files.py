"""Files: opened as bytes, decompressed on the way; written whole or not at all."""

import gzip
import io
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

from satsuma.errors import ReadError, WriteError

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"

#: What can be read: a path, bytes, or an open binary file.
Readable = str | os.PathLike[str] | bytes | BinaryIO


def label(source: Readable) -> str:
    """What to call a file in a message."""
    if isinstance(source, bytes):
        return "<bytes>"
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    return str(getattr(source, "name", "<file>"))


def open_bytes(source: Readable) -> BinaryIO:
    """Open for reading; gzip and Zstandard are recognised by their first bytes, not by the name.

    Examples
    --------
    >>> open_bytes(b"a,b").read()
    b'a,b'
    """
    if isinstance(source, bytes):
        stream: BinaryIO = io.BytesIO(source)
    elif isinstance(source, str | os.PathLike):
        try:
            stream = Path(source).open("rb")  # noqa: SIM115 - the caller closes it
        except FileNotFoundError:
            raise ReadError(
                "there is no such file", file=label(source), remedy=_nearby(os.fspath(source))
            ) from None
        except IsADirectoryError:
            raise ReadError(
                "this is a folder", file=label(source), remedy="Name a file in it."
            ) from None
    else:
        stream = source if source.seekable() else io.BytesIO(source.read())
    start = stream.tell()
    magic = stream.read(4)
    stream.seek(start)
    if magic[:2] == GZIP:
        opened = cast("Any", gzip.GzipFile(fileobj=stream))
        opened.myfileobj = stream  # to be closed with it
        return cast("BinaryIO", opened)
    if magic == ZSTD:
        import pyarrow as pa

        return cast("BinaryIO", pa.CompressedInputStream(cast("io.IOBase", stream), "zstd"))
    return stream


def _nearby(path: str) -> str:
    from difflib import get_close_matches

    folder = Path(path).parent
    try:
        names = [entry.name for entry in folder.iterdir()]
    except OSError:
        return f"The folder {str(folder)!r} does not exist either."
    close = get_close_matches(Path(path).name, names, n=3)
    return f"Did you mean {' or '.join(map(repr, close))}?" if close else ""


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Generator[BinaryIO, None, None]:
    """A new file that takes the place of the old one once it is complete."""
    goal = Path(os.path.realpath(path))
    if goal.exists() and not goal.is_file():
        raise WriteError(f"{os.fspath(path)}: this is not a file. Name a file to write to.")
    temporary = goal.with_name(f".{goal.name[:100]}.{os.urandom(8).hex()}.tmp")
    try:
        with temporary.open("xb") as stream:
            yield stream
        with temporary.open("rb+") as written:
            os.fsync(written.fileno())
        _keep_mode(goal, temporary)
        temporary.replace(goal)
    except OSError as error:
        raise WriteError(
            f"{os.fspath(path)}: it cannot be written ({error.strerror or error}). "
            "Check that the folder exists, may be written to, and has room."
        ) from error
    finally:
        with suppress(OSError):
            temporary.unlink()


def _keep_mode(old: Path, new: Path) -> None:
    if old.exists():
        new.chmod(old.stat().st_mode)
