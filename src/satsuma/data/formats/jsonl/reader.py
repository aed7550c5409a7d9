"""JSON lines: stretches of a file, cut at line ends; what the first lines say of the columns."""

from codecs import BOM_UTF8
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, BinaryIO, ClassVar, cast

import numpy as np

from satsuma.data.column_plan import BOOLEANS, ColumnPlan
from satsuma.data.columns import from_cells
from satsuma.data.domain import Domain, distinct_names, free_name
from satsuma.data.files import (
    Readable,
    is_compressed,
    label,
    open_bytes,
    open_path,
    read_errors,
    size_of,
)
from satsuma.data.flags import FLAGS, flag_names
from satsuma.data.formats.jsonl.batch import Batch, sorts_of
from satsuma.data.formats.jsonl.json_record import record_of
from satsuma.data.parts import Opened, Part, Rows
from satsuma.data.profile import Raw
from satsuma.data.time_recognition import recognise_time
from satsuma.data.variable import Variable
from satsuma.errors import ReadError
from satsuma.kernels.csv import TimeFormat

#: Bytes of a part, and those that are read at a time; lines of a batch.
PART, CHUNK, BATCH = 1 << 24, 1 << 20, 1 << 14

#: Lines that are looked at beforehand.
SAMPLE = 1000


def open_lines(sources: Sequence[Readable], wanted: Mapping[str, str], *, whole: bool) -> Opened:
    """JSON lines as parts; a file that is read whole is one."""
    parts = [part for each in sources for part in _parts(each, whole)]
    records = _sample(parts[0], wanted)
    keys = list(dict.fromkeys(key for each in records for key in each))
    names, notes = distinct_names(keys)
    unnamed = dict(zip(keys, names, strict=True))
    nameless = unnamed.get("") or free_name(f"column_{len(keys) + 1}", keys)
    variables, booleans = list[Variable](), set[str]()
    for key, name in unnamed.items():
        cells = [each.get(key) for each in records]
        if sorts_of(cells) == {"boolean"}:
            booleans.add(name)
            variables.append(Variable(name, "sym", BOOLEANS))
        elif (form := _time_format(cells, wanted.get(name))) is not None:
            variables.append(Variable(name, "time", format=form))
        else:
            variables.append(_guess(name, cells, wanted))
    plan = ColumnPlan(
        Domain(variables),
        fixed=frozenset(booleans),
        booleans=frozenset(booleans),
        flags=frozenset(v.name for v in variables if v.values == FLAGS),
    )
    held: list[Part] = [replace(part, nameless=nameless) for part in parts]
    return Opened(held, plan, notes)


def _guess(name: str, cells: Sequence[Any], wanted: Collection[str]) -> Variable:
    """What a column looks like in the first lines."""
    variable, column = from_cells(name, cells)
    flag = name not in wanted and bool(flag_names([variable], [column]))
    return Variable(name, "sym", FLAGS) if flag else Variable(name, variable.kind)


def _time_format(cells: Sequence[Any], kind: str | None) -> TimeFormat | None:
    """How the times of a column are written; by ISO 8601, unless times are asked for."""
    known = [cell for cell in cells if cell is not None]
    if kind not in (None, "time") or sorts_of(known) != {"word"}:
        return None
    form = recognise_time(known)
    if not isinstance(form, TimeFormat) or not (kind or form.pattern.startswith("%Y-%m-%d")):
        return None
    # Rows to come may have fractions of a second.
    whole = form.pattern.replace("%S", "%S%.f") if "f" not in form.pattern else form.pattern
    return replace(form, pattern=whole)


def _parts(source: Readable, whole: bool) -> "list[LinesPart]":
    if whole:
        return [WholeLines(source, 0, None)]
    path = cast("str", source)
    with open_path(path) as stream:
        magic: bytes = stream.read(6)
    size = size_of(path)
    if size is None or is_compressed(magic):
        return [LinesPart(source, 0, None)]
    edges = [*range(0, max(size, 1), PART), size]
    return [LinesPart(source, low, high) for low, high in pairwise(edges)]


def _sample(part: "LinesPart", wanted: Collection[str]) -> list[dict[str, Any]]:
    """The first records, and more of them until there is a key and all that are asked for."""
    records, missing = list[dict[str, Any]](), set(wanted)
    empty = True
    for at, record in part.records():
        if at > SAMPLE and not (empty or missing):
            break
        records.append(record)
        empty = empty and not record
        missing.difference_update(record)
    if records and empty:
        raise ReadError(
            f"{len(records)} rows without a single cell",
            file=part.file,
            remedy="Give each row at least one key; its value may be missing.",
        )
    return records


@dataclass(frozen=True)
class LinesPart:
    """The lines that start within a stretch of a file; all of them where `stop` is None.

    Parameters
    ----------
    source
        The file.
    start, stop
        The stretch.
    nameless
        What to call the column of an empty key.
    """

    source: Readable
    start: int
    stop: int | None
    nameless: str = ""
    lined: ClassVar[bool] = True
    elsewhere: ClassVar[bool] = False

    @property
    def file(self) -> str:
        """What to call the file."""
        return label(self.source)

    @property
    def place(self) -> str:
        """What to call the part."""
        if self.stop is None:
            return self.file
        return f"{self.file}, bytes {self.start:,} to {self.stop:,}"

    @property
    def header_lines(self) -> int:
        """None: there is no header."""
        return 0

    def between(self, start: int, stop: int | None = None) -> "LinesPart":
        """The same part with other edges."""
        return replace(self, start=start, stop=stop)

    def read(self, plan: ColumnPlan) -> Rows:
        """The rows, some at a time."""
        return Rows(self._raws(plan))

    def _raws(self, plan: ColumnPlan) -> Iterator[Raw]:
        return (batch.raw(plan, self.nameless) for batch in self.batches())

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The records as they are written, each behind the number of its line."""
        for batch in self.batches():
            for at, line in batch.lines():
                if line.strip():
                    yield at, record_of(line, self.file, at)

    def batches(self) -> Iterator[Batch]:
        """The lines, some thousand at a time."""
        before = 0
        for text in self._texts():
            yield Batch(text, before)
            before += text.count(b"\n")

    def _texts(self) -> Iterator[bytes]:
        """The lines with their ends, so many at a time."""
        held, count, mark = list[bytes](), 0, b"" if self.start else BOM_UTF8
        for read in self._chunks():
            chunk, lines = read, read.count(b"\n")
            while count + lines >= BATCH:
                end = _end_of(chunk, BATCH - count)
                yield b"".join([*held, chunk[:end]]).removeprefix(mark)
                chunk, lines = chunk[end:], count + lines - BATCH
                held, count, mark = [], 0, b""
            held.append(chunk)
            count += lines
        if rest := b"".join(held).removeprefix(mark):
            yield rest

    def _chunks(self) -> Iterator[bytes]:
        """The bytes of the lines that start within the stretch."""
        with open_bytes(self.source) as stream:
            at, skip, stop = self.start, self.start > 0, self.stop
            if skip:
                at = stream.seek(self.start - 1)  # what comes first is the end of a line before
            while chunk := self._read(stream):
                end = at + len(chunk)
                if skip:
                    first = chunk.find(b"\n") + 1
                    chunk, skip = chunk[first or end :], not first
                    at = end - len(chunk)
                    if stop is not None and at >= stop:
                        return
                # The last line is the one that holds the last byte of the stretch.
                if stop is not None and end >= stop:
                    last = chunk.find(b"\n", max(stop - 1 - at, 0))
                    if last >= 0:
                        yield chunk[: last + 1]
                        return
                yield chunk
                at = end

    def _read(self, stream: BinaryIO) -> bytes:
        with read_errors(self.file):
            return stream.read(CHUNK)


@dataclass(frozen=True)
class WholeLines(LinesPart):
    """All lines of a file: they are read once, however often they are asked for."""

    held: list[Batch] = field(default_factory=list[Batch], compare=False, repr=False)

    def batches(self) -> Iterator[Batch]:
        """The lines, some thousand at a time."""
        if not self.held:
            self.held.extend(super().batches())
        return iter(self.held)


def _end_of(chunk: bytes, lines: int) -> int:
    """Where so many lines end."""
    return int(np.flatnonzero(np.frombuffer(chunk, np.uint8) == ord("\n"))[lines - 1]) + 1
