"""Shapes of cells: what those of each column look like in the rows that can be read."""

import re
from collections import Counter
from collections.abc import Sequence

_RUNS = ((re.compile(r"\d+"), "0"), (re.compile(r"[^\W\d_]+"), "a"))

_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?")

#: A shape for all words: what has blanks in it, or is long.
_TEXT = "text"

#: Rows of which one alone does not say what is usual; and rows that say what every cell is like.
_MANY, _ENOUGH = 20, 5

_EXACT = ((re.compile(r"\d"), "0"), (re.compile("[A-Z]+"), "A"), (re.compile("[a-z]+"), "a"))


def shape_of(cell: str) -> str:
    """What a cell looks like.

    Examples
    --------
    >>> shape_of("2024-01-15"), shape_of("Rome"), shape_of("Oslo, East")
    ('0-0-0', 'a', 'text')
    """
    if _NUMBER.fullmatch(cell):
        return "0"
    for run, letter in _RUNS:
        cell = run.sub(letter, cell)
    return _TEXT if len(cell) > 14 or " " in cell else cell


def exact_shape(cell: str) -> str:
    """What a cell looks like, digit by digit.

    Examples
    --------
    >>> exact_shape("RI-8070"), exact_shape("Rome")
    ('A-0000', 'Aa')
    """
    for run, letter in _EXACT:
        cell = run.sub(letter, cell)
    return cell


class Shapes:
    """What the cells of each column look like in the rows that can be read."""

    def __init__(self, rows: Sequence[Sequence[str]], width: int) -> None:
        good = [row for row in rows if len(row) == width]
        self.width = width
        self.filled = [all(row[j] for row in good) for j in range(width)]
        counts = [Counter(shape_of(row[j]) for row in good if row[j]) for j in range(width)]
        least = 2 if len(good) >= _MANY else 1
        self.usual = [{s for s, n in each.items() if n >= least} or {*each} for each in counts]
        self.enough = len(good) >= _ENOUGH
        self._exact = [{exact_shape(row[j]) for row in good if row[j]} for j in range(width)]
        ends = [{_ends(row[j]) for row in good if row[j]} for j in range(width)]
        self._ends = [({a for a, _ in each}, {b for _, b in each}) for each in ends]

    def fit(self, cells: Sequence[str]) -> bool:
        """Whether cells look as those of other rows."""
        return len(cells) == self.width and all(self.fits(j, c) for j, c in enumerate(cells))

    def fits(self, j: int, cell: str, exactly: bool = False) -> bool:
        """Whether a cell looks as others of its column."""
        if not cell:
            return not self.filled[j]
        shape = shape_of(cell)
        return shape in self.usual[j] or (not exactly and _TEXT in self.usual[j])

    def fits_exactly(self, j: int, cell: str) -> bool:
        """Whether a cell looks just as others of its column; of a text, how it begins and ends."""
        if not cell or _TEXT not in self.usual[j]:
            return exact_shape(cell) in self._exact[j] if cell else not self.filled[j]
        (first, last), (firsts, lasts) = _ends(cell), self._ends[j]
        return first in firsts and last in lasts


def _ends(cell: str) -> tuple[str, str]:
    return exact_shape(cell[0]), exact_shape(cell[-1])
