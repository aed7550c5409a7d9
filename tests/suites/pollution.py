"""One table, polluted in every way of the Pollock benchmark, at several places and delimiters.

The ways are written anew after Vitagliano et al. (2023); no file of theirs is needed.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

NAMES = ["day", "id", "amount", "what", "link", "remark"]
ROWS = [
    [
        f"{k + 9:02}/03/2024",
        f"RI-{1000 + 37 * k}",
        f"${12.5 + 6.13 * k:.2f}",
        f"Men's boots, with {k + 5} eyes; brown",
        f"https://example.org/{1000 + 37 * k}.html",
        "",
    ]
    for k in range(14)
]

#: Rows and columns that are polluted; row 0 has the names.
PLACES = [*product((1, 14), range(6))]
DELIMITERS = (",", ";", "\t")


class Polluted(NamedTuple):
    """A file, what a perfect reader finds in it, and what its owner knows of it."""

    text: str
    names: list[str | None]
    rows: list[list[str]]
    known: dict[str, object]


def quoted(cell: str, quote: str = '"') -> str:
    """A cell as it is written where some cells hold delimiters."""
    return f"{quote}{cell}{quote}" if " " in cell or "https" in cell else cell


def lines(delimiter: str = ",", quote: str = '"') -> list[str]:
    """The lines of the table as it should be written."""
    return [delimiter.join(quoted(cell, quote) for cell in row) for row in [NAMES, *ROWS]]


def _file(changed: list[str], **known: object) -> Polluted:
    return Polluted("\n".join(changed) + "\n", list(NAMES), ROWS, known)


def _row(delimiter: str, row: int, cells: list[str], joint: list[str] | None = None) -> Polluted:
    """The table with one row of which cells, or what stands between them, are others."""
    between = joint or [delimiter] * (len(cells) - 1) + [""]
    changed = lines(delimiter)
    changed[row] = "".join(a + b for a, b in zip(cells, between, strict=True))
    return _file(changed, delimiter=delimiter)


def _cells(row: int) -> list[str]:
    return [quoted(cell) for cell in [NAMES, *ROWS][row]]


def lost_delimiters() -> Iterator[Polluted]:
    """A delimiter too few."""
    for delimiter, (row, column) in product(DELIMITERS, PLACES):
        if column < len(NAMES) - 1:
            joint = [delimiter] * (len(NAMES) - 1) + [""]
            joint[column] = ""
            yield _row(delimiter, row, _cells(row), joint)


def more_delimiters() -> Iterator[Polluted]:
    """A delimiter too many."""
    for delimiter, (row, column) in product(DELIMITERS, PLACES):
        cells = _cells(row)
        yield _row(delimiter, row, [*cells[: column + 1], "", *cells[column + 1 :]])


def stray_quotes() -> Iterator[Polluted]:
    """A quote too many, which belongs to the cell."""
    for delimiter, (row, column) in product(DELIMITERS, PLACES):
        cells = _cells(row)
        cells[column] = '"' + cells[column]
        made = _row(delimiter, row, cells)
        rows = [list(each) for each in ROWS]
        rows[row - 1][column] = '"' + rows[row - 1][column]
        yield made._replace(rows=rows)


def other_delimiters() -> Iterator[Polluted]:
    """A row with a delimiter of its own."""
    for delimiter, own, row in product(DELIMITERS, " ;,\t|", (1, 6, 14)):
        if own != delimiter:
            yield _row(delimiter, row, _cells(row), [own] * (len(NAMES) - 1) + [""])


def polluted_names() -> Iterator[Polluted]:
    """A delimiter too many in the line of names; one too few, or a quote, leaves names unknown."""
    for delimiter, column in product(DELIMITERS, range(6)):
        cells = _cells(0)
        yield _row(delimiter, 0, [*cells[: column + 1], "", *cells[column + 1 :]])


def files() -> Iterator[Polluted]:
    """Pollutions of a whole file."""
    for delimiter in (*DELIMITERS, "|", "^", "~", "::", ", "):
        yield _file(lines(delimiter), delimiter=delimiter)
    for delimiter in DELIMITERS:
        plain = lines(delimiter)
        yield _file(lines(delimiter, "'"), delimiter=delimiter, quote="'")
        yield _file([*plain, ""], delimiter=delimiter)
        yield _file(["Sales of March", "", *plain], delimiter=delimiter, skip=2)
        yield _file([*plain, "14 rows", "End of file"], delimiter=delimiter, footer=2)
        yield _file(plain, delimiter=delimiter)._replace(text="\n".join(plain))
        for end in ("\r", "\r\n"):
            yield _file(plain, delimiter=delimiter)._replace(text=end.join(plain) + end)
        nameless: list[str | None] = [None] * len(NAMES)
        yield _file(plain[1:], delimiter=delimiter, header=False)._replace(names=nameless)
        yield _file(plain[:2], delimiter=delimiter)._replace(rows=ROWS[:1])


#: By what is wrong, how to make it, and the least share that is read right, at once or by the
#: options that a refusal names.
POLLUTIONS = {
    "a lost delimiter": (lost_delimiters, 1.0),
    "a delimiter too many": (more_delimiters, 1.0),
    "a quote too many": (stray_quotes, 1.0),
    "a row with another delimiter": (other_delimiters, 1.0),
    "a name too many": (polluted_names, 1.0),
    "the whole file": (files, 1.0),
}
