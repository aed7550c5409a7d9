"""Readings: what formats make of all strings of a column, by the scanner."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from satsuma.kernels.csv import NO_TIME, TIME, WRITTEN, Dialect, Format, NumberFormat, scan
from satsuma.numerics.arrays import Array

F = TypeVar("F", bound=Format)

#: Strings that are looked at to find what a format could be; all of them are read to confirm it.
SAMPLE = 1000

#: A character that no number and no time is written with, so that each string is one cell.
_DELIMITER = "\x1f"


@dataclass(frozen=True)
class Doubt:
    """Several formats that all strings fit, and that make different things of them.

    Or a single one, where strings that are neither numbers nor times may look the same.
    """

    formats: tuple[Format, ...]


def readings(values: Collection[str], forms: Iterable[F]) -> list[tuple[F, Array]]:
    """The formats that make something of all strings, and what they make of them.

    Examples
    --------
    >>> readings(["1,5", "1,234"], [NumberFormat("."), NumberFormat(",")])
    [(NumberFormat(decimal=',', thousands='', before='', after=''), array([1.5  , 1.234]))]
    """
    block = _block(values)
    if block is None:
        return []
    found = ((form, _read(block, len(values), form)) for form in forms)
    return [(form, column) for form, column in found if column is not None]


def _block(values: Collection[str]) -> bytes | None:
    """The strings as lines of a text; None where one of them cannot be a line of its own."""
    text = "\n".join(values)
    lines = text.count("\n") + 1
    if lines != len(values) or any(mark in text for mark in (_DELIMITER, "\r", "\0")):
        return None
    return text.encode("utf-8", "surrogatepass")


def _read(block: bytes, rows: int, form: Format) -> Array | None:
    """What a format makes of all lines of a text; None where it makes nothing of one."""
    dialect = Dialect(1, _DELIMITER, quote=None, missing=(), formats={0: form})
    kind = WRITTEN if isinstance(form, NumberFormat) else TIME
    piece = scan(block, dialect, np.array([kind], np.int8))
    column = piece.columns[0]
    if column is None or piece.rows != rows:
        return None
    missing = np.isnan(column) if kind == WRITTEN else column == NO_TIME
    return None if missing.any() else column


def different(found: Iterable[tuple[F, Array]]) -> list[F]:
    """The first format of those that make the same of all strings."""
    first: dict[bytes, F] = {}
    for form, column in found:
        first.setdefault(column.tobytes(), form)
    return list(first.values())
