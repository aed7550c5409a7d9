"""Sources: files and queries as parts, with a first guess at what their columns hold."""

import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import replace
from glob import glob, has_magic
from pathlib import Path
from typing import Any, cast

from satsuma.data.cells import check_kinds
from satsuma.data.column_plan import ColumnPlan, Opened, check_names
from satsuma.data.files import is_pipe, mode_of
from satsuma.data.formats import READING, Format, check_options, find_format
from satsuma.data.formats.arrow import dask as frames
from satsuma.data.formats.arrow import parts as arrow
from satsuma.data.formats.arrow import sources as arrow_opening
from satsuma.data.formats.arrow import spark
from satsuma.data.formats.delimited.options import DelimitedOptions
from satsuma.data.formats.delimited.parts import open_delimited
from satsuma.data.formats.jsonl.source import open_lines
from satsuma.errors import ReadError

_TAKEN = (
    "What can be scanned: paths of .csv, .tsv, .tab, .txt, .jsonl, .parquet and .feather files, a "
    "pyarrow dataset, a polars LazyFrame, a duckdb relation, a data frame of Dask or Spark. "
    "A table in memory needs no scan."
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
    if isinstance(source, str | os.PathLike | list | tuple):
        paths = paths_of(source)
        _check_paths(paths)
        opened = _open_files(paths, _format_of(paths, said), kinds, target, options)
        return replace(opened, plan=_forced(opened.plan, kinds))
    check_options(options, (), "an object that is scanned")
    if family == "pyarrow" and hasattr(source, "get_fragments"):
        parts = arrow_opening.fragments(source)
        opened = arrow_opening.open_arrow(parts, source.schema, "<dataset>")
    elif hasattr(source, "collect_batches") or (
        family in ("duckdb", "_duckdb") and hasattr(source, "__arrow_c_stream__")
    ):
        opened = arrow_opening.open_query(arrow.Stream(source))
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
    mode = mode_of(path)
    if has_magic(path) and not mode:
        found = sorted(each for each in glob(path, recursive=True) if Path(each).is_file())  # noqa: PTH207
        if not found:
            raise ReadError("no file matches", file=path, remedy="Look for a slip in the pattern.")
        return found
    if stat.S_ISDIR(mode):
        raise ReadError("this is a folder", file=path, remedy=f"Write {path}/*.parquet, or so.")
    return [path]


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


def _open_files(
    paths: list[str],
    form: Format,
    kinds: Mapping[str, str] | None,
    target: str | None,
    options: dict[str, Any],
) -> Opened:
    check_options(options, READING[form.name], f"the format {form.name}")
    if form.name in ("csv", "tsv", "tab"):
        wanted = DelimitedOptions.of_format(form.name, kinds=kinds, target=target, **options)
        opened = open_delimited(paths, wanted)
    elif form.name == "jsonl":
        opened = open_lines(paths)
    elif form.name in ("parquet", "feather"):
        opened = _open_columnar(paths, form.name)
    else:
        raise ReadError(f"{form.name} cannot be scanned", file=paths[0], remedy=_TAKEN)
    return replace(opened, name=form.stem)


def _open_columnar(paths: list[str], form: str) -> Opened:
    opener = arrow_opening.row_groups if form == "parquet" else arrow_opening.record_batches
    found = [opener(path) for path in paths]
    first = found[0][1]
    for path, (_, schema) in zip(paths, found, strict=True):
        names, known = arrow_opening.names_of(schema), arrow_opening.names_of(first)
        check_names(path, names, paths[0], known)
    return arrow_opening.open_arrow([part for some, _ in found for part in some], first, paths[0])


def _forced(plan: ColumnPlan, kinds: Mapping[str, str] | None) -> ColumnPlan:
    changes: dict[str, tuple[Any, tuple[str, ...]]] = {}
    for name, kind in check_kinds(kinds, plan.domain.names).items():
        old = plan.domain[name]
        changes[name] = kind, old.values if kind == old.kind else ()
    strict, fixed = plan.strict.union(changes), plan.fixed.union(changes)
    plan = replace(plan, strict=strict, fixed=fixed, booleans=plan.booleans.difference(changes))
    return plan.with_variables(changes)
