"""Numbers and times as people write them, read by the format of their column: defines written.h.

A format holds for a whole column; a cell that is not written so spells nothing.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

#: Blanks inside and around what people write: space, tab, and those that do not break a line.
BLANKS = " \t\u00a0\u202f"

#: What a missing time is: the least of all whole numbers of 64 bits, numpy's NaT.
NO_TIME = -(2**63)

#: Nanoseconds of a second and of a day.
SECOND, DAY = 10**9, 86_400 * 10**9

#: Days from 1970-01-01 that nanoseconds of 64 bits can count, either way.
MOST_DAYS = 106_749

_MINUS = "-\u2212"
_QUOTES = "'\u2019"
_WHOLE = 2**53
_ZONE = re.compile(r"Z|([+-])(\d\d)(?::?(\d\d))?", re.ASCII)
_ZONE_NAME = re.compile(r"[A-Z][\w+-]*(?:/[\w+-]+)*", re.ASCII)
_PATTERN = re.compile(r"(?:%(?:-?[dmHI]|[YyMSpzbB]|\d?f|\.f)|[^%\0])*")
_POWER = re.compile(r"[eE][+-]?\d+", re.ASCII)


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
class NumberFormat:
    """How the numbers of a column are written.

    Parameters
    ----------
    decimal
        What parts whole numbers from fractions: ``.`` or ``,``.
    thousands
        What parts groups of digits: ``,``, ``.``, a blank (for every sort of blank), ``'`` (for
        both apostrophes), or nothing. A number may also be written without it.
    before, after
        A currency or a unit, in every cell. A ``%`` makes shares of percents.

    Examples
    --------
    >>> read_number("$1,694.08", NumberFormat(thousands=",", before="$"))
    1694.08
    >>> read_number("(12,5 %)", NumberFormat(decimal=",", after="%"))
    -0.125
    """

    decimal: str = "."
    thousands: str = ""
    before: str = ""
    after: str = ""

    @property
    def percent(self) -> bool:
        """Whether 100 stand for 1."""
        return self.after == "%"


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


Format = NumberFormat | TimeFormat


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in BLANKS:
        at += 1
    return at


def _digits(text: str, at: int, most: int | None = None) -> str:
    """The digits at a place."""
    end = stop = len(text) if most is None else min(at + most, len(text))
    for end in range(at, stop + 1):
        if end == stop or text[end] not in "0123456789":
            break
    return text[at:end]


def _is_separator(mark: str, thousands: str) -> bool:
    same = BLANKS if thousands == " " else _QUOTES if thousands == "'" else thousands
    return bool(thousands) and mark in same and mark != "\t"


def _whole_part(text: str, at: int, thousands: str) -> tuple[str, int] | None:
    """The digits before the decimal mark, and where they end; None where groups are not right.

    Groups are of three digits, or of two with three in the last one, as in 12,34,567.
    """
    groups = [_digits(text, at)]
    at += len(groups[0])
    while (
        groups[0]
        and at + 1 < len(text)
        and _is_separator(text[at], thousands)
        and text[at + 1] in "0123456789"
    ):
        groups.append(_digits(text, at + 1))
        at += 1 + len(groups[-1])
    sizes = [len(group) for group in groups]
    if len(groups) > 1:
        pairs = thousands == "," and sizes[0] <= 2 and sizes[-1] == 3 and set(sizes[1:-1]) == {2}
        if not (pairs or (sizes[0] <= 3 and set(sizes[1:]) == {3})):
            return None
    return "".join(groups), at


def _bare_number(text: str, at: int, form: NumberFormat) -> tuple[float, int] | None:
    """The number at a place, without sign and currency, and where it ends."""
    start = at
    if (found := _whole_part(text, at, form.thousands)) is None:
        return None
    whole, at = found
    part, power = "", ""
    integer = True
    if at < len(text) and text[at] == form.decimal:
        part = _digits(text, at + 1)
        at += 1 + len(part)
        integer = False
    if not whole and not part:
        return None
    if match := _POWER.match(text, at):
        power, at, integer = match[0], match.end(), False
    grouped = at - start > len(whole) and form.thousands != " "
    dialled = text[start - 1 : start] == "+" and integer and not grouped and len(whole) >= 7
    over = integer and (len(whole) > 19 or int(whole) > _WHOLE)
    if dialled or over or (len(whole) > 1 and whole[0] == "0"):
        return None
    e = int(power[1:] or 0) - 2 * form.percent
    return float(f"{whole}.{part}e{e}"), at


class _Cell:
    """A cell that is read from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text.strip(BLANKS), 0
        self.signs, self.negative, self.open = 0, False, 0

    def take(self, what: str) -> bool:
        """Pass over some text and the blanks around it, if it is there."""
        at = _skip_blanks(self.text, self.at)
        if not what or not self.text.startswith(what, at):
            return not what
        self.at = at + len(what)
        return True

    def sign(self) -> None:
        """Pass over a sign, if there is one."""
        at = _skip_blanks(self.text, self.at)
        mark = self.text[at : at + 1]
        if mark and mark in "+" + _MINUS:
            self.at, self.signs = at + 1, self.signs + 1
            self.negative |= mark != "+"

    def trailing_minus(self) -> None:
        """Pass over a minus right here, if there is one."""
        if self.text[self.at : self.at + 1] in tuple(_MINUS):
            self.sign()

    def parenthesis(self, depth: int) -> None:
        """Pass over a parenthesis that opens, if there is one."""
        if not self.open and self.take("("):
            self.open = depth

    def closes(self, depth: int) -> bool:
        """Whether a parenthesis that was opened at a depth closes here."""
        return self.open != depth or self.take(")")


def read_number(text: str, form: NumberFormat) -> float | None:
    """The number that a cell spells, or None.

    Parentheses make a number negative, as does a minus before or behind it. Leading zeros, whole
    numbers beyond 2**53, and a plus with many digits, which is a telephone number, are names.
    """
    cell = _Cell(text)
    cell.parenthesis(1)
    cell.sign()
    if not cell.take(form.before):
        return None
    cell.parenthesis(2)
    cell.sign()
    cell.at = _skip_blanks(cell.text, cell.at)
    if (found := _bare_number(cell.text, cell.at, form)) is None:
        return None
    value, cell.at = found
    cell.trailing_minus()
    if not (cell.closes(2) and cell.take(form.after)):
        return None
    cell.trailing_minus()
    if not cell.closes(1) or cell.at < len(cell.text):
        return None
    if cell.signs > 1 or (cell.signs and cell.open) or value == float("inf"):
        return None
    return -value if cell.negative or cell.open else value


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
    digits = _digits(text, at, most)
    if len(digits) < least:
        return None
    seen[what] = int(digits.ljust(9, "0") if what == "f" else digits)
    low, high = _RANGES.get(what, (0, SECOND))
    return at + len(digits) if low <= seen[what] <= high else None


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


def read_cell(text: str, form: Format) -> float | int | None:
    """The number or the time that a cell spells, or None."""
    return read_number(text, form) if isinstance(form, NumberFormat) else read_time(text, form)
