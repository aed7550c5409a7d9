"""Numbers and times as people write them, read by the format of their column: defines written.h.

A format holds for a whole column; a cell that is not written so spells nothing.
"""

from satsuma.kernels.csv.written_numbers import NumberFormat, read_number
from satsuma.kernels.csv.written_times import TimeFormat, read_time

Format = NumberFormat | TimeFormat


def read_cell(text: str, form: Format) -> float | int | None:
    """The number or the time that a cell spells, or None."""
    return read_number(text, form) if isinstance(form, NumberFormat) else read_time(text, form)
