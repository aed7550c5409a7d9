"""File set: the files that a path, a pattern, a folder or a list of these stands for, in order."""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from glob import glob, has_magic
from pathlib import Path, PurePosixPath
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from satsuma.data.files import Readable, RemoteFile, is_pipe, label, mode_of
from satsuma.data.formats import find_format
from satsuma.data.formats.database import SCHEMES
from satsuma.data.partitions import Keys, check_keys, partition_keys
from satsuma.data.remote import STORES, WEB, is_remote
from satsuma.data.urls import check_connection_string, public_name, scheme_of
from satsuma.errors import ParameterError, ReadError, SatsumaError, hint


@dataclass(frozen=True)
class FileSet:
    """Files that are read together.

    Parameters
    ----------
    files
        The files, in order.
    keys
        By what each file is called, what its folders tell of all of its rows; empty where they
        tell nothing.
    name
        What to call the rows of all of them; empty where the first file is to say it.
    """

    files: Sequence[Readable]
    keys: Mapping[str, Keys] = field(default_factory=dict[str, Keys])
    name: str = ""

    @classmethod
    def of_folder(
        cls, files: Iterable[tuple[str, Readable]], folder: str, form: str | None
    ) -> "FileSet":
        """The files in a folder, each behind its path there, in order.

        Without keys in their folders they must all be of one format: then they are one table.
        """
        found, keys, forms = list[Readable](), dict[str, Keys](), set[str]()
        for path, file in files:
            *folders, name = PurePosixPath(path).parts
            if not _is_shown([*folders, name]):
                continue
            found.append(file)
            keys[label(file)] = partition_keys(folders)
            if not keys[label(file)] and form is None:
                forms.add(_form_of(path))
                if len(forms) > 1 or "" in forms:
                    raise _is_folder(
                        folder, f"and its files are not all tables of one format: {path!r}"
                    )
        if not found:
            raise _is_folder(folder, "and there is no table in it")
        name = PurePosixPath(folder.rstrip("/")).name
        if not any(keys.values()):
            return cls(found, {}, name)
        check_keys(keys)
        return cls(found, keys, name)


def _is_shown(parts: Iterable[str]) -> bool:
    """Whether a file in a folder is meant: ``_SUCCESS``, ``_metadata`` and hidden ones are not."""
    left_out = (each.startswith(".") or (each[0] == "_" and "=" not in each) for each in parts)
    return not any(left_out)


def _form_of(path: str) -> str:
    """The format of a file by its ending; empty where that says none."""
    try:
        return find_format(path, None, ReadError).name
    except SatsumaError:
        return ""


def _is_folder(folder: str, reason: str) -> ReadError:
    return ReadError(
        f"this is a folder, {reason}",
        file=folder,
        remedy=f"Name a file in it, or a pattern in quotes: '{folder.rstrip('/')}/*.csv'.",
    )


def find_files(
    source: Any, form: str | None = None, storage: Mapping[str, Any] | None = None
) -> FileSet:
    """The files that a path, a pattern, a folder, an address or a list of these stands for.

    Parameters
    ----------
    source
        What stands for files.
    form
        Their format, where it is said.
    storage
        What a store or a server on the web is to be told: `storage_options` of `satsuma.read`.

    Examples
    --------
    >>> find_files(["b.csv", "a.csv"]).files
    ['b.csv', 'a.csv']
    """
    if storage is not None and not isinstance(cast("Any", storage), Mapping):
        raise ParameterError("The 'storage_options' parameter must be a dict.")
    found = _find(source, form, storage or {})
    if storage and not any(isinstance(each, RemoteFile) for each in found.files):
        raise ParameterError("storage_options= goes with an address, such as s3://bucket/a.csv.")
    return found


def _find(source: Any, form: str | None, storage: Mapping[str, Any]) -> FileSet:
    if isinstance(source, list | tuple):
        return _union([_find(each, form, storage) for each in cast("Sequence[Any]", source)])
    path = os.fspath(cast("str | os.PathLike[str]", source))
    if is_remote(path):
        return _find_remote(path, form, storage)
    if scheme_of(path) == "file":
        path = unquote(urlsplit(path).path)
    check_scheme(path)
    mode = mode_of(path)
    if has_magic(path) and not mode:
        return FileSet(_matching(path))
    if stat.S_ISDIR(mode):
        return FileSet.of_folder(_in_folder(path), path, form)
    return FileSet([path])


def _union(sets: Sequence[FileSet]) -> FileSet:
    files = [file for each in sets for file in each.files]
    seen: dict[str, int] = {}
    for file in files:  # parts of addresses that are not told may be all that differs
        if isinstance(file, RemoteFile):
            seen[file.place] = file.number = seen.get(file.place, 0) + 1
    keys = {label(file): each.keys.get(label(file), {}) for each in sets for file in each.files}
    if not any(keys.values()):
        return FileSet(files)
    check_keys(keys)
    return FileSet(files, keys)


def _find_remote(url: str, form: str | None, storage: Mapping[str, Any]) -> FileSet:
    """The files that an address stands for."""
    if scheme_of(url) in WEB:
        from satsuma.data.remote.web_files import WebFile

        if "*" in url.partition("?")[0]:
            raise ReadError(
                "what is on the web cannot be listed",
                file=public_name(url),
                remedy="Name each file, in a list if there are several.",
            )
        return FileSet([WebFile(url, storage)])
    from satsuma.data.remote.object_stores import open_store, stored_files

    store, path = open_store(url, storage)
    files, is_folder = stored_files(store, path)
    if is_folder:
        return FileSet.of_folder(files, store.label(path), form)
    return FileSet([file for _, file in files])


def _matching(pattern: str) -> list[str]:
    found = sorted(each for each in glob(pattern, recursive=True) if Path(each).is_file())  # noqa: PTH207
    if not found:
        raise ReadError("no file matches", file=pattern, remedy="Look for a slip in the pattern.")
    return found


def _in_folder(folder: str) -> Iterator[tuple[str, str]]:
    """All files in a folder and below, each behind its path there."""
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if _is_shown([each]))
        inside = Path(root).relative_to(folder)
        for name in sorted(names):
            yield (inside / name).as_posix(), str(Path(root, name))


def check_scheme(path: str) -> None:
    """Raise for a URL that leads nowhere we know, and for what describes a connection."""
    check_connection_string(path)
    if scheme_of(path):
        known = [*SCHEMES, *STORES, *WEB]
        raise ReadError(
            f"there is no way to read from {scheme_of(path)}://",
            file=public_name(path),
            remedy=f"{hint(scheme_of(path), known, most=len(known))} Of any other database, pass a "
            f"connection and query=.",
        )


def check_distinct(files: Iterable[Readable]) -> None:
    """Raise for what cannot be passed more than once, and for a file that is named twice."""
    seen: dict[str, str] = {}
    for file in files:
        path = label(file)
        if isinstance(file, RemoteFile):
            real = file.address
        elif is_pipe(path):
            raise ReadError(
                "this is a pipe, which can be read only once",
                file=path,
                remedy="Write it to a file first, or read it whole with satsuma.read.",
            )
        else:
            real = os.path.realpath(path) if "\0" not in path else path
        if real in seen:
            fault = (
                "the file is named twice" if seen[real] == path else f"this is {seen[real]} again"
            )
            raise ReadError(fault, file=path, remedy="Name it once: its rows would count twice.")
        seen[real] = path
