"""JSON lines: stretches of a file, cut at line ends; what the first lines say of the columns."""

from codecs import BOM_UTF8
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from typing import Any, BinaryIO, ClassVar, cast

import numpy as np

from satsuma.data.column_plan import BOOLEANS, ColumnPlan
from satsuma.data.columns import as_symbols, encode, from_cells, is_number, plain_numbers
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
from satsuma.data.formats.jsonl.json_record import named, record_of
from satsuma.data.parts import Opened, Part, Rows
from satsuma.data.profile import Raw
from satsuma.data.time_recognition import recognise_time
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ReadError
from satsuma.kernels.csv import NO_TIME, TimeFormat, read_time
from satsuma.numerics.arrays import TIME, Array

#: Bytes of a part, and those that are read at a time; lines of a batch.
PART, CHUNK, BATCH = 1 << 24, 1 << 20, 1 << 14

#: Lines that are looked at beforehand.
SAMPLE = 1000

#: The sorts of cells.
_SORTS = {bool: "boolean", int: "number", float: "number", str: "word"}


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
        if _sorts(cells) == {"boolean"}:
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
    if kind not in (None, "time") or _sorts(known) != {"word"}:
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
        return (batch.with_name(self.nameless).raw(plan) for batch in self.batches())

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The records as they are written, each behind the number of its line."""
        for at, line in enumerate(self.lines(), 1):
            if line.strip():
                yield at, record_of(line, self.file, at)

    def batches(self) -> Iterator["_Batch"]:
        """The records, some thousand at a time."""
        lines, before = self.lines(), 0
        while some := list(islice(lines, BATCH)):
            yield _Batch.of(some, before)
            before += len(some)

    def lines(self) -> Iterator[bytes]:
        """The lines, without their ends."""
        with open_bytes(self.source) as stream:
            at, rest, skip = self.start, b"", self.start > 0
            if skip:
                at = stream.seek(self.start - 1)  # what comes first is the end of a line before
            while chunk := self._read(stream):
                *whole, rest = (rest + chunk).split(b"\n")
                for line in whole:
                    if self.stop is not None and at >= self.stop:
                        return
                    if not skip:
                        yield line if at else line.removeprefix(BOM_UTF8)
                    at, skip = at + len(line) + 1, False
            if rest and not skip and (self.stop is None or at < self.stop):
                yield rest if at else rest.removeprefix(BOM_UTF8)

    def _read(self, stream: BinaryIO) -> bytes:
        with read_errors(self.file):
            return stream.read(CHUNK)


@dataclass(frozen=True)
class WholeLines(LinesPart):
    """All lines of a file: they are decoded once, however often they are read."""

    held: "list[_Batch]" = field(default_factory=list["_Batch"], compare=False, repr=False)

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The records as they are written, each behind the number of its line."""
        for batch in self.batches():
            yield from zip(batch.numbers, batch.records, strict=True)
            if batch.report.refused:
                line, what, remedy = batch.report.refused
                raise ReadError(what, file=self.file, line=line, remedy=remedy)

    def batches(self) -> Iterator["_Batch"]:
        """The records, some thousand at a time."""
        if not self.held:
            self.held.extend(super().batches())
        return iter(self.held)


@dataclass
class _Batch:
    """Records, the line of each, and what else the lines report."""

    records: list[dict[str, Any]]
    numbers: list[int]
    report: Raw

    @classmethod
    def of(cls, lines: Sequence[bytes], before: int) -> "_Batch":
        """Lines, decoded; `before` lines of the part come before them."""
        made = cls([], [], Raw(0, [], [], lines=len(lines)))
        report = made.report
        for at, line in enumerate(lines, before + 1):
            if not line.strip():
                report.blank, report.first_blank = report.blank + 1, report.first_blank or at
                continue
            try:
                made.records.append(record_of(line, "", at))
            except ReadError as error:
                report.refused = at, error.what, error.remedy
                break
            made.numbers.append(at)
        report.rows = len(made.records)
        return made

    def with_name(self, nameless: str) -> "_Batch":
        """The same with a name for an empty key."""
        return replace(self, records=[named(record, nameless) for record in self.records])

    def raw(self, plan: ColumnPlan) -> Raw:
        """The records as the plan has them."""
        records, known = self.records, set(plan.domain.names)
        new = dict.fromkeys(key for each in records for key in each if key not in known)
        made = replace(self.report, columns=[], values=[], failed={}, sorts={}, new=list(new))
        for j, variable in enumerate(plan.domain):
            cells = [each.get(variable.name) for each in records]
            made.columns.append(_column(variable, cells, plan, made, j))
            if j in made.failed:
                row, cell = made.failed[j]
                made.failed[j] = self.numbers[row], cell
        return made


def _sorts(cells: Sequence[Any]) -> set[str]:
    return {_SORTS[each] for each in set(map(type, cells)) if each in _SORTS}


def _column(
    variable: Variable, cells: list[Any], plan: ColumnPlan, made: Raw, j: int
) -> Array | None:
    """A column as the plan has it; what is wrong with that is added to `made`."""
    if variable.kind == "num" or variable.name in plan.flags:
        made.values.append(())
        return _numbers(variable.name, cells, plan, made, j)
    made.sorts[j] = _sorts(cells)
    if variable.kind == "time":
        made.values.append(())
        return _times(variable.time_format, cells, made, j)
    codes, values = encode(as_symbols(cells))
    made.values.append(values)
    return np.asarray(codes)


def _times(form: TimeFormat, cells: list[Any], made: Raw, j: int) -> Array | None:
    codes, values = encode(as_symbols(cells))
    times = [read_time(value, form) for value in values]
    if None in times:
        row = int((codes == times.index(None)).argmax())
        made.failed[j] = row, str(cells[row])
        return None
    return np.array([*times, NO_TIME], np.int64)[codes].view(TIME)


def _numbers(name: str, cells: list[Any], plan: ColumnPlan, made: Raw, j: int) -> Array | None:
    if (numbers := plain_numbers(cells)) is not None:
        made.sorts[j] = set() if np.isnan(numbers).all() else {"number"}
        return numbers
    made.sorts[j] = _sorts(cells)
    wrong = next((at for at, c in enumerate(cells) if c is not None and not is_number(c)), None)
    if wrong is None or name in plan.strict:
        try:
            return from_cells(name, cells, "num")[1]
        except DomainError:
            pass
    made.failed[j] = wrong or 0, str(cells[wrong or 0])
    return None
