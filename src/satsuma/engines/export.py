"""ExportOptions: rows written as they come, to files that are complete or not there."""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from glob import escape, glob
from pathlib import Path
from typing import Any, BinaryIO, cast

from satsuma.data.column_plan import ColumnPlan
from satsuma.data.files import replacing
from satsuma.data.formats import WRITING, Format, check_options, find_format
from satsuma.data.formats.delimited.writer import csv_put
from satsuma.data.formats.jsonl.writer import jsonl_put
from satsuma.data.table import Table
from satsuma.data.write import compressing
from satsuma.engines.source_index import SourceIndex, batches, no_rows
from satsuma.engines.thread_pool import Item, Progress, Stop, WorkerPool
from satsuma.errors import WriteError

Change = Callable[[Table], Table] | None
Put = Callable[[Table], None]

#: Rows that are written to Parquet and Feather at a time, at least.
GROUP = 1 << 17


@dataclass(frozen=True)
class Output:
    """What of a batch of rows is written, and how; see `Scan.write`."""

    change: Change
    escape_formulas: bool

    def writer(self, path: str) -> tuple[Callable[[BinaryIO, Table], Any], Format]:
        """What writes to a file of this name, and how it is compressed."""
        form = find_format(path, None, WriteError)
        if form.name not in _WRITERS:
            raise WriteError(
                f"{path}: rows cannot be written one after the other to {form.name}. "
                f"Write to .parquet, .feather, .csv, .tsv or .jsonl."
            )
        options = {"escape_formulas": True} if self.escape_formulas else {}
        check_options(options, WRITING[form.name], f"writing the format {form.name}")
        return partial(_WRITERS[form.name], **options), form

    def of(self, table: Table) -> Table:
        """What is written of a batch."""
        return table if self.change is None else self.change(table)


@dataclass(frozen=True)
class ExportOptions:
    """How rows are written, by whom, and who hears of it; see `Scan.write`."""

    output: Output
    resume: bool
    pool: WorkerPool
    progress: Progress | None


def export(found: SourceIndex, path: str, how: ExportOptions) -> list[str]:
    """Write all rows; see `Scan.write`."""
    name = Path(path).name
    if "*" in path.removesuffix(name) or name.count("*") > 1:
        raise WriteError(f"{path}: write one * at most, and that in the name of the file.")
    how.output.writer(path)
    if "*" not in name:
        return _export_as_one(found, path, how)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    digits = max(5, len(str(len(found.parts))))
    paths = [
        str(Path(path).with_name(name.replace("*", f"{at:0{digits}}")))
        for at in range(max(1, len(found.parts)))
    ]
    there = set(glob(str(Path(escape(str(Path(path).parent))) / name)))  # noqa: PTH207
    _check_there(path, there, set(paths), how.resume)
    missing = [at for at, each in enumerate(paths) if each not in there]

    if not found.parts and missing:
        _write(paths[0], iter(()), found.plan, how.output)
        return paths
    items, work = found.items(), _Write(found.plan, how.output, tuple(paths))
    how.pool.total(work, [items[at] for at in missing], how.progress)
    return paths


@dataclass(frozen=True)
class _Write:
    """Writes the rows of a part to the file that is meant for them."""

    plan: ColumnPlan
    output: Output
    paths: tuple[str, ...]

    def __call__(self, item: Item, stop: Stop) -> None:
        """Write one."""
        rows = _rows(self.plan, item, self.output, stop)
        _write(self.paths[item.at], rows, self.plan, self.output)


def _check_there(path: str, there: set[str], ours: set[str], resume: bool) -> None:
    if there and not resume:
        raise WriteError(
            f"{path}: {len(there)} such files are there already. Remove them, write elsewhere, "
            f"or pass resume=True to keep them and write the others."
        )
    if others := sorted(there - ours):
        raise WriteError(
            f"{others[0]} is there already, and is not a file that this run would write. Remove "
            f"it, or write elsewhere."
        )


def _export_as_one(found: SourceIndex, path: str, how: ExportOptions) -> list[str]:
    if how.resume and Path(path).exists():
        return [path]

    def told(done: int) -> None:
        if how.progress is not None:
            how.progress(done, len(found.parts))

    def rows() -> Iterator[Table]:
        told(0)
        for item in found.items():
            yield from _rows(found.plan, item, how.output, Stop())
            told(item.at + 1)

    _write(path, rows(), found.plan, how.output)
    return [path]


def _rows(plan: ColumnPlan, item: Item, output: Output, stop: Stop) -> Iterator[Table]:
    for table, _ in batches(plan, item):
        stop.check()
        yield output.of(table)


def _write(path: str, rows: Iterator[Table], plan: ColumnPlan, output: Output) -> None:
    writer, form = output.writer(path)
    with replacing(path) as stream, compressing(stream, form) as target:
        first = next(rows, None)
        if first is None:
            first = output.of(no_rows(plan))
        with writer(target, first) as put:
            put(first)
            for table in rows:
                put(table)


@contextmanager
def _parquet(stream: BinaryIO, first: Table) -> Generator[Put]:
    import pyarrow.parquet as pq

    schema = first.to_arrow().schema
    with pq.ParquetWriter(stream, schema, compression="zstd") as writer, _grouping(writer) as put:
        yield put


@contextmanager
def _feather(stream: BinaryIO, first: Table) -> Generator[Put]:
    import pyarrow as pa

    options = pa.ipc.IpcWriteOptions(compression="lz4", unify_dictionaries=True)
    to, schema = cast("Any", stream), first.to_arrow().schema
    with pa.ipc.new_file(to, schema, options=options) as writer, _grouping(writer) as put:
        yield put


@contextmanager
def _grouping(writer: Any) -> Generator[Put]:
    """Rows are gathered before they are written: small groups of rows are slow to read."""
    import pyarrow as pa

    held: list[Any] = []

    def flush() -> None:
        if held:
            together = pa.concat_tables(held).unify_dictionaries().combine_chunks()
            writer.write_table(together)
            held.clear()

    def put(table: Table) -> None:
        held.append(table.to_arrow())
        if sum(each.num_rows for each in held) >= GROUP:
            flush()

    yield put
    flush()


@contextmanager
def _csv(stream: BinaryIO, first: Table, **options: Any) -> Generator[Put]:
    def put(table: Table) -> None:
        csv_put(table, header=table is first, **options)(stream)

    yield put


@contextmanager
def _tsv(stream: BinaryIO, first: Table, **options: Any) -> Generator[Put]:
    with _csv(stream, first, delimiter="\t", **options) as put:
        yield put


@contextmanager
def _jsonl(stream: BinaryIO, first: Table) -> Generator[Put]:
    del first
    yield lambda table: jsonl_put(table)(stream)


_WRITERS: dict[str, Callable[..., Any]] = {
    "parquet": _parquet,
    "feather": _feather,
    "csv": _csv,
    "tsv": _tsv,
    "jsonl": _jsonl,
}
