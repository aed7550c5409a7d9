"""Columns of times: nanoseconds since 1970, shown and written as they were read."""

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from satsuma.data.recognition import recognise_time
from satsuma.kernels.csv import DAY, NO_TIME, TimeFormat, month_title, read_time
from satsuma.numerics.arrays import TIME, Array, Times

#: How times are written where nothing else is known: days, moments, moments of a zone, a clock.
DATE = TimeFormat("%Y-%m-%d")
MOMENT = TimeFormat("%Y-%m-%d %H:%M:%S")
ZONED = TimeFormat("%Y-%m-%d %H:%M:%S%z")
CLOCK = TimeFormat("%H:%M:%S")

_FIRST = dt.datetime(1970, 1, 1)  # noqa: DTZ001 - a clock on some wall
_DIRECTIVE = re.compile(r"%([-\d]*)(\.?[A-Za-z])")


def spell_times(column: Times, form: TimeFormat) -> Array:
    """The cells as strings; None where one is missing.

    Examples
    --------
    >>> column = np.array(["2024-04-03", "NaT"], TIME)
    >>> spell_times(column, TimeFormat("%-d.%-m.%y")).tolist()
    ['3.4.24', None]
    """
    values, places = np.unique(column.view(np.int64), return_inverse=True)
    spelled = np.empty(len(values), object)
    spelled[:] = [spell_time(value, form) for value in values.tolist()]
    return spelled[places]


def spell_time(value: int, form: TimeFormat) -> str | None:
    """Some nanoseconds since 1970 as a string; None for what is missing."""
    if value == NO_TIME:
        return None
    value += _offset(form) * 60 * 10**9 if is_zoned(form) else 0
    moment = _FIRST + dt.timedelta(microseconds=value // 1000)
    return _DIRECTIVE.sub(lambda found: _field(found, moment, value % 10**9, form), form.pattern)


def _field(found: re.Match[str], moment: dt.datetime, fraction: int, form: TimeFormat) -> str:
    flag, letter = found.groups()
    if letter == "z":
        return form.zone
    if letter in ("b", "B"):
        return month_title(form, moment.month)
    if letter == "f":
        return f"{fraction:09}"[: int(flag or 9)]
    if letter == ".f":
        return f".{fraction:09}".rstrip("0") if fraction else ""
    text = f"{moment.year:04}" if letter == "Y" else moment.strftime(f"%{letter}")
    return text.lstrip("0") or "0" if flag == "-" else text


def is_zoned(form: TimeFormat) -> bool:
    """Whether times are written with the zone of their clock."""
    return "%z" in form.pattern


def is_clock(form: TimeFormat) -> bool:
    """Whether only times of day are written.

    Examples
    --------
    >>> is_clock(CLOCK), is_clock(TimeFormat("%d %b"))
    (True, False)
    """
    return not any(letter in "YymdbBj" for _, letter in _DIRECTIVE.findall(form.pattern))


def local_times(column: Times, form: TimeFormat) -> Times:
    """The times by the clock on the wall: that of their zone, where they are written with one.

    Examples
    --------
    >>> east = TimeFormat("%Y-%m-%d %H:%M%z", zone="+02:00")
    >>> local_times(np.array(["2024-04-03T23:30"], TIME), east)
    array(['2024-04-04T01:30:00.000000000'], dtype='datetime64[ns]')
    """
    if not is_zoned(form):
        return column
    return column + np.timedelta64(_offset(form), "m")


def _offset(form: TimeFormat) -> int:
    """The minutes by which the clocks of a zone are ahead."""
    sign, digits = form.zone[0], re.sub(r"\D", "", form.zone)
    minutes = 60 * int(digits[:2] or 0) + int(digits[2:] or 0)
    return -minutes if sign == "-" else minutes


def time_column(
    cells: Sequence[object], form: TimeFormat | None = None
) -> tuple[TimeFormat, Times]:
    """A column from strings, or from what Python, numpy and pandas have for times.

    Raises `ValueError` with the cell that is no time.
    """
    strings = [cell for cell in cells if isinstance(cell, str)]
    if strings:
        form = form if form is not None and _all(strings, form) else _recognised(strings)
    values = np.fromiter((_nanoseconds(cell, form) for cell in cells), np.int64, len(cells))
    column = values.view(TIME)
    return form or plain_format(column, zoned=_are_zoned(cells), clock=_are_clocks(cells)), column


def _all(strings: Sequence[str], form: TimeFormat) -> bool:
    return all(read_time(cell, form) is not None for cell in strings if cell.strip())


def _recognised(strings: Sequence[str]) -> TimeFormat:
    found = recognise_time([cell for cell in strings if cell.strip()])
    if isinstance(found, TimeFormat):
        return found
    raise ValueError(next((each for each in strings if recognise_time([each]) is None), strings[0]))


def _are_clocks(cells: Sequence[object]) -> bool:
    return any(isinstance(cell, dt.time) for cell in cells)


def _are_zoned(cells: Sequence[object]) -> bool:
    """Whether all cells are moments by the clock of a zone."""
    known = [cell for cell in cells if cell is not None]
    return bool(known) and all(isinstance(c, dt.datetime) and c.tzinfo is not None for c in known)


def _nanoseconds(cell: object, form: TimeFormat | None) -> int:
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return NO_TIME
    if isinstance(cell, str):
        found = read_time(cell, cast("TimeFormat", form))
        if found is None:
            raise ValueError(cell)
        return found
    if isinstance(cell, dt.time):
        cell = dt.datetime.combine(_FIRST.date(), cell)
    if isinstance(cell, dt.datetime) and cell.tzinfo is not None:
        cell = cell.astimezone(dt.UTC).replace(tzinfo=None)
    if isinstance(cell, dt.date | np.datetime64):
        return int(np.datetime64(cast("Any", cell), "ns").astype(np.int64))
    if isinstance(cell, float) and np.isnan(cell):
        return NO_TIME
    raise ValueError(cell)


def plain_format(column: Times, *, zoned: bool = False, clock: bool = False) -> TimeFormat:
    """How times are written where nothing else is known: as short as they can be, by ISO 8601."""
    known = column[~np.isnat(column)].view(np.int64)
    if not (zoned or clock) and not (known % DAY).any():
        return DATE
    form = CLOCK if clock else ZONED if zoned else MOMENT
    digits = next((size for size in (0, 3, 6, 9) if not (known % 10 ** (9 - size)).any()), 9)
    more = f".%{digits}f" if digits else ""
    return replace(form, pattern=form.pattern.replace("%S", f"%S{more}"))
