"""Bad rows: what can be wrong with a row of delimited text, and what to do about it."""

from satsuma.data.formats.delimited.header import UTF16
from satsuma.kernels.csv import Bad, Dialect

_ASIDE = 'or pass bad_rows="keep aside" to read the rest and find such rows in table.aside.'
_RAGGED = f"Mend the line, name another delimiter= ({{delimiter!r}} was taken), {_ASIDE}"
_WHY = {
    "short": ("{cells} where {width} should be", _RAGGED),
    "long": ("{cells} where {width} should be", _RAGGED),
    "after quote": (
        "a quoted cell has text behind its closing quote",
        (
            "Write a quote inside a quoted cell twice, close a quote that is still open, pass "
            f"quote=None if quotes are ordinary characters, {_ASIDE}"
        ),
    ),
    "unclosed": (
        "a quote is opened and never closed",
        f"Close it, pass quote=None if quotes are ordinary characters, {_ASIDE}",
    ),
    "nul": (
        "a NUL byte",
        f"{UTF16} If it is not, take the byte out, {_ASIDE}",
    ),
    "not utf-8": (
        "bytes that are not UTF-8",
        f"Pass the encoding, such as encoding='latin-1' or encoding='cp1252', {_ASIDE}",
    ),
}


def fault_of(bad: Bad, dialect: Dialect) -> tuple[str, str]:
    """What is wrong with a row, and what to do about it."""
    why, remedy = _WHY[bad.reason]
    cells = "1 cell" if bad.cells == 1 else f"{bad.cells} cells"
    return why.format(cells=cells, width=dialect.width), remedy.format(delimiter=dialect.delimiter)


def text_of(block: memoryview, bad: Bad) -> str:
    """The text of a row that could not be read."""
    return bytes(block[bad.start : bad.stop]).decode("utf-8", "backslashreplace").rstrip("\r\n")
