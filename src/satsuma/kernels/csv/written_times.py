"""Times as people write them: dates, moments and clocks, by a pattern."""

import re
from dataclasses import dataclass
from functools import lru_cache

from satsuma.kernels.csv.written_numbers import BLANKS, digits

#: What a missing time is: the least of all whole numbers of 64 bits, numpy's NaT.
NO_TIME = -(2**63)

#: Nanoseconds of a second and of a day.
SECOND, DAY = 10**9, 86_400 * 10**9

#: Days from 1970-01-01 that nanoseconds of 64 bits can count, either way.
MOST_DAYS = 106_749

_ZONE = re.compile(r"Z|([+-])(\d\d)(?::?(\d\d))?", re.ASCII)
_ZONE_NAME = re.compile(r"[A-Z][\w+-]*(?:/[\w+-]+)*", re.ASCII)
_PATTERN = re.compile(r"(?:%(?:-?[dmHI]|[YyMSpzbB]|\d?f|\.f)|[^%\0])*")


#: Names of months, short and long, by language.
MONTHS = {
    "en": (
        "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
        "January February March April May June July August September October November December",
    ),
    "de": (
        "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez",
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    ),
    "fr": (
        "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    ),
    "es": (
        "ene feb mar abr may jun jul ago sep oct nov dic",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    ),
}


@dataclass(frozen=True)
class TimeFormat:
    """How the times of a column are written.

    Parameters
    ----------
    pattern
        With the directives of `strftime`: ``%Y %y %m %d %H %I %M %S %p %z``, ``%f`` for one to nine
        digits of a second, ``%.f`` for a point and such digits that may be left out, ``%b`` and
        ``%B`` for the name of the month. A ``-`` behind the percent sign, as in ``%-d``, says that
        no zero is written in front, a number as in ``%3f`` how many digits are: read alike.
    language
        Of the names of months: a key of `MONTHS`.
    zone
        Which clock ``%z`` is written by; each cell is read by its own. ``Z``, an offset such as
        ``+02:00``, or a name of the time zone database.

    Examples
    --------
    >>> read_time("03.04.2024", TimeFormat("%d.%m.%Y")) // DAY
    19816
    >>> read_time("31.04.2024", TimeFormat("%d.%m.%Y")) is None
    True
    """

    pattern: str
    language: str = "en"
    zone: str = "Z"

    def __post_init__(self) -> None:
        if not _PATTERN.fullmatch(self.pattern):
            raise ValueError(f"{self.pattern!r} is no pattern of a time")
        if self.language not in MONTHS:
            raise ValueError(f"{self.language!r} is no language of months")
        if not (_ZONE.fullmatch(self.zone) or _ZONE_NAME.fullmatch(self.zone)):
            raise ValueError(f"{self.zone!r} is no zone")


#: How many digits a directive takes, at least and at most.
_SIZES = {"Y": (4, 4), "y": (2, 2), "M": (2, 2), "S": (2, 2), "f": (1, 9)}
_FEW = (1, 2)

#: What is smallest and largest behind a directive.
_RANGES = {"m": (1, 12), "d": (1, 31), "H": (0, 23), "I": (1, 12), "M": (0, 59), "S": (0, 59)}


@lru_cache(maxsize=64)
def directives(pattern: str) -> tuple[str, ...]:
    """The directives and letters of a pattern: ``Y``, ``.f``; letters behind a blank.

    Examples
    --------
    >>> directives("%-d.%m")
    ('d', ' .', 'm')
    """
    found = list[str]()
    at = 0
    while at < len(pattern):
        if pattern[at] != "%":
            found.append(" " + pattern[at])
            at += 1
            continue
        at += 1
        while pattern[at] in "-0123456789":
            at += 1
        size = 2 if pattern[at] == "." else 1
        found.append(pattern[at : at + size])
        at += size
    return tuple(found)


def read_time(text: str, form: TimeFormat) -> int | None:
    """The nanoseconds since 1970-01-01 that a cell spells, or None.

    A time with a zone is told by the clock of Greenwich, one without by the clock on the wall, a
    time of day from midnight. What 64 bits cannot count is None, and so is a day that is in no
    calendar.
    """
    text = text.strip(BLANKS)
    at, seen = 0, dict[str, int]()
    for what in directives(form.pattern):
        if what[0] == " ":
            if text[at : at + 1] != what[1]:
                return None
            at += 1
        elif (found := _field(text, at, what, seen, form)) is None:
            return None
        else:
            at = found
    return _nanoseconds(seen) if at == len(text) else None


@lru_cache(maxsize=16)
def month_names(form: TimeFormat) -> tuple[str, ...]:
    """The names of the months in a format, in small letters (of the Latin alphabet alone)."""
    short, long = MONTHS[form.language]
    return tuple(_small(name) for name in (long if "%B" in form.pattern else short).split())


def month_title(form: TimeFormat, month: int) -> str:
    """The name of a month, from 1 on, as it is written."""
    short, long = MONTHS[form.language]
    return (long if "%B" in form.pattern else short).split()[month - 1]


def _small(text: str) -> str:
    return "".join(c.lower() if c.isascii() else c for c in text)


def _month(text: str, at: int, seen: dict[str, int], form: TimeFormat) -> int | None:
    rest = _small(text[at : at + 20])
    fitting = [
        (len(name), k) for k, name in enumerate(month_names(form), 1) if rest.startswith(name)
    ]
    if not fitting:
        return None
    size, seen["m"] = max(fitting)
    return at + size


def _field(text: str, at: int, what: str, seen: dict[str, int], form: TimeFormat) -> int | None:
    """Read one directive into `seen`; where it ends, or None where it is not there."""
    if what in ("b", "B"):
        return _month(text, at, seen, form)
    if what == "p":
        half = text[at : at + 2].upper()
        seen["p"] = 12 * (half == "PM")
        return at + 2 if half in ("AM", "PM") else None
    if what == "z":
        return _zone(text, at, seen)
    if what == ".f":
        if text[at : at + 1] not in (".", ","):
            return at
        at, what = at + 1, "f"
    least, most = _SIZES.get(what, _FEW)
    found = digits(text, at, most)
    if len(found) < least:
        return None
    seen[what] = int(found.ljust(9, "0") if what == "f" else found)
    low, high = _RANGES.get(what, (0, SECOND))
    return at + len(found) if low <= seen[what] <= high else None


def _zone(text: str, at: int, seen: dict[str, int]) -> int | None:
    if (found := _ZONE.match(text, at)) is None:
        return None
    hours, minutes = int(found[2] or 0), int(found[3] or 0)
    seen["z"] = (60 * hours + minutes) * (-1 if found[1] == "-" else 1)
    return found.end() if hours < 24 and minutes < 60 else None


def _nanoseconds(seen: dict[str, int]) -> int | None:
    year = seen.get("Y", 1970)
    if "y" in seen:
        year = seen["y"] + (1900 if seen["y"] > 68 else 2000)
    month, day = seen.get("m", 1), seen.get("d", 1)
    if day > _days_of_month(year, month):
        return None
    days = _days_since_1970(year, month, day)
    if abs(days) > MOST_DAYS:
        return None
    hour = seen["I"] % 12 + seen.get("p", 0) if "I" in seen else seen.get("H", 0)
    minutes = 60 * hour + seen.get("M", 0) - seen.get("z", 0)
    return days * DAY + (60 * minutes + seen.get("S", 0)) * SECOND + seen.get("f", 0)


def _days_of_month(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return (31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def _days_since_1970(year: int, month: int, day: int) -> int:
    """Days of the Gregorian calendar, by counting years from March."""
    year -= month <= 2
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return 365 * year + year // 4 - year // 100 + year // 400 + of_year - 719_468
