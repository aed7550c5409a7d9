"""Headers: what the first lines of delimited text say about its columns."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from satsuma.data.column_names import distinct_names
from satsuma.data.variable import Goal, Role
from satsuma.errors import ReadError, hint
from satsuma.kernels.csv import fields_of_any_size

_KINDS = {
    **dict.fromkeys(("c", "continuous"), "num"),
    **dict.fromkeys(("d", "discrete"), "sym"),
    **dict.fromkeys(("s", "string"), "text"),
}
_ROLES = {
    "": "x",
    "class": "target",
    "meta": "meta",
    "i": "ignore",
    "ignore": "ignore",
    "weight": "weight",
}
_PREFIX = re.compile(r"(?P<role>[mciw]?)(?P<kind>[CDS]?)#(?P<name>.*)", re.DOTALL)
_PREFIX_KINDS = {"C": "num", "D": "sym", "S": "text", "": None}
_PREFIX_ROLES = {"m": "meta", "c": "target", "i": "ignore", "w": "weight", "": "x"}

DELIMITERS = ",;\t|"

UTF16 = (
    "If the file is UTF-16 without a byte order mark, pass encoding='utf-16-le' or "
    "encoding='utf-16-be'."
)


@dataclass
class Head:
    """What is known of one column from the header."""

    name: str
    kind: str | None = None
    values: tuple[str, ...] = ()
    role: Role = "x"
    goal: Goal | None = None
    #: Whether a cell that does not fit the kind makes the column a symbol instead of an error.
    doubtful: bool = True


def cells_of(record: bytes, delimiter: str, quote: str | None, file: str, line: int) -> list[str]:
    """The cells of one record of the header."""
    try:
        text = record.decode()
    except UnicodeDecodeError:
        remedy = "Pass its encoding, such as encoding='latin-1' or encoding='cp1252'."
        raise ReadError("bytes that are not UTF-8", file=file, line=line, remedy=remedy) from None
    if "\0" in text:
        raise ReadError("a NUL byte", file=file, line=line, remedy=UTF16)
    lines = io.StringIO(text, newline="")
    quoting = csv.QUOTE_NONE if quote is None else csv.QUOTE_MINIMAL
    reader = csv.reader(lines, delimiter=delimiter, quotechar=quote, quoting=quoting, strict=True)
    try:
        with fields_of_any_size():
            return next(reader, None) or [""]
    except csv.Error:
        raise ReadError(
            "a quote is opened and not closed, or has text behind it where it is closed",
            file=file,
            line=line,
            remedy="Close it, write a quote inside a quoted cell twice, or pass quote=None if "
            "quotes are ordinary characters.",
        ) from None


def is_quoted(record: bytes, at: int, delimiter: str, quote: str) -> bool:
    """Whether a cell of a record is quoted.

    Examples
    --------
    >>> [is_quoted(b'1,"2",3', at, ",", '"') for at in range(3)]
    [False, True, False]
    """
    d, q = re.escape(delimiter), re.escape(quote)
    cell = rf"(?:{q}(?:[^{q}]|{q}{q})*{q}|[^{d}]*)"
    text = record.decode("utf-8", "replace")
    return re.match(rf"(?:{cell}{d}){{{at}}}{q}", text, re.DOTALL) is not None


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


def plain_heads(cells: Sequence[str]) -> tuple[list[Head], list[str]]:
    """Columns from a line of names; blanks around them are left out."""
    bare = [cell.strip() for cell in cells]
    names, notes = distinct_names(bare)
    cut = [cell for cell, name in zip(cells, bare, strict=True) if cell != name]
    if cut:
        notes = [*notes, f"Blanks around {_some(cut)} were left out of the names."]
    return [Head(name) for name in names], notes


def _some(names: Sequence[str], most: int = 3) -> str:
    told = ", ".join(map(repr, names[:most]))
    return told + (f" and {len(names) - most} more names" if len(names) > most else "")


def prefixed(cells: Sequence[str]) -> bool:
    """Whether names carry prefixes such as ``C#`` or ``mD#``."""
    found = [_PREFIX.fullmatch(cell.strip()) for cell in cells]
    return any(match and (match["role"] or match["kind"]) for match in found)


def prefixed_heads(cells: Sequence[str]) -> tuple[list[Head], list[str]]:
    """Columns from a line of names with prefixes."""
    found = [_PREFIX.fullmatch(cell.strip()) for cell in cells]
    heads, notes = plain_heads([m["name"] if m else c for m, c in zip(found, cells, strict=True)])
    for head, match in zip(heads, found, strict=True):
        if match:
            head.kind = _PREFIX_KINDS[match["kind"]]
            head.role = cast("Role", _PREFIX_ROLES[match["role"]])
            head.doubtful = head.kind is None
    return heads, notes


def tab_heads(
    names: Sequence[str], kinds: Sequence[str], roles: Sequence[str], file: str
) -> tuple[list[Head], list[str]]:
    """Columns from the three header lines of a ``.tab`` file: names, types, roles."""
    heads, notes = plain_heads(names)
    for line, cells in ((2, kinds), (3, roles)):
        if len(cells) > len(heads):
            raise ReadError(
                f"{len(cells)} cells under {len(heads)} names",
                file=file,
                line=line,
                remedy=THREE_LINES,
            )
    for head, kind in zip(heads, kinds, strict=False):
        head.kind, head.values = _tab_kind(kind)
        head.doubtful = head.kind is None
    for head, role in zip(heads, roles, strict=False):
        if role.strip() not in _ROLES:
            raise ReadError(
                f"{role.strip()!r} is not a role",
                file=file,
                line=3,
                remedy=f"{hint(role.strip(), filter(None, _ROLES))} {THREE_LINES}",
            )
        head.role = cast("Role", _ROLES[role.strip()])
    return heads, notes


THREE_LINES = (
    "A .tab file has three header lines (names, types, roles); "
    "if this one has only names, pass format='tsv'."
)


def _tab_kind(spelled: str) -> tuple[str | None, tuple[str, ...]]:
    word = spelled.strip(" \t")
    if not word:
        return None, ()
    if word in _KINDS:
        return _KINDS[word], ()
    # A backslash keeps the character behind it, a blank above all.
    words = re.findall(r"(?:\\.|[^\\ \t])+", spelled, re.DOTALL)
    values = tuple(dict.fromkeys(re.sub(r"\\(.)", r"\1", word, flags=re.DOTALL) for word in words))
    return "sym", values
