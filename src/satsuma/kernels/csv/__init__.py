"""The scanner of delimited text: the compiled one where there is one, else its twin."""

from satsuma.kernels import use_native
from satsuma.kernels.csv.piece import (
    DIALLED,
    DIGITS,
    NUM,
    NUM_LOOSE,
    SKIP,
    SYM,
    TIME,
    WRITTEN,
    Bad,
    Dialect,
    Piece,
    most_rows,
)
from satsuma.kernels.csv.twin import fields_of_any_size, number
from satsuma.kernels.csv.written import Format, read_cell
from satsuma.kernels.csv.written_numbers import BLANKS, NumberFormat, read_number
from satsuma.kernels.csv.written_times import (
    DAY,
    MONTHS,
    MOST_DAYS,
    NO_TIME,
    SECOND,
    TimeFormat,
    directives,
    month_title,
    read_time,
)

if compiled := use_native("csv"):
    from satsuma.kernels.csv._native import count_lines, cut, record_end, scan
else:
    from satsuma.kernels.csv.twin import count_lines, cut, record_end, scan

__all__ = [
    "BLANKS",
    "DAY",
    "DIALLED",
    "DIGITS",
    "MONTHS",
    "MOST_DAYS",
    "NO_TIME",
    "NUM",
    "NUM_LOOSE",
    "SECOND",
    "SKIP",
    "SYM",
    "TIME",
    "WRITTEN",
    "Bad",
    "Dialect",
    "Format",
    "NumberFormat",
    "Piece",
    "TimeFormat",
    "compiled",
    "count_lines",
    "cut",
    "directives",
    "fields_of_any_size",
    "month_title",
    "most_rows",
    "number",
    "read_cell",
    "read_number",
    "read_time",
    "record_end",
    "scan",
]
