"""Footer: lines below the rows, such as a total, which are no rows themselves."""

import os
import re

from satsuma.data.files import Content, Readable, RemoteFile, is_compressed, open_path

#: Bytes at the end of a file that are looked at.
TAIL = 1 << 14

#: What a row of totals begins with, in the languages of many exports.
TOTALS = frozenset(
    [
        *("total", "totals", "grand total", "subtotal", "sum", "summe", "gesamt", "gesamtsumme"),
        *("insgesamt", "somme", "total général", "totale", "totaal", "suma", "razem", "summa"),
        *("итого", "всего", "合計", "総計", "計", "总计", "合计", "합계"),
    ]
)

_QUOTED = re.compile('"[^"]*"')
_NUMBER = re.compile(
    r"[^\d]{0,4}[\d.,'\u2019\u00a0\u202f -]*\d[\d.,'\u2019\u00a0\u202f -]*[^\d]{0,4}"
)


class Footer:
    r"""A filter that keeps back the last lines.

    Examples
    --------
    >>> rows = Footer(1)
    >>> rows(b"1,2\n3,4\n", False), rows(b"Total: 6\n", True)
    (b'1,2\n', b'3,4\n')
    """

    def __init__(self, lines: int) -> None:
        self._lines, self._held = lines, b""

    def __call__(self, chunk: bytes, final: bool) -> bytes:
        """What is certainly above the last lines."""
        text = self._held + chunk
        end = footer_start(text, self._lines)
        self._held = b"" if final else text[end:]
        return text[:end]


def footer_start(text: bytes, lines: int) -> int:
    r"""Where the last lines of a text begin.

    Examples
    --------
    >>> footer_start(b"a\nb\nc\n", 2), footer_start(b"a\r\nb", 1)
    (2, 3)
    """
    ends = [found.end() for found in re.finditer(rb"\r\n|\n|\r(?!\Z)|\r\Z", text)]
    starts = [0, *(end for end in ends if end < len(text))]
    return starts[-lines] if len(starts) >= lines else 0


def tail_of(source: Readable) -> tuple[bytes, int] | None:
    """The last bytes of a plain file and where they begin; None if only its stream is there."""
    if isinstance(source, bytes | Content):
        data = source if isinstance(source, bytes) else source.data
        start = max(0, len(data) - TAIL)
        return None if is_compressed(data[:6]) else (data[start:], start)
    if not isinstance(source, str | os.PathLike | RemoteFile):
        return None
    if isinstance(source, RemoteFile) and not source.ranged:
        return None
    with open_path(source) as stream:
        if is_compressed(stream.read(6)):
            return None
        start = max(0, stream.seek(0, os.SEEK_END) - TAIL)
        stream.seek(start)
        return stream.read(), start


def total_lines(tail: str, whole: bool, delimiter: str) -> int:
    r"""How many lines from a row of totals on, if that is what the last lines are; else 0.

    Parameters
    ----------
    tail
        The last lines.
    whole
        Whether the first of them is not cut.
    delimiter
        What parts the cells.

    Examples
    --------
    >>> total_lines("Rome;3\nOslo;4\nTotal;7\n", True, ";")
    1
    """
    end = tail.rstrip(delimiter + " \t\r\n")
    last = end[max(end.rfind("\n"), end.rfind("\r")) + 1 :]
    if _first_word(_bare(last, delimiter), delimiter) not in TOTALS:  # as in most files
        return 0
    lines = re.split(r"\r\n|\n|\r", tail)[0 if whole else 1 :]
    if lines and not lines[-1]:
        lines.pop()
    at = len(lines)
    while at and not lines[at - 1].strip(delimiter + " \t"):
        at -= 1
    *above, last = (_bare(line, delimiter) for line in lines[max(at - 3, 0) : at] or [""])
    width = max((line.count(delimiter) for line in above), default=0)
    if at < 3 or not _is_total(last, delimiter, width):
        return 0
    if any(_first_word(_bare(line, delimiter), delimiter) in TOTALS for line in lines[: at - 1]):
        return 0
    return len(lines) - at + 1


def _bare(line: str, delimiter: str) -> str:
    """The line without delimiters in quotes, which part no cells."""
    return _QUOTED.sub(lambda found: found[0].replace(delimiter, ""), line)


def _first_word(line: str, delimiter: str) -> str:
    return line.split(delimiter, 1)[0].strip("\"' \t:").casefold()


def _is_total(line: str, delimiter: str, width: int) -> bool:
    if _first_word(line, delimiter) not in TOTALS:
        return False
    rest = [cell.strip("\"' \t") for cell in line.split(delimiter)[1:]]
    numbers = [cell for cell in rest if cell]
    return 0 < width <= len(rest) and all(map(_NUMBER.fullmatch, numbers))
