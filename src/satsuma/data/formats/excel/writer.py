"""Excel workbooks, written with openpyxl."""

import re
from typing import Any, BinaryIO

import numpy as np

from satsuma.data.formats.excel.orange_sheet import is_orange_sheet
from satsuma.data.formats.excel.reader import openpyxl
from satsuma.data.formats.serialization import (
    Put,
    cannot_hold,
    check_columns,
    check_unicode,
    strings,
)
from satsuma.data.formulas import escaped, unchanged
from satsuma.data.table import Table
from satsuma.data.time_formats import has_day
from satsuma.data.variable import Variable
from satsuma.errors import ParameterError, WriteError
from satsuma.kernels.csv import DAY, TimeFormat
from satsuma.kernels.spelling import number
from satsuma.numerics.arrays import Times

_START, _FIRST = np.datetime64("1899-12-30", "ns"), np.datetime64("1900-03-01", "ns")
_ROWS, _COLUMNS, _LENGTH, _TITLE = 1_048_576, 16_384, 32_767, 31

# XML has no place for most control characters and reads a carriage return as a line feed;
# Excel takes _x0041_ for the character of that number.
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_")


def excel_put(table: Table, *, sheet: str = "table", escape_formulas: bool = False) -> Put:
    """One sheet: a row of names, then the rows; kinds, unused values and roles are not kept."""
    book = openpyxl().Workbook(write_only=True)
    if not sheet or len(sheet) > _TITLE or re.search(r"[\[\]:*?/\\\x00-\x1f]|^'|'$", sheet):
        raise ParameterError(
            f"The 'sheet' parameter must be a name of 1 to {_TITLE} characters without "
            f"[ ] : * ? / \\ or quotes around it. Got {sheet!r} instead."
        )
    _check(table)
    guarded = escaped if escape_formulas else unchanged

    def put(stream: BinaryIO) -> None:
        page = book.create_sheet(sheet)
        page.append([_string(page, guarded(name)) for name in table.domain.names])
        times = {v.name: _Times(v, table.column(v.name)) for v in table.domain if v.kind == "time"}
        for at, row in enumerate(table):
            page.append(
                [
                    times[name].cell(page, at)
                    if name in times
                    else _cell(page, guarded(c) if isinstance(c, str) else c)
                    for name, c in zip(table.domain.names, row, strict=True)
                ]
            )
        book.save(stream)

    return put


def _check(table: Table) -> None:
    form = "Excel"
    check_columns(table, form)
    check_unicode(table, form)
    for variable, column in zip(table.domain, table.columns, strict=True):
        if variable.kind == "time":
            _check_times(variable, column)
    if is_orange_sheet(table.domain.names, [list(row) for row in table[:2]]):
        raise WriteError(
            f"{form} would hold these names and first rows as a header of Orange. Give the columns "
            "other names, or write to .parquet."
        )
    if len(table) >= _ROWS or len(table.domain) > _COLUMNS:
        raise WriteError(
            f"Excel cannot hold {len(table)} rows and {len(table.domain)} columns; it has room for "
            f"{_ROWS - 1} and {_COLUMNS}. Write to .parquet instead."
        )
    for name, value in (*((n, n) for n in table.domain.names), *strings(table, unused=False)):
        if not value:
            raise cannot_hold(form, name, value, "an empty cell is a missing one")
        if _UNFIT.search(value):
            raise cannot_hold(form, name, value, "it would come back changed")
        if len(value.encode("utf-16-le")) > 2 * _LENGTH:
            why = f"a cell has room for {_LENGTH} characters"
            raise cannot_hold(form, name, f"{value[:20]}…", why)
    if len(table) and all(cell is None for cell in table[len(table) - 1]):
        raise WriteError(
            f"Excel cannot hold the last row, row {len(table) - 1}: it is missing in every column. "
            "Leave it out, or write to .parquet, which holds it."
        )


def _check_times(variable: Variable, column: Times) -> None:
    values = column[~np.isnat(column)]
    if "%z" in variable.time_format.pattern:
        why, wrong = "it has no zones", values[:1]
    elif has_day(variable.time_format):
        why, wrong = "its days begin with 1900-03-01", values[values < _FIRST]
    else:
        why, wrong = "its days have 24 hours", values[values.view(np.int64) // DAY != 0]
    if not len(wrong):
        why = "its times go to the millisecond"
        wrong = values[values.view(np.int64) % 10**6 != 0]
    if len(wrong):
        remedy = "Write to .parquet, which holds it, or to .csv."
        raise cannot_hold("Excel", variable.name, str(wrong[0]), why, remedy)


class _Times:
    """The cells of a column of times: days since the start of Excel's calendar."""

    def __init__(self, variable: Variable, column: Times) -> None:
        start = _START if has_day(variable.time_format) else np.datetime64(0, "ns")
        # Nanoseconds could not count all days from 1899 on, and Excel has none.
        self.days = (column.astype("M8[us]") - start.astype("M8[us]")) / np.timedelta64(1, "D")
        self.shown = number_format(variable.time_format)

    def cell(self, page: Any, row: int) -> Any:
        """The cell of a row; None where it is missing."""
        if np.isnan(self.days[row]):
            return None
        made = _cell(page, float(self.days[row]))
        made.number_format = self.shown
        return made


def _cell(page: Any, cell: float | str | None) -> Any:
    if cell is None or isinstance(cell, str):
        return cell and _string(page, cell)
    made = _string(page, number(cell))
    made.data_type = "n"  # openpyxl itself would round to 16 digits
    return made


def _string(page: Any, text: str) -> Any:
    from openpyxl.cell import WriteOnlyCell  # pyright: ignore[reportMissingModuleSource]

    made = WriteOnlyCell(page, text)
    made.data_type = "s"  # openpyxl itself takes =1+1 for a formula, #N/A for an error
    return made


_CODES = {
    "%Y": "yyyy",
    "%y": "yy",
    "%m": "mm",
    "%-m": "m",
    "%b": "mmm",
    "%B": "mmmm",
    "%d": "dd",
    "%-d": "d",
    "%H": "hh",
    "%-H": "h",
    "%I": "hh",
    "%-I": "h",
    "%M": "mm",
    "%S": "ss",
    "%.f": ".000",
    "%p": "AM/PM",
    "%z": "",  # of which Excel has none: there is nothing but missing times then
}
_PIECE = re.compile(r"%-?\d?\.?[A-Za-z]|[^%]+")


def number_format(form: TimeFormat) -> str:
    """How Excel is told to show times.

    Examples
    --------
    >>> number_format(TimeFormat("%-d.%m.%Y %H:%M"))
    'd"."mm"."yyyy" "hh":"mm'
    """
    return "".join(_code(piece) for piece in _PIECE.findall(form.pattern))


def _code(piece: str) -> str:
    if piece[0] != "%":
        return f'"{piece}"' if '"' not in piece else " "
    return "000" if piece.endswith("f") and piece != "%.f" else _CODES[piece]
