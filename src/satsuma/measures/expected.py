"""Expected: how far cells of a column are apart, where some are missing and only expected."""

from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import Array, Floats

Rows = npt.NDArray[np.int64]


class Expected:
    """Differences between the cells of a column; in place of a missing one, what its class holds.

    Numbers differ by what lies between them, symbols by 0 or 1. Where a class has no known cell,
    the whole column stands for it.

    Parameters
    ----------
    column
        Numbers from 0 to 1 with NaN for missing, or codes with -1.
    values
        How many symbols there are; not looked at for numbers.
    codes, classes, weight
        The class of each row, how many there are, and what each row weighs.
    """

    def __init__(
        self, column: Array, values: int, codes: Array, classes: int, weight: Floats
    ) -> None:
        self.codes = codes
        numbers = column.dtype.kind == "f"
        self.missing = np.isnan(column) if numbers else column < 0
        known = np.flatnonzero(~self.missing)
        if numbers:
            self.points, place = np.unique(column[known], return_inverse=True)
        else:  # a column without values gets one that never occurs
            self.points, place = np.arange(max(values, 1)), column[known]
        self.place = np.zeros(len(column), np.int64)
        self.place[known] = place
        self.numbers = numbers
        n = len(self.points)
        cells = self.codes[known].astype(np.int64) * n + place
        held = np.bincount(cells, weight[known], classes * n).reshape(classes, n).astype(float)
        empty = held.sum(axis=1) == 0
        held[empty] = held.sum(axis=0)
        total = held.sum(axis=1, keepdims=True)
        self.share = np.divide(held, total, out=np.zeros_like(held), where=total > 0)
        self.to_class = self._to_class()  # (classes, points): a known cell and a missing one
        self.of_classes = self.to_class @ self.share.T  # two missing cells

    def _to_class(self) -> Floats:
        if not self.numbers:
            return 1 - self.share
        # The mean of |x - X|: what lies below x on the one side, what lies above on the other.
        below = np.cumsum(self.share, axis=1)
        moment = np.cumsum(self.share * self.points, axis=1)
        x: Any = self.points
        return (x * below - moment) + (moment[:, -1:] - moment) - x * (below[:, -1:] - below)

    def difference(self, row: Rows, other: Rows) -> Floats:
        """How far the cells of some rows are from those of others."""
        a, b = self.place[row], self.place[other]
        away: Floats = (a != b).astype(np.float64)
        if self.numbers:
            away = np.abs(self.points[a] - self.points[b])
        no_a, no_b = self.missing[row], self.missing[other]
        c, d = self.codes[row], self.codes[other]
        away = np.where(no_a, self.to_class[c, b], away)
        away = np.where(no_b, self.to_class[d, a], away)
        return np.where(no_a & no_b, self.of_classes[c, d], away)
