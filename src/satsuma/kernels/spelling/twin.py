"""Rows of cells spelled as lines of text, in plain Python: the definition of the kernel."""

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from satsuma.numerics.arrays import Codes, Floats, Integers

#: Whole numbers below it have no point.
WHOLE = 2.0**53


class Room:
    """Memory that lines are written to again and again: the system clears what is new."""

    def __init__(self) -> None:
        self.memory = bytearray()


class Spelled(NamedTuple):
    """A column whose cells are among some strings.

    Parameters
    ----------
    codes
        Which string each cell is; -1 for the last one, which is that of a missing cell.
    text
        All strings as UTF-8, one behind the other.
    edges
        Where each begins, and where the last one ends.
    """

    codes: Codes
    text: bytes
    edges: Integers

    @classmethod
    def of(cls, codes: Codes, strings: Sequence[str]) -> "Spelled":
        """A column of some strings.

        Examples
        --------
        >>> Spelled.of(np.array([0, -1], np.int32), ["no", "yes", "?"]).edges.tolist()
        [0, 2, 5, 6]
        """
        each = [string.encode() for string in strings]
        edges = np.cumsum([0, *map(len, each)])
        return cls(np.ascontiguousarray(codes, np.int32), b"".join(each), edges.astype(np.int64))


Column = Floats | Spelled


def number(value: float) -> str:
    """The shortest spelling that is read back as the same number.

    Examples
    --------
    >>> number(0.1), number(3.0), number(-0.0), number(1e300)
    ('0.1', '3', '-0.0', '1e+300')
    """
    spelled = repr(value)
    # Without its point, a whole number beyond 2**53 would be taken for a key, and -0 for 0.
    short = spelled.endswith(".0") and abs(value) < WHOLE and spelled != "-0.0"
    return spelled[:-2] if short else spelled


def lines(
    columns: Sequence[Column],
    before: Sequence[bytes],
    end: bytes,
    missing: bytes,
    room: Room | None = None,
) -> memoryview:
    r"""Rows as lines.

    Parameters
    ----------
    columns
        The cells: numbers, NaN for missing, or strings.
    before
        What stands before each cell of a row.
    end
        What stands behind the last cell.
    missing
        A missing number.
    room
        Where the lines may be, until it is given again.

    Examples
    --------
    >>> column = Spelled.of(np.array([1, -1], np.int32), ["no", "yes", ""])
    >>> bytes(lines([np.array([0.5, np.nan]), column], [b"", b","], b"\n", b""))
    b'0.5,yes\n,\n'
    """
    cells = [_cells(column, missing) for column in columns]
    rows = (chain(*zip(before, row, strict=True), [end]) for row in zip(*cells, strict=True))
    del room  # what is joined is new memory in any case
    return memoryview(b"".join(map(b"".join, rows)))


def _cells(column: Column, missing: bytes) -> list[bytes]:
    if isinstance(column, Spelled):
        each = [column.text[low:high] for low, high in pairwise(column.edges.tolist())]
        return [each[code] for code in column.codes.tolist()]
    return [number(x).encode() if x == x else missing for x in column.tolist()]  # noqa: PLR0124
