"""Scaled: the numbers of a column where arithmetic with them is safe."""

import numpy as np

from satsuma.data.columns import Floats
from satsuma.tallies.runs import Run, Runs


class Scaled:
    """The numbers of each class, less one of them, and brought below 1 by a power of two.

    So the squares of the largest are floats, and those far from zero that hardly differ are told
    apart.

    Parameters
    ----------
    name
        The column.
    runs
        Its numbers.
    wide
        A difference that is to be brought below 1 as well.

    Examples
    --------
    >>> column = Scaled("x", Runs.of([(np.array([5.0, 6.0, 9.0]), np.ones(3))]))
    >>> column.origin, column.unit, column.runs[0][0].tolist()
    (6.0, 0.25, [-0.25, 0.0, 0.75])
    """

    def __init__(self, name: str, runs: Runs, wide: float = 0.0) -> None:
        self.name, self._all = name, runs
        each = [runs.of_class(code) for code in range(len(runs.starts) - 1)]
        longest = max([np.zeros(1), *(value for value, _ in each)], key=len)
        ends = [x for value, _ in each if len(value) for x in (value[0], value[-1])] or [0.0]
        low, high = float(min(ends)), float(max(ends))
        self.origin = float(longest[len(longest) // 2])
        if high / 2 - low / 2 > np.finfo(float).max / 4:
            self.origin = 0.0  # a difference might be no float
        exponent = int(np.frexp(max(high - self.origin, self.origin - low, wide))[1])
        self.unit = float(np.ldexp(1.0, -max(exponent, -1000)))
        self.range = (high - self.origin) * self.unit - (low - self.origin) * self.unit
        self.runs: list[Run] = [(self._scaled(value), weight) for value, weight in each]

    def _scaled(self, value: Floats) -> Floats:
        return (value - self.origin) * self.unit

    def merged(self) -> tuple[Floats, Floats]:
        """The distinct numbers of all classes, and an array (distinct, classes) of weights."""
        value, weight = self._all.merged()
        return self._scaled(value), weight
