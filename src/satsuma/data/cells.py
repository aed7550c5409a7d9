"""Cells: Python values of any sort, checked and spelled before they become columns."""

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from satsuma.data.columns import convert, from_cells, holds_times, is_missing, plain_times
from satsuma.data.notes import note
from satsuma.data.variable import KINDS, Variable
from satsuma.errors import DomainError, NoSuchColumn, ReadError
from satsuma.numerics.arrays import Array

_PLAIN = {int, float, str, bool, type(None)}
_DATES = (dt.date, dt.time, dt.timedelta, np.datetime64, np.timedelta64)
_LENGTHS = (dt.timedelta, np.timedelta64)
_NESTED = (Mapping, list, tuple, set, frozenset, np.ndarray)
_BOOLEANS = {bool, np.bool_}


class Found(NamedTuple):
    """A column as it was found, with what is to be said about it.

    Its kind is `sure` where somebody asked for it, or declared it where the column is from.
    """

    variable: Variable
    column: Array
    notes: tuple[str, ...] = ()
    sure: bool = False

    def turned(self, kind: str | None) -> "Found":
        """The same column as another kind, if one is asked for."""
        if kind is None:
            return self
        return Found(*convert(self.variable, self.column, kind), self.notes, sure=True)


def check_kinds(kinds: Mapping[str, str] | None, names: Sequence[str]) -> Mapping[str, str]:
    """The kinds asked for, once it is sure that there are such columns and such kinds.

    Examples
    --------
    >>> check_kinds({"a": "sym"}, ["a", "b"])
    {'a': 'sym'}
    """
    for name, kind in (kinds or {}).items():
        if name not in names:
            raise NoSuchColumn(name, names)
        if kind not in KINDS:
            raise DomainError(
                f"The kind of column {name!r} must be one of {', '.join(KINDS)}. "
                f"Got {kind!r} instead."
            )
    return kinds or {}


def column_of(name: str, cells: Sequence[object], kind: str | None = None, file: str = "") -> Found:
    """A column from Python values: booleans are listed, nested values refused.

    Lengths of time are numbers of seconds; dates and times of several sorts are spelled.

    Examples
    --------
    >>> column_of("ok", [True, None]).variable.values
    ('False', 'True')
    >>> column_of("day", [dt.date(2024, 2, 29)]).variable.time_format.pattern
    '%Y-%m-%d'
    """
    notes: list[str] = []
    types = set(map(type, cells))
    if types - _PLAIN:
        cells = [None if is_missing(cell) else cell for cell in cells]
        _refuse_nested(name, cells, file)
        cells, notes = _timed(name, cells, kind)
        types = set(map(type, cells))
    types.discard(type(None))
    if kind is None and types and types <= _BOOLEANS:
        return Found(*from_cells(name, cells, values=("False", "True")), tuple(notes))
    if kind is None and _mixed(types):
        notes.append(note("numbers and words", name=name))
    return Found(*from_cells(name, cells, kind), tuple(notes))


def _timed(name: str, cells: list[Any], kind: str | None) -> tuple[list[Any], list[str]]:
    """Cells with seconds for lengths of time, and strings for what is no column of times."""
    known = [cell for cell in cells if cell is not None]
    if kind == "time" or not any(isinstance(cell, _DATES) for cell in known):
        return cells, []
    if all(isinstance(cell, _LENGTHS) for cell in known):
        told = note("lengths of time", name=name)
        return [None if c is None else _seconds(c) for c in cells], [told]
    if kind is None and plain_times(cells) is not None:
        return cells, []
    code = "far times" if holds_times(cells) else "dates of several sorts"
    spelled = [iso(cell) if isinstance(cell, _DATES) else cell for cell in cells]
    return spelled, [note(code, name=name)] if kind is None else []


def _seconds(cell: Any) -> float:
    if isinstance(cell, np.timedelta64):
        return float(cell.astype("timedelta64[ns]").astype(np.int64)) / 10**9
    return cell.total_seconds()


def as_kinds(found: Iterable[Found], kinds: Mapping[str, str]) -> list[Found]:
    """Columns as they were found, turned into the kinds that are asked for."""
    return [each.turned(kinds.get(each.variable.name)) for each in found]


def _mixed(types: Iterable[type]) -> bool:
    words = {issubclass(each, str) for each in types}
    return len(words) == 2


def _refuse_nested(name: str, cells: Iterable[object], file: str) -> None:
    for row, cell in enumerate(cells):
        if isinstance(cell, _NESTED):
            what, remedy = "a nested value", "Flatten it, or leave the column out."
        elif isinstance(cell, bytes | bytearray | memoryview):
            what, remedy = "bytes", "Decode them to text, or leave the column out."
        else:
            continue
        raise ReadError(f"column {name!r} holds {what} in row {row}", file=file, remedy=remedy)


def iso(cell: Any) -> str | None:
    """A date, time or duration as ISO 8601 spells it; NumPy's NaT is None.

    Examples
    --------
    >>> iso(dt.datetime(2024, 2, 29, 12, 30, 0, 500000))
    '2024-02-29T12:30:00.5'
    >>> iso(dt.timedelta(minutes=-1.5))
    '-PT90S'
    """
    if cell != cell:  # noqa: PLR0124 - NaT, like NaN, differs from itself
        return None
    if isinstance(cell, np.timedelta64):
        return duration(int(cell.astype("timedelta64[ns]").astype(np.int64)), 10**9)
    if isinstance(cell, dt.timedelta):
        ticks = 1000 * (cell // dt.timedelta(microseconds=1))
        return duration(ticks + getattr(cell, "nanoseconds", 0), 10**9)  # pandas has those too
    if isinstance(cell, dt.date | dt.time):
        return trim(cell.isoformat())
    return trim(str(cell))


def duration(ticks: int, per_second: int) -> str:
    """A length of time in seconds, as ISO 8601 spells it.

    Examples
    --------
    >>> duration(90_500, 1000)
    'PT90.5S'
    """
    seconds, rest = divmod(abs(ticks), per_second)
    fraction = f".{rest:0{len(str(per_second)) - 1}}".rstrip("0") if rest else ""
    return f"{'-' if ticks < 0 else ''}PT{seconds}{fraction}S"


def trim(moment: str) -> str:
    """A moment without the zeros that end its fraction of a second.

    Examples
    --------
    >>> trim("12:30:00.500000+02:00"), trim("12:30:00.000")
    ('12:30:00.5+02:00', '12:30:00')
    """
    return re.sub(r"(\.\d*?)0+(?!\d)", lambda m: m[1].rstrip("."), moment)
