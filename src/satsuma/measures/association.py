"""Association: how much two columns of any kinds say about each other, on one scale."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.measures.multiple_testing import holm
from satsuma.numerics.arrays import Array, Codes, Floats

#: Values of a symbol and bins of a number, at most; rows of a value, at least; rows per cell of
#: two numbers, on average.
VALUES, FEWEST, EACH = 10, 5, 5

#: Rows that are counted at a time.
_TILE = 4_096


class Pair(NamedTuple):
    """Two columns, and how strongly they are associated."""

    one: str
    other: str
    strength: float


@dataclass(frozen=True)
class Associations:
    """The associations of columns, each with each.

    Parameters
    ----------
    names
        The columns.
    strength
        From 0 to 1, symmetric; NaN on the diagonal.
    p
        How probable so great a chi-square is by chance, after Holm's correction for all pairs.
    """

    names: tuple[str, ...]
    strength: Floats
    p: Floats

    def pairs(self, level: float = 0.05) -> list[Pair]:
        """The significant pairs, the strongest first."""
        upper = np.triu(np.ones_like(self.strength, dtype=np.bool_), 1)
        found = np.argwhere(upper & (self.p < level) & (self.strength > 0)).tolist()
        made = [Pair(self.names[i], self.names[j], float(self.strength[i, j])) for i, j in found]
        return sorted(made, key=lambda pair: -pair.strength)

    def of(self, name: str, level: float = 0.05) -> dict[str, float]:
        """The columns that one is significantly associated with, the strongest first."""
        if name not in self.names:
            return {}
        at = self.names.index(name)
        strength = np.where(self.p[at] < level, np.nan_to_num(self.strength[at]), 0.0)
        order = np.argsort(-strength, kind="stable")[: np.count_nonzero(strength)]
        return {self.names[other]: float(strength[other]) for other in order.tolist()}


def associations(table: Table) -> Associations:
    """How strongly columns of numbers, symbols and times are associated, each with each.

    The measure is the informational coefficient of correlation (Linfoot 1957),
    ``sqrt(1 - exp(-2 I))`` of the mutual information I, divided by the greatest value it can have
    for these two columns. It is 0 where columns are independent, 1 where one of them follows from
    the other, and for numbers of a normal distribution about the absolute correlation; that a bent
    relation counts, too, is what sets it apart from a correlation. Numbers are cut into at most 10
    bins of equal frequency, fewer where there are few rows; of symbols, the 10 most frequent values
    count, and the others as one. The bias of I is corrected (Miller 1955). A row counts for a pair
    where both cells are known. Significance is by Pearson's chi-square, after Holm (1979).

    Parameters
    ----------
    table
        Any table; columns of text are left out.

    Examples
    --------
    >>> import satsuma
    >>> found = associations(satsuma.load("iris"))
    >>> [(pair.one, pair.other, round(pair.strength, 2)) for pair in found.pairs()[:2]]
    [('Petal.Length', 'Species', 0.95), ('Petal.Width', 'Species', 0.94)]
    """
    variables = [v for v in table.domain if v.kind != "text"]
    names = tuple(v.name for v in variables)
    if len(variables) < 2 or not len(table):
        nothing = np.full((len(names), len(names)), np.nan)
        return Associations(names, nothing, nothing)
    bins = int(np.clip(np.sqrt(len(table) / EACH), 2, VALUES))
    coded = [_coded(table, variable, bins) for variable in variables]
    sizes = np.array([max(1, int(codes.max(initial=-1)) + 1) for codes in coded])
    strength, p = _of_counts(_counts(coded, sizes), sizes)
    upper = np.triu_indices(len(names), 1)
    corrected = np.ones_like(p)
    corrected[upper] = holm(p[upper], len(p[upper]))
    return Associations(names, strength, np.minimum(corrected, corrected.T))


def _coded(table: Table, variable: Variable, bins: int) -> Codes:
    """A column as codes of few values; -1 where it is missing."""
    column, known = table.column(variable.name), ~table.missing(variable.name)
    codes = np.full(len(column), -1, np.int32)
    if not known.any():
        return codes
    if variable.kind == "sym":
        codes[known] = _frequent(column[known])
    else:
        cells = column[known]
        codes[known] = _binned(cells.view(np.int64) if variable.kind == "time" else cells, bins)
    return codes


def _frequent(codes: Codes) -> Array:
    """The most frequent values by codes of their own, and all others as one."""
    counts = np.bincount(codes)
    order = np.argsort(-counts, kind="stable")[:VALUES]
    kept = order[counts[order] >= FEWEST]
    new = np.full(len(counts), len(kept))
    new[kept] = np.arange(len(kept))
    return new[codes]


def _binned(cells: Array, bins: int) -> Array:
    """Bins of about equal frequency; values that are few have a bin each."""
    ordered = np.sort(cells)
    distinct = np.unique(ordered)
    if len(distinct) <= bins:
        return np.searchsorted(distinct, cells)
    edges = np.unique(ordered[(np.arange(1, bins) * len(ordered)) // bins])
    return np.unique(np.searchsorted(edges, cells, side="right"), return_inverse=True)[1]


def _counts(coded: list[Codes], sizes: Array) -> Floats:
    """How often each value of each column comes with each value of each other, in one matrix."""
    starts = np.concatenate([[0], np.cumsum(sizes)])
    total = np.zeros((starts[-1], starts[-1]))
    for first in range(0, len(coded[0]), _TILE):
        rows = [codes[first : first + _TILE] for codes in coded]
        hot = np.zeros((len(rows[0]), starts[-1]), np.float32)
        for start, codes in zip(starts, rows, strict=False):
            known = np.flatnonzero(codes >= 0)
            hot[known, start + codes[known]] = 1
        total += hot.T @ hot
    return total


def _of_counts(counts: Floats, sizes: Array) -> tuple[Floats, Floats]:
    """Strength and p for all pairs of columns at once, from the matrix of all their counts."""
    from scipy.special import chdtrc, xlogy

    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    owner = np.repeat(np.arange(len(sizes)), sizes)

    def blocks(cells: Floats) -> Floats:
        return np.add.reduceat(np.add.reduceat(cells, starts, axis=0), starts, axis=1)

    def down(cells: Floats) -> Floats:
        return np.add.reduceat(cells, starts, axis=0)

    # Of a value, the rows in which the other column is known.
    margin = np.add.reduceat(counts, starts, axis=1)
    n = np.maximum(down(margin), 1.0)
    own = np.log(n) - down(xlogy(margin, margin)) / n  # the entropy of a column, by the other
    information = own + own.T - np.log(n) + blocks(xlogy(counts, counts)) / n
    seen = down((margin > 0).astype(np.float64))
    bias = (blocks((counts > 0).astype(np.float64)) - seen - seen.T + 1) / (2 * n)
    most = np.maximum(np.minimum(own, own.T), 0.0)  # a constant may be below 0 by rounding
    corrected = np.clip(information - bias, 0.0, most)
    spread = margin[:, owner]
    expected = spread * spread.T
    part = np.divide(counts**2, expected, out=np.zeros_like(counts), where=expected > 0)
    freedom = np.maximum(seen - 1, 0) * np.maximum(seen.T - 1, 0)
    chi = np.maximum(n * (blocks(part) - 1), 0.0)
    p = np.where(freedom > 0, chdtrc(np.maximum(freedom, 1), chi), 1.0)
    limit = np.sqrt(-np.expm1(-2 * most))
    some = (limit > 1e-6) & (freedom > 0)
    found = np.sqrt(-np.expm1(-2 * corrected))
    strength = np.divide(found, limit, out=np.zeros_like(found), where=some)
    np.fill_diagonal(strength, np.nan)
    return strength, p
