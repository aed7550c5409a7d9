"""Time recognition: how people wrote the times of a column, told by all of its strings."""

import re
from collections.abc import Sequence
from dataclasses import replace

from satsuma.data.readings import SAMPLE, Doubt, different, readings
from satsuma.kernels.csv import BLANKS, MONTHS, Format, TimeFormat

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
    forms = different(readings(values, forms))
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


def date_order(form: Format) -> str | None:
    """In which order day, month and year stand: ``dmy``; None where there is no such date."""
    if not isinstance(form, TimeFormat):
        return None
    letters = [c.lower() for c in re.findall(r"%-?([dmyY])", form.pattern)]
    return "".join(letters) if sorted(letters) == ["d", "m", "y"] else None
