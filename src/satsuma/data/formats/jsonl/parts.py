"""Parts of JSON lines: stretches of a file, cut at line ends."""

import zlib
from codecs import BOM_UTF8
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, BinaryIO, ClassVar

import numpy as np

from satsuma.data.column_plan import ColumnPlan, Raw, Rows
from satsuma.data.columns import as_symbols, encode, from_cells, is_number, plain_numbers
from satsuma.data.files import open_bytes
from satsuma.data.formats.jsonl.reader import record_of
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ReadError
from satsuma.numerics.arrays import Array

#: Bytes of a part, and those that are read at a time; lines of a batch.
PART, CHUNK, BATCH = 1 << 24, 1 << 20, 1 << 14


@dataclass(frozen=True)
class LinesPart:
    """The lines that start within a stretch of a file; all of them where `stop` is None."""

    path: str
    start: int
    stop: int | None
    lined: ClassVar[bool] = True
    elsewhere: ClassVar[bool] = False

    @property
    def file(self) -> str:
        """What to call the file."""
        return self.path

    @property
    def place(self) -> str:
        """What to call the part."""
        if self.stop is None:
            return self.path
        return f"{self.path}, bytes {self.start:,} to {self.stop:,}"

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
        lines, before = self.lines(), 0
        while some := list(islice(lines, BATCH)):
            yield _raw(some, plan, before)
            before += len(some)

    def lines(self) -> Iterator[bytes]:
        """The lines, without their ends."""
        with open_bytes(self.path) as stream:
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
        try:
            return stream.read(CHUNK)
        except (EOFError, zlib.error, OSError) as error:
            raise ReadError(
                f"the file cannot be read to its end: {error}",
                file=self.path,
                remedy="It may be cut short; fetch or write it again.",
            ) from None


def _raw(lines: list[bytes], plan: ColumnPlan, before: int) -> Raw:
    made = Raw(0, [], [], lines=len(lines))
    records: list[dict[str, Any]] = []
    numbers: list[int] = []  # the line of each record
    for at, line in enumerate(lines, before + 1):
        if not line.strip():
            made.blank, made.first_blank = made.blank + 1, made.first_blank or at
            continue
        try:
            records.append(record_of(line, "", at))
        except ReadError as error:
            made.refused = at, error.what, error.remedy
            break
        numbers.append(at)
    made.rows = len(records)
    known = set(plan.domain.names)
    made.new = list(dict.fromkeys(key for each in records for key in each if key not in known))
    for j, variable in enumerate(plan.domain):
        cells = [each.get(variable.name) for each in records]
        column = _column(variable, cells, plan, made, j)
        if j in made.failed:
            made.failed[j] = numbers[made.failed[j][0]], made.failed[j][1]
        made.columns.append(column)
    return made


def _column(
    variable: Variable, cells: list[Any], plan: ColumnPlan, made: Raw, j: int
) -> Array | None:
    if variable.kind == "num":
        made.values.append(())
        if (numbers := plain_numbers(cells)) is not None:
            return numbers
        wrong = next((at for at, c in enumerate(cells) if c is not None and not is_number(c)), None)
        if wrong is not None and variable.name not in plan.strict:
            made.failed[j] = wrong, str(cells[wrong])
            return None
        try:
            return from_cells(variable.name, cells, "num")[1]
        except DomainError:
            made.failed[j] = wrong or 0, str(cells[wrong or 0])
            return None
    if variable.name in plan.booleans and not all(c is None or isinstance(c, bool) for c in cells):
        made.not_boolean.add(j)
    codes, values = encode(as_symbols(cells))
    made.values.append(values)
    return np.asarray(codes)
