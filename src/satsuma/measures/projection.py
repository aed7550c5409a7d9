"""Projection: where rows stand on the line between two others, and in a plane."""

from typing import Any

import numpy as np

from satsuma.data.table import Table
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


def fastmap(distance: Distance, rows: Table, seed: int = 0) -> Floats:
    """Rows in a plane, so that those that are near each other stay so (Faloutsos and Lin 1995).

    Each axis goes from one row to one far from it; where the others stand along it says the cosine
    rule. The second axis is of what the first one leaves of the distances.

    Parameters
    ----------
    distance
        Between the rows.
    rows
        With the columns of the distance.
    seed
        Where chance starts from.

    Examples
    --------
    >>> table = Table.of([(0,), (1,), (3,)], ["x"], target=None)
    >>> np.abs(np.diff(fastmap(Distance.of(table), table)[:, 0])).round(3)
    array([0.333, 0.667])
    """
    at = np.zeros((len(rows), 2))
    row = int(np.random.default_rng(seed).integers(len(rows)))
    for axis in range(2):
        left = at[:, :axis]

        def away(one: int, left: Floats = left) -> Floats:
            gone = np.square(left - left[one]).sum(axis=1)
            found = np.sqrt(np.maximum(np.square(distance.between(rows[one], rows)) - gone, 0.0))
            found[one] = 0.0  # even where a cell is missing
            return found

        first = int(away(row).argmax())
        to_first = away(first)
        second = int(to_first.argmax())
        if to_first[second] > 0:
            at[:, axis] = cosine_rule(to_first, away(second), float(to_first[second]))[0]
    return at
