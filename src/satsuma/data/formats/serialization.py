"""Writing: what the writers of all formats share."""

from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

import numpy as np

from satsuma.data.table import Table
from satsuma.data.time_formats import spells
from satsuma.data.times import spell_times
from satsuma.data.variable import Variable
from satsuma.errors import WriteError
from satsuma.kernels.spelling import Column, Room, Spelled, lines
from satsuma.kernels.threads import map_tiles
from satsuma.numerics.arrays import Array

#: Writes what is known to fit to an open file.
Put = Callable[[BinaryIO], None]

#: Rows that a thread spells at a time, and as many times as that before they are written.
_BLOCK, _BLOCKS = 2_500, 8


def write_rows(
    stream: BinaryIO,
    table: Table,
    *,
    string: Callable[[str], str],
    missing: str,
    before: Sequence[str],
    end: str = "\n",
) -> None:
    """Write the rows of a table as UTF-8, some thousand at a time.

    Parameters
    ----------
    stream
        Where to.
    table
        What to write.
    string
        How a symbol or a text is spelled.
    missing
        How a missing cell is spelled.
    before
        What stands before each cell of a row.
    end
        What stands behind the last one.
    """
    columns = list(zip(table.domain, table.columns, strict=True))
    known = [_symbols(variable, column, string, missing) for variable, column in columns]
    starts, rooms = [each.encode() for each in before], [Room() for _ in range(_BLOCKS)]

    def block(low: int, high: int) -> memoryview:
        cells = [
            _cells(variable, column[low:high], string, missing)
            if symbols is None
            else symbols._replace(codes=symbols.codes[low:high])
            for symbols, (variable, column) in zip(known, columns, strict=True)
        ]
        room = rooms[low // _BLOCK % _BLOCKS]
        return lines(cells, starts, end.encode(), missing.encode(), room)

    for start in range(0, len(table), _BLOCK * _BLOCKS):
        rows = min(_BLOCK * _BLOCKS, len(table) - start)
        stream.writelines(
            map_tiles(lambda low, high, at=start: block(at + low, at + high), rows, _BLOCK)
        )


def _symbols(
    variable: Variable, column: Array, string: Callable[[str], str], missing: str
) -> Spelled | None:
    """A column of symbols, of which each is spelled once."""
    if variable.kind != "sym":
        return None
    return Spelled.of(column, [*map(string, variable.values), missing])


def _cells(variable: Variable, column: Array, string: Callable[[str], str], missing: str) -> Column:
    if variable.kind == "num":
        return column
    if variable.kind == "time":
        column = spell_times(column, variable.time_format)
    each = [missing if cell is None else string(cell) for cell in column.tolist()]
    return Spelled.of(np.arange(len(each), dtype=np.int32), [*each, missing])


def strings(table: Table, *, unused: bool = True) -> Iterator[tuple[str, str]]:
    """Every distinct symbol and text of a table, with the name of its column.

    Parameters
    ----------
    table
        Where to look.
    unused
        Whether values that no row has are looked at too.
    """
    for variable, column in zip(table.domain, table.columns, strict=True):
        if variable.kind == "text":
            yield from ((variable.name, cell) for cell in {*column.tolist()} - {None})
        elif unused:
            yield from ((variable.name, value) for value in variable.values)
        elif variable.kind == "sym":
            codes = np.flatnonzero(np.bincount(column[column >= 0])).tolist()
            yield from ((variable.name, variable.values[code]) for code in codes)


def cannot_hold(form: str, name: str, value: object, why: str, remedy: str = "") -> WriteError:
    """The error for a value that a format cannot hold."""
    remedy = remedy or "Replace it, or write to .parquet, which holds it."
    return WriteError(f"{form} cannot hold {value!r} in column {name!r}: {why}. {remedy}")


def check_unicode(table: Table, form: str) -> None:
    """Raise if a name or a string cannot be encoded."""
    names = ((name, name) for name in table.domain.names)
    for name, value in (*names, *strings(table)):
        try:
            value.encode()
        except UnicodeEncodeError:
            why = "it is not valid Unicode text"
            raise cannot_hold(form, name, value, why, "Replace the lone surrogate in it.") from None


def check_times(table: Table, form: str) -> None:
    """Raise if the format of a column does not write all that there is to its times."""
    for variable, column in zip(table.domain, table.columns, strict=True):
        if variable.kind == "time" and not spells(variable.time_format, column):
            raise WriteError(
                f"{form} cannot hold column {variable.name!r}: its format "
                f"{variable.time_format.pattern!r} leaves out what its times hold. Write to "
                f".parquet, which holds them."
            )


def check_columns(table: Table, form: str) -> None:
    """Raise if there is no column at all."""
    if not len(table.domain):
        raise WriteError(f"{form} cannot hold a table without columns. Write it to .parquet.")
