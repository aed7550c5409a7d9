"""Drawing: rows that k-means starts from, the same whatever their order and wherever they are.

A row stands on a line by the hash of its cells, and takes as much of the line as its weight, or
its weight times its squared distance from the nearest centre so far (Arthur and Vassilvitskii
2007); a random place on the line is a row. So that no more than a part of the line must be known,
the place is looked for among sections at first, and then among the rows of one section.
"""

from dataclasses import dataclass

import numpy as np

from satsuma.data.columns import Array, Floats
from satsuma.kernels import kmeans
from satsuma.kernels.tree_twin import Hashes, binned
from satsuma.learners.kmeans.space import Cells

#: Bits of a hash that say in which section a row stands.
_BITS = 14

INITS = ("k-means++", "random")


@dataclass(frozen=True)
class Sections:
    """How long each section of the line is: a tally."""

    length: Floats

    def __add__(self, other: "Sections") -> "Sections":
        return Sections(self.length + other.length)

    @classmethod
    def of(cls, hashes: Hashes, mass: Floats) -> "Sections":
        """The sections of some rows."""
        return cls(binned(_section(hashes), mass, 1 << _BITS))

    def place(self, share: float) -> tuple[int, float] | None:
        """The section at a share of the line, and how much of the line is left there."""
        upto = np.cumsum(self.length)
        if not upto[-1] > 0:
            return None
        at = _picked(upto, share * upto[-1], self.length > 0)
        return at, float(share * upto[-1] - (upto[at] - self.length[at]))


@dataclass(frozen=True)
class Section:
    """The rows of a section, each once, in order, with their lengths: a tally."""

    hashes: Hashes
    length: Floats
    cells: Cells

    def __add__(self, other: "Section") -> "Section":
        hashes = np.concatenate([self.hashes, other.hashes])
        length = np.concatenate([self.length, other.length])
        return _sorted(hashes, length, joined(self.cells, other.cells))

    @classmethod
    def of(cls, hashes: Hashes, mass: Floats, cells: Cells, section: int) -> "Section":
        """The rows of a section among others."""
        here = np.flatnonzero((_section(hashes) == section) & (mass > 0))
        return _sorted(hashes[here], mass[here], cells.of(here))

    def row(self, rest: float) -> tuple[Cells, int]:
        """The row at a place in the section, and its hash."""
        at = _picked(np.cumsum(self.length), rest, self.length > 0)
        return self.cells.of(slice(at, at + 1)), int(self.hashes[at])


def _section(hashes: Hashes) -> Array:
    return (hashes >> np.uint64(64 - _BITS)).astype(np.intp)


def _sorted(hashes: Hashes, length: Floats, cells: Cells) -> Section:
    found, first, which = np.unique(hashes, return_index=True, return_inverse=True)
    total = binned(which, length, len(found))
    return Section(found, total, cells.of(first))


def _picked(upto: Floats, place: float, some: Array) -> int:
    """Where a place is; the last that has a length if rounding leaves a rest."""
    last = int(np.flatnonzero(some)[-1])
    return min(int(np.searchsorted(upto, place, side="right")), last)


def filled(row: Cells, middle: Cells) -> Cells:
    """A row as a centre: cells that it lacks are those of the middle."""
    number = np.where(np.isnan(row.number), middle.number, row.number)
    return Cells(number, np.where(row.symbol < 0, middle.symbol, row.symbol))


def joined(first: Cells | None, more: Cells) -> Cells:
    """Rows, or centres, and some more."""
    if first is None:
        return more
    number = np.concatenate([first.number, more.number])
    return Cells(number, np.concatenate([first.symbol, more.symbol]))


def mass_of(init: str, weight: Floats | None, away: Floats | None, rows: int) -> Floats:
    """How much of the line each row takes, by its squared distance from the nearest centre."""
    each = np.ones(rows) if weight is None else weight
    if away is None:
        return each
    return each * (away if init == "k-means++" else away > 0)


def share_of(seed: int, start: int, centre: int) -> float:
    """The random number that a centre of a start is drawn with."""
    return float(np.random.default_rng([seed, start, centre]).random())


def drawn(  # noqa: PLR0917 - all that a draw depends on
    cells: Cells,
    hashes: Hashes,
    weight: Floats | None,
    middle: Cells,
    k: int,
    init: str,
    seed: int,
    start: int = 0,
    held: Cells | None = None,
) -> tuple[Cells | None, list[int]]:
    """Up to k centres, and the hashes of the rows in memory that they are.

    There are fewer where all rows lie on those. Some may be held already; those come first.
    """
    centres = None if held is None else filled(held, middle)
    away = None
    if centres is not None:
        away = kmeans.distances(*cells, *centres, kmeans.labels(*cells, *centres))
    found: list[int] = []
    here = np.zeros(len(hashes), np.int32)
    for centre in range(0 if centres is None else len(centres.number), k):
        mass = mass_of(init, weight, away, len(hashes))
        place = Sections.of(hashes, mass).place(share_of(seed, start, centre))
        if place is None:
            break
        row, known_by = Section.of(hashes, mass, cells, place[0]).row(place[1])
        one = filled(row, middle)
        centres = joined(centres, one)
        found.append(known_by)
        new = kmeans.distances(*cells, *one, here)
        away = new if away is None else np.minimum(away, new)
    return centres, found
