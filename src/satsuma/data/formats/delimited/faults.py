"""Faults: what is wrong with a row that cannot be read, and what to do about it."""

import re

from satsuma.data.formats.delimited.dialect import COMMENTS
from satsuma.data.formats.delimited.options import DelimitedOptions
from satsuma.kernels.csv import Bad, Dialect

UTF16 = (
    "If the file is UTF-16 without a byte order mark, pass encoding='utf-16-le' or "
    "encoding='utf-16-be'."
)

_ASIDE = 'or pass bad_rows="keep aside" to read the rest and find such rows in table.aside.'
_MEND = 'pass bad_rows="mend" to mend what can be mended in one way only,'

_WHY = {
    "short": "{cells} where {width} should be",
    "long": "{cells} where {width} should be",
    "stray quotes": "a quote opens inside of a cell, and one closes behind a delimiter",
    "after quote": "a quoted cell has text behind its closing quote",
    "unclosed": "a quote is opened and never closed",
    "nul": "a NUL byte",
    "not utf-8": "bytes that are not UTF-8",
}

_REMEDIES = {
    "short": "Mend the line, name another delimiter= ({delimiter!r} was taken), {mend} {aside}",
    "long": "Mend the line, name another delimiter= ({delimiter!r} was taken), {mend} {aside}",
    "stray quotes": (
        "A delimiter may be lost before the first quote. Write it, pass quote=None if quotes are "
        "ordinary characters, {mend} {aside}"
    ),
    "after quote": (
        "Write a quote inside a quoted cell twice, close a quote that is still open, pass "
        "quote=None if quotes are ordinary characters, {mend} {aside}"
    ),
    "unclosed": "Close it, pass quote=None if quotes are ordinary characters, {mend} {aside}",
    "nul": f"{UTF16} If it is not, take the byte out, {{aside}}",
    "not utf-8": ("Pass the encoding, such as encoding='latin-1' or encoding='cp1252', {aside}"),
}


def fault_of(bad: Bad, dialect: Dialect) -> str:
    """What is wrong with a row."""
    cells = "1 cell" if bad.cells == 1 else f"{bad.cells} cells"
    return _WHY[bad.reason].format(cells=cells, width=dialect.width)


def remedy_of(bad: Bad, row: str, below: int, options: DelimitedOptions) -> str:
    """What to do about a row.

    Parameters
    ----------
    bad
        What the scanner says of it.
    row
        Its text.
    below
        How many lines there are from it to the end of the file, if these are few; else 0.
    options
        How the file is read.
    """
    taken = options.delimiter or ","
    remedy = _REMEDIES[bad.reason].format(
        delimiter=taken, aside=_ASIDE, mend="" if options.mends else _MEND
    )
    return " ".join([*_special(bad, row, below, options), remedy])


def _special(bad: Bad, row: str, below: int, options: DelimitedOptions) -> list[str]:
    """Remedies that this very row suggests."""
    found = list[str]()
    mark = next((each for each in COMMENTS if row.lstrip().startswith(each)), None)
    if mark is not None and options.comment is None:
        found.append(f"Pass comment={mark!r} if the line is a comment.")
    if options.escape is None and re.search(rf"\\[{re.escape(_signs(options))}\\]", row):
        found.append("Pass escape='\\\\' if a backslash keeps the character behind it.")
    if bad.reason == "short" and 0 < below <= 10 and options.footer is None:
        found.append(f"Pass footer={below} if the table ends above.")
    return found


def _signs(options: DelimitedOptions) -> str:
    return (options.quote or "") + (options.delimiter or ",")[0]
