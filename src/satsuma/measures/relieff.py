"""ReliefF: how well a column tells a row from its nearest neighbours of other classes."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.data.table import Table
from satsuma.errors import DomainError, check_number
from satsuma.measures.distance import Distance, nearest_weighing, norm
from satsuma.numerics.arrays import Array, Floats, Integers


def relief(table: Table, k: int = 10, rows: int = 1000, seed: int = 0) -> Mapping[str, float]:
    """ReliefF (Kononenko 1994): how much more a column differs between classes than within one.

    Each of some rows is set beside its k nearest neighbours of its own class and of every other
    class, which count by their share of the rows; the neighbours are those of `Distance`, without
    the row itself. A column earns its mean difference from the others, less that from its own.
    Columns that say something only together are found, too. From -1 to 1; about 0 says nothing.

    Where a cell is missing, the difference is the one to be expected of its class (for symbols
    that is 1 - P(value | class)).

    Parameters
    ----------
    table
        With a target of classes.
    k
        Neighbours of each class, by weight where rows have weights.
    rows
        How many rows are asked about; all if there are no more, else a sample.
    seed
        Of that sample.

    Examples
    --------
    >>> from satsuma import load
    >>> from satsuma.measures import relief
    >>> found = relief(load("iris"))
    >>> max(found, key=found.get)
    'Petal.Width'
    """
    check_number(Given(k), "k", low=1, whole=True)
    target = table.domain.target
    if target is None or target.kind != "sym":
        raise DomainError("relief needs a target of symbols. Name one: table.with_roles(target=…).")
    used = ~table.missing(target.name)
    if table.weights is not None:
        used &= table.weights > 0
    known = table[np.flatnonzero(used)]
    names = [v.name for v in table.domain.attributes if v.kind in ("num", "sym")]
    if not len(known) or not names:
        return dict.fromkeys(names, 0.0)
    search = _Search(known, known.column(target.name), len(target.values), k)
    chosen = rows_asked(len(known), rows, seed)
    pairs = search.pairs(chosen)
    return {name: _score(known, name, search, pairs) for name in names}


def rows_asked(known: int, rows: int, seed: int) -> Integers:
    """The places of the rows that are asked about: all, or a sample of so many."""
    if known <= rows:
        return np.arange(known)
    return np.sort(np.random.default_rng(seed).choice(known, rows, replace=False))


class Given:
    """Parameters of `relief`, to be checked under its name."""

    def __init__(self, k: int) -> None:
        self.k = k


Given.__name__ = "relief"


class _Pairs:
    """Rows, their neighbours, and what the difference of each pair counts; a hit below 0."""

    def __init__(self) -> None:
        self.row: list[Integers] = []
        self.other: list[Integers] = []
        self.count: list[Floats] = []

    def add(self, row: Integers, other: Integers, count: Floats) -> None:
        kept = count != 0
        self.row.append(np.broadcast_to(row[:, None], other.shape)[kept])
        self.other.append(other[kept])
        self.count.append(count[kept])

    def arrays(self) -> tuple[Integers, Integers, Floats]:
        return np.concatenate(self.row), np.concatenate(self.other), np.concatenate(self.count)


class _Search:
    """Rows of a known class, and the neighbours of some of them in each class."""

    def __init__(self, table: Table, codes: npt.NDArray[np.int32], classes: int, k: int) -> None:
        self.table, self.codes, self.classes, self.k = table, codes, classes, k
        weights = table.weights
        self.weight = np.ones(len(table)) if weights is None else weights
        self.share = np.bincount(codes, self.weight, classes) / self.weight.sum()
        self.distance = Distance.of(table)

    def pairs(self, chosen: Integers) -> tuple[Integers, Integers, Floats]:
        """The pairs of rows that are compared; the weights of hits, and of misses, sum to 1."""
        out, total = _Pairs(), self.weight[chosen].sum()
        cells = self.distance.cells(self.table[chosen])
        mine, asked = self.codes[chosen], self.weight[chosen] / total
        others = 1 - self.share[mine]
        for code in np.flatnonzero(self.share > 0):
            members = np.flatnonzero(self.codes == code)
            search = self.distance.among(self.table[members])
            own = np.searchsorted(members, chosen)
            own = np.where(mine == code, own, -1)
            _, at, count = nearest_weighing(search, cells, self.k, self.weight[members], own)
            whole = count.sum(axis=1, keepdims=True)
            count = np.divide(count, whole, out=np.zeros_like(count), where=whole > 0)
            miss = np.divide(self.share[code], others, out=np.zeros(len(chosen)), where=others > 0)
            sign = np.where(mine == code, -1.0, miss)
            out.add(chosen, members[np.maximum(at, 0)], count * (sign * asked)[:, None])
        return out.arrays()


def _score(
    table: Table, name: str, search: _Search, pairs: tuple[Integers, Integers, Floats]
) -> float:
    row, other, count = pairs
    column, variable = table.column(name), table.domain[name]
    if variable.kind == "num":
        known = column[~np.isnan(column)]
        if not len(known):
            return 0.0
        column = norm(column, float(known.min()), float(known.max()))
    expected = Expected(column, len(variable.values), search.codes, search.classes, search.weight)
    return float(count @ expected.difference(row, other))


class Expected:
    """Differences between the cells of a column; in place of a missing one, what its class holds.

    Numbers differ by what lies between them, symbols by 0 or 1. Where a class has no known cell,
    the whole column stands for it.

    Parameters
    ----------
    column
        Numbers from 0 to 1 with NaN for missing, or codes with -1.
    values
        How many symbols there are; not looked at for numbers.
    codes, classes, weight
        The class of each row, how many there are, and what each row weighs.
    """

    def __init__(
        self, column: Array, values: int, codes: Array, classes: int, weight: Floats
    ) -> None:
        self.codes = codes
        numbers = column.dtype.kind == "f"
        self.missing = np.isnan(column) if numbers else column < 0
        known = np.flatnonzero(~self.missing)
        if numbers:
            self.points, place = np.unique(column[known], return_inverse=True)
        else:  # a column without values gets one that never occurs
            self.points, place = np.arange(max(values, 1)), column[known]
        self.place = np.zeros(len(column), np.int64)
        self.place[known] = place
        self.numbers = numbers
        n = len(self.points)
        cells = self.codes[known].astype(np.int64) * n + place
        held = np.bincount(cells, weight[known], classes * n).reshape(classes, n).astype(float)
        empty = held.sum(axis=1) == 0
        held[empty] = held.sum(axis=0)
        total = held.sum(axis=1, keepdims=True)
        self.share = np.divide(held, total, out=np.zeros_like(held), where=total > 0)
        self.to_class = self._to_class()  # (classes, points): a known cell and a missing one
        self.of_classes = self.to_class @ self.share.T  # two missing cells

    def _to_class(self) -> Floats:
        if not self.numbers:
            return 1 - self.share
        # The mean of |x - X|: what lies below x on the one side, what lies above on the other.
        below = np.cumsum(self.share, axis=1)
        moment = np.cumsum(self.share * self.points, axis=1)
        x: Any = self.points
        return (x * below - moment) + (moment[:, -1:] - moment) - x * (below[:, -1:] - below)

    def difference(self, row: Integers, other: Integers) -> Floats:
        """How far the cells of some rows are from those of others."""
        a, b = self.place[row], self.place[other]
        away: Floats = (a != b).astype(np.float64)
        if self.numbers:
            away = np.abs(self.points[a] - self.points[b])
        no_a, no_b = self.missing[row], self.missing[other]
        c, d = self.codes[row], self.codes[other]
        away = np.where(no_a, self.to_class[c, b], away)
        away = np.where(no_b, self.to_class[d, a], away)
        return np.where(no_a & no_b, self.of_classes[c, d], away)
