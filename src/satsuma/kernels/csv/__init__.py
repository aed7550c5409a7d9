"""The scanner of delimited text: the compiled one where there is one, else its twin."""

from satsuma.kernels import use_native
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
from satsuma.kernels.csv.twin import fields_of_any_size, number

if compiled := use_native("csv"):
    from satsuma.kernels.csv._native import count_lines, cut, record_end, scan
else:
    from satsuma.kernels.csv.twin import count_lines, cut, record_end, scan

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
    "fields_of_any_size",
    "most_rows",
    "number",
    "record_end",
    "scan",
]
