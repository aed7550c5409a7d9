"""Rounds: k-means from tallies of batches, wherever the rows are; several starts side by side.

A start draws its centres (two rounds for each), steps (one round for each), and adds up its costs.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.kernels import kmeans
from satsuma.kernels.kmeans import Assigning, Sums
from satsuma.learners.kmeans.lloyd import Costs, Setup, Start, centre_drift, move_centres
from satsuma.learners.kmeans.seeding import (
    Section,
    Sections,
    append_rows,
    draw_mass,
    fill_missing,
    random_share,
)
from satsuma.learners.kmeans.space import Cells
from satsuma.numerics.arrays import Floats, Hashes
from satsuma.tallies.content_hashes import hashes_of


@dataclass(frozen=True)
class State:
    """All starts, between two rounds; there is no setup before the first one."""

    domain: Domain
    setup: Setup | None = None
    starts: tuple[Start, ...] = ()

    @property
    def done(self) -> bool:
        """Whether all starts have their costs."""
        return self.setup is not None and all(each.costs is not None for each in self.starts)


def first_starts(setup: Setup) -> tuple[Start, ...]:
    """The starts before anything is drawn."""
    given = setup.given
    return tuple(Start(at, given, drawing=given is None) for at in range(setup.starts))


@dataclass(frozen=True)
class Tallies:
    """What the next move of each start needs; None for one that has ended."""

    each: tuple[Any, ...]

    def __add__(self, other: "Tallies") -> "Tallies":
        pairs = zip(self.each, other.each, strict=True)
        return Tallies(tuple(None if a is None else a + b for a, b in pairs))


def tally(state: State, batch: Table) -> Tallies:
    """What the next move of each start needs of a batch."""
    setup = state.setup
    assert setup is not None
    cells, weight = setup.space.cells(batch), batch.weights
    drawing = any(each.drawing for each in state.starts)
    hashes = hashes_of(batch, state.domain.attributes) if drawing else np.zeros(0, np.uint64)
    return Tallies(tuple(_needed(setup, one, cells, weight, hashes) for one in state.starts))


def _needed(
    setup: Setup, start: Start, cells: Cells, weight: Floats | None, hashes: Hashes
) -> Sections | Section | Sums | Costs | None:
    if start.costs is not None:
        return None
    if start.drawing:
        mass = draw_mass(setup.init, weight, _away(start, cells), len(hashes))
        if start.place is None:
            return Sections.of(hashes, mass)
        return Section.of(hashes, mass, cells, start.place[0])
    assert start.centres is not None
    if start.ended:
        label = kmeans.labels(*cells, *start.centres)
        return Costs.of(cells, weight, start.centres, label)
    return Assigning(*cells, weight, setup.space.offset).step(*start.centres)


def _away(start: Start, cells: Cells) -> Floats | None:
    if start.centres is None:
        return None
    label = kmeans.labels(*cells, *start.centres)
    return kmeans.distances(*cells, *start.centres, label)


def advance(state: State, tallies: Tallies) -> State:
    """All starts after their next move."""
    setup = state.setup
    assert setup is not None
    pairs = zip(state.starts, tallies.each, strict=True)
    return replace(state, starts=tuple(_advanced(setup, start, found) for start, found in pairs))


def _advanced(setup: Setup, start: Start, found: Any) -> Start:
    if isinstance(found, Sections):
        known = 0 if start.centres is None else len(start.centres.number)
        place = found.place(random_share(setup.seed, start.number, known))
        return replace(start, place=place, drawing=place is not None)
    if isinstance(found, Section):
        assert start.place is not None
        centres = append_rows(
            start.centres, fill_missing(found.row(start.place[1])[0], setup.middle)
        )
        return replace(start, centres=centres, place=None, drawing=len(centres.number) < setup.k)
    if isinstance(found, Sums):
        assert start.centres is not None
        centres = move_centres(start.centres, found, setup.space.offset)
        drift = centre_drift(start.centres, centres)
        return start.stepped(centres, drift, setup.steps, setup.least)
    return replace(start, costs=found) if isinstance(found, Costs) else start
