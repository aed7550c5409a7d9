"""Columns side by side in one array, symbols as zeros and ones."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Array = npt.NDArray[Any]


class SideBySide:
    """Columns that are laid side by side, some rows at a time.

    A column of codes becomes one column for each value, of ones where a row has it and zeros where
    it has another; all of them are missing where the code stands for no value.

    Parameters
    ----------
    columns
        Numbers or codes.
    levels
        How many values each column has; None for numbers.

    Examples
    --------
    >>> side = SideBySide([np.array([2.5, 3.5]), np.array([1, -1])], [None, 2])
    >>> side.rows(0, 2)
    array([[2.5, 0. , 1. ],
           [3.5, nan, nan]])
    """

    def __init__(self, columns: Sequence[Array], levels: Sequence[int | None]) -> None:
        self.columns = [
            column.astype(np.float64, copy=False) if level is None else column
            for column, level in zip(columns, levels, strict=True)
        ]
        self.levels = tuple(levels)
        self.plain = all(level is None for level in levels)
        self.width = sum(1 if level is None else level for level in levels)

    def rows(self, start: int, stop: int) -> Floats:
        """Some rows: an array (rows, width)."""
        parts = [
            column[start:stop, None] if level is None else indicators(column[start:stop], level)
            for column, level in zip(self.columns, self.levels, strict=True)
        ]
        return np.hstack(parts) if parts else np.zeros((stop - start, 0))


def indicators(codes: Array, values: int) -> Floats:
    """A column for each value, of ones where a row has it."""
    said = (codes[:, None] == np.arange(values)).astype(np.float64)
    said[(codes < 0) | (codes >= values)] = np.nan
    return said
