"""Distance: how far rows of numbers and symbols, with holes, are apart."""

from typing import Any, Self, cast

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import remap
from satsuma.data.domain import Domain
from satsuma.data.row import Row
from satsuma.data.table import Table
from satsuma.engines import check_rows
from satsuma.errors import DomainError, ParameterError
from satsuma.kernels.nearest import Nearest
from satsuma.kernels.threads import map_tiles
from satsuma.numerics.arrays import Codes, Floats
from satsuma.numerics.differences import difference, difference_sums
from satsuma.tallies.by_class import numbers_of, symbols_of

#: What keeps the range of a column that never varies from being zero.
LEAST = 1e-7

#: Rows whose cells are made while they are near.
_TILE = 4_096

#: The least and the greatest of numbers, of those that are known.
_ENDS = (np.fmin, np.fmax)

Cells = tuple[Floats, Codes]


class Distance:
    """(sum over columns of difference^p / columns)^(1/p): from 0, no difference, to 1.

    Numbers are brought to 0..1 by the least and the greatest of their column, and clamped to it;
    they differ by what lies between them. Symbols differ by 0 or 1. Where one of two numbers is
    missing it may be as far away as can be; where both are, or a symbol is, the difference is 1.
    So a row with a hole is away from itself: what looks for neighbours among the rows it asks
    about leaves each out by its number, not by its distance.

    Parameters
    ----------
    names
        The columns of numbers, then those of symbols.
    lo, hi
        The least and the greatest of each column of numbers; NaN where none is known.
    p
        Above 0; 2 is Euclid's distance, 1 that of city blocks.

    Attributes
    ----------
    apart
        How far two symbols that differ are apart.

    Examples
    --------
    >>> from satsuma import Table
    >>> from satsuma.measures import Distance
    >>> rows = [(0, "red"), (10, "red"), (5, None)]
    >>> table = Table.of(rows, ["size", "colour"], target=None)
    >>> distance = Distance.of(table)
    >>> distance.between(table[0], table).round(3)
    array([0.   , 0.707, 0.791])
    >>> round(distance(table[0], table[1]), 3)
    0.707
    """

    apart = 1.0

    def __init__(
        self, names: tuple[tuple[str, ...], tuple[str, ...]], lo: Floats, hi: Floats, p: float = 2
    ) -> None:
        self.names, self.lo, self.hi, self.p = names, lo, hi, float(p)
        if not sum(map(len, names)):
            raise DomainError("Rows without attributes are at no distance: give some the role 'x'.")

    @classmethod
    def of(cls, table: Table, p: float = 2) -> Self:
        """The distance by the range of each numeric attribute of a table."""
        check_rows("Distances are between rows of", table, sources=False)
        numbers, symbols = numbers_of(table.domain), symbols_of(table.domain)
        columns = [table.column(v.name) for v in numbers]

        def tile(lo: int, hi: int) -> Floats:  # all columns while their rows are near
            return np.array(
                [[end.reduce(each[lo:hi], initial=np.nan) for each in columns] for end in _ENDS]
            )

        parts = np.array(map_tiles(tile, len(table), _TILE))
        ends = [end.reduce(parts[:, at], axis=0) for at, end in enumerate(_ENDS)]
        names = tuple(v.name for v in numbers), tuple(v.name for v in symbols)
        return cls(names, ends[0], ends[1], p)

    def cells(self, table: Table, spelled: Domain | None = None) -> Cells:
        """The cells of rows as numbers from 0 to 1, NaN for missing, and as codes.

        Parameters
        ----------
        table
            With the columns of this distance.
        spelled
            Columns whose lists of symbols the codes are to be of; a symbol that is not in them is
            missing, which is as far from the others. Those of the table unless given.
        """
        number = np.empty((len(table), len(self.names[0])))
        symbol = np.empty((len(table), len(self.names[1])), np.int32)

        def tile(lo: int, hi: int) -> None:
            for at, name in enumerate(self.names[0]):
                number[lo:hi, at] = self.scaled(table.column(name)[lo:hi], at)
            for at, name in enumerate(self.names[1]):
                symbol[lo:hi, at] = _codes(table, name, spelled)[lo:hi]

        map_tiles(tile, len(table), _TILE)
        return number, symbol

    def scaled(self, column: Floats, at: int) -> Floats:
        """Numbers brought to 0..1 by the range of their column."""
        return norm(column, self.lo[at], self.hi[at])

    def __call__(self, one: Row | Table, other: Row | Table) -> float:
        """The distance of two rows; a table stands for its first row."""
        return float(self.between(one, _one(other))[0])

    def between(self, row: Row | Table, rows: Table) -> Floats:
        """The distance of each of some rows from one row, which has the same columns."""
        number, symbol = self.cells(_one(row), rows.domain)
        return self.rooted(
            difference_sums(*self.cells(rows), number[0], symbol[0], self.p, apart=self.apart)
        )

    def matrix(self, one: Cells, other: Cells) -> Floats:
        """How far each of some rows, by their cells, is from each of others."""
        away = difference(one[0][:, None], other[0])
        powers = away * away if self.p == 2 else away**self.p
        differ = (one[1][:, None] != other[1]) | (one[1][:, None] < 0)
        return self.rooted(powers.sum(axis=2) + self.apart**self.p * differ.sum(axis=2))

    def among(self, rows: Table) -> Nearest:
        """Rows to be searched; their sums are made distances by `rooted`."""
        return Nearest(*self.cells(rows), self.p, self.apart)

    def nearest(
        self, queries: Row | Table, rows: Table, k: int = 1, left_out: Any = None
    ) -> tuple[Floats, npt.NDArray[np.int64]]:
        """The distances and the numbers of the k nearest rows of each query; ties go by row.

        Parameters
        ----------
        queries, rows
            Tables, or a row, with the columns of this distance.
        k
            How many; where there are fewer rows, the rest is infinity and -1.
        left_out
            For each query the number of a row that is not to be found, such as itself.
        """
        out = None if left_out is None else np.asarray(left_out, np.int64)
        asked = self.cells(_some(queries), rows.domain)
        found, at = self.among(rows).find(*asked, k, out)
        return self.rooted(found), at

    def farthest(
        self, queries: Row | Table, rows: Table, k: int = 1
    ) -> tuple[Floats, npt.NDArray[np.int64]]:
        """The distances and the numbers of the k farthest rows of each query; ties go by row."""
        asked = _some(queries)
        k = min(k, len(rows))
        found, at = np.empty((len(asked), k)), np.empty((len(asked), k), np.int64)
        for query in range(len(asked)):
            away = self.between(asked[query], rows)
            at[query] = np.argsort(-away, kind="stable")[:k]
            found[query] = away[at[query]]
        return found, at

    def rooted(self, sums: Floats) -> Floats:
        """Distances from sums of differences to the power of p."""
        mean = sums / sum(map(len, self.names))
        return cast("Floats", np.sqrt(mean) if self.p == 2 else mean ** (1 / self.p))


def distance(table: Table, p: float = 2) -> Distance:
    """How far rows are apart, by the attributes of a table; goals and target are left aside.

    Parameters
    ----------
    table
        Whose numeric columns say what range a difference is a share of.
    p
        Above 0; 2 is Euclid's distance, 1 that of city blocks.

    Examples
    --------
    >>> from satsuma import Table, distance
    >>> table = Table.of([(0, "red"), (10, "red"), (5, None)], ["size", "colour"], target=None)
    >>> away = distance(table, p=1)
    >>> away(table[0], table[2])
    0.7499999975
    >>> far, row = away.farthest(table[0], table)
    >>> row
    array([[2]])
    """
    if not p > 0:
        raise ParameterError(f"p must be a number above 0. Got {p!r} instead.")
    return Distance.of(table, p)


def _some(rows: Row | Table) -> Table:
    return rows.table[rows.index : rows.index + 1] if isinstance(rows, Row) else rows


def _one(row: Row | Table) -> Table:
    made = _some(row)
    if not len(made):
        raise DomainError("There is no row in this table to measure a distance from.")
    return made[:1]


def _codes(table: Table, name: str, spelled: Domain | None) -> Codes:
    codes: Codes = table.column(name)
    given = table.domain[name].values
    if spelled is None or spelled[name].values == given:
        return codes
    known = spelled[name].codes
    return remap(codes, given, lambda value: known.get(value, -1))


def norm(column: Floats, lo: float, hi: float, least: float = LEAST) -> Floats:
    """Numbers brought to 0..1 by a range; those beyond it are clamped.

    Parameters
    ----------
    column, lo, hi
        The numbers, and the range.
    least
        What is added to the range, so that it is not zero.

    Examples
    --------
    >>> norm(np.array([5.0, np.nan, 99.0]), 0, 10).round(3)
    array([0.5, nan, 1. ])
    """
    with np.errstate(over="ignore"):
        width = hi - lo + least
        if np.isinf(width):  # a range beyond that of floats, measured by halves
            scaled = (column / 2 - lo / 2) / (hi / 2 - lo / 2)
        else:
            scaled = (column - lo) / width
    return np.clip(scaled, 0.0, 1.0)


def nearest_weighing(
    search: Nearest, cells: Cells, k: int, weight: Floats | None, own: Any = None
) -> tuple[Floats, npt.NDArray[np.int64], Floats]:
    """The nearest rows that weigh k together: sums, row numbers, and what each counts.

    Of the last one only what is left of k is counted, so that a row that weighs 2 is the row twice.
    A row number of -1 counts nothing.

    Parameters
    ----------
    search, cells
        The rows, and the queries.
    k
        How much the neighbours of a query weigh together.
    weight
        What each row weighs; None where all weigh 1.
    own
        The row that each query is itself, which counts 1 less; -1 for none.
    """
    rows = len(search.packed.number)
    wanted = min(k if own is None else k + 1, rows)
    while True:
        sums, at = search.find(*cells, wanted)
        each = np.where(at < 0, 0.0, 1.0 if weight is None else weight[at])
        if own is not None:
            each = np.where(at == own[:, None], np.maximum(each - 1, 0), each)
        count = np.clip(k - (np.cumsum(each, axis=1) - each), 0.0, each)
        if wanted == rows or not (count.sum(axis=1) < k).any():
            return sums, at, count
        wanted = min(2 * wanted, rows)
