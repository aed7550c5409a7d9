"""Rounds: k-means from tallies of batches, wherever the rows are; several starts side by side."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from satsuma.data.columns import Floats
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import DomainError
from satsuma.kernels import kmeans
from satsuma.kernels.kmeans import Assigning, Sums
from satsuma.kernels.kmeans_twin import TIE
from satsuma.kernels.tree_twin import Hashes
from satsuma.learners.content_hashes import hashes_of
from satsuma.learners.kmeans.lloyd import Costs, Settled, drift_of, moved_to
from satsuma.learners.kmeans.seeding import Section, Sections, filled, joined, mass_of, share_of
from satsuma.learners.kmeans.space import Cells, Extent, Space

_NO_LABEL = np.zeros(0, np.int32)


@dataclass(frozen=True)
class Plan:
    """What is settled once the extent of columns is known.

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


def planned(learner: Any, extent: Extent, domain: Domain, given: Cells | None, name: str) -> Plan:
    """The plan of a learner of some name, for columns of some extent."""
    if not extent.weight > 0:
        raise DomainError(
            f"{name} was given no row whose weight is not zero. Give some rows a weight."
        )
    moments = extent.moments
    space = Space(domain, moments.lo[0], moments.hi[0], learner.scale)
    mean, mode = extent.middle
    middle = Cells(space.scaled(mean)[None], mode[None])
    if given is not None:
        given = filled(Cells(space.scaled(given.number), given.symbol), middle)
    starts = 1 if given is not None else learner.starts
    least = learner.tolerance * space.across
    init = "" if given is not None else learner.init
    return Plan(space, middle, given, learner.k, init, learner.steps, least, starts, learner.seed)


@dataclass(frozen=True)
class Start:
    """One start, between two rounds.

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
    """

    number: int
    centres: Cells | None = None
    drawing: bool = True
    place: tuple[int, float] | None = None
    steps: int = 0
    resting: bool = False
    ended: bool = False
    costs: Costs | None = None

    @property
    def settled(self) -> Settled:
        """Where this start has ended."""
        assert self.centres is not None
        assert self.costs is not None
        return Settled(self.centres, _NO_LABEL, self.costs, self.steps, self.resting)


@dataclass(frozen=True)
class State:
    """All starts, between two rounds; there is no plan before the first one."""

    domain: Domain
    plan: Plan | None = None
    starts: tuple[Start, ...] = ()

    @property
    def done(self) -> bool:
        """Whether all starts have their costs."""
        return self.plan is not None and all(each.costs is not None for each in self.starts)


def begun(plan: Plan) -> tuple[Start, ...]:
    """The starts before anything is drawn."""
    given = plan.given
    return tuple(Start(at, given, drawing=given is None) for at in range(plan.starts))


@dataclass(frozen=True)
class Tallies:
    """What the next move of each start needs; None for one that has ended."""

    each: tuple[Any, ...]

    def __add__(self, other: "Tallies") -> "Tallies":
        pairs = zip(self.each, other.each, strict=True)
        return Tallies(tuple(None if a is None else a + b for a, b in pairs))


def tally(state: State, batch: Table) -> Tallies:
    """What the next move of each start needs of a batch."""
    plan = state.plan
    assert plan is not None
    cells, weight = plan.space.cells(batch), batch.weights
    drawing = any(each.drawing for each in state.starts)
    hashes = hashes_of(batch, state.domain.attributes) if drawing else np.zeros(0, np.uint64)
    return Tallies(tuple(_needed(plan, one, cells, weight, hashes) for one in state.starts))


def _needed(
    plan: Plan, start: Start, cells: Cells, weight: Floats | None, hashes: Hashes
) -> Sections | Section | Sums | Costs | None:
    if start.costs is not None:
        return None
    if start.drawing:
        mass = mass_of(plan.init, weight, _away(start, cells), len(hashes))
        if start.place is None:
            return Sections.of(hashes, mass)
        return Section.of(hashes, mass, cells, start.place[0])
    assert start.centres is not None
    if start.ended:
        label = kmeans.labels(*cells, *start.centres)
        return Costs.of(cells, weight, start.centres, label)
    return Assigning(*cells, weight, plan.space.offset).step(*start.centres)


def _away(start: Start, cells: Cells) -> Floats | None:
    if start.centres is None:
        return None
    label = kmeans.labels(*cells, *start.centres)
    return kmeans.distances(*cells, *start.centres, label)


def advance(state: State, tallies: Tallies) -> State:
    """All starts after their next move."""
    plan = state.plan
    assert plan is not None
    pairs = zip(state.starts, tallies.each, strict=True)
    return replace(state, starts=tuple(_moved(plan, start, found) for start, found in pairs))


def _moved(plan: Plan, start: Start, found: Any) -> Start:
    if isinstance(found, Sections):
        drawn = 0 if start.centres is None else len(start.centres.number)
        place = found.place(share_of(plan.seed, start.number, drawn))
        return replace(start, place=place, drawing=place is not None)
    if isinstance(found, Section):
        assert start.place is not None
        centres = joined(start.centres, filled(found.row(start.place[1])[0], plan.middle))
        return replace(start, centres=centres, place=None, drawing=len(centres.number) < plan.k)
    if isinstance(found, Sums):
        assert start.centres is not None
        centres = moved_to(start.centres, found, plan.space.offset)
        resting = bool(drift_of(start.centres, centres).max() <= plan.least)
        steps = start.steps + 1
        ended = resting or steps >= plan.steps
        return replace(start, centres=centres, steps=steps, resting=resting, ended=ended)
    return replace(start, costs=found) if isinstance(found, Costs) else start


def cheapest(found: list[Settled]) -> Settled:
    """The first of the cheapest."""
    least = min(each.costs.total for each in found)
    return next(each for each in found if each.costs.total <= least * (1 + TIE))
