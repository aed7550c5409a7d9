"""Layout: how columns become bins, and which cells of the model the bins of a row are."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.kernels import tree as kernel
from satsuma.learners.additive.hats import hats
from satsuma.numerics.arrays import Array, Codes, Floats

#: Bins of a symbol, at most: rarer values share the last.
MOST_VALUES = 256

#: Points between which the shape of a number is straight: least, most, and in all columns.
_FEW_POINTS, _MANY_POINTS, _ALL_POINTS = 8, 64, 640

#: The same of a number in a pair.
_POINTS_IN_PAIR = 8


@dataclass(frozen=True)
class Layout:
    """The bins of each column, and the pairs of columns that are looked at together.

    A column has a cell for each of its bins, and behind them one for rows where it is missing. A
    pair has a cell for each combination of coarse bins; a row where one of the two is missing is
    in none of them.

    Parameters
    ----------
    names
        The columns.
    edges
        Of a number the upper edge of each bin; of a symbol nothing.
    bins
        Of a symbol the bin of each value; of a number nothing.
    coarse
        Of each column the coarse bin of each bin.
    pairs
        The columns of each pair, by their places.
    missing_effects
        Whether missing cells may have an effect, while it is learned.
    """

    names: tuple[str, ...]
    edges: tuple[Floats, ...]
    bins: tuple[Codes, ...]
    coarse: tuple[Codes, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()
    missing_effects: bool = True

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """How many bins each column has, beside that of missing cells."""
        both = zip(self.edges, self.bins, strict=True)
        return tuple(max(len(e), int(b.max(initial=-1)) + 1, 1) for e, b in both)

    @cached_property
    def grids(self) -> tuple[tuple[int, int], ...]:
        """How many coarse bins the columns of each pair have."""
        coarse = [int(each.max(initial=0)) + 1 for each in self.coarse]
        return tuple((coarse[a], coarse[b]) for a, b in self.pairs)

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """The cells of each column, and of each pair."""
        return (*(n + 1 for n in self.levels), *(a * b for a, b in self.grids))

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first cell of each column and of each pair; behind them, how many cells there are."""
        return tuple(np.cumsum([0, *self.widths]).tolist())

    @property
    def cells(self) -> int:
        """How many there are."""
        return self.starts[-1]

    def pair_ranks(self, pair: int) -> tuple[int, int]:
        """How many points the columns of a pair have."""
        columns, grid = self.pairs[pair], self.grids[pair]
        one, other = (
            min(n, _POINTS_IN_PAIR) if self.is_number(at) else n
            for at, n in zip(columns, grid, strict=True)
        )
        return one, other

    @cached_property
    def bases(self) -> tuple[Floats, ...]:
        """Of each column and pair, how much of each of its coefficients a cell has.

        Shapes are straight between some points, whose heights are what is learned: fewer numbers
        than there are cells. Behind those of a column is that of missing cells.
        """
        found: list[Floats] = []
        points = min(max(_ALL_POINTS // max(len(self.names), 1), _FEW_POINTS), _MANY_POINTS)
        for at, level in enumerate(self.levels):
            known = hats(level, points) if self.is_number(at) else np.eye(level)
            found.append(_with_missing(known, float(self.missing_effects)))
        for at, grid in enumerate(self.grids):
            one, other = (
                hats(n, points) for n, points in zip(grid, self.pair_ranks(at), strict=True)
            )
            both: Floats = np.kron(one, other).astype(np.float64, copy=False)
            found.append(both)
        return tuple(found)

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """How many coefficients each column and each pair has."""
        return tuple(each.shape[1] for each in self.bases)

    @cached_property
    def firsts(self) -> tuple[int, ...]:
        """The first coefficient of each column and pair; behind them, how many there are."""
        return tuple(np.cumsum([0, *self.ranks]).tolist())

    @property
    def coefficients(self) -> int:
        """How many there are, beside the constant."""
        return self.firsts[-1]

    def effects(self, coefficients: Floats) -> Floats:
        """The constant and the effect of each cell, given the constant and the coefficients.

        There may be many side by side: (1 + coefficients, anything).
        """
        parts = [coefficients[:1]]
        for basis, first, rank in zip(self.bases, self.firsts, self.ranks, strict=False):
            parts.append(basis @ coefficients[1 + first : 1 + first + rank])
        return np.concatenate(parts)

    def is_number(self, column: int) -> bool:
        """Whether a column is of numbers."""
        return len(self.edges[column]) > 0

    def codes(self, batch: Table) -> list[Array]:
        """The cell of each row within each column and each pair; -1 where it is in none."""
        n = len(batch)
        found: list[Array] = [np.zeros(0, np.int32)] * len(self.names)
        numbers = [at for at in range(len(self.names)) if self.is_number(at)]
        columns = [batch.column(self.names[at]) for at in numbers]
        levels = np.array([self.levels[at] for at in numbers], np.int32)
        edges = [self.edges[at] for at in numbers]
        turned = kernel.code_rows(columns, edges, levels, n, across=True)[2]
        assert turned is not None, "it was asked for"
        for at, codes in zip(numbers, turned, strict=True):
            found[at] = codes
        for at, name in enumerate(self.names):
            if not self.is_number(at):
                found[at] = np.append(self.bins[at], np.int32(self.levels[at]))[batch.column(name)]
        return [*found, *self.pair_codes(found)]

    def coarse_codes(self, codes: Sequence[Array]) -> list[Codes]:
        """The coarse bin of each row in each column, -1 where it is missing."""
        return [
            np.append(coarse, np.int32(-1))[each]
            for coarse, each in zip(self.coarse, codes, strict=False)
        ]

    def pair_codes(self, codes: Sequence[Array]) -> list[Codes]:
        """The cell of each row within each pair, given those of the columns."""
        if not self.pairs:
            return []
        coarse = self.coarse_codes(codes)
        found: list[Codes] = []
        for (a, b), (_, columns) in zip(self.pairs, self.grids, strict=True):
            cell = coarse[a] * np.int32(columns) + coarse[b]
            found.append(np.where((coarse[a] < 0) | (coarse[b] < 0), np.int32(-1), cell))
        return found

    def with_coarse(self, counts: Floats, most: int) -> "Layout":
        """The same, with coarse bins that hold about as many rows, by the rows in each cell."""
        starts = self.starts
        coarse = tuple(
            _in_order(counts[starts[at] : starts[at] + level], most)
            if self.is_number(at)
            else _by_size(counts[starts[at] : starts[at] + level], most)
            for at, level in enumerate(self.levels)
        )
        return replace(self, coarse=coarse)

    def sum(self, effects: Floats, codes: Sequence[Array]) -> Floats:
        """The sum of the effects of the cells of each row; effects are of all cells."""
        total = np.zeros(len(codes[0]) if codes else 0)
        for at, each in enumerate(codes):
            own = effects[self.starts[at] : self.starts[at] + self.widths[at]]
            total += (own if at < len(self.names) else np.append(own, 0.0))[each]
        return total


def _with_missing(basis: Floats, part: float) -> Floats:
    """A basis with one more cell, for missing values, and how much it has of its coefficient."""
    found = np.zeros((basis.shape[0] + 1, basis.shape[1] + 1))
    found[:-1, :-1], found[-1, -1] = basis, part
    return found


def bins_of_values(values: Sequence[str], counts: Floats) -> Codes:
    """The bin of each value of a symbol: one each, but for the rarest of very many.

    They are in the order of how the values are written, which no order of the rows changes.

    Examples
    --------
    >>> bins_of_values(["sunny", "rainy", "windy"], np.array([3.0, 0.0, 5.0])).tolist()
    [1, 0, 2]
    """
    order = np.array(sorted(range(len(values)), key=values.__getitem__), np.intp)
    found = np.empty(len(values), np.int32)
    found[order] = _by_size(counts[order], MOST_VALUES)
    return found


def _in_order(counts: Floats, most: int) -> Codes:
    """Neighbours together, so that each group holds about as much."""
    if len(counts) <= most:
        return np.arange(len(counts), dtype=np.int32)
    middle = np.cumsum(counts) - counts / 2
    group = np.floor(middle * (most / max(counts.sum(), 1e-300))).clip(0, most - 1)
    return np.unique(group, return_inverse=True)[1].astype(np.int32)


def _by_size(counts: Floats, most: int) -> Codes:
    """The largest apart, and all others together."""
    if len(counts) <= most:
        return np.arange(len(counts), dtype=np.int32)
    found = np.full(len(counts), most - 1, np.int32)
    kept = np.sort(np.argsort(-counts, kind="stable")[: most - 1])
    found[kept] = np.arange(most - 1, dtype=np.int32)
    return found


def layout_of(domain: Domain, edges: Sequence[Floats | None], counts: Sequence[Floats]) -> Layout:
    """The layout of columns without pairs, given the edges of numbers and the counts of values."""
    none = np.zeros(0)
    return Layout(
        tuple(v.name for v in domain.attributes),
        tuple(none if each is None else each for each in edges),
        tuple(
            bins_of_values(v.values, each) if edge is None else none.astype(np.int32)
            for v, edge, each in zip(domain.attributes, edges, counts, strict=True)
        ),
    )
