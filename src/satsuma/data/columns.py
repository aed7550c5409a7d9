"""Columns: from cells of any sort to the four kinds, and from one kind to another."""

import math
import numbers
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from satsuma.data.times import are_times, spell_times, time_column
from satsuma.data.variable import KINDS, Kind, Variable
from satsuma.errors import DomainError
from satsuma.kernels.csv import TimeFormat
from satsuma.numerics.arrays import Array, Codes, Floats, Times

#: Strings longer than this on average, and mostly distinct, are text rather than symbols.
TEXT_LENGTH = 30

#: A number as it is written in a file.
_SPELLED = re.compile(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)

#: Whole numbers beyond this lose digits as floats, so they stay symbols.
WHOLE = 2**53

#: Types of cells that need no second look: numbers, and words.
_PLAIN = frozenset((int, float, type(None)))
_WORDS = frozenset((str, type(None)))


def is_text(values: Sequence[str], known: int) -> bool:
    """Whether strings are to be read rather than compared: long, and mostly distinct.

    Examples
    --------
    >>> is_text(["yes", "no"], known=100)
    False
    >>> is_text(["A long sentence that nobody will ever write again."], known=1)
    True
    """
    return 2 * len(values) > known and are_long(values)


def are_long(values: Sequence[str]) -> bool:
    """Whether strings are longer than names are, on average."""
    return sum(map(len, values)) > TEXT_LENGTH * len(values)


def spell(value: object) -> str:
    """How a value is written as a symbol: 7.0 as ``7``, everything else as Python prints it."""
    if isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral):
        real = float(value)
        if real.is_integer() and abs(real) < WHOLE:
            return str(int(real))
    return str(value)


def as_symbols(cells: Sequence[object]) -> Sequence[str | None]:
    """Cells as symbols are written; None where one is missing."""
    if set(map(type, cells)) <= _WORDS:
        return cast("Sequence[str | None]", cells)
    return [None if is_missing(cell) else spell(cell) for cell in cells]


def is_missing(cell: object) -> bool:
    """None, NaN in any dress, and pandas' NA and NaT are missing."""
    if cell is None:
        return True
    if isinstance(cell, np.datetime64 | np.timedelta64):
        return bool(np.isnat(cast("Any", cell)))
    if isinstance(cell, numbers.Real):
        # A whole number is never NaN, and may be too large to be asked.
        return not isinstance(cell, numbers.Integral) and math.isnan(cell)
    return type(cell).__name__ in ("NAType", "NaTType")


def encode(cells: Iterable[str | None], values: Sequence[str] = ()) -> tuple[Codes, list[str]]:
    """Codes of symbols: `values` keep their order, others follow as first seen.

    Examples
    --------
    >>> encode(["b", None, "a", "b"], ["a"])
    (array([ 1, -1,  0,  1], dtype=int32), ['a', 'b'])
    """
    at = {value: code for code, value in enumerate(values)}
    codes = [-1 if cell is None else at.setdefault(cell, len(at)) for cell in cells]
    return np.array(codes, np.int32), list(at)


def refuse_impossible(variable: Variable, column: Array) -> None:
    """Raise if a number is infinite or a code stands for no value, naming the row."""
    if variable.kind == "num":
        refuse_infinite(variable.name, column)
    elif variable.kind == "sym" and len(column):
        wrong = (column < -1) | (column >= len(variable.values))
        if wrong.any():
            row = int(wrong.argmax())
            raise DomainError(
                f"Column {variable.name!r} has {len(variable.values)} values, but row {row} holds "
                f"the code {column[row]}. Codes go from 0; -1 is missing."
            )


def refuse_infinite(name: str, column: Floats, first_row: int = 0) -> None:
    """Raise if a number is infinite, naming the row."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(column.sum()):
            return
    infinite = np.isinf(column)
    if infinite.any():
        row = int(infinite.argmax())
        raise DomainError(
            f"Column {name!r} holds {column[row]} in row {row + first_row}. Numbers must be "
            f"finite: replace it, or make it missing (None or NaN)."
        )


def check_kind(name: str, kind: str | None) -> None:
    """Raise unless the kind is one of the four, or is not given."""
    if kind is not None and kind not in KINDS:
        raise DomainError(
            f"The kind of column {name!r} must be one of {', '.join(KINDS)}. Got {kind!r} instead."
        )


def is_number(cell: object) -> bool:
    """Whether a cell is a number that a float can hold."""
    # numpy counts a span of time among the whole numbers; its unit would be lost.
    if isinstance(cell, bool | np.bool_ | np.timedelta64):
        return False
    if isinstance(cell, numbers.Integral):
        return abs(int(cell)) <= WHOLE
    # Decimal is a number too, but not a numbers.Real.
    return isinstance(cell, numbers.Real) or type(cell).__name__ == "Decimal"


def plain_numbers(cells: Sequence[object]) -> Floats | None:
    """Cells as floats where all are Python's own finite numbers, or None; else None.

    Examples
    --------
    >>> plain_numbers([1, None, 2.5]), plain_numbers([1, True]), plain_numbers([2**60])
    (array([1. , nan, 2.5]), None, None)
    """
    kinds = set(map(type, cells))
    if not kinds <= _PLAIN:
        return None
    try:
        column = np.array(cells, np.float64)
    except OverflowError:
        return None
    most = float(np.fmax.reduce(np.abs(column), initial=0.0))
    return column if most < WHOLE or (int not in kinds and most < np.inf) else None


def from_cells(
    name: str, cells: Iterable[object], kind: str | None = None, values: Sequence[str] = ()
) -> tuple[Variable, Array]:
    """A variable and its column from Python values; the kind is found unless given.

    Numbers (not booleans, and no whole number beyond 2**53) make a column ``num``, dates and times
    make it ``time`` unless they are too far from 1970; anything else makes it ``sym``, or ``text``
    where strings are long and mostly distinct.

    Examples
    --------
    >>> from_cells("age", [3, None, 4.5])
    (Variable(name='age', kind='num'), array([3. , nan, 4.5]))
    >>> from_cells("wind", ["weak", "strong"])[0].values
    ('weak', 'strong')
    """
    check_kind(name, kind)
    cells = list(cells)
    if kind in (None, "num") and not values and (column := plain_numbers(cells)) is not None:
        return Variable(name), column
    if kind is None and not values and all(is_missing(c) or is_number(c) for c in cells):
        kind = "num"
    if kind == "num":
        return Variable(name), _floats(name, cells)
    if kind == "time":
        return time_cells(name, cells)
    if kind is None and not values and (times := plain_times(cells)) is not None:
        form, column = times
        return Variable(name, "time", format=form), column
    strings = as_symbols(cells)
    if kind == "text":
        return Variable(name, "text"), _objects(strings)
    codes, found = encode(strings, values)
    if kind is None and not values and is_text(found, len(codes) - int((codes < 0).sum())):
        return Variable(name, "text"), _objects(strings)
    return Variable(name, "sym", tuple(found)), codes


def _objects(strings: Sequence[str | None]) -> Array:
    column = np.empty(len(strings), object)
    column[:] = strings
    return column


def plain_times(cells: Sequence[object]) -> tuple[TimeFormat, Times] | None:
    """Cells as times where all are dates and times of Python or numpy, of one sort; else None."""
    if not holds_times(cells):
        return None
    try:
        return time_column([None if is_missing(cell) else cell for cell in cells])
    except OverflowError:
        return None


def holds_times(cells: Sequence[object]) -> bool:
    """Whether all known cells are dates and times of one sort, however far from 1970."""
    if set(map(type, cells)) <= _PLAIN | _WORDS:
        return False
    return are_times([None if is_missing(cell) else cell for cell in cells])


def time_cells(
    name: str, cells: Sequence[object], form: TimeFormat | None = None
) -> tuple[Variable, Times]:
    """A variable and its column of times; strings in the format that is given, or another one."""
    try:
        form, column = time_column([None if is_missing(cell) else cell for cell in cells], form)
    except (ValueError, OverflowError) as error:
        raise DomainError(
            f"Column {name!r} was to hold times, but {error} is no time, or may be two. Write it "
            f"as 2024-12-31, or use kinds={{{name!r}: 'sym'}}."
        ) from None
    return Variable(name, "time", format=form), column


def _floats(name: str, cells: Sequence[object]) -> Floats:
    column = np.full(len(cells), np.nan)
    for row, cell in enumerate(cells):
        if not is_missing(cell):
            try:
                column[row] = _float(cell)
            except (TypeError, ValueError, OverflowError):
                raise DomainError(
                    f"Column {name!r} was to hold numbers, but row {row} holds {cell!r}. "
                    f"Use kinds={{{name!r}: 'sym'}}, or make that cell missing."
                ) from None
    refuse_infinite(name, column)
    return column


def _float(cell: object) -> float:
    # Python's float also takes "1_000", "nan", "infinity" and the digits of every script.
    if isinstance(cell, str) and not _SPELLED.fullmatch(cell):
        raise ValueError(cell)
    return float(cast("Any", cell))


def readable(variable: Variable, column: Array) -> Array:
    """The cells as a person would write them: floats, times, or strings with None for missing."""
    if variable.kind != "sym":
        return column
    spelled = np.empty(len(variable.values) + 1, object)
    spelled[:-1] = variable.values
    return spelled[column]  # a code of -1 finds the None at the end


def convert(variable: Variable, column: Array, kind: str) -> tuple[Variable, Array]:
    """The same column as another kind; numbers are spelled, spelled numbers are read.

    Examples
    --------
    >>> convert(Variable("zip"), np.array([7.0, np.nan]), "sym")
    (Variable(name='zip', kind='sym', values=('7',)), array([ 0, -1], dtype=int32))
    """
    check_kind(variable.name, kind)
    if kind == variable.kind:
        return variable, column
    cells = readable(variable, column)
    if variable.kind == "time":
        cells = spell_times(cells, variable.time_format)
    made, converted = from_cells(variable.name, cells, kind)
    return replace(made, kind=cast("Kind", kind), role=variable.role, goal=variable.goal), converted


def remap(codes: Codes, old: Sequence[str], code: Callable[[str], int]) -> Codes:
    """Codes into another list of values; `code` says where each old value stands in it."""
    table = np.array([*(code(value) for value in old), -1], np.int32)
    return table[codes]
