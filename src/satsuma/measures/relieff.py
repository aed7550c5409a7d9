"""ReliefF: how well a column tells a row from its nearest neighbours of other classes."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import Floats
from satsuma.data.table import Table
from satsuma.errors import DomainError
from satsuma.errors.parameters import check_number
from satsuma.measures.distance import Distance, nearest_weighing, norm
from satsuma.measures.expected import Expected

Rows = npt.NDArray[np.int64]


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
    >>> import satsuma
    >>> found = relief(satsuma.load("iris"))
    >>> max(found, key=found.get)
    'Petal.Width'
    """
    check_number(_Given(k), "k", low=1, whole=True)
    target = table.domain.target
    if target is None or target.kind != "sym":
        raise DomainError("relief needs a target of symbols. Name one: table.with_roles(target=…).")
    used = ~table.missing(target.name)
    if table.weights is not None:
        used &= table.weights > 0
    known = table[np.flatnonzero(used)]
    names = [v.name for v in table.domain.attributes if v.kind != "text"]
    if not len(known) or not names:
        return dict.fromkeys(names, 0.0)
    search = _Search(known, known.column(target.name), len(target.values), k)
    chosen = np.arange(len(known))
    if len(known) > rows:
        chosen = np.sort(np.random.default_rng(seed).choice(len(known), rows, replace=False))
    pairs = search.pairs(chosen)
    return {name: _score(known, name, search, pairs) for name in names}


class _Given:
    """Parameters of `relief`, to be checked under its name."""

    def __init__(self, k: int) -> None:
        self.k = k


_Given.__name__ = "relief"


class _Pairs:
    """Rows, their neighbours, and what the difference of each pair counts; a hit below 0."""

    def __init__(self) -> None:
        self.row: list[Rows] = []
        self.other: list[Rows] = []
        self.count: list[Floats] = []

    def add(self, row: Rows, other: Rows, count: Floats) -> None:
        kept = count != 0
        self.row.append(np.broadcast_to(row[:, None], other.shape)[kept])
        self.other.append(other[kept])
        self.count.append(count[kept])

    def arrays(self) -> tuple[Rows, Rows, Floats]:
        return np.concatenate(self.row), np.concatenate(self.other), np.concatenate(self.count)


class _Search:
    """Rows of a known class, and the neighbours of some of them in each class."""

    def __init__(self, table: Table, codes: npt.NDArray[np.int32], classes: int, k: int) -> None:
        self.table, self.codes, self.classes, self.k = table, codes, classes, k
        weights = table.weights
        self.weight = np.ones(len(table)) if weights is None else weights
        self.share = np.bincount(codes, self.weight, classes) / self.weight.sum()
        self.distance = Distance.of(table)

    def pairs(self, chosen: Rows) -> tuple[Rows, Rows, Floats]:
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


def _score(table: Table, name: str, search: _Search, pairs: tuple[Rows, Rows, Floats]) -> float:
    row, other, count = pairs
    column, variable = table.column(name), table.domain[name]
    if variable.kind == "num":
        known = column[~np.isnan(column)]
        if not len(known):
            return 0.0
        column = norm(column, float(known.min()), float(known.max()))
    expected = Expected(column, len(variable.values), search.codes, search.classes, search.weight)
    return float(count @ expected.difference(row, other))
