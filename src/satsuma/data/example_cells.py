"""Example cells: those of a column that show how it is written."""

import re
from collections.abc import Collection, Iterable
from itertools import islice

from satsuma.kernels.csv import BLANKS

#: Cells of a column that are looked at.
_FIRST = 1000

_BLANK_MARK = re.compile(rf"\d[{BLANKS}]\d", re.ASCII)
_MINUS_BEHIND = re.compile(r"\d\D*[-\u2212]\W*$", re.ASCII)


def example_cells(values: Iterable[str], missing: Collection[str]) -> tuple[str, ...]:
    """One or two cells to show: the one with the most marks, and one with others; none if empty.

    Parameters
    ----------
    values
        The strings of a column.
    missing
        Spellings of a missing cell.

    Examples
    --------
    >>> example_cells(["7", "1,5", "1.234,50", "-"], ["-"])
    ('1.234,50',)
    >>> example_cells(["7", "1,5", "1.234"], [])
    ('1.234', '1,5')
    >>> example_cells(["12:30", "9:45"], [])
    ('12:30',)
    """
    some = [v for v in islice(values, _FIRST) if (bare := v.strip(BLANKS)) and bare not in missing]
    if not some:
        return ()
    first = max(some, key=lambda value: (len(number_marks(value)), len(value)))
    shown = number_marks(first)
    second = max(some, key=lambda value: (len(number_marks(value) - shown), len(value)))
    return (first, second) if number_marks(second) - shown else (first,)


def number_marks(cell: str) -> frozenset[str]:
    """The marks that make a number of a cell: points, commas, blanks, apostrophes, negatives.

    Examples
    --------
    >>> sorted(number_marks("(1.234,50)")), sorted(number_marks("5-")), sorted(number_marks("-5"))
    (['(', ',', '.'], ['-'], [])
    """
    found = {"'" if mark == "\u2019" else mark for mark in cell if mark in ".,'(\u2019"}
    found |= {" "} if _BLANK_MARK.search(cell) else set()
    return frozenset(found | ({"-"} if _MINUS_BEHIND.search(cell) else set()))
