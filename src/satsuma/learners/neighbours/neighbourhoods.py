"""Neighbourhoods: the nearest rows that weigh k together; those at the same distance share."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from satsuma.kernels.nearest import Nearest
from satsuma.measures.distance import Cells
from satsuma.numerics.arrays import Floats, Indices, Integers

#: Ways to weigh neighbours by their distance.
WAYS = ("uniform", "distance", "linear")

#: Sums of differences that are so near, and weights, are the same.
_SAME = 1e-9

#: Neighbours that are held at a time.
_HELD = 1 << 22


class Neighbourhood(NamedTuple):
    """Rows near to some queries, nearest first.

    Parameters
    ----------
    asked
        The numbers of these queries.
    sums
        Queries by neighbours: sums of differences; infinity where there is no further row.
    rows
        The numbers of the rows, or -1.
    weight
        What the rows weigh.
    """

    asked: Indices
    sums: Floats
    rows: Integers
    weight: Floats


class Own(NamedTuple):
    """Queries that are among the rows: which row each is, and what of its weight is its own."""

    row: Indices
    weight: Floats


def neighbourhoods(
    search: Nearest,
    cells: Cells,
    k: int,
    weight: Floats | None,
    own: Own | None = None,
) -> Iterator[Neighbourhood]:
    """For some queries at a time, all rows that may be among the nearest that weigh k together.

    All rows at the distance of the last one are there, however many.

    Parameters
    ----------
    search, cells
        The rows, and the queries.
    k
        How much the neighbours of a query weigh together.
    weight
        What each row weighs; None where all weigh 1.
    own
        The row that each query is itself, and by how much less it weighs for it.
    """
    rows, left = len(search.packed.number), np.arange(len(cells[0]))
    wanted = min(k + 2, rows)
    while len(left):
        later = list[Indices]()
        for asked in np.array_split(left, -(-len(left) * wanted // _HELD)):
            sums, at = search.find(cells[0][asked], cells[1][asked], wanted)
            each = np.where(at < 0, 0.0, 1.0 if weight is None else weight[at])
            if own is not None:
                left = np.maximum(each - own.weight[asked, None], 0)
                each = np.where(at == own.row[asked, None], left, each)
            end = sums[:, -1] > _radius(sums, each, k) * (1 + _SAME)
            done = end | (wanted == rows)
            yield Neighbourhood(asked[done], sums[done], at[done], each[done])
            later.append(asked[~done])
        left, wanted = np.concatenate(later), min(2 * wanted, rows)


def _radius(sums: Floats, each: Floats, k: int) -> Floats:
    """The sum at which rows weigh k together; infinity where they do not."""
    enough = np.cumsum(each, axis=1) >= k * (1 - _SAME)
    first = enough.argmax(axis=1)
    return np.where(enough.any(axis=1), sums[np.arange(len(sums)), first], np.inf)


def counts(near: Neighbourhood, k: int) -> Floats:
    """What each neighbour counts, k together: those at the same distance share what is left.

    Examples
    --------
    >>> sums, rows = np.array([[0.1, 0.2, 0.2, 0.3]]), np.arange(4)[None]
    >>> counts(Neighbourhood(np.arange(1), sums, rows, np.ones((1, 4))), 2)
    array([[1. , 0.5, 0.5, 0. ]])
    """
    radius = _radius(near.sums, near.weight, k)[:, None]
    inside = near.weight * (near.sums < radius * (1 - _SAME))
    end = np.where(radius < np.inf, radius * (1 + _SAME), -1.0)  # or all rows are inside
    at_end = near.weight * (near.sums <= end) - inside * (end >= 0)
    total = at_end.sum(axis=1, keepdims=True)
    rest = k - inside.sum(axis=1, keepdims=True)
    return inside + at_end * np.minimum(1.0, rest / np.where(total > 0, total, np.inf))


def nearness(away: Floats, count: Floats, k: int, way: str) -> Floats:
    """What neighbours that count weigh by their distance: the nearest 1, and others no more.

    ``distance``: by one over it; where some are at none, these alone. ``linear``: less and less,
    down to 0 a little beyond the last one (after Dudani 1976).

    Examples
    --------
    >>> away, count = np.array([[1.0, 2.0, 4.0]]), np.ones((1, 3))
    >>> for way in WAYS:
    ...     print(way, nearness(away, count, 3, way).round(2)[0].tolist())
    uniform [1.0, 1.0, 1.0]
    distance [1.0, 0.5, 0.25]
    linear [1.0, 0.77, 0.31]
    """
    if way == "uniform":
        return np.ones_like(away)
    near: Floats = np.where(count > 0, away, np.inf).min(axis=1, keepdims=True)
    if way == "distance":
        alone = (away == 0).astype(np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            by_one = near / away
        return np.where(count > 0, np.where(near > 0, by_one, alone), 0.0)
    last: Floats = np.where(count > 0, away, 0.0).max(axis=1, keepdims=True) * (1 + 1 / k)
    last[last == 0] = 1.0
    with np.errstate(invalid="ignore"):
        found = (last - away) / (last - near)
    return np.where(count > 0, found, 0.0)
