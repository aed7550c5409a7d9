"""Leave-one-out: which number of neighbours, weighed how, predicts each row from the others."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from satsuma.kernels.nearest import Nearest
from satsuma.learners.neighbours.neighbourhoods import (
    Neighbourhood,
    Own,
    counts,
    nearness,
    neighbourhoods,
)
from satsuma.measures.distance import Cells, Distance
from satsuma.numerics.arrays import Array, Floats, Indices

#: Numbers of neighbours that are tried, but no more than half of the rows.
TRIED = (1, 2, 3, 4, 5, 7, 10, 14, 20, 28, 40, 56)

#: Imaginary neighbours of all classes that are tried.
SMOOTHINGS = (0.1, 0.3, 1.0, 3.0)

#: So many rows, at most, are predicted from the others.
ASKED = 2_000

#: Probabilities are no less, for their logarithm.
_LEAST = 1e-9

#: Losses that are so near are the same; the first of them is chosen.
_SAME = 1e-9


class Rows(NamedTuple):
    """Rows to be looked among, no two of them alike.

    Parameters
    ----------
    search, cells
        What finds them, and their cells.
    targets
        Their codes or numbers.
    weight
        What each weighs; None where all weigh 1.
    shares
        How many of each class there are, as a share of all; None where targets are numbers.
    row
        The number of each, of all that were learned from the first that is like it.
    learned
        How many were learned from.
    """

    search: Nearest
    cells: Cells
    targets: Array
    weight: Floats | None
    shares: Floats | None
    row: Indices
    learned: int


class Grid(NamedTuple):
    """Numbers of neighbours, ways to weigh them and imaginary neighbours that are tried."""

    tried: Sequence[int]
    ways: Sequence[str]
    smoothings: Sequence[float]


class Choice(NamedTuple):
    """How neighbours vote, and what was tried.

    Parameters
    ----------
    k, way, m
        How many neighbours, how they are weighed, and how many imaginary ones there are.
    tried
        Numbers of neighbours.
    losses
        These by ways to weigh them: the log loss or the squared error, with the best `m`.
    asked
        How many rows were predicted from the others; 0 where nothing was to be chosen.
    """

    k: int
    way: str
    m: float
    tried: Indices
    losses: Floats
    asked: int


def choose(rows: Rows, distance: Distance, asked: Indices, grid: Grid) -> Choice:
    """The least loss in predicting rows from all others, of which each weighs 1 less.

    Parameters
    ----------
    rows, distance
        The rows, and how far they are apart.
    asked
        The rows that are predicted; the first of everything is chosen where there are none.
    grid
        What is tried.
    """
    tried, ways, smoothings = grid
    if not len(asked):
        nothing = np.zeros(0, np.intp), np.zeros((0, 0))
        return Choice(tried[0], ways[0], smoothings[0], *nothing, 0)
    loss = np.zeros((len(tried), len(ways), len(smoothings)))
    mine = rows.cells[0][asked], rows.cells[1][asked]
    weight = np.ones(len(asked)) if rows.weight is None else rows.weight[asked]
    own = Own(asked, np.ones(len(asked)))
    for near in neighbourhoods(rows.search, mine, max(tried), rows.weight, own):
        truth, weighs = rows.targets[asked[near.asked]], weight[near.asked]
        away = distance.rooted(near.sums)
        for i, k in enumerate(tried):
            count = counts(near, k)
            for j, way in enumerate(ways):
                votes = count * nearness(away, count, k, way)
                for at, each in enumerate(_losses(rows, near, votes, truth, smoothings)):
                    loss[i, j, at] += weighs @ each
    loss /= weight.sum()
    least = float(loss.min())
    best: list[int] = np.argwhere(loss <= least + abs(least) * _SAME)[0].tolist()
    i, j, at = best
    found = np.array(tried), loss.min(axis=2)
    return Choice(tried[i], ways[j], smoothings[at], *found, len(asked))


def _losses(
    rows: Rows, near: Neighbourhood, votes: Floats, truth: Array, smoothings: Sequence[float]
) -> Iterator[Floats]:
    """The loss of each query, for each number of imaginary neighbours."""
    total = votes.sum(axis=1)
    if rows.shares is None:
        mean = np.average(rows.targets, weights=rows.weight)
        sums = (votes * rows.targets[near.rows]).sum(axis=1)
        yield (np.where(total > 0, sums / np.where(total > 0, total, 1.0), mean) - truth) ** 2
        return
    right = (votes * (rows.targets[near.rows] == truth[:, None])).sum(axis=1)
    for m in smoothings:
        found = (right + m * rows.shares[truth]) / np.maximum(total + m, _LEAST)
        yield -np.log(np.maximum(found, _LEAST))
