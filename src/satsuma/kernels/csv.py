"""The scanner of delimited text: the compiled one where there is one, else its twin."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.kernels import csv_phones, csv_twin
from satsuma.kernels.csv_piece import NUM, NUM_LOOSE, SKIP, SYM, Bad, Dialect, Piece, most_rows

try:
    if os.environ.get("SATSUMA_KERNELS") == "twins":
        raise ImportError("the twins were asked for")
    from satsuma.kernels import _csv
except ImportError:
    _scan, cut, record_end = csv_twin.scan, csv_twin.cut, csv_twin.record_end
    count_lines = csv_twin.count_lines
    compiled = False
else:
    _scan, cut, record_end = _csv.scan, _csv.cut, _csv.record_end
    count_lines = _csv.count_lines
    compiled = True

number = csv_twin.number


def scan(
    block: csv_phones.Block,
    dialect: Dialect,
    kinds: npt.NDArray[np.int8],
    keep_bad: bool = False,
    *,
    known: Sequence[Sequence[str]] | None = None,
    out: Sequence[npt.NDArray[Any] | None] | None = None,
) -> Piece:
    r"""Read all records of a block; stop after the first bad row unless `keep_bad`.

    Symbols that are `known` have the first codes of their column. The rows are written to the
    arrays in `out`, for which as many rows as the block has lines are enough, or to new ones.

    Examples
    --------
    >>> scan(b"1,+4915112345678\n", Dialect(2), np.array([NUM, NUM], np.int8)).failed
    {1: (1, '+4915112345678')}
    """
    piece = _scan(block, dialect, kinds, keep_bad, known=known, out=out)
    if (kinds == NUM).any() and csv_phones.some(block):
        csv_phones.refuse(
            piece, block, dialect, kinds, lambda other: _scan(block, dialect, other, keep_bad)
        )
    return piece


__all__ = [
    "NUM",
    "NUM_LOOSE",
    "SKIP",
    "SYM",
    "Bad",
    "Dialect",
    "Piece",
    "compiled",
    "count_lines",
    "cut",
    "most_rows",
    "number",
    "record_end",
    "scan",
]
