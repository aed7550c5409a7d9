"""Writing: what the writers of all formats share."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO

import numpy as np

from satsuma.data.columns import WHOLE
from satsuma.data.table import Table
from satsuma.data.time_formats import spells
from satsuma.data.times import spell_times
from satsuma.data.variable import Variable
from satsuma.errors import WriteError
from satsuma.numerics.arrays import Array

#: Writes what is known to fit to an open file.
Put = Callable[[BinaryIO], None]

_BLOCK = 10_000


def number(value: float) -> str:
    """The shortest spelling that is read back as the same number.

    Examples
    --------
    >>> number(0.1), number(3.0), number(-0.0), number(1e300)
    ('0.1', '3', '-0.0', '1e+300')
    """
    spelled = repr(value)
    # Without its point, a whole number beyond 2**53 would be taken for a key, and -0 for 0.
    short = spelled.endswith(".0") and abs(value) < WHOLE and spelled != "-0.0"
    return spelled[:-2] if short else spelled


def blocks(
    table: Table,
    *,
    string: Callable[[str], str],
    missing: str,
    line: Callable[[Sequence[str]], str],
) -> Iterator[bytes]:
    """The rows of a table as UTF-8, some thousand at a time.

    Parameters
    ----------
    table
        What to write.
    string
        How a symbol or a text is spelled.
    missing
        How a missing cell is spelled.
    line
        A row of spelled cells as a line, its end included.
    """
    spellers = [_speller(variable, string, missing) for variable in table.domain]
    for start in range(0, len(table), _BLOCK):
        cells = [
            speller(_cells(variable, column[start : start + _BLOCK]))
            for speller, variable, column in zip(spellers, table.domain, table.columns, strict=True)
        ]
        yield "".join(map(line, zip(*cells, strict=True))).encode()


def _cells(variable: Variable, column: Array) -> list[Any]:
    if variable.kind == "time":
        column = spell_times(column, variable.time_format)
    return column.tolist()


def _speller(
    variable: Variable, string: Callable[[str], str], missing: str
) -> Callable[[list[Any]], list[str]]:
    if variable.kind == "num":
        return lambda cells: [number(cell) if cell == cell else missing for cell in cells]  # noqa: PLR0124
    if variable.kind in ("text", "time"):
        return lambda cells: [missing if cell is None else string(cell) for cell in cells]
    spelled = [*map(string, variable.values), missing]
    return lambda codes: [spelled[code] for code in codes]


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
            codes = np.unique(column[column >= 0]).tolist()
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
