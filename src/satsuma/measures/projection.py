"""Projection: where rows stand on the line between two others, and in a plane."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Floats


def cosine_rule(to_first: Any, to_second: Any, apart: float) -> tuple[Any, Any]:
    """Where something is along the line from one pole to another, and how far from that line.

    Parameters
    ----------
    to_first, to_second
        Its distance from each pole; a number or an array.
    apart
        The distance of the poles, above 0.

    Examples
    --------
    >>> along, off = cosine_rule(3, 4, 5)
    >>> round(float(along), 12), round(float(off), 12)
    (1.8, 2.4)
    """
    squared = np.square(to_first)
    along = (squared + apart**2 - np.square(to_second)) / (2 * apart)
    # Where distances are no lengths of sides of a triangle, there is nothing left beside the line.
    return along, np.sqrt(np.maximum(squared - np.square(along), 0.0))


@dataclass(frozen=True)
class FastMap:
    """Places of rows along lines between far poles, so that rows near each other stay so.

    Each axis goes from one row to one far from it; where others stand along it says the cosine
    rule. Each further axis is of what those before it leave of the distances (Faloutsos and Lin
    1995).

    Parameters
    ----------
    distance
        Between rows.
    poles
        Two rows for each axis: where it begins, and where it ends.
    at
        Where the poles stand on all axes.
    apart
        How far the two poles of each axis are apart in what is left of the distance; 0 where
        nothing is left.

    Examples
    --------
    >>> import satsuma
    >>> iris = satsuma.load("iris")
    >>> satsuma.fastmap(iris, axes=3).place(iris).shape
    (150, 3)
    """

    distance: Distance
    poles: Table
    at: Floats
    apart: Floats

    @property
    def axes(self) -> int:
        """How many axes there are."""
        return len(self.apart)

    def place(self, rows: Table) -> Floats:
        """Where rows stand: an array (rows, axes). They have the columns of the distance."""
        found = np.zeros((len(rows), self.axes))
        for axis in range(self.axes):
            if self.apart[axis] > 0:
                first, second = (self._left(rows, found, 2 * axis + end, axis) for end in (0, 1))
                found[:, axis] = cosine_rule(first, second, float(self.apart[axis]))[0]
        return found

    def _left(self, rows: Table, found: Floats, pole: int, axis: int) -> Floats:
        """What is left of the distance of rows from a pole, before an axis."""
        gone = np.square(found[:, :axis] - self.at[pole, :axis]).sum(axis=1)
        squared = np.square(self.distance.between(self.poles[pole], rows))
        return np.sqrt(np.maximum(squared - gone, 0.0))


def fastmap(table: Table, axes: int = 2, *, p: float = 2, seed: int = 0) -> FastMap:
    """Find far poles among rows, between which these and other rows have their place.

    Parameters
    ----------
    table
        The rows; only attributes count, numbers and symbols alike, and cells may be missing.
    axes
        How many lines between poles.
    p
        The power of the distance; 2 is Euclid's.
    seed
        From which row the first pole is sought.

    Examples
    --------
    >>> import numpy as np
    >>> from satsuma import Table, fastmap
    >>> table = Table.of([(0,), (1,), (3,)], ["x"], target=None)
    >>> found = fastmap(table, axes=1)
    >>> np.abs(np.diff(found.place(table)[:, 0])).round(3)
    array([0.333, 0.667])
    """
    if axes < 1:
        raise ParameterError(f"axes must be a whole number of at least 1. Got {axes!r} instead.")
    if not len(table):
        raise DomainError("There are no rows in this table to find poles among.")
    distance = Distance.of(table, p)
    at, poles, apart = np.zeros((len(table), axes)), list[int](), np.zeros(axes)
    row = int(np.random.default_rng(seed).integers(len(table)))
    for axis in range(axes):
        left = at[:, :axis]

        def away(one: int, left: Floats = left) -> Floats:
            gone = np.square(left - left[one]).sum(axis=1)
            found = np.sqrt(np.maximum(np.square(distance.between(table[one], table)) - gone, 0.0))
            found[one] = 0.0  # even where a cell is missing
            return found

        first = int(away(row).argmax())
        to_first = away(first)
        second = int(to_first.argmax())
        poles += [first, second]
        apart[axis] = to_first[second]
        if apart[axis] > 0:
            at[:, axis] = cosine_rule(to_first, away(second), float(apart[axis]))[0]
    return FastMap(distance, table[poles], at[poles], apart)
