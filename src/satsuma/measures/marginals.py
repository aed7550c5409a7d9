"""Marginals: how each column of a table is distributed, in a kilobyte each.

They say what a table was like when the table itself is gone: what a model was learned from, so
that new rows can be compared with it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from satsuma.data.fields import FloatArray, IntArray, Many, Word
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.data.variable import KINDS
from satsuma.errors import ReadError
from satsuma.measures.by_column import ByColumn
from satsuma.numerics.arrays import Array, Bools, Floats, Indices
from satsuma.tallies.by_class import weights_of

#: Points of a column of numbers, and values of a column of symbols, that are kept at most.
POINTS, VALUES = 64, 256


@dataclass(frozen=True, eq=False)
class Marginal:
    """How one column is distributed.

    Parameters
    ----------
    name, kind
        The column. Texts are held by how long they are, times by their nanoseconds.
    points
        Of numbers: some that occur, in order, the least and the greatest among them.
    values
        Of symbols: the most frequent ones.
    counts
        The weight of each value; of numbers, what lies at a point or between it and the one before.
    others
        The weight of values that are not kept.
    missing
        The weight of rows without a value.
    """

    name: str
    kind: str
    points: Floats
    values: tuple[str, ...]
    counts: Floats
    others: float
    missing: float

    @property
    def known(self) -> float:
        """The weight of rows with a value."""
        return float(self.counts.sum()) + self.others

    @property
    def rows(self) -> float:
        """The weight of all rows."""
        return self.known + self.missing

    @property
    def missing_share(self) -> float:
        """The share of rows without a value."""
        return self.missing / self.rows if self.rows else 0.0

    def cdf(self) -> Floats:
        """The share of known numbers at or below each point."""
        return np.cumsum(self.counts) / (self.known or 1.0)

    def quantile(self, share: float) -> float:
        """The least point that this share of the known numbers does not exceed; NaN without any."""
        if not len(self.points):
            return float("nan")
        at = int(np.searchsorted(self.cdf(), share * (1 - 1e-12)))
        return float(self.points[min(at, len(self.points) - 1)])


class Marginals(ByColumn[Marginal]):
    """How each column of some rows is distributed, by name.

    Parameters
    ----------
    columns
        The columns, in order.

    Examples
    --------
    >>> days = Table.of([(30, "sun"), (20, "rain"), (None, "sun")], ["heat", "sky"])
    >>> marginals = Marginals.of(days)
    >>> marginals["sky"].values, marginals["sky"].counts.tolist()
    (('sun', 'rain'), [2.0, 1.0])
    >>> marginals["heat"].points.tolist(), round(marginals["heat"].missing_share, 2)
    ([20.0, 30.0], 0.33)
    """

    def __repr__(self) -> str:
        rows = max((each.rows for each in self.values()), default=0.0)
        return f"Marginals({len(self)} columns, {rows:g} rows)"

    @classmethod
    def of(
        cls, table: Table, names: Iterable[str] | None = None, points: int = POINTS
    ) -> "Marginals":
        """The marginals of a table.

        Parameters
        ----------
        table
            The rows; what they weigh counts.
        names
            The columns; all attributes, goals and the target unless given.
        points
            How many points of a column of numbers are kept. If it has no more distinct numbers, its
            distribution is exact.
        """
        used = [v.name for v in table.domain if v.role in ("x", "goal", "target")]
        weights = weights_of(table)
        weights = np.ones(len(table)) if weights is None else weights
        chosen = used if names is None else names
        return cls(_marginal(table, name, weights, points) for name in chosen)

    def state(self) -> dict[str, Any]:
        """All there is to it, as arrays and what JSON can hold."""
        held = list(self.values())
        return {
            "names": [each.name for each in held],
            "kinds": [each.kind for each in held],
            "values": [list(each.values) for each in held],
            "sizes": np.array([len(each.counts) for each in held], np.int64),
            "points": _joined([each.points for each in held]),
            "counts": _joined([each.counts for each in held]),
            "others": np.array([each.others for each in held]),
            "missing": np.array([each.missing for each in held]),
        }

    @classmethod
    def from_state(cls, state: object) -> "Marginals":
        """The marginals whose `state` that is; a `ReadError` where it is none."""
        held = cast("Mapping[str, Any]", state)
        if not isinstance(state, Mapping) or held.keys() != _SCHEMA.fields.keys():
            raise ReadError("the marginals of a model consist of something else")
        _SCHEMA.check(held, {}, "Marginals")
        sizes = held["sizes"].tolist()
        numeric = [kind != "sym" for kind in held["kinds"]]
        of_numbers = [size for size, is_so in zip(sizes, numeric, strict=True) if is_so]
        if sum(sizes) != len(held["counts"]) or sum(of_numbers) != len(held["points"]):
            raise ReadError("the columns of Marginals do not share out their counts")
        return cls(_columns(held, sizes, numeric))


_SCHEMA = Schema(
    names=Many(Word(), "columns"),
    kinds=Many(Word(*KINDS), "columns"),
    values=Many(Many(Word()), "columns"),
    sizes=IntArray("columns", dtypes=(np.int64,)),
    points=FloatArray("points"),
    counts=FloatArray("counts", low=0),
    others=FloatArray("columns", low=0),
    missing=FloatArray("columns", low=0),
)


def _columns(held: Mapping[str, Any], sizes: list[int], numeric: list[bool]) -> Iterator[Marginal]:
    """The columns of a state that fits the schema, each checked."""
    if len(set(held["names"])) != len(held["names"]):
        raise ReadError("two columns of Marginals have the same name")
    at = upto = 0
    for column, (size, is_number) in enumerate(zip(sizes, numeric, strict=True)):
        values = tuple(held["values"][column])
        points = held["points"][upto : upto + size] if is_number else np.zeros(0)
        if len(values) != (0 if is_number else size) or (np.diff(points) <= 0).any():
            raise ReadError("a column of Marginals has other values than counts, or no order")
        yield Marginal(
            held["names"][column],
            held["kinds"][column],
            points,
            values,
            held["counts"][at : at + size],
            float(held["others"][column]),
            float(held["missing"][column]),
        )
        at, upto = at + size, upto + len(points)


def _joined(parts: Sequence[Floats]) -> Floats:
    return np.concatenate([np.zeros(0), *parts])


def _marginal(table: Table, name: str, weights: Floats, points: int) -> Marginal:
    kind, missing = table.domain[name].kind, table.missing(name)
    lost = float(weights[missing].sum())
    if kind == "sym":
        return _of_symbols(table, name, weights, lost)
    x, known = numbers_in(table, name, missing)
    at, counts = _grid(x, weights[known], points)
    return Marginal(name, kind, at, (), counts, 0.0, lost)


def numbers_in(table: Table, name: str, missing: Bools) -> tuple[Floats, Bools]:
    """The known cells of a column as numbers, and which rows they are of.

    Texts are as many characters as they have, times are nanoseconds.
    """
    column: Array = table.column(name)
    kind, known = table.domain[name].kind, ~missing
    if kind == "text":
        return np.array([len(each) for each in column[known]], np.float64), known
    if kind == "time":
        return column[known].view(np.int64).astype(np.float64), known
    return column[known], known


def _of_symbols(table: Table, name: str, weights: Floats, lost: float) -> Marginal:
    values, codes = table.domain[name].values, table.column(name)
    counts: Floats = np.bincount(codes + 1, weights, len(values) + 1)[1:].astype(np.float64)
    seen = np.flatnonzero(counts > 0)
    often = seen[np.argsort(-counts[seen], kind="stable")][:VALUES]
    places: list[int] = often.tolist()
    others = float(counts.sum() - counts[often].sum()) if len(often) < len(seen) else 0.0
    kept = tuple(values[code] for code in places)
    return Marginal(name, "sym", np.zeros(0), kept, counts[often], max(others, 0.0), lost)


def _grid(x: Floats, weights: Floats, points: int) -> tuple[Floats, Floats]:
    """Points that share out the weight about evenly, and the weight up to each."""
    weighs = weights > 0
    order = np.argsort(x[weighs], kind="stable")
    x, weights = x[weighs][order] + 0.0, weights[weighs][order]
    if not len(x):
        return np.zeros(0), np.zeros(0)
    last = np.flatnonzero(np.append(x[1:] != x[:-1], True))  # of each distinct number
    upto = np.cumsum(weights)[last]
    if len(last) > points:
        shares = np.linspace(0, 1, points) * upto[-1]
        chosen: Indices = np.unique(cast("Indices", np.searchsorted(upto[:-1], shares)))
        last, upto = last[chosen], upto[chosen]
    return x[last], np.diff(upto, prepend=0.0)
