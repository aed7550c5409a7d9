"""Sources: files and queries as parts, with a first guess at what their columns hold."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from satsuma.data.cells import check_kinds
from satsuma.data.domain import Domain
from satsuma.data.file_set import FileSet, check_distinct, find_files
from satsuma.data.files import Readable, RemoteFile, label
from satsuma.data.formats import READING, REFERENCES, Format, check_options, find_format
from satsuma.data.formats.database import is_database
from satsuma.data.likeness import kinds_like
from satsuma.data.partitions import with_partitions
from satsuma.data.parts import HeldColumns, Opened
from satsuma.errors import ReadError

_TAKEN = (
    "What can be scanned: paths of .csv, .tsv, .tab, .txt, .jsonl, .parquet, .feather, .arff and "
    ".xlsx files, a pyarrow dataset, a polars LazyFrame, a duckdb relation, a data frame of Dask "
    "or Spark. A table in memory needs no scan."
)


@dataclass(frozen=True)
class Request:
    """What is asked of a source, as in `satsuma.read`.

    Parameters
    ----------
    kinds, target, options
        The kinds of columns, the target, and the options of its format.
    like
        Columns whose kinds hold for those of the same name.
    whole
        Whether all rows are wanted at once: then each file is one part, read from its start.
    """

    kinds: Mapping[str, str] | None = None
    target: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    like: Domain | None = None
    whole: bool = False


def open_source(source: Any, said: str | None, request: Request) -> Opened:
    """The parts of whatever can be scanned, of the format that is said."""
    if said is None and is_database(source):
        from satsuma.data.formats.database.reader import open_database

        opened = open_database(source, request.kinds, dict(request.options))
    elif isinstance(source, str | os.PathLike | list | tuple):
        options = dict(request.options)
        found = find_files(source, said, options.pop("storage_options", None))
        if not found.files:
            raise ReadError("there is no file to scan: the list is empty", remedy=_TAKEN)
        check_distinct(found.files)
        return open_file_set(found, said, replace(request, options=options))
    else:
        check_options(request.options, (), "an object that is scanned")
        opened = _open_object(source)
    return _forced(opened, _with_like(request, opened))


def _open_object(source: Any) -> Opened:
    """The parts of a dataset, a query or a data frame of a library that has its own."""
    from satsuma.data.formats.arrow import dask as frames
    from satsuma.data.formats.arrow import reader as arrow
    from satsuma.data.formats.arrow import spark
    from satsuma.data.formats.arrow.record_batches import Stream

    family = type(source).__module__.partition(".")[0]
    if family == "pyarrow" and hasattr(source, "get_fragments"):
        return arrow.open_arrow(arrow.fragments(source), source.schema, "<dataset>")
    is_relation = family in ("duckdb", "_duckdb") and hasattr(source, "__arrow_c_stream__")
    if is_relation or hasattr(source, "collect_batches"):
        return arrow.open_query(Stream(source))
    if frames.is_frame(source):
        return frames.open_frame(source)
    if spark.is_spark(source):
        return spark.open_spark(source)
    raise ReadError(f"a {type(source).__qualname__} cannot be scanned", remedy=_TAKEN)


def open_file_set(found: FileSet, said: str | None, request: Request) -> Opened:
    """Files as parts, with the keys in the names of their folders as columns."""
    form = _format_of(found.files, said)
    keys, kinds = next(iter(found.keys.values()), dict[str, str]()), request.kinds or {}
    own = {name: kind for name, kind in kinds.items() if name not in keys}
    aim = None if request.target in keys else request.target
    opened = _open_files(found.files, form, replace(request, kinds=own, target=aim))
    if keys:
        alike = {**kinds_like(request.like, keys), **kinds}
        opened = with_partitions(opened, found.keys, alike, request.options)
    return replace(opened, name=found.name or opened.name)


def _format_of(files: Sequence[Readable], said: str | None) -> Format:
    """The one format of all files."""
    forms = [find_format(_path(each), said, ReadError) for each in files]
    for file, each in zip(files, forms, strict=True):
        if each.name != forms[0].name:
            raise ReadError(
                f"this is {each.name}, and {label(files[0])} is {forms[0].name}",
                file=label(file),
                remedy="Take files of one format at a time, or say it with format=.",
            )
    return forms[0]


def _path(file: Readable) -> str | os.PathLike[str] | None:
    """What says the format of a file by its ending; None for one without a name."""
    if isinstance(file, str | os.PathLike):
        return file
    if isinstance(file, RemoteFile):
        return file.place
    name = label(file)
    return None if name.startswith("<") else name  # as <file> or <stdin>


#: Formats in which nothing but a header line can say what columns are for.
BARE = ("csv", "tsv", "jsonl", "xlsx")


def _open_files(files: Sequence[Readable], form: Format, request: Request) -> Opened:
    """Files of one format as parts, with what is guessed of their columns."""
    kinds, options = request.kinds or {}, request.options
    check_options(options, READING[form.name], f"the format {form.name}")
    opened = _open_format(files, form.name, request)
    plan = opened.plan
    says_roles = bool(options.get("marks")) or bool(plan.strict.difference(kinds))
    says_roles |= any(variable.role != "x" for variable in plan.domain)
    if plan.spelling is None:  # where cells have types; text is read as it is asked for
        opened = _forced(opened, _with_like(request, opened))
    bare = form.name in BARE and not says_roles
    return replace(opened, name=form.stem or opened.name, bare=bare)


def _open_format(files: Sequence[Readable], form: str, request: Request) -> Opened:
    kinds, whole, options = request.kinds or {}, request.whole, request.options
    if form in ("csv", "tsv", "tab"):
        from satsuma.data.formats.delimited.reader import open_delimited

        said = {"kinds": kinds, "target": request.target, "like": request.like}
        return open_delimited(files, form, whole=whole, **dict[str, Any](said), **options)
    if form == "jsonl":
        from satsuma.data.formats.jsonl.reader import open_lines

        return open_lines(files, kinds, whole=whole)
    if form in ("parquet", "feather"):
        from satsuma.data.formats.arrow.reader import open_columnar

        return open_columnar(files, form, kinds, whole=whole)
    return _open_uncut(files, form, kinds=kinds, **options)


def _open_uncut(sources: Sequence[Readable], form: str, **options: Any) -> Opened:
    """A file that is one part, whoever asks."""
    from satsuma.data.formats.arff.reader import open_arff
    from satsuma.data.formats.excel.reader import open_excel
    from satsuma.data.formats.references.reader import open_references

    if len(sources) > 1:
        raise ReadError(
            f"{form} is scanned one file at a time",
            file=label(sources[1]),
            remedy="Scan each by itself, or write them to .csv or .parquet first.",
        )
    if form in REFERENCES:
        return open_references(sources[0], form, **options)
    return (open_arff if form == "arff" else open_excel)(sources[0], **options)


def _with_like(request: Request, opened: Opened) -> dict[str, str]:
    """The kinds that are asked for, and those of a table that this one is to be like."""
    return {**kinds_like(request.like, opened.plan.domain.names), **(request.kinds or {})}


def _forced(opened: Opened, kinds: Mapping[str, str] | None) -> Opened:
    """The same with columns of the kinds that are asked for."""
    plan = opened.plan
    wanted = check_kinds(kinds, plan.domain.names)
    if any(isinstance(part, HeldColumns) for part in opened.parts):
        other = {name: kind for name, kind in wanted.items() if kind != plan.domain[name].kind}
        return opened.with_held_kinds(other) if other else opened
    strings = [name for name, kind in wanted.items() if kind == "time" != plan.domain[name].kind]
    if strings:
        from satsuma.data.formats.arrow.reader import with_time_formats

        plan = with_time_formats(opened, strings).plan
    changes: dict[str, tuple[Any, tuple[str, ...]]] = {}
    for name, kind in wanted.items():
        old = plan.domain[name]
        changes[name] = kind, old.values if kind == old.kind else ()
    strict, fixed = plan.strict.union(changes), plan.fixed.union(changes)
    booleans, flags = plan.booleans.difference(changes), plan.flags.difference(changes)
    plan = replace(plan, strict=strict, fixed=fixed, booleans=booleans, flags=flags)
    return replace(opened, plan=plan.with_variables(changes))
