"""Columns of times: nanoseconds since 1970, shown and written as they were read."""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast

import numpy as np

from satsuma.data.readings import SAMPLE
from satsuma.data.time_formats import has_zone, plain_format
from satsuma.data.time_recognition import recognise_time
from satsuma.data.zones import offset_minutes, spell_offset, zone_of_clock
from satsuma.kernels.csv import (
    DAY,
    MOST_DAYS,
    NO_TIME,
    SECOND,
    Dialect,
    TimeFormat,
    month_title,
    read_time,
    scan,
)
from satsuma.kernels.csv import TIME as SCANNED
from satsuma.numerics.arrays import TIME, Array, Integers, Times

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
    moment = _FIRST + dt.timedelta(microseconds=value // 1000)
    ahead = offset_minutes(form.zone, moment) if "%z" in form.pattern else 0
    moment += dt.timedelta(minutes=ahead)

    def field(found: re.Match[str]) -> str:
        if found[2] == "z":
            return spell_offset(form.zone, ahead)
        return _field(found, moment, value % SECOND, form)

    return _DIRECTIVE.sub(field, form.pattern)


def _field(found: re.Match[str], moment: dt.datetime, fraction: int, form: TimeFormat) -> str:
    flag, letter = found.groups()
    if letter in ("b", "B"):
        return month_title(form, moment.month)
    if letter == "f":
        return f"{fraction:09}"[: int(flag or 9)]
    if letter == ".f":
        return f".{fraction:09}".rstrip("0") if fraction else ""
    text = f"{moment.year:04}" if letter == "Y" else moment.strftime(f"%{letter}")
    return text.lstrip("0") or "0" if flag == "-" else text


def local_times(column: Times, form: TimeFormat) -> Times:
    """The times by the clock on the wall: that of their zone, where they are written with one.

    Examples
    --------
    >>> east = TimeFormat("%Y-%m-%d %H:%M%z", zone="Europe/Ljubljana")
    >>> local_times(np.array(["2024-04-03T23:30"], TIME), east)
    array(['2024-04-04T01:30:00.000000000'], dtype='datetime64[ns]')
    """
    if not has_zone(form) or form.zone == "Z":
        return column
    # Clocks are changed rarely: days on which they are not need to be asked about but once.
    values = column.view(np.int64)
    days, at = np.unique(values // DAY, return_inverse=True)
    ahead = _minutes_ahead(days * DAY, form)
    minutes = ahead[at]
    changed = (ahead != _minutes_ahead((days + 1) * DAY, form))[at]
    minutes[changed] = _minutes_ahead(values[changed], form)
    return column + (minutes * 60 * SECOND).astype("m8[ns]")


def _minutes_ahead(moments: Integers, form: TimeFormat) -> Integers:
    most = MOST_DAYS * DAY

    def minutes(value: int) -> int:
        known = max(-most, min(value, most))  # what is missing stays missing anyway
        return offset_minutes(form.zone, _FIRST + dt.timedelta(microseconds=known // 1000))

    return np.array([minutes(value) for value in moments.tolist()], np.int64)


def time_column(
    cells: Sequence[object], form: TimeFormat | None = None
) -> tuple[TimeFormat, Times]:
    """A column from strings, or from what Python, numpy and pandas have for times.

    Raises `ValueError` with the cell that is no time, `OverflowError` with one that nanoseconds
    of 64 bits cannot count.
    """
    strings = list(dict.fromkeys(each for each in cells if isinstance(each, str)))
    known = dict[str, int]()
    if strings:
        form, times = read_strings(strings, form)
        known = dict(zip(strings, times.view(np.int64).tolist(), strict=True))
    values = np.fromiter((_nanoseconds(cell, known) for cell in cells), np.int64, len(cells))
    own = form if strings and form else _cells_format(cells, values.view(TIME))
    same = form is not None and has_zone(form) == has_zone(own)
    return form if form and same else own, values.view(TIME)


def read_strings(
    strings: Sequence[str], form: TimeFormat | None = None
) -> tuple[TimeFormat, Times]:
    """Strings, all of them different, as times: in a format if all fit it, else in another one.

    Raises `ValueError` with a string that is no time, or may be two.
    """
    for each in (form, sure_format(strings[:SAMPLE])):
        if each is not None:
            with suppress(ValueError):
                return each, read_times(strings, each)
    if (found := sure_format(strings)) is not None:
        return found, read_times(strings, found)
    wrong = (each for each in strings if each.strip() and recognise_time([each]) is None)
    raise ValueError(next(wrong, strings[0]))


def sure_format(strings: Sequence[str]) -> TimeFormat | None:
    """The one format that all strings have but for blank ones; None where there is not just one.

    Examples
    --------
    >>> sure_format(["13.4.2024", ""])
    TimeFormat(pattern='%d.%-m.%Y', language='en', zone='Z')
    >>> sure_format(["3/4/2024"]) is None
    True
    """
    found = recognise_time([each for each in strings if each.strip()])
    return found if isinstance(found, TimeFormat) else None


def read_times(strings: Sequence[str], form: TimeFormat) -> Times:
    """Strings as times, all in one format; blank ones are missing.

    Raises `ValueError` with the first one that has it not.

    Examples
    --------
    >>> read_times(["3.4.24", ""], TimeFormat("%-d.%-m.%y")).astype("M8[D]").tolist()
    [datetime.date(2024, 4, 3), None]
    """
    known = [each for each in strings if each.strip()]
    # The scanner of delimited text reads them, as a file of one column.
    text = "\n".join(known).encode("utf-8", "replace")
    dialect = Dialect(1, delimiter="\x1f", quote=None, missing=(), formats={0: form})
    found = scan(text, dialect, np.array([SCANNED], np.int8))
    column = found.columns[0]
    if column is None or found.rows != len(known):
        raise ValueError(next(each for each in known if read_time(each, form) is None))
    if len(known) == len(strings):
        return column.view(TIME)
    times = np.full(len(strings), NO_TIME)
    times[[bool(each.strip()) for each in strings]] = column
    return times.view(TIME)


def _cells_format(cells: Sequence[object], column: Times) -> TimeFormat:
    clock = any(isinstance(cell, dt.time) for cell in cells)
    moments = [cell for cell in cells if isinstance(cell, dt.datetime)]
    zoned = [cell for cell in moments if cell.tzinfo is not None]
    form = plain_format(column, zoned=bool(zoned), clock=clock)
    zones = {zone_of_clock(cell.tzinfo) for cell in zoned}
    return replace(form, zone=zones.pop()) if len(zones) == 1 else form


def are_times(cells: Sequence[object]) -> bool:
    """Whether all known cells are dates and moments, be it with or without a zone, or clocks.

    Examples
    --------
    >>> are_times([dt.date(2024, 2, 29), None]), are_times([dt.date(2024, 2, 29), dt.time(12)])
    (True, False)
    """
    sorts = {_sort(cell) for cell in cells if cell is not None}
    return len(sorts) == 1 and "" not in sorts


def _sort(cell: object) -> str:
    if isinstance(cell, dt.datetime):
        return "zoned" if cell.tzinfo is not None else "moment"
    if isinstance(cell, dt.date | np.datetime64):
        return "moment"
    return "clock" if isinstance(cell, dt.time) and cell.tzinfo is None else ""


def _nanoseconds(cell: object, known: Mapping[str, int]) -> int:
    if cell is None:
        return NO_TIME
    if isinstance(cell, str):
        return known.get(cell, NO_TIME)
    if isinstance(cell, dt.time):
        return _since_1970(dt.datetime.combine(_FIRST, cell))
    if isinstance(cell, dt.datetime):
        return _since_1970(cell if cell.tzinfo is None else cell.astimezone(dt.UTC))
    if isinstance(cell, dt.date):
        return _since_1970(dt.datetime.combine(cell, dt.time()))
    if isinstance(cell, np.datetime64):
        return int(exact_times(np.array([cast("Any", cell)])).view(np.int64)[0])
    if isinstance(cell, float) and np.isnan(cell):
        return NO_TIME
    raise ValueError(cell)


def _since_1970(cell: dt.datetime) -> int:
    since = dt.datetime.combine(cell.date(), cell.time()) - _FIRST
    if abs(since.days) > MOST_DAYS:
        raise OverflowError(cell)
    # A moment of pandas has nanoseconds beside the microseconds of Python.
    return since // dt.timedelta(microseconds=1) * 1000 + getattr(cell, "nanosecond", 0)


def exact_times(column: Array) -> Times:
    """Times of numpy in nanoseconds; the same memory where they are.

    Raises `OverflowError` with the first one that 64 bits cannot count.
    """
    if column.dtype == TIME:
        return column
    days = column.astype("datetime64[D]").view(np.int64)
    years = column.astype("datetime64[Y]").view(np.int64)  # of which no unit has too many
    wrong = ((np.abs(days) > MOST_DAYS) | (np.abs(years) > 300)) & ~np.isnat(column)
    if wrong.any():
        raise OverflowError(column[int(wrong.argmax())])
    return column.astype(TIME)
