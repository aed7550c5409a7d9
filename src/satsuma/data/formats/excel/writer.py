"""Excel workbooks, written with openpyxl."""

import re
from typing import Any, BinaryIO

from satsuma.data.formats.excel.reader import openpyxl
from satsuma.data.formats.serialization import (
    Put,
    cannot_hold,
    check_columns,
    check_unicode,
    number,
    strings,
)
from satsuma.data.formulas import escaped, unchanged
from satsuma.data.table import Table
from satsuma.errors import ParameterError, WriteError

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
        for row in table:
            page.append([_cell(page, guarded(c) if isinstance(c, str) else c) for c in row])
        book.save(stream)

    return put


def _check(table: Table) -> None:
    form = "Excel"
    check_columns(table, form)
    check_unicode(table, form)
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
