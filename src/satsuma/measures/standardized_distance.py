"""StandardizedDistance: rows are so many standard deviations apart, whatever outliers say."""

import math
from collections.abc import Callable
from typing import Self

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.kernels.threads import map_tasks
from satsuma.measures.distance import Cells, Distance, norm
from satsuma.numerics.arrays import Floats
from satsuma.tallies.by_class import numbers_of, symbols_of

#: Numbers are compared within so many standard deviations of the mean.
REACH = 4.0

#: Parts of the rows whose range tells outliers, and that range in standard deviations of a normal
#: distribution; where most numbers are the same, the wider part.
_MIDDLES = ((0.25, 0.75, 1.349), (0.05, 0.95, 3.29))

#: Sums of weights that are so near are the same.
_SAME = 1e-9

#: The greatest number.
_MOST = float(np.finfo(np.float64).max)


class StandardizedDistance(Distance):
    """(sum over columns of difference^p / columns)^(1/p), in standard deviations.

    A number beyond four standard deviations from the mean is taken as four away. Two symbols that
    differ are the square root of 2 apart, which is how far two rows are apart in a number, in the
    mean of squares. A missing number is the mean of its column, and a missing symbol is a symbol of
    its own.

    Examples
    --------
    >>> rows = [(0, "red"), (10, "red"), (5, None)]
    >>> table = Table.of(rows, ["size", "colour"], target=None)
    >>> StandardizedDistance.of(table).between(table[0], table).round(3)
    array([0.   , 1.732, 1.323])
    """

    apart = 2**0.5 / (2 * REACH)

    @classmethod
    def of(cls, table: Table, p: float = 2) -> Self:
        """The distance by the mean and the standard deviation of each number, weighed."""
        numbers, symbols = numbers_of(table.domain), symbols_of(table.domain)
        weights = table.weights
        ends = map_tasks(lambda v: _ends(table.column(v.name), weights), numbers)
        lo, hi = np.array(ends).reshape(-1, 2).T.copy()
        names = tuple(v.name for v in numbers), tuple(v.name for v in symbols)
        return cls(names, lo, hi, p)

    def cells(self, table: Table, spelled: Domain | None = None) -> Cells:
        """The cells of rows: numbers from 0 to 1, 0.5 for the mean and for missing, and codes."""
        number, symbol = super().cells(table, spelled)
        number[np.isnan(number)] = 0.5
        domain = table.domain if spelled is None else spelled
        for at, name in enumerate(self.names[1]):
            symbol[symbol[:, at] < 0, at] = len(domain[name].values)
        return number, symbol

    def scaled(self, column: Floats, at: int) -> Floats:
        """Numbers brought to 0..1 by the reach of their column."""
        return norm(column, self.lo[at], self.hi[at], 0.0)

    def rooted(self, sums: Floats) -> Floats:
        """Distances from sums of differences to the power of p."""
        return super().rooted(sums) * (2 * REACH)


def _ends(column: Floats, weights: Floats | None) -> tuple[float, float]:
    """Four standard deviations below the mean, and above; NaN where nothing is known.

    Numbers far beyond the middle half of the rows are taken in to where four standard deviations
    of a normal distribution would end, before their mean and standard deviation are found
    (winsorizing). A column that never varies has a standard deviation of 1.
    """
    known = ~np.isnan(column)
    whole = bool(known.all())
    x = column if whole else column[known]
    weight = weights if weights is None or whole else weights[known]
    if not len(x):
        return np.nan, np.nan
    unit = float(np.abs(x).max()) or 1.0  # so that no square is beyond the range of floats
    middle, spread = _moments(_taken_in(x / unit, weight), weight)
    if spread <= abs(middle) * 1e-14:
        spread = 1.0 / unit
    low, high = (float((middle + side * spread) * unit) for side in (-REACH, REACH))
    if not low < high:  # numbers so great that there is none beside them
        low, high = 0.0, 2 * unit
    return max(low, -_MOST), min(high, _MOST)


def _taken_in(x: Floats, weight: Floats | None) -> Floats:
    """Numbers, of which outliers are taken in to the ends of a robust range."""
    quantile = _quantiles(x, weight)
    for share, rest, width in _MIDDLES:
        spread = (quantile(rest) - quantile(share)) / width
        if spread > 0:
            middle = quantile(0.5)
            return np.clip(x, middle - REACH * spread, middle + REACH * spread)
    return x


def _quantiles(x: Floats, weight: Floats | None) -> Callable[[float], float]:
    """What gives the least number that has a share of all weights at it and below it."""
    if weight is None:
        ordered = np.sort(x)
        return lambda share: float(ordered[math.ceil(share * len(x) * (1 - _SAME)) - 1])
    order = np.argsort(x)
    below: Floats = weight[order].cumsum()

    def quantile(share: float) -> float:
        enough = below >= share * below[-1] * (1 - _SAME)
        return float(x[order[int(enough.argmax())]])

    return quantile


def _moments(x: Floats, weight: Floats | None) -> tuple[float, float]:
    middle = float(np.average(x, weights=weight))
    return middle, float(np.sqrt(np.average((x - middle) ** 2, weights=weight)))
