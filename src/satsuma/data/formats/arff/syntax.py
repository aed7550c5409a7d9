"""The words of ARFF: names, declarations and cells, quoted and escaped."""

import re
from typing import NamedTuple

from satsuma.data.formats.arff.java_patterns import DEFAULT

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_COMMENT = re.compile(rf"{_QUOTED}|(?:^|(?<=\s))%.*")
# Blanks are taken for good, so that no word is found to begin with them.
_CELL = re.compile(rf"\s*+({_QUOTED}|(?!['\"])[^,]*?)\s*(,|$)")
_SPACED = re.compile(rf"\s*+({_QUOTED}|(?!['\"])\S+)(\s+|$)")
_INDEXED = re.compile(rf"\s*(\d+)\s++({_QUOTED}|(?!['\"])[^,]*?)\s*(,|$)", re.ASCII)
_QUOTES = re.compile(_QUOTED)
_WORD = re.compile(rf"({_QUOTED}|[^\s{{,'\"][^\s{{]*)\s*")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|[0-7]{3}|.)")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_PLAIN = re.compile(r"[\w.+\-/<>=:;()&*#$!~^|]+")
# Line ends of any sort, and control characters, would break lines in some reader.
_CONTROL = re.compile(r"[\\'\x00-\x1f\x7f-\x9f\u2028\u2029]")
_SHORT = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_NUMERIC = re.compile(r"(numeric|real|integer)(\s*\[.*\])?", re.IGNORECASE)
_DATE = re.compile(rf"date(\s+({_QUOTED}|\S+))?", re.IGNORECASE)

#: A cell as it is spelled; None is missing.
Cell = str | None


class Attribute(NamedTuple):
    """A declared column: its kind, the values of a nominal one, the pattern of a date."""

    name: str
    kind: str
    values: tuple[str, ...] | None = None
    date: str = ""


def unquoted(word: str) -> str:
    r"""A word without its quotes and escapes.

    Examples
    --------
    >>> unquoted(r"'it\'s'"), unquoted("plain")
    ("it's", 'plain')
    """
    if word[:1] not in ("'", '"'):
        return word
    return _ESCAPE.sub(lambda match: _character(match[1]), word[1:-1])


def _character(escape: str) -> str:
    if len(escape) == 5:
        return chr(int(escape[1:], 16))
    if len(escape) == 3:
        return chr(int(escape, 8))
    return _ESCAPED.get(escape, escape)


def quoted(word: str) -> str:
    r"""A word as ARFF writes it, with quotes where it needs them.

    Examples
    --------
    >>> quoted("plain"), quoted("it's"), quoted("")
    ('plain', "'it\\'s'", "''")
    """
    if _PLAIN.fullmatch(word):
        return word
    return f"'{_CONTROL.sub(_escaped, word)}'"


def _escaped(match: re.Match[str]) -> str:
    return _SHORT.get(match[0]) or f"\\u{ord(match[0]):04x}"


def uncommented(line: str) -> str:
    """A line without blanks at its ends and without its comment.

    Examples
    --------
    >>> uncommented("@attribute a real % in cm"), uncommented("'50 % off'")
    ('@attribute a real', "'50 % off'")
    """
    if "%" in line:
        line = _COMMENT.sub(lambda match: "" if match[0][0] == "%" else match[0], line)
    return line.strip()


def _words(line: str) -> list[str] | None:
    """The words of a line with their quotes; parted by commas, or else by blanks as Weka does."""
    if "'" not in line and '"' not in line:
        return [word.strip() for word in line.split(",")] if "," in line else line.split()
    pattern = _CELL if "," in _QUOTES.sub("", line) else _SPACED
    words: list[str] = []
    at, more = 0, ","
    while more:
        match = pattern.match(line, at)
        if match is None:
            return None
        words.append(match[1])
        at, more = match.end(), match[2]
    return words


def cells_of(line: str) -> list[Cell] | None:
    """The cells of a row; None if its quotes do not fit.

    Examples
    --------
    >>> cells_of("1, ?, 'a, b'")
    ['1', None, 'a, b']
    """
    words = _words(line)
    return None if words is None else [_cell(word) for word in words]


def _cell(word: str) -> Cell:
    return None if word in ("?", "") else unquoted(word)


def sparse_of(line: str) -> dict[int, Cell] | None:
    """The cells of a sparse row by position; None if it cannot be understood.

    Examples
    --------
    >>> sparse_of("{1 X, 3 'a, b', 4 ?}")
    {1: 'X', 3: 'a, b', 4: None}
    """
    inside = line[1:-1].strip()
    if not line.endswith("}"):
        return None
    cells: dict[int, Cell] = {}
    at, more = 0, "," if inside else ""
    while more:
        match = _INDEXED.match(inside, at)
        if match is None or int(match[1]) in cells:
            return None
        cells[int(match[1])] = _cell(match[2])
        at, more = match.end(), match[3]
    return cells


def attribute_of(declared: str) -> Attribute | None:
    """The attribute that is declared behind ``@attribute``; None if it cannot be understood.

    Examples
    --------
    >>> attribute_of("'sepal length' REAL")
    Attribute(name='sepal length', kind='num', values=None, date='')
    >>> attribute_of("play {yes, no}").values
    ('yes', 'no')
    """
    match = _WORD.match(declared)
    if match is None:
        return None
    name, of = unquoted(match[1]), declared[match.end() :].strip()
    if _NUMERIC.fullmatch(of):
        return Attribute(name, "num")
    if of.lower() == "string":
        return Attribute(name, "text")
    if date := _DATE.fullmatch(of):
        return Attribute(name, "time", date=unquoted(date[2] or "") or DEFAULT)
    if not (of.startswith("{") and of.endswith("}")):
        return None
    values = _words(of[1:-1].strip())
    if values is None:
        return None
    return Attribute(name, "sym", tuple(dict.fromkeys(map(unquoted, filter(None, values)))))
