"""Seeding: the centres that k-means starts from, drawn by k-means++ or given by the user.

Which rows are drawn depends neither on their order nor on where they are. A row stands on a line by
the hash of its cells, and takes as much of the line as its weight, or its weight times its squared
distance from the nearest centre so far (k-means++, Arthur and Vassilvitskii 2007); a random place
on the line is a row. So that no more than a part of the line must be known, the place is looked for
among sections at first, and then among the rows of one section.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import ParameterError, refuse
from satsuma.kernels import kmeans
from satsuma.learners.kmeans.space import Cells
from satsuma.learners.queries import fitted, one_row
from satsuma.numerics.arrays import Array, Floats, Hashes
from satsuma.numerics.sums import weighted_bincount
from satsuma.tallies.by_class import columns_of

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
        return cls(weighted_bincount(_section(hashes), mass, 1 << _BITS))

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
        return _sorted(hashes, length, append_rows(self.cells, other.cells))

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
    total = weighted_bincount(which, length, len(found))
    return Section(found, total, cells.of(first))


def _picked(upto: Floats, place: float, some: Array) -> int:
    """Where a place is; the last that has a length if rounding leaves a rest."""
    last = int(np.flatnonzero(some)[-1])
    return min(int(np.searchsorted(upto, place, side="right")), last)


def fill_missing(row: Cells, middle: Cells) -> Cells:
    """A row as a centre: cells that it lacks are those of the middle."""
    number = np.where(np.isnan(row.number), middle.number, row.number)
    return Cells(number, np.where(row.symbol < 0, middle.symbol, row.symbol))


def append_rows(first: Cells | None, more: Cells) -> Cells:
    """Rows, or centres, and some more."""
    if first is None:
        return more
    number = np.concatenate([first.number, more.number])
    return Cells(number, np.concatenate([first.symbol, more.symbol]))


def draw_mass(init: str, weight: Floats | None, away: Floats | None, rows: int) -> Floats:
    """How much of the line each row takes, by its squared distance from the nearest centre."""
    each = np.ones(rows) if weight is None else weight
    if away is None:
        return each
    return each * (away if init == "k-means++" else away > 0)


def random_share(seed: int, start: int, centre: int) -> float:
    """The random number that a centre of a start is drawn with."""
    return float(np.random.default_rng([seed, start, centre]).random())


def draw_centres(  # noqa: PLR0917 - all that a draw depends on
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
    centres = None if held is None else fill_missing(held, middle)
    away = None
    if centres is not None:
        away = kmeans.distances(*cells, *centres, kmeans.labels(*cells, *centres))
    found: list[int] = []
    here = np.zeros(len(hashes), np.int32)
    for centre in range(0 if centres is None else len(centres.number), k):
        mass = draw_mass(init, weight, away, len(hashes))
        place = Sections.of(hashes, mass).place(random_share(seed, start, centre))
        if place is None:
            break
        row, known_by = Section.of(hashes, mass, cells, place[0]).row(place[1])
        one = fill_missing(row, middle)
        centres = append_rows(centres, one)
        found.append(known_by)
        new = kmeans.distances(*cells, *one, here)
        away = new if away is None else np.minimum(away, new)
    return centres, found


def is_given(init: Any) -> bool:
    """Whether centres are given, rather than how to find some."""
    return not isinstance(init, str)


def check_init(learner: Any) -> None:
    """Raise unless a parameter `init` is a way to start, or as many centres as clusters."""
    init = learner.init
    wanted = f"one of {', '.join(map(repr, INITS))}, a table, a list of dicts or an array"
    if isinstance(init, str):
        if init not in INITS:
            raise refuse(learner, "init", wanted)
        return
    if not isinstance(init, Table | np.ndarray | Sequence) or not _fits(init):
        raise refuse(learner, "init", wanted)
    if len(cast("Any", init)) != learner.k:
        raise ParameterError(
            f"The 'init' parameter of {type(learner).__name__} has {len(cast('Any', init))} "
            f"centres, and k is {learner.k}. Let k be the number of centres."
        )


def _fits(init: Any) -> bool:
    """Rows of a table, dicts, or an array of numbers with two dimensions."""
    if isinstance(init, Table) or all(isinstance(row, Mapping) for row in init):
        return True
    try:
        return np.asarray(init, np.float64).ndim == 2
    except (TypeError, ValueError):
        return False


def given_centres(learner: Any, domain: Domain) -> Cells:
    """The centres under the columns of a domain, in the units of the table."""
    table = _as_table(learner, domain)
    rows = fitted(table, Domain(domain.attributes))
    numbers, symbols = columns_of(rows, "num"), columns_of(rows, "sym")
    number = np.stack(numbers, axis=1) if numbers else np.zeros((len(rows), 0))
    symbol = np.stack(symbols, axis=1) if symbols else np.zeros((len(rows), 0), np.int32)
    if np.isinf(number).any():
        raise refuse(learner, "init", "centres of finite numbers")
    return Cells(np.ascontiguousarray(number), np.ascontiguousarray(symbol, np.int32))


def _as_table(learner: Any, domain: Domain) -> Table:
    init = learner.init
    if isinstance(init, Table):
        return init
    if all(isinstance(row, Mapping) for row in init):
        parts = [fitted(one_row(row, domain), Domain(domain.attributes)) for row in init]
        columns = [np.concatenate([p.column(v.name) for p in parts]) for v in domain.attributes]
        return Table(Domain(domain.attributes), columns, check=False)
    array = np.asarray(init, np.float64)
    if array.shape[1] != len(domain.attributes) or any(v.kind != "num" for v in domain.attributes):
        raise ParameterError(
            f"The 'init' parameter of {type(learner).__name__} is an array of {array.shape[1]} "
            f"numbers a centre, and rows have {len(domain.attributes)} attributes. An array has a "
            f"column for each, and no symbols: for these, give a table."
        )
    return Table(Domain(domain.attributes), list(array.T), check=False)


def savable_init(init: Any) -> Any:
    """The centres in a form that can be saved with a model."""
    if isinstance(init, Table):
        return [dict(row.items()) for row in init]
    return init
