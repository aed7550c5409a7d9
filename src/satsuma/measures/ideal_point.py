"""IdealPoint: how far rows are from the best of all goals at once (Menzies: heaven, disty)."""

from typing import overload

import numpy as np

from satsuma.data.row import Row
from satsuma.data.table import Table
from satsuma.engines import check_rows
from satsuma.errors import DomainError, ParameterError
from satsuma.measures.distance import Distance
from satsuma.numerics.arrays import Floats
from satsuma.numerics.differences import difference_sums


class IdealPoint:
    """The distance of rows to the ideal point, where every goal has its best value.

    Goals are brought to 0..1 by their range in a table. One that is to be maximised is best at 1,
    one that is to be minimised at 0. A goal that is missing is as far from its best as can be.

    Parameters
    ----------
    distance
        Between the goals of rows.
    best
        1 or 0 for each goal.

    Examples
    --------
    >>> from satsuma import Table
    >>> from satsuma.measures import distance_to_ideal
    >>> rows = [(10, 3), (20, 1), (20, None)]
    >>> cars = Table.of(rows, ["Mpg+", "Lbs-"], target=None, roles={"Mpg+": "+", "Lbs-": "-"})
    >>> distance_to_ideal(cars)(cars).round(3)
    array([1.   , 0.   , 0.707])
    >>> round(distance_to_ideal(cars)(cars[2]), 3)
    0.707
    """

    def __init__(self, distance: Distance, best: Floats) -> None:
        self.distance, self.best = distance, best

    @overload
    def __call__(self, rows: Row) -> float: ...
    @overload
    def __call__(self, rows: Table) -> Floats: ...
    def __call__(self, rows: Row | Table) -> float | Floats:
        """How far a row is from the ideal point, from 0 to 1; for a table, an array."""
        one = isinstance(rows, Row)
        table = rows.table[rows.index : rows.index + 1] if isinstance(rows, Row) else rows
        number, symbol = self.distance.cells(table)
        away = difference_sums(number, symbol, self.best, np.zeros(0, np.int32), self.distance.p)
        found = self.distance.rooted(away)
        return float(found[0]) if one else found


def distance_to_ideal(table: Table, p: float = 2) -> IdealPoint:
    """How far rows are from the best of all goals of a table: ``distance_to_ideal(table)(row)``.

    Parameters
    ----------
    table
        Some of its columns are goals, ``+`` or ``-``; their ranges are those of this table.
    p
        Above 0; the power of the distance.

    Examples
    --------
    >>> from satsuma import Table, distance_to_ideal
    >>> cars = Table.of([(10, 3), (20, 1)], ["Mpg+", "Lbs-"], target=None, roles={"Mpg+": "+"})
    >>> distance_to_ideal(cars)(cars).round(3)
    array([1., 0.])
    """
    if not p > 0:
        raise ParameterError(f"p must be a number above 0. Got {p!r} instead.")
    check_rows("distance_to_ideal takes", table, sources=False)
    goals = table.domain.goals
    if not goals:
        raise DomainError(
            "There is no ideal point without goals. Say which columns are to be large or small: "
            "table.with_roles({'Mpg': '+', 'Lbs': '-'})."
        )
    names = [goal.name for goal in goals]
    only = table.select(names).with_roles(dict.fromkeys(names, "x"))
    best = np.array([1.0 if goal.goal == "+" else 0.0 for goal in goals])
    return IdealPoint(Distance.of(only, p), best)
