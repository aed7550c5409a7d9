"""Pair distances: how far every two rows are apart, where all of them fit in memory."""

from collections.abc import Callable
from functools import partial

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import DomainError
from satsuma.kernels.threads import map_tasks
from satsuma.measures.distance import Cells, Distance
from satsuma.numerics.arrays import Floats, Indices
from satsuma.numerics.differences import difference_sums

#: Rows of which every two can be compared: their distances take 1.6 GB.
MOST_ROWS = 20_000

#: Rows that a thread compares with all others before it asks for more.
_TILE = 64


def check_rows(rows: Table, name: str) -> None:
    """Raise if rows are too many to be compared with each other, or none."""
    if not len(rows):
        raise DomainError(f"{name} was given no rows. Give some.")
    if len(rows) > MOST_ROWS:
        every = -(-len(rows) // MOST_ROWS)
        raise DomainError(
            f"{name} compares every two rows, of {MOST_ROWS:,} at most. There are {len(rows):,}: "
            f"give it some of them, as in table[::{every}], or take KMeans or RP0."
        )


def over_pairs(n: int, of_row: Callable[[int], Floats]) -> Floats:
    """Something of every two rows, as SciPy has it: of row 0 and 1, 2, …, then of row 1 and 2, ….

    Parameters
    ----------
    n
        How many rows there are.
    of_row
        Called with the number of a row: what there is of it and of each row behind it.
    """
    found = np.empty(n * (n - 1) // 2)

    def tile(first: int) -> None:
        for at in range(first, min(first + _TILE, n - 1)):
            begin = n * at - at * (at + 1) // 2
            found[begin : begin + n - 1 - at] = of_row(at)

    map_tasks(tile, range(0, max(n - 1, 0), _TILE))
    return found


def distances_behind(distance: Distance, cells: Cells, at: int) -> Floats:
    """How far all rows behind one are from it."""
    number, symbol = cells
    behind = number[at + 1 :], symbol[at + 1 :]
    return distance.rooted(
        difference_sums(*behind, number[at], symbol[at], distance.p, apart=distance.apart)
    )


def pair_distances(distance: Distance, cells: Cells) -> Floats:
    """The distances of every two rows, in the order of `over_pairs`.

    Examples
    --------
    >>> table = Table.of([(0, "a"), (1, "a"), (4, "b")], ["x", "s"], target=None)
    >>> distance = Distance.of(table)
    >>> pair_distances(distance, distance.cells(table)).round(3)
    array([0.177, 1.   , 0.884])
    """
    return over_pairs(len(cells[0]), partial(distances_behind, distance, cells))


def near_pairs(distance: Distance, cells: Cells, reach: float) -> tuple[Indices, Indices]:
    """The pairs of rows, the first before the second, that are no farther apart than `reach`."""
    n = len(cells[0])

    def tile(first: int) -> tuple[Indices, Indices]:
        one, other = list[Indices](), list[Indices]()
        for at in range(first, min(first + _TILE, n - 1)):
            near = at + 1 + np.flatnonzero(distances_behind(distance, cells, at) <= reach)
            one.append(np.full(len(near), at))
            other.append(near)
        return np.concatenate(one), np.concatenate(other)

    parts = map_tasks(tile, range(0, max(n - 1, 0), _TILE))
    if not parts:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    return np.concatenate([a for a, _ in parts]), np.concatenate([b for _, b in parts])
