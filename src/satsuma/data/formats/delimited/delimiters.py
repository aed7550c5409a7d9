"""Delimiters: which character parts the cells, told by the first lines (sniffing)."""

import csv
import io
import re
from collections.abc import Sequence

DELIMITERS = ",;\t|"


def sniff(sample: bytes, quote: str | None, decimal: str = ".") -> str:
    r"""The delimiter: the one that cuts the first lines into the most cells, equally many in each.

    Examples
    --------
    >>> sniff(b"a;b\n1,5;2,5\n", '"')
    ';'
    """
    lines = _first_lines(sample, quote)
    best, most = "," if decimal != "," else ";", (False, 1)
    for delimiter in DELIMITERS.replace(decimal, ""):
        widths = _widths(lines, delimiter, quote)
        score = (len(set(widths)) == 1 and widths[0] > 1, widths[0] if widths else 0)
        if score > most:
            best, most = delimiter, score
    return best


def steadier(sample: bytes, taken: str, quote: str | None, decimal: str) -> tuple[str, int] | None:
    r"""Another delimiter that cuts all lines but the first into equally many cells, and how many.

    Examples
    --------
    >>> steadier(b"Sales of 2024\na;b\n1;3\n", ",", '"', ".")
    (';', 2)
    """
    lines = _first_lines(sample, quote)
    for delimiter in DELIMITERS.replace(decimal, "").replace(taken, ""):
        widths = _widths(lines, delimiter, quote)[1:]
        if len(widths) > 1 and len(set(widths)) == 1 and widths[0] > 1:
            return delimiter, widths[0]
    return None


def _first_lines(sample: bytes, quote: str | None) -> list[str]:
    """Some lines to judge delimiters by."""
    text = sample[: 1 << 16].decode("utf-8", "replace")
    if quote and quote in text:  # what is quoted parts no cells, whatever the delimiter
        q, edges = re.escape(quote), re.escape(DELIMITERS)
        text = re.sub(rf"(^|[{edges}\r\n]){q}(?:[^{q}]|{q}{q})*{q}", r"\1quoted", text)
    lines = list(io.StringIO(text, newline=""))[:50]
    if len(lines) > 1 and len(sample) > 1 << 16:
        lines.pop()  # it may be cut short
    return lines


def _widths(lines: Sequence[str], delimiter: str, quote: str | None) -> list[int]:
    """How many cells each line has that is not blank; none where it cannot be told."""
    quoting = csv.QUOTE_NONE if quote is None else csv.QUOTE_MINIMAL
    reader = csv.reader(lines, delimiter=delimiter, quotechar=quote, quoting=quoting)
    try:
        return [len(cells) for cells in reader if cells]
    except csv.Error:  # a cell longer than the csv module takes
        return []


def separator(line: bytes) -> str | None:
    r"""The delimiter that a first line such as Excel's ``sep=;`` names, if it does.

    Examples
    --------
    >>> separator(b"sep=;\r\n"), separator(b'"sep=|"'), separator(b"sep=no")
    (';', '|', None)
    """
    found = re.fullmatch(rb'("?)sep=([\t -~])\1\r?\n?', line, re.IGNORECASE)
    sign = found[2].decode() if found else '"'
    return None if sign == '"' or sign.isalnum() else sign
