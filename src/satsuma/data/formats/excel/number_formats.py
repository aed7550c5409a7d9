"""Excel's number formats of times, and ours."""

import re

from satsuma.kernels.csv import TimeFormat

_CODES = {
    "%Y": "yyyy",
    "%y": "yy",
    "%m": "mm",
    "%-m": "m",
    "%b": "mmm",
    "%B": "mmmm",
    "%d": "dd",
    "%-d": "d",
    "%H": "hh",
    "%-H": "h",
    "%I": "hh",
    "%-I": "h",
    "%M": "mm",
    "%S": "ss",
    "%.f": ".000",
    "%p": "AM/PM",
    "%z": "",  # of which Excel has none: there is nothing but missing times then
}
_PIECE = re.compile(r"%-?\d?\.?[A-Za-z]|[^%]+")


def number_format(form: TimeFormat) -> str:
    """How Excel is told to show times.

    Examples
    --------
    >>> number_format(TimeFormat("%-d.%m.%Y %H:%M"))
    'd"."mm"."yyyy" "hh":"mm'
    """
    return "".join(_code(piece) for piece in _PIECE.findall(form.pattern))


def _code(piece: str) -> str:
    if piece[0] != "%":
        return f'"{piece}"' if '"' not in piece else " "
    return "000" if piece.endswith("f") and piece != "%.f" else _CODES[piece]
