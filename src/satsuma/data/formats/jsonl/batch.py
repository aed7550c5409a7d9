"""Some lines of JSON, and their cells as the columns of a plan."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from satsuma.data.column_plan import ColumnPlan
from satsuma.data.columns import as_symbols, encode, from_cells, is_number, plain_numbers
from satsuma.data.formats.jsonl.json_record import named, record_of
from satsuma.data.profile import Raw
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ReadError
from satsuma.kernels import jsonl
from satsuma.kernels.csv import NO_TIME, TimeFormat, read_time
from satsuma.numerics.arrays import TIME, Array

#: The sorts of cells.
_SORTS = {bool: "boolean", int: "number", float: "number", str: "word"}

#: A column without cells.
_NOTHING = jsonl.Column("", None, ())


@dataclass
class Batch:
    """Whole lines, of which the kernel reads those that are plain; others are read one by one.

    Parameters
    ----------
    text
        The lines, with their ends.
    before
        How many lines of the part come before them.
    """

    text: bytes
    before: int

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """The lines, without their ends, each behind its number."""
        lines = self.text.split(b"\n")
        if not lines[-1]:
            lines.pop()
        return enumerate(lines, self.before + 1)

    def raw(self, plan: ColumnPlan, nameless: str) -> Raw:
        """The records as the plan has them, with a name for an empty key."""
        found = self._plain
        if found is not None and not {"", nameless} <= found.columns.keys():
            return _Typed(self, found, nameless).raw(plan)
        return self.decoded.with_name(nameless).raw(plan)

    @cached_property
    def _plain(self) -> jsonl.Records | None:
        return jsonl.read(self.text)

    @cached_property
    def decoded(self) -> "_Decoded":
        """The records, one by one."""
        return _Decoded.of(self)


class _Typed:
    """The columns that the kernel has read."""

    def __init__(self, batch: Batch, found: jsonl.Records, nameless: str) -> None:
        self.batch, self.found, self.nameless = batch, found, nameless
        self.columns = {key or nameless: each for key, each in found.columns.items()}

    def raw(self, plan: ColumnPlan) -> Raw:
        """The columns as the plan has them."""
        found, known = self.found, set(plan.domain.names)
        blank = found.first_blank and found.first_blank + self.batch.before
        made = Raw(len(found.line), [], [], lines=found.lines, blank=found.blank, first_blank=blank)
        made.new = [name for name in self.columns if name not in known]
        for j, variable in enumerate(plan.domain):
            made.columns.append(self._column(variable, plan, made, j))
            if j in made.failed:
                row, cell = made.failed[j]
                made.failed[j] = int(found.line[row]) + self.batch.before, cell
        return made

    def _column(self, variable: Variable, plan: ColumnPlan, made: Raw, j: int) -> Array | None:
        column = self.columns.get(variable.name, _NOTHING)
        numeric = variable.kind == "num" or variable.name in plan.flags
        if column.cells is None:
            column = column._replace(cells=np.full(made.rows, np.nan if numeric else -1))
        elif numeric != (column.sort == "number"):
            return _column(variable, self._cells(variable.name), plan, made, j)
        assert column.cells is not None, "just filled"
        made.sorts[j] = {column.sort} - {""}
        if numeric:
            made.values.append(())
            return column.cells
        codes = column.cells.astype(np.int32, copy=False)
        if variable.kind == "time":
            made.values.append(())
            return _times(variable.time_format, codes, column.values, made, j)
        made.values.append(column.values)
        return codes

    def _cells(self, name: str) -> list[Any]:
        """The cells of a column that is read as another sort."""
        return [each.get(name) for each in self.batch.decoded.with_name(self.nameless).records]


@dataclass
class _Decoded:
    """Records, the line of each, and what else the lines report."""

    records: list[dict[str, Any]]
    numbers: list[int]
    report: Raw

    @classmethod
    def of(cls, batch: Batch) -> "_Decoded":
        """Lines, decoded up to the first that is refused."""
        lines = list(batch.lines())
        made = cls([], [], Raw(0, [], [], lines=len(lines)))
        report = made.report
        for at, line in lines:
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

    def with_name(self, nameless: str) -> "_Decoded":
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


def sorts_of(cells: Sequence[Any]) -> set[str]:
    """The sorts of cells: ``boolean``, ``number``, ``word``."""
    return {_SORTS[each] for each in set(map(type, cells)) if each in _SORTS}


def _column(
    variable: Variable, cells: list[Any], plan: ColumnPlan, made: Raw, j: int
) -> Array | None:
    """A column as the plan has it; what is wrong with that is added to `made`."""
    if variable.kind == "num" or variable.name in plan.flags:
        made.values.append(())
        return _numbers(variable.name, cells, plan, made, j)
    made.sorts[j] = sorts_of(cells)
    codes, values = encode(as_symbols(cells))
    if variable.kind == "time":
        made.values.append(())
        times = _times(variable.time_format, codes, values, made, j)
        if j in made.failed:
            made.failed[j] = made.failed[j][0], str(cells[made.failed[j][0]])
        return times
    made.values.append(values)
    return np.asarray(codes)


def _times(
    form: TimeFormat, codes: Array, values: Sequence[str], made: Raw, j: int
) -> Array | None:
    times = [read_time(value, form) for value in values]
    if None in times:
        row = int((codes == times.index(None)).argmax())
        made.failed[j] = row, values[int(codes[row])]
        return None
    return np.array([*times, NO_TIME], np.int64)[codes].view(TIME)


def _numbers(name: str, cells: list[Any], plan: ColumnPlan, made: Raw, j: int) -> Array | None:
    if (numbers := plain_numbers(cells)) is not None:
        made.sorts[j] = set() if np.isnan(numbers).all() else {"number"}
        return numbers
    made.sorts[j] = sorts_of(cells)
    wrong = next((at for at, c in enumerate(cells) if c is not None and not is_number(c)), None)
    if wrong is None or name in plan.strict:
        try:
            return from_cells(name, cells, "num")[1]
        except DomainError:
            pass
    made.failed[j] = wrong or 0, str(cells[wrong or 0])
    return None
