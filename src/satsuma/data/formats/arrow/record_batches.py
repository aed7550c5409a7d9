"""Record batches: parts that speak Arrow, be they row groups, fragments of datasets or streams."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np

from satsuma.data.column_plan import ColumnPlan
from satsuma.data.columns import convert
from satsuma.data.files import Readable, RemoteFile, label
from satsuma.data.formats.arrow.arrow_types import (
    as_symbols,
    coded_times,
    from_chunks,
    is_number,
    is_string,
)
from satsuma.data.parts import Rows, UncutPart
from satsuma.data.profile import Raw
from satsuma.data.times import read_times
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ReadError, SatsumaError
from satsuma.numerics.arrays import MISSING, TIME, Array

#: Rows of a batch, and bytes that are read of a column at a time.
BATCH, BUFFER = 1 << 16, 1 << 20

#: How a dataset gives its rows without reading far ahead: by default it takes gigabytes.
_BOUNDED: dict[str, Any] = {
    "batch_size": BATCH,
    "batch_readahead": 0,
    "fragment_readahead": 0,
    "use_threads": False,
}


@contextmanager
def naming(place: str, what: str) -> Generator[None]:
    """Say in our words, and with the place, what goes wrong in reading."""
    import pyarrow as pa

    try:
        yield
    except ReadError as error:
        raise ReadError(error.what, file=error.file or place, remedy=error.remedy) from None
    except SatsumaError:
        raise
    except FileNotFoundError:
        raise ReadError("there is no such file any more", file=place) from None
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        raise ReadError(
            f"this is not a whole {what}: {error}",
            file=place,
            remedy="Write it again, or leave the file out.",
        ) from None


class ArrowPart(UncutPart):
    """What parts that speak Arrow share: they have `record_batches`, a `file` and a `place`."""

    #: What the part is called where it is broken.
    what: ClassVar[str] = "file"

    def record_batches(self, plan: ColumnPlan) -> Iterator[Any]:
        """Arrow's record batches."""
        raise NotImplementedError

    def strings(self, plan: ColumnPlan) -> frozenset[str]:
        """Columns of strings that are read as dictionaries."""
        del plan
        return frozenset()

    def read(self, plan: ColumnPlan) -> Rows:
        """The rows, some at a time."""
        return Rows(self._raws(plan))

    def _raws(self, plan: ColumnPlan) -> Iterator[Raw]:
        rows = 0
        with naming(self.place, self.what):
            strings = self.strings(plan)
            for batch in self.record_batches(plan):
                for start in range(0, batch.num_rows, BATCH):
                    yield raw_of(batch.slice(start, BATCH), plan, strings, rows)
                    rows += min(BATCH, batch.num_rows - start)


def raw_of(batch: Any, plan: ColumnPlan, strings: frozenset[str], before: int) -> Raw:
    """A record batch as a plan has it; `before` are the rows of the part that came before it."""
    import pyarrow as pa

    made = Raw(batch.num_rows, [], [], lines=batch.num_rows)
    for j, variable in enumerate(plan.domain):
        name = variable.name
        data: Any = cast("Any", pa.chunked_array)([batch.column(name)])
        kind = variable.kind if name in plan.strict else None
        if variable.kind == "num" or name in plan.flags:
            made.columns.append(_numbers(made, j, variable, data, kind))
            for found in (made.failed, made.infinite):
                if j in found:
                    found[j] = before + found[j][0], found[j][1]
            made.values.append(())
        elif variable.kind == "time":
            made.columns.append(_times(made, j, variable, data, before))
            made.values.append(())
        else:
            found = as_symbols(name, data, kind, strings=name in strings)
            made.columns.append(found.column)
            made.values.append(found.variable.values)
            if is_number(data.type):
                made.sorts[j] = {"number"}
    return made


def _numbers(made: Raw, j: int, variable: Variable, data: Any, kind: str | None) -> Array | None:
    """A column of numbers; None, and the row at fault noted, where it is none."""
    try:
        found = from_chunks(variable.name, data, kind)
        if found.variable.kind == "num":
            return found.column
        if kind is not None:
            return convert(found.variable, found.column, "num")[1]
    except DomainError:
        cells = data.to_pylist()
        row = next((at for at, cell in enumerate(cells) if _infinite(cell)), None)
        if row is None:
            raise
        made.infinite[j] = row, str(cells[row])
        return None
    if data.null_count == len(data):
        return np.full(len(data), np.nan)
    row = next(at for at, cell in enumerate(data.to_pylist()) if cell is not None)
    made.failed[j] = row, str(data[row])
    return None


def _times(made: Raw, j: int, variable: Variable, data: Any, before: int) -> Array | None:
    """A column of times, which may be strings; None, and a row at fault noted, where it is none."""
    if data.null_count == len(data):
        return np.full(len(data), MISSING["time"], TIME)
    found = from_chunks(variable.name, data)
    if found.variable.kind == "time":
        return found.column
    symbols = as_symbols(variable.name, data)
    values = symbols.variable.values
    try:
        return coded_times(symbols, read_times(values, variable.time_format))
    except ValueError as error:
        wrong: str = error.args[0]
        row = int((symbols.column == values.index(wrong)).argmax())
        made.failed[j] = before + row, wrong
    return None


def _infinite(cell: object) -> bool:
    return isinstance(cell, float) and cell in (float("inf"), float("-inf"))


@dataclass(frozen=True)
class RowGroup(ArrowPart):
    """One row group of a Parquet file.

    Parameters
    ----------
    source
        The file.
    group
        Its number.
    footer
        What the file says of itself at its end, where asking for it takes long.
    """

    source: Readable
    group: int
    footer: Any = None
    what: ClassVar[str] = "row group"

    @property
    def file(self) -> str:
        """What to call the file."""
        return label(self.source)

    @property
    def place(self) -> str:
        """What to call the part."""
        return f"{self.file}, row group {self.group}"

    def strings(self, plan: ColumnPlan) -> frozenset[str]:
        """All columns of strings: a dictionary is decoded once, and not for each row."""
        import pyarrow.parquet as pq

        names = [v.name for v in plan.domain if v.kind in ("sym", "text")]
        known = self.footer is not None
        schema: Any = self.footer.schema.to_arrow_schema() if known else pq.read_schema(self.file)
        return frozenset(name for name in names if is_string(schema.field(name).type))

    def record_batches(self, plan: ColumnPlan) -> Iterator[Any]:
        """Arrow's record batches, decoded as they are asked for."""
        strings = list(self.strings(plan))
        with open_parquet(self.source, self.footer, read_dictionary=strings) as file:
            yield from file.iter_batches(
                BATCH, row_groups=[self.group], columns=list(plan.domain.names), use_threads=False
            )


@contextmanager
def open_parquet(source: Readable, footer: Any = None, **options: Any) -> Generator[Any]:
    """A Parquet file; elsewhere it is read by stretches, as many columns at a time as can be."""
    import pyarrow.parquet as pq

    if not isinstance(source, RemoteFile):
        path = label(source)
        with pq.ParquetFile(path, pre_buffer=False, buffer_size=BUFFER, **options) as file:
            yield file
        return
    with (
        source.open() as stream,
        pq.ParquetFile(stream, metadata=footer, pre_buffer=True, **options) as file,
    ):
        yield file


@contextmanager
def open_feather(source: Readable) -> Generator[Any]:
    """An Arrow file, mapped into memory; elsewhere it is read by stretches."""
    import pyarrow as pa

    if not isinstance(source, RemoteFile):
        with pa.memory_map(label(source)) as stream:
            yield stream
        return
    with source.open() as stream, pa.PythonFile(cast("Any", stream), mode="r") as file:
        yield file


@dataclass(frozen=True)
class RecordBatch(ArrowPart):
    """One record batch of an Arrow file, or all of a stream in a file (`at` is None)."""

    source: Readable
    at: int | None
    what: ClassVar[str] = "record batch"

    @property
    def file(self) -> str:
        """What to call the file."""
        return label(self.source)

    @property
    def place(self) -> str:
        """What to call the part."""
        return self.file if self.at is None else f"{self.file}, record batch {self.at}"

    def record_batches(self, plan: ColumnPlan) -> Iterator[Any]:
        """Arrow's record batches."""
        import pyarrow as pa

        del plan
        with open_feather(self.source) as stream:
            if self.at is None:
                found: Any = pa.ipc.open_stream(stream)
            else:
                found = [pa.ipc.open_file(stream).get_batch(self.at)]
            for batch in found:
                batch.validate(full=True)  # damaged indices would lead outside of memory
                yield batch


@dataclass(frozen=True)
class Fragment(ArrowPart):
    """A fragment of an Arrow dataset: a file, or a row group of one."""

    fragment: Any
    schema: Any

    @property
    def file(self) -> str:
        """What to call the file."""
        return str(getattr(self.fragment, "path", "<dataset>"))

    @property
    def place(self) -> str:
        """What to call the part."""
        groups = [each.id for each in getattr(self.fragment, "row_groups", None) or ()]
        return f"{self.file}, row group {groups[0]}" if len(groups) == 1 else self.file

    def record_batches(self, plan: ColumnPlan) -> Iterator[Any]:
        """Arrow's record batches."""
        del plan
        yield from self.fragment.to_batches(schema=self.schema, **_BOUNDED)


@dataclass(frozen=True)
class Stream(ArrowPart):
    """A query that gives its rows anew each time it is asked: polars', duckdb's."""

    query: Any
    what: ClassVar[str] = "query"

    @property
    def file(self) -> str:
        """What to call the query."""
        return f"<{type(self.query).__module__.partition('.')[0]}>"

    def record_batches(self, plan: ColumnPlan | None = None) -> Iterator[Any]:
        """Arrow's record batches."""
        import pyarrow as pa

        del plan
        if hasattr(self.query, "collect_batches"):
            for frame in self.query.collect_batches(chunk_size=BATCH, maintain_order=True):
                yield from frame.to_arrow().to_batches()
        elif hasattr(self.query, "to_batches"):
            yield from self.query.to_batches(**_BOUNDED)
        else:
            yield from pa.RecordBatchReader.from_stream(self.query)
