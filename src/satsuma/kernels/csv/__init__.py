"""The scanner of delimited text: the compiled one where there is one, else its twin."""

import os

from satsuma.kernels.csv import twin as csv_twin
from satsuma.kernels.csv.piece import (
    DIALLED,
    DIGITS,
    NUM,
    NUM_LOOSE,
    SKIP,
    SYM,
    Bad,
    Dialect,
    Piece,
    most_rows,
)

try:
    if os.environ.get("SATSUMA_KERNELS") == "twins":
        raise ImportError("the twins were asked for")
    from satsuma.kernels.csv import _native as _csv
except ImportError:
    scan, cut, record_end = csv_twin.scan, csv_twin.cut, csv_twin.record_end
    count_lines = csv_twin.count_lines
    compiled = False
else:
    scan, cut, record_end = _csv.scan, _csv.cut, _csv.record_end
    count_lines = _csv.count_lines
    compiled = True

number = csv_twin.number

__all__ = [
    "DIALLED",
    "DIGITS",
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
