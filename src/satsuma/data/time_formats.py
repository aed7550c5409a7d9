"""Time formats: the plain ones, what a format says of its times, and what it leaves out."""

import re
from dataclasses import replace

import numpy as np

from satsuma.kernels.csv import DAY, MOST_DAYS, SECOND, TimeFormat, directives
from satsuma.numerics.arrays import Times

#: How times are written where nothing else is known: days, moments, moments of a zone, a clock.
DATE = TimeFormat("%Y-%m-%d")
MOMENT = TimeFormat("%Y-%m-%d %H:%M:%S")
ZONED = TimeFormat("%Y-%m-%d %H:%M:%S%z")
CLOCK = TimeFormat("%H:%M:%S")


def plain_format(column: Times, *, zoned: bool = False, clock: bool = False) -> TimeFormat:
    """How times are written where nothing else is known: as short as they can be, by ISO 8601."""
    known = column[~np.isnat(column)].view(np.int64)
    if not (zoned or clock) and not (known % DAY).any():
        return DATE
    form = CLOCK if clock else ZONED if zoned else MOMENT
    digits = next((size for size in (0, 3, 6, 9) if not (known % 10 ** (9 - size)).any()), 9)
    more = f".%{digits}f" if digits else ""
    return replace(form, pattern=form.pattern.replace("%S", f"%S{more}"))


def has_clock(form: TimeFormat) -> bool:
    """Whether times are written with their hour."""
    return "H" in directives(form.pattern) or "I" in directives(form.pattern)


def has_day(form: TimeFormat) -> bool:
    """Whether times are written with their year."""
    return "Y" in directives(form.pattern) or "y" in directives(form.pattern)


def has_zone(form: TimeFormat) -> bool:
    """Whether times are written with the zone of their clock."""
    return "z" in directives(form.pattern)


def spells(form: TimeFormat, column: Times) -> bool:
    """Whether a format writes all that there is to say about some times.

    Examples
    --------
    >>> column = np.array(["2024-04-03T12:30"], "datetime64[ns]")
    >>> spells(MOMENT, column), spells(DATE, column)
    (True, False)
    """
    known = column[~np.isnat(column)]
    values = known.view(np.int64)
    if not len(known):
        return True
    low, high = int(values.min()), int(values.max())
    parts = directives(form.pattern)
    if not has_day(form):
        whole = low >= 0 and high < DAY
    elif "y" in parts:
        years = known.astype("datetime64[Y]").view(np.int64)
        whole = int(years.min()) >= -1 and int(years.max()) < 99
    else:
        whole = max(-low, high) <= MOST_DAYS * DAY
    if not has_clock(form) and "d" not in parts:
        unit = "datetime64[M]" if {"m", "b", "B"} & {*parts} else "datetime64[Y]"
        return bool(whole and (known.astype(unit) == known).all())
    return whole and not (values % _grain(form)).any()


def _grain(form: TimeFormat) -> int:
    """The nanoseconds between two times that are written one after the other."""
    parts = directives(form.pattern)
    if not has_clock(form):
        return DAY
    if "S" not in parts:
        return 60 * SECOND if "M" in parts else 3600 * SECOND
    if ".f" in parts:
        return 1
    found = re.search(r"%(\d?)f", form.pattern)
    return 10 ** (9 - int(found[1] or 9)) if found else SECOND
