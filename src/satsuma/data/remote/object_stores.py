"""Object stores: the files that a path, a pattern or a folder in one stands for."""

import fnmatch
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from glob import has_magic
from io import BufferedReader, RawIOBase
from pathlib import PurePosixPath
from typing import Any, BinaryIO

from satsuma.data.files import RemoteFile
from satsuma.data.remote.file_systems import open_file_system
from satsuma.data.remote.remote_failures import Clean, in_our_words
from satsuma.data.remote.storage_options import secrets_in
from satsuma.data.urls import check_credentials, public_name, scheme_of, without_secrets
from satsuma.errors import ReadError, SatsumaError, hint

#: Bytes that are asked for at least.
LEAST = 1 << 18


@dataclass(frozen=True)
class Store:
    """A store, and what it is called; whatever may be secret stays inside.

    Parameters
    ----------
    system
        The file system of pyarrow.
    scheme
        What its addresses begin with.
    clean
        What takes credentials out of a message.
    """

    system: Any
    scheme: str
    clean: Clean

    def __repr__(self) -> str:
        return f"Store({self.scheme}://…)"

    def label(self, path: str) -> str:
        """What to call a file."""
        return f"{self.scheme}://{path}"

    def info(self, path: str) -> Any:
        """What is there: a file, a folder, or nothing."""
        with in_our_words(self.label(path), self.clean):
            return self.system.get_file_info(path)

    def below(self, folder: str) -> list[Any]:
        """All files in a folder and below, those of a folder before those of folders in it."""
        from pyarrow.fs import FileSelector, FileType

        with in_our_words(self.label(folder), self.clean):
            found = self.system.get_file_info(FileSelector(folder, recursive=True))
        files = [each for each in found if each.type == FileType.File]
        return sorted(files, key=lambda each: _in_order(each.path))


def _in_order(path: str) -> tuple[tuple[bool, str], ...]:
    parts = path.split("/")
    return tuple((at + 1 < len(parts), part) for at, part in enumerate(parts))


class StoredFile(RemoteFile):
    """A file in a store; any stretch of it can be read."""

    def __init__(self, store: Store, path: str, size: int) -> None:
        super().__init__(store.label(path), size, ranged=True)
        self.store, self.path = store, path

    def open(self) -> BinaryIO:
        """The file, opened for reading; what is read is asked for piece by piece."""
        with in_our_words(self.label, self.store.clean):
            opened = self.store.system.open_input_file(self.path)
        return BufferedReader(_StoredStream(self, opened), LEAST)  # type: ignore[return-value]


class _StoredStream(RawIOBase):
    """A file of pyarrow, with errors in our words."""

    def __init__(self, file: StoredFile, opened: Any) -> None:
        self._opened = opened
        self._checked = partial(in_our_words, file.label, file.store.clean)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        with self._checked():
            return self._opened.readinto(buffer)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        with self._checked():
            self._opened.seek(offset, whence)
            return self._opened.tell()

    def tell(self) -> int:
        return self._opened.tell()

    def close(self) -> None:
        self._opened.close()
        super().close()


def open_store(url: str, given: Mapping[str, Any]) -> tuple[Store, str]:
    """The store of an address, and the path in it."""
    check_credentials(url)
    scheme = scheme_of(url)
    clean = partial(without_secrets, url=url, more=secrets_in(given))
    with in_our_words(public_name(url), clean):
        system, path = open_file_system(url, given)
    return Store(system, scheme, clean), path


def stored_files(store: Store, path: str) -> tuple[list[tuple[str, RemoteFile]], bool]:
    """The files that a path or a pattern in a store stands for, and whether it is a folder.

    Each comes behind its path in the folder.
    """
    from pyarrow.fs import FileType

    if has_magic(path):
        return [("", each) for each in _matching(store, path)], False
    info = store.info(path)
    if info.type == FileType.File:
        return [("", StoredFile(store, info.path, info.size))], False
    if info.type != FileType.Directory:
        raise _nothing_there(store, path)
    return list(_in_folder(store, path)), True


def _in_folder(store: Store, folder: str) -> Iterator[tuple[str, StoredFile]]:
    for each in store.below(folder):
        inside = PurePosixPath(each.path).relative_to(folder).as_posix()
        if each.size or not inside.endswith("/"):
            yield inside, StoredFile(store, each.path, each.size)


def _matching(store: Store, pattern: str) -> list[StoredFile]:
    """The files that match, where ``**`` stands for any number of folders."""
    parts = pattern.split("/")
    fixed = next(at for at, part in enumerate(parts) if has_magic(part))
    base = "/".join(parts[:fixed])
    if not base:
        raise ReadError(
            "a bucket is named, and no pattern of it",
            file=store.label(pattern),
            remedy="Write a pattern behind the name of the bucket.",
        )
    matches = re.compile("/".join(map(_translated, parts[fixed:])).replace("\0/", r"(?:[^/]+/)*"))
    found = [
        StoredFile(store, each.path, each.size)
        for each in store.below(base)
        if matches.fullmatch(each.path.removeprefix(f"{base}/"))
    ]
    if not found:
        raise ReadError(
            "no file matches", file=store.label(pattern), remedy="Look for a slip in the pattern."
        )
    return sorted(found, key=lambda each: each.path)


def _translated(part: str) -> str:
    if part == "**":
        return "\0"
    return fnmatch.translate(part).removeprefix("(?s:").removesuffix(r")\Z").replace(".*", "[^/]*")


def _nothing_there(store: Store, path: str) -> ReadError:
    """The error for a path at which there is nothing."""
    bucket, _, key = path.partition("/")
    label = store.label(path)
    if bucket and key and not _is_there(store, bucket):
        remedy = "Look for a slip in its name, or pass storage_options={'endpoint': …}."
        return ReadError("there is no such bucket", file=label, remedy=remedy)
    folder = path.rpartition("/")[0]
    try:
        names = [PurePosixPath(each.path).name for each in store.below(folder)[:1000]]
    except SatsumaError:
        names = []
    near = hint(PurePosixPath(path).name, names) if names else ""
    remedy = near if near.startswith("Did") else "Look for a slip in its name."
    return ReadError("there is no such file", file=label, remedy=remedy)


def _is_there(store: Store, path: str) -> bool:
    from pyarrow.fs import FileType

    return store.info(path).type != FileType.NotFound
