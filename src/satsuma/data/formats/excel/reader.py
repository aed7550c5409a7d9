"""Excel workbooks: plain sheets are read by calamine, all others by openpyxl."""

from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO

from satsuma.data.cells import as_kinds, check_kinds, column_of
from satsuma.data.columns import spell
from satsuma.data.domain import distinct_names
from satsuma.data.files import Readable, label, open_bytes
from satsuma.data.formats.excel.orange_sheet import column_cells, orange_sheet
from satsuma.data.formats.excel.plain_sheet import plain_rows
from satsuma.data.notes import note
from satsuma.data.parts import Opened
from satsuma.errors import ParameterError, ReadError, SatsumaError, hint, require_extra

_Rows = list[list[Any]]


def openpyxl() -> Any:
    """The package that knows Excel's format, or an error that says how to get it."""
    with require_extra("excel", "An Excel file", "openpyxl"):
        import openpyxl  # pyright: ignore[reportMissingModuleSource]
    return openpyxl


def open_excel(
    source: Readable,
    *,
    sheet: str | int = 0,
    header: bool | Sequence[str] | None = None,
    missing: Sequence[str] | None = None,
    kinds: Mapping[str, str] | None = None,
) -> Opened:
    """A sheet of a workbook as one part, its first row that is not empty holding the names.

    An empty cell is missing, and so are empty rows, but for those at the end: they are not there.

    Parameters
    ----------
    source
        A path, bytes, or an open binary file.
    sheet
        The sheet, by name or by position from 0.
    header
        True if the first row holds names even though some are numbers, False if it holds cells,
        or the names themselves for a sheet without any.
    missing
        Spellings of a missing cell, beside the empty one.
    kinds
        ``num``, ``sym`` or ``text`` by name, where the kind that is found is not the one meant.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from satsuma import Table, write
    >>> with TemporaryDirectory() as folder:
    ...     write(Table.of([(31, "yes")], ["age", "play"]), f"{folder}/days.xlsx")
    ...     open_excel(f"{folder}/days.xlsx").table()[0]
    Row(age=31, play='yes')
    """
    file = label(source)
    with open_bytes(source, unpack=False) as stream:
        rows, others = _values(stream, sheet, frozenset(missing or ()), file)
    names, rows = _names(rows, header, file)
    declared = orange_sheet(names, rows, kinds or {}, file) if header is None else None
    if declared is not None:
        found, notes = declared
    else:
        distinct, notes = distinct_names(names)
        kinds = check_kinds(kinds, distinct)
        found = [
            column_of(name, column_cells(rows, j), kinds.get(name), file)
            for j, name in enumerate(distinct)
        ]
    if others:
        notes = [*notes, _others_note(others)]
    return Opened.holding(as_kinds(found, kinds or {}), notes, file=file)


def _others_note(others: Sequence[str]) -> str:
    told = ", ".join(map(repr, others[:20])) + (" and others" if len(others) > 20 else "")
    return note("other sheets", sheets=told)


def _values(
    stream: BinaryIO, sheet: str | int, missing: frozenset[str], file: str
) -> tuple[_Rows, list[str]]:
    """The values of all cells, None where there is none; and the names of the other sheets."""
    if (plain := plain_rows(stream, sheet)) is not None:
        rows, others = plain
        if missing:
            rows = [
                [None if isinstance(each, str) and each in missing else each for each in row]
                for row in rows
            ]
    else:
        cells, others = _cells(stream, sheet, file, computed=False)
        if any(cell.data_type == "f" for row in cells for cell in row):
            cells, _ = _cells(stream, sheet, file, computed=True, formulas=cells)
        rows = [[_value(cell, missing, file) for cell in row] for row in cells]
    for row in rows:
        while row and row[-1] is None:
            row.pop()
    while rows and not rows[-1]:
        rows.pop()
    return rows, others


def _cells(
    stream: BinaryIO, sheet: str | int, file: str, *, computed: bool, formulas: _Rows | None = None
) -> tuple[_Rows, list[str]]:
    from xml.etree.ElementTree import ParseError
    from zipfile import BadZipFile

    stream.seek(0)
    try:
        book = openpyxl().load_workbook(stream, read_only=True, data_only=computed)
        page = _sheet(book, sheet, file)
        page.reset_dimensions()  # some writers get them wrong
        cells = [list(row) for row in page.iter_rows()]
    except SatsumaError:
        raise
    except (BadZipFile, KeyError, ValueError, OSError, ParseError) as error:
        raise ReadError(
            f"this is not an Excel workbook that can be read: {error}",
            file=file,
            remedy="Only .xlsx is read; open it in Excel or LibreOffice and save it as .xlsx.",
        ) from None
    others = [each.title for each in book.worksheets if each.title != page.title]
    for row, others in zip(cells, formulas or [], strict=False):
        for cell, formula in zip(row, others, strict=True):
            if formula.data_type == "f" and cell.value is None and cell.data_type != "str":
                raise ReadError(
                    f"cell {formula.coordinate} holds a formula whose value is not stored",
                    file=file,
                    remedy="Open the file in Excel or LibreOffice and save it.",
                )
    return cells, others


def _sheet(book: Any, sheet: str | int, file: str) -> Any:
    pages = {page.title: page for page in book.worksheets}
    if isinstance(sheet, str) and sheet in pages:
        return pages[sheet]
    if isinstance(sheet, int) and -len(pages) <= sheet < len(pages):
        return list(pages.values())[sheet]
    raise ReadError(f"there is no sheet {sheet!r}", file=file, remedy=hint(str(sheet), pages))


def _value(cell: Any, missing: frozenset[str], file: str) -> Any:
    value = cell.value
    if value is None or value == "" or (isinstance(value, str) and value in missing):
        return None
    if cell.data_type == "e":
        raise ReadError(
            f"cell {cell.coordinate} holds the error {value}",
            file=file,
            remedy=f"Mend it, or read such cells as missing with missing=[{value!r}].",
        )
    # Excel has no whole numbers apart from the others.
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _names(rows: _Rows, header: bool | Sequence[str] | None, file: str) -> tuple[list[str], _Rows]:
    width = max(map(len, rows), default=0)
    if isinstance(header, str) or (isinstance(header, Sequence) and len(header) < width):
        raise ParameterError(
            f"The 'header' parameter must be True, False, or a list of {width} names."
        )
    if isinstance(header, Sequence):
        return list(header), rows
    if not width:
        raise ReadError("the sheet is empty", file=file, remedy="Name another with sheet=.")
    if header is False:
        return [f"column_{at}" for at in range(1, width + 1)], rows
    first = next(at for at, row in enumerate(rows) if row)
    found = rows[first] + [None] * (width - len(rows[first]))
    odd = next((cell for cell in found if not isinstance(cell, str | None)), None)
    if odd is not None and header is None:
        raise ReadError(
            f"row {first + 1} looks like data rather than names: it holds {odd}",
            file=file,
            remedy="Pass header=False if there are no names, or header=True if these are names.",
        )
    return ["" if cell is None else spell(cell) for cell in found], rows[first + 1 :]
