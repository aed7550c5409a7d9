"""Files: opened as bytes, decompressed on the way; written whole or not at all (atomic)."""

import bz2
import gzip
import io
import lzma
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from satsuma.errors import ParameterError, ReadError, WriteError

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
BZIP2, XZ, ZIP = b"BZh", b"\xfd7zXZ\0", b"PK\x03\x04"

#: What goes wrong in a file that is compressed and cut short.
BROKEN = (EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, OSError)


@dataclass(frozen=True)
class Content:
    """All bytes of what can be read only once, and what to call it."""

    data: bytes
    name: str


class RemoteFile:
    """A file elsewhere. It can be sent to others, and shows no credentials.

    Parameters
    ----------
    place
        Its address, without what is not to be shown.
    size
        Its bytes, where that is known.
    ranged
        Whether any stretch of it can be read without what comes before.
    """

    def __init__(self, place: str, size: int | None, *, ranged: bool) -> None:
        self.place, self.size, self.ranged = place, size, ranged
        self.number = 1  # of those with the same place, which differ in what is not shown

    @property
    def label(self) -> str:
        """What to call it."""
        return self.place if self.number == 1 else f"{self.place} ({self.number})"

    @property
    def address(self) -> str:
        """What tells it from all others; not to be shown."""
        return self.place

    def open(self) -> BinaryIO:
        """The file, opened for reading; it can be sought in."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{self.label}>"


#: What can be read: a path, bytes, an open binary file, its content, or a file elsewhere.
Readable = str | os.PathLike[str] | bytes | BinaryIO | Content | RemoteFile


def label(source: Readable) -> str:
    """What to call a file in a message."""
    if isinstance(source, RemoteFile):
        return source.label
    if isinstance(source, bytes):
        return "<bytes>"
    if isinstance(source, str | os.PathLike):
        return os.fspath(source)
    if isinstance(source, Content):
        return source.name
    return str(getattr(source, "name", "<file>"))


def hold(source: Readable) -> "str | os.PathLike[str] | bytes | Content | RemoteFile":
    """What can be read more than once: a file that is there, or the content of what is not.

    Examples
    --------
    >>> hold(b"a,b"), hold(io.BytesIO(b"a,b"))
    (b'a,b', Content(data=b'a,b', name='<file>'))
    """
    if isinstance(source, str | os.PathLike) and is_pipe(source):
        with open_path(source) as pipe:
            content = cast("object", pipe.read())
    elif isinstance(source, str | os.PathLike | bytes | Content | RemoteFile):
        return source
    else:
        content = cast("object", source.read())  # the file itself is left open
    if not isinstance(content, bytes):
        raise ParameterError("The file is open for text. Open it with mode 'rb', or pass its path.")
    return Content(content, label(source))


def hold_small(source: Readable, most: int) -> Readable:
    """The content of a file here that has so many bytes at most; else what was given."""
    if not isinstance(source, str | os.PathLike):
        return source
    with open_path(source) as stream, read_errors(label(source)):
        is_small = os.fstat(stream.fileno()).st_size <= most
        return Content(stream.read(), label(source)) if is_small else source


def open_bytes(source: Readable, *, unpack: bool = True) -> BinaryIO:
    """Open for reading; what is compressed is known by its first bytes, not by its name.

    A workbook is a .zip archive too, and is not to be unpacked.

    Examples
    --------
    >>> open_bytes(b"a,b").read()
    b'a,b'
    """
    if isinstance(source, bytes | Content):
        stream: BinaryIO = io.BytesIO(source if isinstance(source, bytes) else source.data)
    elif isinstance(source, str | os.PathLike | RemoteFile):
        stream = open_path(source)
    else:
        stream = source if source.seekable() else io.BytesIO(source.read())
    if not unpack:
        return stream
    start = stream.tell()
    magic = stream.read(6)
    stream.seek(start)
    return _decompressed(stream, magic, label(source))


def is_compressed(magic: bytes) -> bool:
    """Whether a file that begins so is compressed."""
    return magic.startswith((GZIP, ZSTD, XZ, ZIP)) or _is_bzip2(magic)


def _is_bzip2(magic: bytes) -> bool:
    return magic[:3] == BZIP2 and magic[3:4].isdigit()


def _decompressed(stream: BinaryIO, magic: bytes, file: str) -> BinaryIO:
    if magic[:2] == GZIP:
        opened = cast("Any", gzip.GzipFile(fileobj=stream))
        opened.myfileobj = stream  # to be closed with it
        return cast("BinaryIO", opened)
    if magic[:4] == ZSTD:
        import pyarrow as pa

        return cast("BinaryIO", pa.CompressedInputStream(cast("io.IOBase", stream), "zstd"))
    if _is_bzip2(magic):
        return cast("BinaryIO", _Closing(bz2.BZ2File(stream), stream))
    if magic == XZ:
        return cast("BinaryIO", _Closing(lzma.LZMAFile(stream), stream))
    return _only_member(stream, file) if magic[:4] == ZIP else stream


class _Closing(io.BufferedIOBase):
    """A decompressed stream that closes the file below it too."""

    def __init__(self, stream: Any, below: BinaryIO) -> None:
        self._stream, self._below = stream, below

    def read(self, size: int | None = -1, /) -> bytes:
        """The next bytes."""
        return self._stream.read(-1 if size is None else size)

    def readinto(self, buffer: Any, /) -> int:
        """The next bytes, into a buffer."""
        return self._stream.readinto(buffer)

    def close(self) -> None:
        """Close both."""
        self._stream.close()
        self._below.close()
        super().close()


def _only_member(stream: BinaryIO, file: str) -> BinaryIO:
    """The one file in an archive."""
    try:
        archive = zipfile.ZipFile(stream)
        names = [each.filename for each in archive.infolist() if not each.is_dir()]
        if len(names) == 1:
            return cast("BinaryIO", _Closing(archive.open(names[0]), stream))
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        stream.close()
        raise ReadError(
            f"the archive cannot be opened: {error}",
            file=file,
            remedy="Unpack it, and read what is in it.",
        ) from None
    stream.close()
    if "[Content_Types].xml" in names:
        raise ReadError("this is a workbook", file=file, remedy="Pass format='xlsx'.")
    content = "nothing" if not names else f"{len(names)} files: {', '.join(map(repr, names[:5]))}"
    raise ReadError(
        f"the archive holds {content}", file=file, remedy="Unpack it, and name the file to read."
    )


def member_name(path: str | os.PathLike[str]) -> str | None:
    """The name of the one file in a .zip archive; None where it is none, or holds several."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [each.filename for each in archive.infolist() if not each.is_dir()]
    except (zipfile.BadZipFile, OSError, ValueError):
        return None
    return names[0] if len(names) == 1 else None


@contextmanager
def read_errors(file: str) -> Generator[None, None, None]:
    """Say in our words what goes wrong while a stream is read."""
    try:
        yield
    except BROKEN as error:
        raise ReadError(
            f"the file cannot be read to its end: {error}",
            file=file,
            remedy="It may be cut short; fetch or write it again.",
        ) from None


def read_bytes(source: Readable) -> bytes:
    """All bytes of a file, decompressed.

    Examples
    --------
    >>> read_bytes(b"abc")
    b'abc'
    """
    with open_bytes(source) as stream, read_errors(label(source)):
        return stream.read()


def read_lines(source: Readable, encoding: str) -> list[str]:
    r"""The lines of a file without their ends, be these LF, CR LF or CR.

    Examples
    --------
    >>> read_lines(b"a\r\nb", "utf-8")
    ['a', 'b']
    """
    data = read_bytes(source)
    try:
        text = data.decode(encoding)
    except LookupError:
        raise ReadError(
            f"there is no encoding called {encoding!r}",
            file=label(source),
            remedy="Pass one that Python knows, such as 'latin-1', 'cp1252' or 'utf-16'.",
        ) from None
    except UnicodeDecodeError as error:
        raise ReadError(
            f"bytes that are not {encoding}",
            file=label(source),
            line=data.count(b"\n", 0, error.start) + 1,
            remedy="Pass its encoding, such as encoding='latin-1' or encoding='cp1252'.",
        ) from None
    return re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))


def guess_encoding(start: bytes) -> str | None:
    r"""The encoding of a text that is not UTF-8 and has no byte order mark, where that is plain.

    UTF-16 has a NUL in every other byte. Western letters of Windows stand among those of ASCII, one
    or two at a time.

    Examples
    --------
    >>> guess_encoding("Köln\n".encode("cp1252")), guess_encoding("Köln,1".encode("utf-16-le"))
    ('cp1252', 'utf-16-le')
    >>> guess_encoding("Köln".encode()), guess_encoding("Привет".encode("cp1251"))
    (None, None)
    """
    if b"\0" in start:
        even, odd = start[::2], start[1::2]
        for nuls, others, encoding in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
            if 10 * nuls.count(0) >= 7 * len(nuls) and 0 not in others:
                return encoding
        return None
    try:
        start.decode()
    except UnicodeDecodeError as error:
        if error.end == len(start) and error.reason == "unexpected end of data":
            return None
    else:
        return None
    is_western = not _FOREIGN.search(start) and b"\n" in start
    return "cp1252" if is_western else None


#: What western text in cp1252 does not hold: three letters beyond ASCII in a row, control
#: characters, and the bytes of two that are UTF-8.
_FOREIGN = re.compile(
    rb"[\xc0-\xff]{3}|[\x81\x8d\x8f\x90\x9d]|[\x00-\x08\x0b\x0e-\x1f\x7f]"
    rb"|[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xe0-\xff][\x80-\x9f]"
)


def open_path(path: str | os.PathLike[str] | RemoteFile, buffering: int = -1) -> BinaryIO:
    """Open a file, or say in our words why it cannot be."""
    if isinstance(path, RemoteFile):
        return path.open()
    fault, remedy = "this is a device", "Name a file."
    mode = mode_of(path)
    if not (stat.S_ISCHR(mode) or stat.S_ISBLK(mode) or stat.S_ISSOCK(mode)):
        try:
            return open(path, "rb", buffering)  # noqa: PTH123 - a Path takes longer
        except FileNotFoundError:
            fault, remedy = "there is no such file", _nearby(os.fspath(path))
        except IsADirectoryError:
            fault, remedy = "this is a folder", "Name a file in it."
        except PermissionError:
            fault, remedy = "it may not be read", "Ask for the right to read it."
        except OSError as error:
            fault, remedy = f"it cannot be opened ({error.strerror or error})", "Mend the path."
        except ValueError:
            fault, remedy = "a path cannot hold a NUL character", "Take it out."
    raise ReadError(fault, file=label(path), remedy=remedy)


def size_of(path: str | os.PathLike[str] | RemoteFile) -> int | None:
    """The bytes of a file; None where it cannot be read by stretches."""
    if isinstance(path, RemoteFile):
        return path.size if path.ranged else None
    return Path(path).stat().st_size


def mode_of(path: str | os.PathLike[str]) -> int:
    """What a path leads to, as `stat` has it; 0 where it leads nowhere."""
    try:
        return os.stat(path).st_mode  # noqa: PTH116 - a Path takes longer than the rest
    except (OSError, ValueError):
        return 0


def is_pipe(path: str | os.PathLike[str]) -> bool:
    """Whether a path leads to a pipe, as ``/dev/stdin`` may: it can be read once, from its start.

    Examples
    --------
    >>> is_pipe("no such file")
    False
    """
    return stat.S_ISFIFO(mode_of(path))


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
