"""Telephone numbers: cells such as ``+4915112345678``, which are names although they spell numbers.

As a number, such a cell would lose its plus. The scanners of delimited text take it for one; what
they have found is looked through here, at little cost where no cell of a block is like that.
"""

import re
from collections.abc import Callable
from typing import cast

import numpy as np
import numpy.typing as npt

from satsuma.kernels.csv_piece import NUM, SKIP, SYM, Dialect, Piece

#: A plus and so many digits are a name.
DIGITS = 7

PHONE = re.compile(rf"[ \t]*\+\d{{{DIGITS},}}[ \t]*", re.ASCII)

Block = bytes | bytearray | memoryview


def some(block: Block) -> bool:
    """Whether a plus is followed by as many digits somewhere, unless it belongs to a power.

    Examples
    --------
    >>> some(b"a,+4915112345678"), some(b"1e+1234567,+12")
    (True, False)
    """
    # To look for one character in the memory that a block is cut from costs next to nothing.
    whole = cast("object", block.obj) if isinstance(block, memoryview) else block
    if isinstance(whole, bytes | bytearray) and b"+" not in whole:
        return False
    text = np.frombuffer(block, np.uint8)
    plus = np.flatnonzero(text == ord("+"))
    plus = plus[plus + DIGITS < len(text)]
    for letter in b"eE":
        plus = plus[text[plus - 1] != letter]
    for step in range(1, DIGITS + 1):
        plus = plus[text[plus + step] - np.uint8(ord("0")) <= 9]
    return plus.size > 0


def refuse(
    piece: Piece,
    block: Block,
    dialect: Dialect,
    kinds: npt.NDArray[np.int8],
    as_symbols: Callable[[npt.NDArray[np.int8]], Piece],
) -> None:
    """Let the columns of numbers fail that hold a telephone number.

    Parameters
    ----------
    piece
        What a block was found to hold; it is changed.
    block, dialect, kinds
        The block, and how it was read.
    as_symbols
        Reads it once more, as other kinds.
    """
    large = [
        j
        for j, column in enumerate(piece.columns)
        if kinds[j] == NUM and column is not None and (column >= 10 ** (DIGITS - 1)).any()
    ]
    if not large:
        return
    again = np.full_like(kinds, SKIP)
    again[large] = SYM
    values = as_symbols(again).values
    for j in large:
        cell = next((value for value in values[j] if PHONE.fullmatch(value)), None)
        if cell is not None:
            piece.failed[j] = _line(block, cell, dialect), cell
            piece.columns[j] = None


def _line(block: Block, cell: str, dialect: Dialect) -> int:
    """The line in which a cell comes first, from 1."""
    edge = rb"[\r\n" + re.escape((dialect.delimiter + (dialect.quote or "")).encode()) + rb"]"
    spelled = re.escape(cell.encode())
    found = re.search(rb"(?:^|" + edge + rb")(" + spelled + rb")(?:$|" + edge + rb")", block)
    before = bytes(block[: found.start(1) if found else 0])
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
