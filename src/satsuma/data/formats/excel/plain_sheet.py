"""Plain sheets, read by calamine: no formulas, no errors, and no times without a day."""

import datetime as dt
import re
from typing import Any, BinaryIO
from zipfile import BadZipFile, ZipFile

from satsuma.errors import require_extra

#: Formulas and errors, of which openpyxl knows more; `_x000D_`, which it leaves as it is; and names
#: of elements that are written in another way than those that are looked for here.
_ODD = re.compile(rb"""<f[ />]|\bt=["']e["']|_x[0-9A-Fa-f]{4}_|<\w+:(?:row|c)[ >]""")

#: Where a cell stands: the letters of its column, and its row.
_PLACE = re.compile(rb"""<c r=["']([A-Z]+)""")
_ROW = re.compile(rb"""<row [^>]*?\br=["'](\d+)""")

#: A sheet has at most so many places for each of its cells, as all places are held.
_SPREAD, _SMALL = 20, 1 << 20


def plain_rows(stream: BinaryIO, sheet: str | int) -> tuple[list[list[Any]], list[str]] | None:
    """The cells of a sheet, None where there is none, and the names of the others.

    None where the workbook is not plain, and is to be read otherwise; so is one that is not valid.
    """
    with require_extra("excel", "An Excel file", "python-calamine"):
        from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum
    try:
        if not _is_plain(stream):
            return None
        stream.seek(0)
        book = CalamineWorkbook.from_filelike(stream)
        kinds = {each.name: each.typ for each in book.sheets_metadata}
        names = [name for name, kind in kinds.items() if kind == SheetTypeEnum.WorkSheet]
        name = names[sheet] if isinstance(sheet, int) else sheet
        if name not in names:
            return None
        rows = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
    except (CalamineError, BadZipFile, IndexError, OSError, ValueError, RuntimeError):
        return None
    found = [[_value(cell) for cell in row] for row in rows]
    if any(isinstance(cell, dt.time | dt.timedelta) for row in found for cell in row):
        return None
    return found, [each for each in names if each != name]


def _is_plain(stream: BinaryIO) -> bool:
    stream.seek(0)
    with ZipFile(stream) as book:
        for name in book.namelist():
            if name.startswith("xl/sharedStrings") and _ODD.search(book.read(name)):
                return False
            if name.startswith("xl/worksheets/") and not _is_plain_sheet(book.read(name)):
                return False
    return True


def _is_plain_sheet(text: bytes) -> bool:
    """Whether a sheet holds nothing odd, and its cells do not stand far apart."""
    if _ODD.search(text):
        return False
    places = _PLACE.findall(text)
    if len(places) < text.count(b"<c ") or text.count(b"<row") > len(_ROW.findall(text)):
        return False
    width = max(map(_column, set(places)), default=0)
    height = max(map(int, _ROW.findall(text)), default=0)
    return width * height <= max(_SPREAD * len(places), _SMALL)


def _column(letters: bytes) -> int:
    """The number of a column, from 1.

    Examples
    --------
    >>> _column(b"A"), _column(b"AB")
    (1, 28)
    """
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number


def _value(cell: Any) -> Any:
    if type(cell) is float:
        return cell + 0.0  # there is no negative zero in Excel
    if type(cell) is dt.date:
        return dt.datetime(cell.year, cell.month, cell.day)  # noqa: DTZ001 - a time of no zone
    return None if cell == "" else cell
