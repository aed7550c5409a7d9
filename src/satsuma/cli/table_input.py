"""Table input: FILE and the options about its columns, made into a table or a source of rows."""

import shlex
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from glob import glob, has_magic
from inspect import Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import typer

from satsuma.cli import command_options as o
from satsuma.data.file_set import find_files
from satsuma.data.files import RemoteFile, is_pipe
from satsuma.data.formats.database import database_of
from satsuma.data.read import read
from satsuma.data.remote import is_remote
from satsuma.data.remote.storage_options import PUBLIC
from satsuma.data.shipped import load, names
from satsuma.data.table import Table
from satsuma.data.urls import check_connection_string, holds_secrets, public_name, scheme_of
from satsuma.errors import DomainError, ReadError, hint

if TYPE_CHECKING:
    from satsuma.engines.scan import Scan
    from satsuma.engines.thread_pool import Progress

#: Files of so many bytes are not read into memory as a whole, where there is another way.
LARGE = 512 << 20

#: Endings of files that are read whole.
_UNCUT = (".arff", ".xlsx", ".ris", ".nbib", ".bib", ".bibtex")

_KINDS = ("num", "sym", "text", "time")
_WORDS: dict[str, Any] = {"none": None, "true": True, "false": False}


@dataclass(frozen=True)
class TableInput:
    """The input of a command: a file, and the options about its columns.

    Parameters
    ----------
    file
        A path, a pattern, a folder, ``-``, or the name of a shipped table.
    target, kinds, roles
        As `satsuma.read` takes them.
    options
        How to read the file.
    words
        The options as they were given, to be given again.
    like
        A model, whose columns these are to be like.
    """

    file: str
    target: str | None = None
    kinds: Mapping[str, str] = field(default_factory=dict[str, str])
    roles: Mapping[str, str] = field(default_factory=dict[str, str])
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    words: Sequence[str] = ()
    like: Any = None

    @property
    def shipped(self) -> bool:
        """Whether it names a table that comes with Satsuma, and no file."""
        return self.file in names() and not Path(self.file).exists()

    @property
    def database(self) -> str:
        """Which database it leads to; empty where it leads to none."""
        return "" if "format" in self.options else database_of(self.file)

    @property
    def is_pattern(self) -> bool:
        """Whether it stands for any number of files."""
        return not scheme_of(self.file) and has_magic(self.file) and not Path(self.file).exists()

    @property
    def large(self) -> bool:
        """Whether the files together are too many bytes to be read at once."""
        if self.file == "-" or self.shipped:
            return False
        if is_remote(self.file):
            found = find_files(self.file, self.options.get("format"), self._storage)
            sizes = [each.size for each in found.files if isinstance(each, RemoteFile)]
            return None in sizes or sum(size or 0 for size in sizes) > LARGE
        if scheme_of(self.file):
            return self.database == "postgresql"  # how many rows there are is not known
        paths = [Path(path) for path in glob(self.file)] or [Path(self.file)]  # noqa: PTH207
        below = (each for path in paths for each in (path.rglob("*") if path.is_dir() else [path]))
        return sum(each.stat().st_size for each in below if each.is_file()) > LARGE

    @property
    def _storage(self) -> dict[str, Any] | None:
        return self.options.get("storage_options")

    @property
    def scannable(self) -> bool:
        """Whether it can be read some thousand rows at a time."""
        bare = public_name(self.file).removesuffix(".gz").removesuffix(".zst")
        once = self.file == "-" or is_pipe(self.file)
        return not once and not self.shipped and not bare.endswith(_UNCUT)

    @property
    def _columns(self) -> dict[str, Any]:
        """What is said about the columns."""
        told = {"target": self.target, "kinds": self.kinds, "roles": self.roles}
        return {**told, "like": self.like}

    @property
    def as_typed(self) -> str:
        """The file and the options about its columns, as they are given to a command.

        It stands on pages that are passed on: what is read with credentials is called ``FILE``.
        """
        return shlex.join(["FILE" if holds_secrets(self.file) else self.file, *self.words])

    def table(self) -> Table:
        """All rows, in memory."""
        if self.shipped:
            found = load(self.file).with_kinds(self.kinds)
            return found.with_roles(self.roles, target=self.target)
        how = self._columns
        if self.file == "-":
            form: dict[str, Any] = {"format": "csv", "name": "stdin", **self.options}
            return read(sys.stdin.buffer, **how, **form)
        self.check_there()
        return read(self.file, **how, **self.options)

    def leaks(self, rows: Table) -> dict[str, str]:
        """The columns that seem to know the target, and why; none that is to be used."""
        from satsuma.evaluate.suspected_leakage import suspects

        used = [name for name, role in self.roles.items() if role == "x"]
        return suspects(rows, used)

    def leaving_out(self, columns: Iterable[str]) -> "TableInput":
        """The same, nothing being learned from some columns."""
        return replace(self, roles={**self.roles, **dict.fromkeys(columns, "meta")})

    def table_with_target(self) -> Table:
        """All rows, with a target."""
        table = self.table()
        if table.domain.target is None:
            told = hint("", table.domain.names, most=8)
            raise DomainError(f"no column is the target. Name one: --target NAME. {told}")
        return table

    def scan(self, progress: "Progress | None" = None) -> "Scan":
        """The rows, to be gone over and never held at once."""
        from satsuma.engines.scan import scan

        self.check_there()
        return scan(self.file, **self._columns, **self.options, progress=progress)

    def check_there(self) -> None:
        """Raise if there is no such file, and say what there is."""
        check_connection_string(self.file)
        path = Path(self.file)
        if scheme_of(self.file) or self.is_pattern or path.exists():
            return
        if not path.suffix and not self.file.count("/"):
            told = hint(self.file, names(), most=len(names()))
            what = "there is no such file, and no shipped table of that name"
            raise ReadError(what, file=self.file, remedy=told)
        try:
            beside = [each.name for each in path.parent.iterdir()]
        except OSError:
            raise ReadError(
                f"there is no folder {str(path.parent)!r}", file=self.file, remedy="Mend the path."
            ) from None
        told = hint(path.name, beside)
        remedy = told if told.startswith("Did") else "Mend the name, or go to the folder it is in."
        raise ReadError("there is no such file", file=self.file, remedy=remedy)


def table_input(
    file: o.File,
    *,
    target: o.Target = None,
    more: o.More = None,
    less: o.Less = None,
    kind: o.Kind = None,
    weight: o.Weight = None,
    ignore: o.Ignore = None,
    use: o.Use = None,
    read: o.Read = None,
    marks: o.Marks = False,
) -> TableInput:
    """The input of a command, from its options."""
    kinds = pairs("--kind", kind)
    for name, each in kinds.items():
        if each not in _KINDS:
            raise typer.BadParameter(f"--kind {name}={each}: {hint(each, _KINDS)}")
    roles = {
        **dict.fromkeys(use or (), "x"),
        **dict.fromkeys(ignore or (), "ignore"),
        **dict.fromkeys(more or (), "+"),
        **dict.fromkeys(less or (), "-"),
        **({} if weight is None else {weight: "weight"}),
    }
    if target is not None and target in roles:
        raise typer.BadParameter(f"{target!r} is the target, and cannot be anything else as well.")
    options = {name: _option(name, said) for name, said in pairs("--read", read).items()}
    if storage := {name: options.pop(name) for name in PUBLIC if name in options}:
        options["storage_options"] = storage
    again = _words(target=target, kind=kind, weight=weight, ignore=ignore, use=use, read=read)
    if marks:
        options["marks"], again = True, [*again, "--marks"]
    return TableInput(file, target, kinds, roles, options, again)


def _words(**options: str | Sequence[str] | None) -> list[str]:
    """Options as they are given on a command line."""
    said = {name: [each] if isinstance(each, str) else each or () for name, each in options.items()}
    return [
        word for name, values in said.items() for value in values for word in (f"--{name}", value)
    ]


#: The options about columns that a command takes: one that learns, and one that has goals.
COLUMN_OPTIONS = ("target", "kind", "weight", "ignore", "use", "read", "marks")
GOAL_OPTIONS = ("more", "less", "kind", "ignore", "use", "read", "marks")


def takes_table(*options: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command of a function of a `TableInput`: it takes FILE, and options about its columns.

    Parameters
    ----------
    options
        Parameters of `table_input`, such as `COLUMN_OPTIONS`. What it makes of them is the
        parameter `asked` of the function.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @wraps(function)
        def command(**given: Any) -> None:
            taken = {name: given.pop(name) for name in ("file", *options)}
            function(asked=table_input(**taken), **given)

        cast("Any", command).__signature__ = _with_options(signature(function), options)
        return command

    return decorate


def _with_options(own: Signature, options: Sequence[str]) -> Signature:
    """The signature that typer reads: FILE in the place of `asked`, and the options after it."""
    known = signature(table_input).parameters
    parameters = [known["file"] if each == "asked" else its for each, its in own.parameters.items()]
    at = parameters.index(known["file"]) + 1
    parameters[at:at] = [known[name] for name in known if name in options]
    return own.replace(parameters=parameters)


def pairs(option: str, said: Sequence[str] | None) -> dict[str, str]:
    """What was said as NAME=VALUE."""
    found: dict[str, str] = {}
    for each in said or ():
        name, mark, value = each.rpartition("=") if option == "--kind" else each.partition("=")
        if not mark or not name:
            raise typer.BadParameter(f"{option} takes NAME=VALUE. Got {each!r} instead.")
        found[name] = value
    return found


def _option(name: str, said: str) -> Any:
    if name == "missing":
        return said.split(",")
    if name in ("sheet", "skip", "footer", "header") and said.isdigit():
        return int(said)
    if name == "delimiter":
        return {"\\t": "\t", "tab": "\t"}.get(said, said)
    if name == "header" and "," in said:
        return said.split(",")
    return _WORDS.get(said.lower(), said)
