"""Sources: files and queries as parts, with a first guess at what their columns hold."""

import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import replace
from glob import glob, has_magic
from pathlib import Path
from typing import Any, cast

from satsuma.data.cells import check_kinds
from satsuma.data.column_plan import ColumnPlan
from satsuma.data.files import Readable, is_pipe, label, mode_of
from satsuma.data.formats import READING, Format, check_options, find_format
from satsuma.data.formats.database import SCHEMES, is_database
from satsuma.data.parts import Opened
from satsuma.data.urls import public_name, scheme_of
from satsuma.errors import ReadError, hint

_TAKEN = (
    "What can be scanned: paths of .csv, .tsv, .tab, .txt, .jsonl, .parquet, .feather, .arff and "
    ".xlsx files, a pyarrow dataset, a polars LazyFrame, a duckdb relation, a data frame of Dask "
    "or Spark. A table in memory needs no scan."
)


def open_source(
    source: Any,
    said: str | None,
    kinds: Mapping[str, str] | None,
    target: str | None,
    options: dict[str, Any],
) -> Opened:
    """The parts of whatever can be scanned."""
    family = type(source).__module__.partition(".")[0]
    if said is None and is_database(source):
        from satsuma.data.formats.database.reader import open_database

        opened = open_database(source, kinds, options)
        return replace(opened, plan=_forced(opened.plan, kinds))
    if isinstance(source, str | os.PathLike | list | tuple):
        paths = paths_of(source)
        _check_paths(paths)
        return open_files(paths, _format_of(paths, said), kinds, target, options)
    from satsuma.data.formats.arrow import dask as frames
    from satsuma.data.formats.arrow import reader as arrow
    from satsuma.data.formats.arrow import spark
    from satsuma.data.formats.arrow.record_batches import Stream

    check_options(options, (), "an object that is scanned")
    if family == "pyarrow" and hasattr(source, "get_fragments"):
        opened = arrow.open_arrow(arrow.fragments(source), source.schema, "<dataset>")
    elif hasattr(source, "collect_batches") or (
        family in ("duckdb", "_duckdb") and hasattr(source, "__arrow_c_stream__")
    ):
        opened = arrow.open_query(Stream(source))
    elif frames.is_frame(source):
        opened = frames.open_frame(source)
    elif spark.is_spark(source):
        opened = spark.open_spark(source)
    else:
        raise ReadError(f"a {type(source).__qualname__} cannot be scanned", remedy=_TAKEN)
    return replace(opened, plan=_forced(opened.plan, kinds))


def paths_of(source: Any) -> list[str]:
    """The files that a path, a pattern, a folder or a list of these stands for, in order.

    Examples
    --------
    >>> paths_of(["b.csv", "a.csv"])
    ['b.csv', 'a.csv']
    """
    if isinstance(source, list | tuple):
        found = [path for each in cast("Sequence[Any]", source) for path in paths_of(each)]
        if not found:
            raise ReadError("there is no file to scan: the list is empty", remedy=_TAKEN)
        return found
    path = os.fspath(cast("str | os.PathLike[str]", source))
    check_scheme(path)
    mode = mode_of(path)
    if has_magic(path) and not mode:
        found = sorted(each for each in glob(path, recursive=True) if Path(each).is_file())  # noqa: PTH207
        if not found:
            raise ReadError("no file matches", file=path, remedy="Look for a slip in the pattern.")
        return found
    if stat.S_ISDIR(mode):
        raise ReadError("this is a folder", file=path, remedy=f"Write {path}/*.parquet, or so.")
    return [path]


def check_scheme(path: object) -> None:
    """Raise for a URL that leads nowhere we know."""
    if isinstance(path, str) and scheme_of(path):
        raise ReadError(
            f"there is no way to read from {scheme_of(path)}://",
            file=public_name(path),
            remedy=f"{hint(scheme_of(path), SCHEMES, most=9)} Of any other database, pass a "
            f"connection and query=.",
        )


def _check_paths(paths: Sequence[str]) -> None:
    """Raise for what cannot be passed more than once, and for a file that is named twice."""
    seen: dict[str, str] = {}
    for path in paths:
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


def _format_of(paths: list[str], said: str | None) -> Format:
    """The one format of all files."""
    forms = [find_format(path, said, ReadError) for path in paths]
    for path, each in zip(paths, forms, strict=True):
        if each.name != forms[0].name:
            raise ReadError(
                f"this is {each.name}, and {paths[0]} is {forms[0].name}",
                file=path,
                remedy="Scan files of one format at a time, or say it with format=.",
            )
    return forms[0]


#: Formats in which nothing but a header line can say what columns are for.
BARE = ("csv", "tsv", "jsonl", "xlsx")


def open_files(
    sources: Sequence[Readable],
    form: Format,
    kinds: Mapping[str, str] | None,
    target: str | None,
    options: Mapping[str, Any],
    *,
    whole: bool = False,
) -> Opened:
    """Files of one format as parts, with what is guessed of their columns.

    Parameters
    ----------
    sources
        The files.
    form
        Their format.
    kinds, target, options
        As in `satsuma.read`.
    whole
        Whether all rows of the one file are wanted at once: then it is one part.
    """
    check_options(options, READING[form.name], f"the format {form.name}")
    if form.name in ("csv", "tsv", "tab"):
        from satsuma.data.formats.delimited.reader import open_delimited

        opened = open_delimited(
            sources, form.name, kinds=kinds, target=target, whole=whole, **options
        )
    elif form.name == "jsonl":
        from satsuma.data.formats.jsonl.reader import open_lines

        opened = open_lines(sources, kinds or {}, whole=whole)
    elif form.name in ("parquet", "feather"):
        from satsuma.data.formats.arrow.reader import open_columnar

        opened = open_columnar(sources, form.name, kinds, whole=whole)
    else:
        opened = _open_uncut(sources, form.name, kinds=kinds, **options)
    plan = opened.plan
    says_roles = bool(options.get("marks")) or bool(plan.strict.difference(kinds or ()))
    if kinds and plan.spelling is None:  # where cells have types; text is read as it is asked for
        plan = _forced(plan, kinds)
    bare = form.name in BARE and not says_roles
    return replace(opened, plan=plan, name=form.stem or opened.name, bare=bare)


def _open_uncut(sources: Sequence[Readable], form: str, **options: Any) -> Opened:
    """A file that is one part, whoever asks."""
    from satsuma.data.formats.arff.reader import open_arff
    from satsuma.data.formats.excel.reader import open_excel

    if len(sources) > 1:
        raise ReadError(
            f"{form} is scanned one file at a time",
            file=label(sources[1]),
            remedy="Scan each by itself, or write them to .csv or .parquet first.",
        )
    return (open_arff if form == "arff" else open_excel)(sources[0], **options)


def _forced(plan: ColumnPlan, kinds: Mapping[str, str] | None) -> ColumnPlan:
    changes: dict[str, tuple[Any, tuple[str, ...]]] = {}
    for name, kind in check_kinds(kinds, plan.domain.names).items():
        old = plan.domain[name]
        changes[name] = kind, old.values if kind == old.kind else ()
    strict, fixed = plan.strict.union(changes), plan.fixed.union(changes)
    booleans, flags = plan.booleans.difference(changes), plan.flags.difference(changes)
    plan = replace(plan, strict=strict, fixed=fixed, booleans=booleans, flags=flags)
    return plan.with_variables(changes)
