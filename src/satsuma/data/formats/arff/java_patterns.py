"""Java's patterns of dates, by which ARFF says how they are written, and ours."""

import re
from dataclasses import replace

from satsuma.data.time_formats import plain_format
from satsuma.kernels.csv import MONTHS, TimeFormat
from satsuma.numerics.arrays import Times

#: How dates are written where an attribute does not say it.
DEFAULT = "yyyy-MM-dd'T'HH:mm:ss"

_OURS = {
    "yyyy": "%Y",
    "y": "%Y",
    "uuuu": "%Y",
    "yy": "%y",
    "MM": "%m",
    "M": "%-m",
    "MMM": "%b",
    "MMMM": "%B",
    "dd": "%d",
    "d": "%-d",
    "HH": "%H",
    "H": "%-H",
    "hh": "%I",
    "h": "%-I",
    "mm": "%M",
    "ss": "%S",
    "a": "%p",
    **{"S" * size: f"%{size}f" for size in (1, 2, 3)},
    "Z": "%z",
    "z": "%z",
    "X": "%z",
    "XX": "%z",
    "XXX": "%z",
}
_JAVAS = {
    **{ours: javas for javas, ours in _OURS.items() if javas not in ("y", "uuuu")},
    "%z": "XXX",
}
_PIECE = re.compile(r"'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']+")
_DIRECTIVE = re.compile(r"%-?\d?\.?[A-Za-z]|[A-Za-z']+|[^A-Za-z'%]+")


def formats_of(pattern: str) -> list[TimeFormat]:
    """The formats that a pattern of Java may mean: several, where months have names.

    None at all where we have no word for something in it, such as the day of the week.

    Examples
    --------
    >>> formats_of("dd.MM.yyyy HH:mm")
    [TimeFormat(pattern='%d.%m.%Y %H:%M', language='en', zone='Z')]
    >>> formats_of("EEE")
    []
    """
    found = [_piece(match[0]) for match in _PIECE.finditer(pattern)]
    if None in found or "".join(m[0] for m in _PIECE.finditer(pattern)) != pattern:
        return []
    ours = "".join(filter(None, found))
    named = "%b" in ours or "%B" in ours
    return [TimeFormat(ours, language) for language in (MONTHS if named else ["en"])]


def _piece(piece: str) -> str | None:
    if piece[0] == "'":
        text = piece[1:-1].replace("''", "'") or "'"
        return None if "%" in text else text
    return _OURS.get(piece) if piece[0].isalpha() else piece if "%" not in piece else None


def java_pattern(form: TimeFormat, column: Times) -> tuple[TimeFormat, str] | None:
    """A format that Java has a pattern for, and the pattern; None where the times are too fine.

    Examples
    --------
    >>> import numpy as np
    >>> java_pattern(TimeFormat("%Y-%m-%dT%H:%M"), np.zeros(0, "datetime64[ns]"))[1]
    "yyyy-MM-dd'T'HH:mm"
    """
    fraction = re.search(r"%S(.*%\d?f|%\.f)", form.pattern)
    if fraction is not None:
        digits = re.search(r"%S(\.%\df)?", plain_format(column, zoned=True).pattern)
        spelled = digits[0] if digits is not None else "%S"
        if spelled not in ("%S", "%S.%3f"):
            return None
        form = replace(form, pattern=form.pattern.replace(fraction[0], spelled))
    pieces = [match[0] for match in _DIRECTIVE.finditer(form.pattern)]
    return form, "".join(_java(piece) for piece in pieces)


def _java(piece: str) -> str:
    if piece[0] == "%":
        return _JAVAS[piece]
    if piece[0].isalpha() or piece[0] == "'":
        return "'" + piece.replace("'", "''") + "'"
    return piece
