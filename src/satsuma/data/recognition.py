"""Recognition: how people wrote the numbers and times of a column, told by all of its strings.

Nothing is told by one cell alone: a format holds for every string of a column, or it is none.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from satsuma.data.format_evidence import CURRENCIES, UNITS, is_weak
from satsuma.data.missing_marks import NUMBER_MISSING
from satsuma.data.readings import readings
from satsuma.kernels.csv import (
    BLANKS,
    MONTHS,
    Format,
    NumberFormat,
    TimeFormat,
)
from satsuma.numerics.arrays import Array

#: Decimal mark and separator of thousands, the plainest first.
CONVENTIONS = (
    (".", ""),
    (".", ","),
    (",", ""),
    (",", "."),
    (",", " "),
    (".", " "),
    (".", "'"),
    (",", "'"),
)

#: Strings that are looked at to find what a format could be; all of them are read to confirm it.
SAMPLE = 1000

_B = f"[{BLANKS}]*"
_SIGN = r"[+\-\u2212]?"
_AFFIX = r"[^\d+\-\u2212().,'\u2019" + BLANKS + r"][^\d+\-\u2212()" + BLANKS + r"]{0,7}"
_CELL = re.compile(
    rf"{_B}\(?{_B}{_SIGN}{_B}(?P<before>{_AFFIX})?{_B}\(?{_B}{_SIGN}{_B}"
    rf"(?:\d[\d.,'\u2019{BLANKS}]*\d|\d[.,]?|[.,]\d+)(?:[eE][+-]?\d+)?"
    rf"[-\u2212]?\)?{_B}(?P<after>{_AFFIX})?[-\u2212]?\)?{_B}",
    re.ASCII,
)

F = TypeVar("F", bound=Format)


@dataclass(frozen=True)
class Doubt:
    """Several formats that all strings fit, and that make different things of them.

    Or a single one, where strings that are neither numbers nor times may look the same.
    """

    formats: tuple[Format, ...]


@dataclass(frozen=True)
class Hints:
    """What is known of a file beside the column, where one column alone leaves it open.

    Parameters
    ----------
    decimal
        The decimal mark of its numbers.
    dates
        The order of day, month and year where it is open: ``dmy``, ``mdy`` or ``ymd``.
    missing
        Spellings of a missing cell, which tell nothing.
    fallback
        The decimal mark where nothing tells it.
    """

    decimal: str | None = None
    dates: str | None = None
    missing: tuple[str, ...] = NUMBER_MISSING
    fallback: str | None = None


def recognise(values: Iterable[str], hints: Hints | None = None) -> Format | Doubt | None:
    """How all strings of a column are written, what is in doubt, or None for just strings.

    Examples
    --------
    >>> recognise(["$1,694.08", "$12.50", "-"])
    NumberFormat(decimal='.', thousands=',', before='$', after='')
    >>> recognise(["03.04.2024", "13.04.2024"])
    TimeFormat(pattern='%d.%m.%Y', language='en', zone='Z')
    >>> recognise(["03/04/2024", "05/04/2024"])  # doctest: +ELLIPSIS
    Doubt(formats=(TimeFormat(pattern='%d/%m/%Y', ...), TimeFormat(pattern='%m/%d/%Y', ...)))
    >>> recognise(["1:10", "1:25"])  # doctest: +ELLIPSIS
    Doubt(formats=(TimeFormat(pattern='%-H:%M', ...),))
    >>> recognise(["3 apples", "red"]) is None
    True
    """
    hints = hints or Hints()
    missing = {"", *hints.missing}
    known = [value for value in dict.fromkeys(values) if value.strip(BLANKS) not in missing]
    if not known:
        return None
    found = recognise_number(known, hints.decimal) or recognise_time(known, hints.dates)
    if found is None or isinstance(found, Doubt) or not is_weak(found, known):
        return found
    said = hints.dates is not None and date_order(found) is not None
    return found if said else Doubt((found,))


def recognise_columns(
    columns: Mapping[str, Collection[str]],
    hints: Hints | None = None,
    likely: Hints | None = None,
) -> tuple[dict[str, Format | Doubt], Hints]:
    """How each column is written, and what all of them tell about the file.

    One that leaves it open follows the others, if these agree.

    Parameters
    ----------
    columns
        The strings of each.
    hints
        What is known for certain.
    likely
        What other columns of the file tell.
    """
    hints, likely = hints or Hints(), likely or Hints()
    found = {name: form for name, values in columns.items() if (form := recognise(values, hints))}
    sure = {name: form for name, form in found.items() if not isinstance(form, Doubt)}
    decimals = {likely.decimal, *(decimal_of(form, columns[name]) for name, form in sure.items())}
    orders = {likely.dates, *map(date_order, sure.values())}
    told = Hints(
        decimal=hints.decimal or _only(decimals),
        dates=hints.dates or _only(orders),
        missing=hints.missing,
        fallback=hints.fallback if decimals == {None} else None,
    )
    settled = {
        name: _followed(form, told, hints, columns[name]) if isinstance(form, Doubt) else form
        for name, form in found.items()
    }
    return settled, told


def _followed(doubt: Doubt, told: Hints, said: Hints, values: Collection[str]) -> Format | Doubt:
    """What other columns make of a doubt, unless the strings may as well be something else."""
    form = settle_doubt(doubt, told)
    weak = not isinstance(form, Doubt) and said.dates is None and is_weak(form, values)
    return Doubt((form,)) if weak and not isinstance(form, Doubt) else form


def settle_doubt(doubt: Doubt, hints: Hints) -> Format | Doubt:
    """The one of several formats that fits the hints; the doubt where none or several do."""
    left = [form for form in doubt.formats if _fits(form, hints)]
    return left[0] if len(left) == 1 < len(doubt.formats) else doubt


def _fits(form: Format, hints: Hints) -> bool:
    if isinstance(form, NumberFormat):
        return form.decimal == (hints.decimal or hints.fallback)
    return hints.dates is not None and date_order(form) == hints.dates


def decimal_of(form: Format, values: Iterable[str]) -> str | None:
    """The decimal mark of the file, as far as a column of a format tells it.

    Examples
    --------
    >>> decimal_of(NumberFormat(after="%"), ["12.5%"]), decimal_of(NumberFormat(after="%"), ["5%"])
    ('.', None)
    """
    if not isinstance(form, NumberFormat):
        return None
    fraction = re.compile(rf"\d{re.escape(form.decimal)}\d", re.ASCII)
    tells = form.thousands in (".", ",") or any(map(fraction.search, values))
    return form.decimal if tells and form.decimal else None


def _only(found: set[str | None]) -> str | None:
    each = found - {None}
    return each.pop() if len(each) == 1 else None


def doubt_options(doubt: Doubt) -> tuple[str, list[str]]:
    """The option that settles a doubt, and what can be passed to it.

    Examples
    --------
    >>> doubt_options(Doubt((NumberFormat(".", ","), NumberFormat(","))))
    ('decimal', ['.', ','])
    """
    found = [
        form.decimal if isinstance(form, NumberFormat) else date_order(form) or "dmy"
        for form in doubt.formats
    ]
    numbers = isinstance(doubt.formats[0], NumberFormat)
    return "decimal" if numbers else "dates", list(dict.fromkeys(found))


def date_order(form: Format) -> str | None:
    """In which order day, month and year stand: ``dmy``; None where there is no such date."""
    if not isinstance(form, TimeFormat):
        return None
    letters = [c.lower() for c in re.findall(r"%-?([dmyY])", form.pattern)]
    return "".join(letters) if sorted(letters) == ["d", "m", "y"] else None


# ---- numbers


def recognise_number(
    values: Sequence[str], decimal: str | None = None
) -> NumberFormat | Doubt | None:
    """How numbers are written, told by all strings of a column; None where some are no numbers."""
    if (affixes := _affixes(values[:SAMPLE])) is None:
        return None
    before, after = affixes
    forms = [NumberFormat(*marks, before, after) for marks in CONVENTIONS]
    forms = [form for form in forms if decimal in (None, form.decimal)]
    forms = _different(readings(values, forms))
    if len(forms) < 2:
        return forms[0] if forms else None
    if {before, after} & CURRENCIES:  # of which nobody writes thousandths
        grouped = [form for form in forms if form.thousands]
        return grouped[0] if len(grouped) == 1 else Doubt(tuple(forms))
    return Doubt(tuple(forms))


def _different(found: Iterable[tuple[F, Array]]) -> list[F]:
    """The first format of those that make the same of all strings."""
    first: dict[bytes, F] = {}
    for form, column in found:
        first.setdefault(column.tobytes(), form)
    return list(first.values())


def _affixes(sample: Sequence[str]) -> tuple[str, str] | None:
    """The currency or unit before and behind every number; None where they are not the same."""
    found = set[tuple[str, str]]()
    for value in sample:
        if (match := _CELL.fullmatch(value)) is None:
            return None
        found.add((match["before"] or "", match["after"] or ""))
    if len(found) != 1:
        return None
    before, after = found.pop()
    behind = CURRENCIES if before else CURRENCIES | UNITS  # $5m is no length
    if before not in CURRENCIES | {""} or after not in behind | {""}:
        return None
    return before, after


# ---- times

_CLOCK = re.compile(
    r"(?P<hour>\d{1,2}):\d{2}(?P<second>:\d{2}(?P<fraction>[.,]\d{1,9})?)?"
    r"(?P<half> ?[AaPp][Mm])?(?P<zone> ?(?:Z|[+-]\d{2}(?::?\d{2})?))?",
    re.ASCII,
)
_DATE = re.compile(
    r"(?P<a>\d{1,4}|[^\W\d_]{3,10}\.?)(?P<one>[-/. ]|年|\. ?)(?P<b>\d{1,2}|[^\W\d_]{3,10}\.?)"
    r"(?:(?P<two>[-/. ]|, ?|月|\. ?)(?P<c>\d{1,4})(?P<three>日|))?"
)


def recognise_time(values: Sequence[str], order: str | None = None) -> TimeFormat | Doubt | None:
    """How times are written, told by all strings of a column; None where some are no times."""
    sample = values[:SAMPLE]
    forms = list(dict.fromkeys(form for value in sample[:20] for form in _time_formats(value)))
    forms = _different(readings(values, forms))
    found = [_as_written(form, values, sample) for form in forms]
    if order is not None and len(found) > 1:
        found = [form for form in found if date_order(form) == order]
    if not found:
        return None
    return found[0] if len(found) == 1 else Doubt(tuple(found))


def _time_formats(value: str) -> list[TimeFormat]:
    """The formats that one string could have."""
    value = value.strip(BLANKS)
    if clock := _CLOCK.fullmatch(value):
        return [TimeFormat(_clock_pattern(clock))]
    if (date := _DATE.match(value)) is None:
        return []
    rest, joint = value[date.end() :], ""
    if rest[:1] in ("T", " "):
        joint, rest = rest[0], rest[1:]
    if not rest:
        return [] if joint else _date_formats(date, "")
    if not joint or (clock := _CLOCK.fullmatch(rest)) is None:
        return []
    return _date_formats(date, joint + _clock_pattern(clock))


def _clock_pattern(clock: re.Match[str]) -> str:
    hour = "%I" if clock["half"] else "%H"
    pattern = f"{hour}:%M" + (":%S%.f" if clock["second"] else "")
    if half := clock["half"]:
        pattern += " %p" if half[0] == " " else "%p"
    if zone := clock["zone"]:
        pattern += " %z" if zone[0] == " " else "%z"
    return pattern


def _date_formats(date: re.Match[str], clock: str) -> list[TimeFormat]:
    a, b, c = date["a"], date["b"], date["c"]
    one, two, three = date["one"], date["two"] or "", date["three"] or ""
    if not (a.isascii() and a.isdigit() and b.isdigit()):
        return _named_month(date, clock)
    if c is None:
        whole = len(a) == 4 and len(b) == 2 and one == "-"  # 2024-04
        return [TimeFormat(f"%Y{one}%m{clock}")] if whole else []
    if (one == "年") != (two == "月") or one not in ("年", two):
        return []
    if len(a) == 4 and len(c) <= 2:
        orders = ["Ymd"]
    elif len(c) in (2, 4) and len(a) <= 2:
        year = "Y" if len(c) == 4 else "y"
        orders = [f"dm{year}", f"md{year}"] + ["ymd"] * (year == "y" and len(a) == 2)
    else:
        return []
    return [TimeFormat(f"%{x}{one}%{y}{two}%{z}{three}{clock}") for x, y, z in orders]


def _named_month(date: re.Match[str], clock: str) -> list[TimeFormat]:
    a, b, c = date["a"], date["b"], date["c"]
    if c is None:
        return []
    year = "%Y" if len(c) == 4 else "%y"
    first = not a.isdigit()
    name = (a if first else b).lower()
    found = list[TimeFormat]()
    for language, (short, long) in MONTHS.items():
        for names, letter in ((short, "%b"), (long, "%B")):
            if name in names.lower().split():
                x, y = (letter, "%d") if first else ("%d", letter)
                found.append(TimeFormat(f"{x}{date['one']}{y}{date['two']}{year}{clock}", language))
    return found


def _as_written(form: TimeFormat, values: Sequence[str], sample: Sequence[str]) -> TimeFormat:
    """The format with the zeros in front and the digits of seconds that the strings have."""
    made = _as_sample(form, sample)
    return made if len(values) == len(sample) or readings(values, [made]) else form


def _as_sample(form: TimeFormat, sample: Sequence[str]) -> TimeFormat:
    pattern = form.pattern
    texts = [value.strip(BLANKS) for value in sample]
    for letter in "dmHI":
        if f"%{letter}" in pattern:
            plain = replace(form, pattern=pattern.replace(f"%{letter}", f"%-{letter}"))
            zeros = _field_zeros(form.pattern, letter, texts)
            pattern = plain.pattern if not zeros else pattern
            form = replace(form, pattern=pattern)
    if "%z" in pattern:
        zones = {found[0] for text in texts if (found := re.search(r"(Z|[+-][\d:]+)$", text))}
        form = replace(form, zone=zones.pop() if len(zones) == 1 else "Z")
    if "%.f" in pattern:
        sizes = {
            len(found[1]) if (found := re.search(r":\d\d[.,](\d+)", text)) else 0 for text in texts
        }
        if len(sizes) == 1:
            size = sizes.pop()
            mark = "," if size and "," in texts[0] else "."
            form = replace(form, pattern=pattern.replace("%.f", f"{mark}%{size}f" if size else ""))
    return form


def _field_zeros(pattern: str, letter: str, texts: Sequence[str]) -> bool:
    """Whether a field is written with two digits throughout; also where none tells."""
    parts = re.split(rf"%-?{letter}", re.sub(r"%\.f", "", pattern))
    before = "".join(_field_regex(part) for part in _pieces(parts[0]))
    finder = re.compile(before + r"(\d{1,2})")
    sizes = {len(found[1]) for text in texts if (found := finder.match(text))}
    return 1 not in sizes


def _pieces(pattern: str) -> list[str]:
    return re.findall(r"%-?.|.", pattern)


def _field_regex(piece: str) -> str:
    if piece[0] != "%":
        return re.escape(piece)
    return {"Y": r"\d{4}", "y": r"\d\d", "b": r"[^\W\d_]+\.?", "B": r"[^\W\d_]+\.?"}.get(
        piece[-1], r"\d{1,2}"
    )
