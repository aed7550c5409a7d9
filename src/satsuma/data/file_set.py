"""File set: the files that a path, a pattern, a folder or a list of these stands for, in order."""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from glob import glob, has_magic
from pathlib import Path, PurePosixPath
from typing import Any, cast

from satsuma.data.files import Readable, is_pipe, label, mode_of
from satsuma.data.formats import find_format
from satsuma.data.formats.database import SCHEMES
from satsuma.data.partitions import Keys, check_keys, partition_keys
from satsuma.data.urls import check_connection_string, public_name, scheme_of
from satsuma.errors import ReadError, SatsumaError, hint


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
        cls, files: Iterable[tuple[str, Readable]], folder: str, said: str | None
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
            if not keys[label(file)] and said is None:
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


def _is_folder(folder: str, told: str) -> ReadError:
    return ReadError(
        f"this is a folder, {told}",
        file=folder,
        remedy=f"Name a file in it, or a pattern in quotes: '{folder.rstrip('/')}/*.csv'.",
    )


def find_files(source: Any, said: str | None = None) -> FileSet:
    """The files that a path, a pattern, a folder or a list of these stands for.

    Parameters
    ----------
    source
        What stands for files.
    said
        Their format, where it is said.

    Examples
    --------
    >>> find_files(["b.csv", "a.csv"]).files
    ['b.csv', 'a.csv']
    """
    if isinstance(source, list | tuple):
        sets = [find_files(each, said) for each in cast("Sequence[Any]", source)]
        files = [file for each in sets for file in each.files]
        keys = {label(file): each.keys.get(label(file), {}) for each in sets for file in each.files}
        if any(keys.values()):
            check_keys(keys)
            return FileSet(files, keys)
        return FileSet(files)
    path = os.fspath(cast("str | os.PathLike[str]", source))
    check_scheme(path)
    mode = mode_of(path)
    if has_magic(path) and not mode:
        return FileSet(_matching(path))
    if stat.S_ISDIR(mode):
        return FileSet.of_folder(_in_folder(path), path, said)
    return FileSet([path])


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
        raise ReadError(
            f"there is no way to read from {scheme_of(path)}://",
            file=public_name(path),
            remedy=f"{hint(scheme_of(path), SCHEMES, most=9)} Of any other database, pass a "
            f"connection and query=.",
        )


def check_distinct(files: Iterable[Readable]) -> None:
    """Raise for what cannot be passed more than once, and for a file that is named twice."""
    seen: dict[str, str] = {}
    for path in map(label, files):
        if is_pipe(path):
            raise ReadError(
                "this is a pipe, which can be read only once",
                file=path,
                remedy="Write it to a file first, or read it whole with satsuma.read.",
            )
        real = os.path.realpath(path) if "\0" not in path else path
        if real in seen:
            told = (
                "the file is named twice" if seen[real] == path else f"this is {seen[real]} again"
            )
            raise ReadError(told, file=path, remedy="Name it once: its rows would count twice.")
        seen[real] = path
