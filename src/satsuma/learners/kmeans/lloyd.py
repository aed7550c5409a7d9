"""Lloyd's algorithm: rows go to the nearest centre, and centres to the middle of their rows.

A `Start` goes on by the same steps whether its rows are in memory (`run_in_memory`) or are tallied
batch by batch, wherever they are (`rounds`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from satsuma.data.domain import Domain
from satsuma.errors import DomainError
from satsuma.kernels import kmeans
from satsuma.kernels.kmeans import TIE, Assigning, Moved, Sums
from satsuma.learners.kmeans.seeding import fill_missing
from satsuma.learners.kmeans.space import Cells, Extent, Space, most_frequent
from satsuma.numerics.arrays import Codes, Floats, Integers
from satsuma.numerics.sums import weighted_bincount


@dataclass(frozen=True)
class Setup:
    """What is fixed once the extent of columns is known, before the first step.

    Parameters
    ----------
    space
        How rows are seen.
    middle
        Where all rows are in it: the cells of centres that lack some.
    given
        Centres to start from, if the user gave any.
    least
        How far a centre must move to be not at rest.
    """

    space: Space
    middle: Cells
    given: Cells | None
    k: int
    init: str
    steps: int
    least: float
    starts: int
    seed: int


def set_up(learner: Any, extent: Extent, domain: Domain, given: Cells | None, name: str) -> Setup:
    """The setup of a learner of some name, for columns of some extent."""
    if not extent.weight > 0:
        raise DomainError(
            f"{name} was given no row whose weight is not zero. Give some rows a weight."
        )
    moments = extent.moments
    space = Space(domain, moments.lo[0], moments.hi[0], learner.scale)
    mean, mode = extent.middle
    middle = Cells(space.scaled(mean)[None], mode[None])
    if given is not None:
        given = fill_missing(Cells(space.scaled(given.number), given.symbol), middle)
    starts = 1 if given is not None else learner.starts
    least = learner.tolerance * space.across
    init = "" if given is not None else learner.init
    return Setup(space, middle, given, learner.k, init, learner.steps, least, starts, learner.seed)


@dataclass(frozen=True)
class Costs:
    """What the rows of each centre weigh, and their squared distances from it: a tally."""

    weight: Floats
    cost: Floats

    def __add__(self, other: "Costs") -> "Costs":
        return Costs(self.weight + other.weight, self.cost + other.cost)

    @classmethod
    def of(cls, cells: Cells, weight: Floats | None, centres: Cells, label: Codes) -> "Costs":
        """The costs of rows that have been assigned."""
        k, away = len(centres.number), kmeans.distances(*cells, *centres, label)
        each = np.ones(len(label)) if weight is None else weight
        return cls(weighted_bincount(label, each, k), weighted_bincount(label, each * away, k))

    @property
    def total(self) -> float:
        """The cost of all."""
        return float(self.cost.sum())


@dataclass(frozen=True)
class Start:
    """One start of the algorithm, between two steps.

    Parameters
    ----------
    number
        Which one it is.
    centres
        Those that have been drawn, or where they have come to.
    drawing
        Whether more are to be drawn.
    place
        The section in which the next one is, and where.
    steps, converged, ended
        How often centres have moved, whether they have come to rest, and whether they stop here.
    costs
        Known once the start has ended.
    """

    number: int
    centres: Cells | None = None
    drawing: bool = True
    place: tuple[int, float] | None = None
    steps: int = 0
    converged: bool = False
    ended: bool = False
    costs: Costs | None = None

    def stepped(self, centres: Cells, drift: Floats, steps: int, least: float) -> "Start":
        """The start after one more step, in which the centres have moved so far."""
        converged, done = bool(drift.max() <= least), self.steps + 1
        ended = converged or done >= steps
        return replace(self, centres=centres, steps=done, converged=converged, ended=ended)


def move_centres(centres: Cells, sums: Sums, offset: Integers) -> Cells:
    """Means and modes; where no cell is known, a centre stays as it is."""
    some = sums.known > 0
    number = np.where(some, sums.total / np.where(some, sums.known, 1), centres.number)
    symbol = centres.symbol.copy()
    for j in range(symbol.shape[1]):
        counts = sums.count[:, offset[j] : offset[j + 1]]
        any_known = counts.sum(axis=1) > 0
        symbol[any_known, j] = most_frequent(counts[any_known])
    return Cells(number, symbol)


def centre_drift(before: Cells, after: Cells) -> Floats:
    """How far each centre has moved."""
    gap = before.number - after.number
    return np.sqrt((gap * gap).sum(axis=1) + (before.symbol != after.symbol).sum(axis=1))


def run_in_memory(  # noqa: PLR0917 - all that a run depends on
    start: Start, cells: Cells, weight: Floats | None, offset: Integers, steps: int, least: float
) -> tuple[Start, Codes]:
    """Step until no centre moves farther than `least`; all rows are in memory.

    Returned are the start at its end, with its costs, and the centre of each row. Most distances
    are skipped by what is known of how far centres have moved (Hamerly 2010).
    """
    assert start.centres is not None
    centres, assigning = start.centres, Assigning(*cells, weight, offset)
    complete, exact = assigning.complete, _adds_exactly(weight)
    held, moved = None, None
    while not start.ended:
        changes = assigning.step(*centres, moved)
        held = changes if held is None or moved is None else held + changes
        after = move_centres(centres, held, offset)
        drift = centre_drift(centres, after)
        moved, centres = _bounds(drift, after, complete) if exact else None, after
        start = start.stepped(centres, drift, steps, least)
    assigning.step(*centres, moved)
    costs = Costs.of(cells, weight, centres, assigning.label)
    return replace(start, costs=costs), assigning.label


def walk_in_memory(  # noqa: PLR0917 - all that a run depends on
    start: Start, cells: Cells, weight: Floats | None, offset: Integers, steps: int, least: float
) -> Iterator[Start]:
    """The start before its first step and after each, with the costs that it has there."""
    while True:
        assert start.centres is not None
        assigning = Assigning(*cells, weight, offset)
        sums = assigning.step(*start.centres)
        yield replace(start, costs=Costs.of(cells, weight, start.centres, assigning.label))
        if start.ended:
            return
        after = move_centres(start.centres, sums, offset)
        start = start.stepped(after, centre_drift(start.centres, after), steps, least)


def _half_gaps(centres: Cells) -> Floats:
    """Half the way from each centre to the next one, a little less for rounding."""
    number, symbol = centres
    found = np.full(len(number), np.inf)
    for c in range(len(number)):
        gap = number - number[c]
        away = (gap * gap).sum(axis=1) + (symbol != symbol[c]).sum(axis=1)
        away[c] = np.inf
        found[c] = np.sqrt(away.min())
    return found / 2 * (1 - 1e-11)


def _bounds(drift: Floats, centres: Cells, complete: bool) -> Moved:
    """What a step needs to know of the last one to skip distances."""
    order = np.argsort(drift)
    second = float(drift[order[-2]]) if len(drift) > 1 else 0.0
    near = _half_gaps(centres) if complete else np.zeros(len(drift))
    return Moved(drift, near, float(drift[order[-1]]), second, int(order[-1]))


def _adds_exactly(weight: Floats | None) -> bool:
    """Whether what is added can be taken away again, and nothing is left of it.

    If not, a centre without rows would seem to have a little of some; all is added up anew then.
    """
    if weight is None:
        return True
    parts = weight * 1024
    return bool(parts.sum() < 2**52 and (parts == np.round(parts)).all())


def cheapest(starts: list[Start]) -> Start:
    """The first of the starts that cost least, all of which have ended."""
    costs = [each.costs.total for each in starts if each.costs is not None]
    least = min(costs)
    return next(one for one, cost in zip(starts, costs, strict=True) if cost <= least * (1 + TIE))
