"""Opening: files and queries as parts, with a first guess at what their columns hold."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from glob import glob, has_magic
from itertools import islice
from pathlib import Path
from typing import Any, cast

from satsuma.data.arrow.tables import read_said
from satsuma.data.cells import check_kinds
from satsuma.data.columns import from_cells
from satsuma.data.delimited.layout import Delimiting
from satsuma.data.domain import Domain
from satsuma.data.files import GZIP, ZSTD, open_bytes
from satsuma.data.formats import READING, check_options, find_format
from satsuma.data.jsonl import record_of
from satsuma.data.parts import arrow, lines
from satsuma.data.parts.delimited import SAMPLE, TextFile, guessed, open_text
from satsuma.data.parts.look import Look
from satsuma.data.parts.plan import Part, Plan
from satsuma.data.variable import Kind, Variable
from satsuma.errors import ParameterError, ReadError

_TAKEN = (
    "What can be scanned: paths of .csv, .tsv, .tab, .txt, .jsonl, .parquet and .feather files, a "
    "pyarrow dataset, a polars LazyFrame, a duckdb relation. A table in memory needs no scan."
)


@dataclass
class Opened:
    """Where the rows are, what is guessed of them, and what is to be said."""

    parts: list[Part]
    plan: Plan
    notes: list[str] = field(default_factory=list[str])
    name: str = ""


def open_source(
    source: Any,
    said: str | None,
    kinds: Mapping[str, str] | None,
    target: str | None,
    options: dict[str, Any],
) -> Opened:
    """The parts of whatever can be scanned."""
    family = type(source).__module__.partition(".")[0]
    if isinstance(source, str | os.PathLike) or isinstance(source, list | tuple):
        opened = _open_files(paths_of(source), said, kinds, target, options)
    elif family == "pyarrow" and hasattr(source, "get_fragments"):
        opened = _open_arrow(_fragments(source), source.schema, "")
    elif hasattr(source, "collect_batches") or (
        family in ("duckdb", "_duckdb") and hasattr(source, "__arrow_c_stream__")
    ):
        opened = _open_query(arrow.Stream(source))
    else:
        raise ReadError(f"a {type(source).__qualname__} cannot be scanned", remedy=_TAKEN)
    if not isinstance(source, str | os.PathLike | list | tuple):
        check_options(options, (), "an object that is scanned")
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
    path = os.fspath(source)
    if has_magic(path) and not Path(path).exists():
        found = sorted(each for each in glob(path, recursive=True) if Path(each).is_file())  # noqa: PTH207
        if not found:
            raise ReadError("no file matches", file=path, remedy="Look for a slip in the pattern.")
        return found
    if Path(path).is_dir():
        raise ReadError("this is a folder", file=path, remedy=f"Write {path}/*.parquet, or so.")
    return [path]


def _open_files(
    paths: list[str],
    said: str | None,
    kinds: Mapping[str, str] | None,
    target: str | None,
    options: dict[str, Any],
) -> Opened:
    forms = [find_format(path, said, ReadError) for path in paths]
    form = forms[0]
    for path, each in zip(paths, forms, strict=True):
        if each.name != form.name:
            raise ReadError(
                f"this is {each.name}, and {paths[0]} is {form.name}",
                file=path,
                remedy="Scan files of one format at a time, or say it with format=.",
            )
    check_options(options, READING[form.name], f"the format {form.name}")
    if form.name in ("csv", "tsv", "tab"):
        opened = _open_text(paths, form.name, kinds, target, options)
    elif form.name == "jsonl":
        opened = _open_lines(paths)
    elif form.name in ("parquet", "feather"):
        opener = _row_groups if form.name == "parquet" else _record_batches
        found = [opener(path) for path in paths]
        for path, (_, schema) in zip(paths, found, strict=True):
            _check_names(path, _names(schema), paths[0], _names(found[0][1]))
        parts = [part for some, _ in found for part in some]
        opened = _open_arrow(parts, found[0][1], paths[0])
    else:
        raise ReadError(f"{form.name} cannot be scanned", file=paths[0], remedy=_TAKEN)
    return replace(opened, name=form.stem)


def _open_text(
    paths: list[str],
    form: str,
    kinds: Mapping[str, str] | None,
    target: str | None,
    options: dict[str, Any],
) -> Opened:
    how = {"quote": '"', "decimal": ".", **({"delimiter": "\t"} if form == "tsv" else {}), **options}
    keep = how.pop("bad_rows", "error")
    how.pop("threads", None)
    if keep not in ("error", "keep aside"):
        raise ParameterError(
            f"The 'bad_rows' parameter must be 'error' or 'keep aside'. Got {keep!r} instead."
        )
    plain = dict.fromkeys(
        ("delimiter", "header", "encoding", "missing", "thousands", "strip", "marks")
    )
    layout: Any = "tab" if form == "tab" else "csv"
    asked = Delimiting(**{**plain, **how, "layout": layout, "kinds": kinds, "target": target})
    files, samples = list[TextFile](), list[bytes]()
    for path in paths:
        file, sample = open_text(path, asked, keep == "keep aside")
        files.append(file)
        samples.append(sample)
    first = files[0].layout.heads
    names = [head.name for head in first]
    for file in files:
        _check_names(file.path, [head.name for head in file.layout.heads], paths[0], names)
    found, values = guessed(files[0], samples[0])
    variables = [
        Variable(
            head.name,
            cast("Kind", kind),
            tuple(symbols) if kind == "sym" else (),
            "x" if head.role == "goal" and kind != "num" else head.role,
            head.goal if kind == "num" else None,
        )
        for head, kind, symbols in zip(first, found, values, strict=True)
    ]
    plan = Plan(
        Domain(variables).with_roles(target=target),
        strict=frozenset(head.name for head in first if not head.doubtful),
        fixed=frozenset(head.name for head in first if not head.doubtful or head.kind == "text"),
        soft=frozenset(head.name for head in first if head.role == "goal"),
    )
    parts: list[Part] = [part for file in files for part in file.parts(names)]
    return Opened(parts, plan, list(dict.fromkeys(n for f in files for n in f.layout.notes)))


def _check_names(path: str, names: Sequence[str], first: str, known: Sequence[str]) -> None:
    for name in (*known, *names):
        if name not in names or name not in known:
            lacks, has = (path, first) if name not in names else (first, path)
            raise ReadError(
                f"there is no column {name!r}, which {has} has",
                file=lacks,
                remedy="Files that are scanned together must have the same columns.",
            )


def _open_lines(paths: list[str]) -> Opened:
    parts: list[Part] = []
    for path in paths:
        with Path(path).open("rb") if Path(path).is_file() else open_bytes(path) as stream:
            packed = stream.read(4)[:4]
            size = os.fstat(stream.fileno()).st_size
        if packed[:2] == GZIP or packed == ZSTD:
            parts.append(lines.LinesPart(path, 0, None))
            continue
        edges = [*range(0, max(size, 1), lines.PART), size]
        parts += [
            lines.LinesPart(path, low, high) for low, high in zip(edges, edges[1:], strict=False)
        ]
    records: list[dict[str, Any]] = []
    some = islice(cast("lines.LinesPart", parts[0]).lines(), 1000)
    for at, line in enumerate(some, 1):
        if line.strip():
            records.append(record_of(line, paths[0], at))
    names = list(dict.fromkeys(key for each in records for key in each))
    variables, booleans = list[Variable](), set[str]()
    for name in names:
        cells = [each.get(name) for each in records]
        if all(c is None or isinstance(c, bool) for c in cells) and any(c is not None for c in cells):
            booleans.add(name)
            variables.append(Variable(name, "sym", ("False", "True")))
        else:
            made, _ = from_cells(name, cells)
            variables.append(Variable(name, made.kind))
    plan = Plan(Domain(variables), fixed=frozenset(booleans), booleans=frozenset(booleans))
    return Opened(parts, plan)


def _row_groups(path: str) -> tuple[list[Part], Any]:
    import pyarrow.parquet as pq

    _must_exist(path)
    with arrow.naming(path, "Parquet file"), pq.ParquetFile(path) as file:
        return [
            arrow.RowGroup(path, at) for at in range(file.metadata.num_row_groups)
        ], file.schema_arrow


def _record_batches(path: str) -> tuple[list[Part], Any]:
    import pyarrow as pa

    _must_exist(path)
    with arrow.naming(path, "Feather file"), pa.memory_map(path) as stream:
        whole = stream.read(6) == b"ARROW1"
        stream.seek(0)
        if not whole:
            return [arrow.RecordBatch(path, None)], pa.ipc.open_stream(stream).schema
        opened = pa.ipc.open_file(stream)
        return [
            arrow.RecordBatch(path, at) for at in range(opened.num_record_batches)
        ], opened.schema


def _must_exist(path: str) -> None:
    open_bytes(path).close()


def _fragments(dataset: Any) -> list[Part]:
    try:
        files = list(dataset.get_fragments())
    except ValueError:  # it is filtered: only the whole of it can be asked for its rows
        return [arrow.Stream(dataset)]
    found: list[Part] = []
    for file in files:
        some = file.split_by_row_group() if hasattr(file, "split_by_row_group") else [file]
        found += [arrow.Fragment(each, dataset.schema) for each in some]
    return found


def _names(schema: Any) -> list[str]:
    try:
        told = cast("Mapping[str, Any]", schema.pandas_metadata or {})
    except ValueError:
        told = cast("Mapping[str, Any]", {})
    index = [str(each) for each in told.get("index_columns", [])]
    left_out = {each for each in index if re.fullmatch(r"__index_level_\d+__", each)}
    return [name for name in schema.names if name not in left_out]


def _open_query(stream: arrow.Stream) -> Opened:
    with arrow.naming(stream.place, stream.what):
        schema = next((batch.schema for batch in stream.record_batches()), None)
    if schema is None:
        raise ReadError("the query gives no rows", file=stream.file)
    return _open_arrow([stream], schema, stream.file)


def _open_arrow(parts: Iterable[Part], schema: Any, file: str) -> Opened:
    import pyarrow.types as t

    parts, names = list(parts), _names(schema)
    for name in names:
        if not name or names.count(name) > 1:
            raise ReadError(
                f"{names.count(name)} columns are called {name!r}" if name else "a column has no name",
                file=file,
                remedy="Give each column a name of its own.",
            )
    said, notes = read_said(schema)
    variables, fixed, booleans = list[Variable](), set[str](), set[str]()
    for name in names:
        of, known = schema.field(name).type, said.get(name)
        number = t.is_floating(of) or t.is_integer(of) or t.is_decimal(of) or t.is_null(of)
        kind: Kind = "num" if number else "sym"
        if t.is_boolean(of) or t.is_temporal(of) or t.is_dictionary(of):
            fixed.add(name)
        if kind == "sym" and known is not None and known.kind != "num":
            fixed.add(name)
            kind = known.kind
        values = known.values if known is not None and kind == known.kind == "sym" else ()
        role, goal = ("x", None) if known is None else (known.role, known.goal)
        if kind != "num" and role in ("goal", "weight"):
            role, goal = "x", None
        variables.append(Variable(name, kind, values, role, goal))
    plan = Plan(Domain(variables), fixed=frozenset(fixed), booleans=frozenset(booleans))
    return Opened(parts, _told_text(plan, parts), notes)


def _told_text(plan: Plan, parts: list[Part]) -> Plan:
    """The plan with strings that look like text in the first rows taken for text."""
    for raw in _first(parts, plan):
        look = Look()
        look.hear(raw, plan, 0)
        for name, words in look.words.items():
            if name not in plan.fixed and words.are_text:
                plan = plan.with_variable(name, "text", ())
    return plan


def _first(parts: list[Part], plan: Plan) -> Iterator[Any]:
    return islice(parts[0].read(plan), 1) if parts else iter(())


def _forced(plan: Plan, kinds: Mapping[str, str] | None) -> Plan:
    for name, kind in check_kinds(kinds, plan.domain.names).items():
        values = plan.domain[name].values if kind == plan.domain[name].kind else ()
        plan = plan.with_variable(name, cast("Kind", kind), values)
        more = frozenset({name})
        plan = replace(plan, strict=plan.strict | more, fixed=plan.fixed | more)
        plan = replace(plan, booleans=plan.booleans - more)
    return plan
