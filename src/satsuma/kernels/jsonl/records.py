"""What the kernel of JSON lines gives, compiled or not."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from satsuma.numerics.arrays import Array, Codes


class Column(NamedTuple):
    """The cells of a key in all rows, of one sort.

    Parameters
    ----------
    sort
        ``number``, ``word`` or ``boolean``; an empty string where all are missing.
    cells
        Numbers, NaN where one is missing; or codes, -1 where one is missing. None where all are.
    values
        What the codes stand for, in the order of their first appearance.
    """

    sort: str
    cells: Array | None
    values: Sequence[str]


class Records(NamedTuple):
    """Lines of JSON, each an object of one level.

    Parameters
    ----------
    line
        The line of each row, from 1.
    lines, blank, first_blank
        How many lines there are; blank ones among them, and the first of these.
    columns
        By key, in the order of their first appearance.
    """

    line: Codes
    lines: int
    blank: int
    first_blank: int
    columns: Mapping[str, Column]
