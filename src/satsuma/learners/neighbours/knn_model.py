"""Models of KNN: the rows that were learned from, how near ones are found, and how they vote."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from satsuma.data.fields import LARGE, FloatArray, Instance, IntArray, Maybe, Number, Word
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError
from satsuma.kernels.nearest import Nearest
from satsuma.learners.explanation import Explanation
from satsuma.learners.model import Classifier, Model, Regressor
from satsuma.learners.near_rows import Neighbour
from satsuma.learners.neighbours.leave_one_out import Choice, Rows
from satsuma.learners.neighbours.neighbourhoods import WAYS, Own, counts, nearness, neighbourhoods
from satsuma.measures.distance import Distance
from satsuma.measures.standardized_distance import StandardizedDistance
from satsuma.numerics.arrays import Floats, Indices, Integers
from satsuma.tallies.by_class import numbers_of, symbols_of

#: How numbers are compared.
SCALES: dict[str, type[Distance]] = {"deviation": StandardizedDistance, "range": Distance}

_TOLD = {
    "uniform": "all alike",
    "distance": "each by one over its distance",
    "linear": "the nearer the more",
}


def _knn() -> type:
    from satsuma.learners.neighbours.knn import KNN

    return KNN


class Neighbours(Model):
    """The rows that were learned from, and how they are looked for.

    Parameters
    ----------
    distance
        How far rows are apart.
    rows
        No two of them alike: cells, targets and weights.
    choice
        How many neighbours vote, and how.
    """

    learner: Any

    schema: ClassVar[Schema] = Schema(
        "rows",
        "tried",
        "ways",
        learner=Instance(_knn),
        lo=FloatArray("num", missing=True),
        hi=FloatArray("num", missing=True),
        number=FloatArray("rows", "num", low=0, high=1, missing=True),
        symbol=IntArray("rows", "sym", low=-1),
        weight=Maybe(FloatArray("rows", low=0, high=LARGE)),
        row=IntArray("rows", dtypes=(np.int64,)),
        row_count=Number(low=1, whole=True),
        k=Number(low=1, whole=True),
        way=Word(*WAYS),
        m=Number(low=0, high=LARGE),
        tried=IntArray("tried", low=1, dtypes=(np.int64,)),
        losses=FloatArray("tried", "ways", low=0),
        left_out=Number(low=0, whole=True),
    )

    def check_state(self) -> None:
        """There are rows, and some of them weigh something."""
        super().check_state()
        some = len(self.number) and (self.weight is None or bool((self.weight > 0).any()))
        if not some or not self.domain.attributes:
            raise ReadError("there are no rows to look for neighbours among")
        if self.losses.shape[1] not in (0, 1, len(WAYS)):
            raise ReadError("there are losses of other ways to weigh neighbours")

    def __init__(self, distance: Distance, rows: Rows, choice: Choice) -> None:
        self.lo, self.hi = distance.lo, distance.hi
        self.number, self.symbol = rows.cells
        self.targets, self.weight = rows.targets, rows.weight
        self.row, self.row_count = rows.row.astype(np.int64), rows.learned
        self.k, self.way, self.m = choice.k, choice.way, choice.m
        self.tried, self.losses = choice.tried.astype(np.int64), choice.losses
        self.left_out = choice.asked
        self._made = rows.search

    def _distance(self) -> Distance:
        numbers, symbols = numbers_of(self.domain), symbols_of(self.domain)
        names = tuple(v.name for v in numbers), tuple(v.name for v in symbols)
        return SCALES[self.learner.scale](names, self.lo, self.hi, self.learner.p)

    def _searched(self) -> Nearest:
        made: Nearest | None = vars(self).get("_made")
        if made is None:
            apart = SCALES[self.learner.scale].apart
            made = self._made = Nearest(self.number, self.symbol, self.learner.p, apart)
        return made

    def neighbours(self, batch: Table) -> tuple[Floats, Integers, Floats]:
        """Distances, rows and what each row counts, nearest first; a row of -1 counts nothing.

        Rows are numbered as they were learned from, without those that were left out. Rows that
        are alike, target and all, are one, which has the number of the first and counts as all.
        """
        return self.nearest(batch, self.k)

    def nearest(self, batch: Table, k: int) -> tuple[Floats, Integers, Floats]:
        """`neighbours`, as many as weigh k together."""
        distance, found = self._distance(), list[Any]()
        for near in neighbourhoods(self._searched(), distance.cells(batch), k, self.weight):
            found.append((near, counts(near, k)))
        width = max(
            (int((count > 0).sum(axis=1).max()) for _, count in found if len(count)), default=0
        )
        away, rows = np.full((len(batch), width), np.inf), np.full((len(batch), width), -1)
        weigh = np.zeros((len(batch), width))
        for near, count in found:
            n = min(width, count.shape[1])
            rows[near.asked, :n] = np.where(count > 0, self.row[near.rows], -1)[:, :n]
            away[near.asked, :n] = np.where(count > 0, distance.rooted(near.sums), np.inf)[:, :n]
            weigh[near.asked, :n] = count[:, :n]
        return away, rows, weigh

    def with_reasons(self, found: Explanation, batch: Table) -> Explanation:
        """The neighbours that vote."""
        return found.also(neighbours=tuple(self.voters(batch)))

    def voters(self, batch: Table) -> list[Neighbour]:
        """The neighbours of the first row, nearest first, and the share of the votes of each."""
        away, rows, weigh = (each[0] for each in self.neighbours(batch[:1]))
        if not len(rows):
            return []
        count = weigh * nearness(away[None], weigh[None], self.k, self.way)[0]
        total = float(count.sum()) or 1.0
        place = {int(row): at for at, row in enumerate(self.row.tolist())}
        found = list[Neighbour]()
        for row, distance, votes in zip(rows.tolist(), away.tolist(), count.tolist(), strict=True):
            if row >= 0:
                target, values = self.targets[place[row]], self.target.values
                value = values[int(target)] if values else float(target)
                found.append(Neighbour(row, distance, votes / total, value))
        return found

    def votes(
        self, batch: Table, own: Own | None = None
    ) -> Iterator[tuple[Indices, Integers, Floats]]:
        """For some queries at a time, their numbers, their neighbours, and what each counts.

        Where `own` is given, queries were learned from, and do not vote on themselves.
        """
        distance = self._distance()
        cells = distance.cells(batch)
        for near in neighbourhoods(self._searched(), cells, self.k, self.weight, own):
            count = counts(near, self.k)
            away = distance.rooted(near.sums)
            yield near.asked, near.rows, count * nearness(away, count, self.k, self.way)

    def __str__(self) -> str:
        told = (
            f"{self.target.name}, by the {self.k} nearest of {self.row_count} rows, "
            f"{_TOLD[self.way]}; "
            f"distance over {self.number.shape[1]} numbers and {self.symbol.shape[1]} symbols, "
            f"p = {self.learner.p:g}"
        )
        if self.target.kind == "sym" and self.m:
            told += f"; {self.m:g} imaginary neighbours of all classes"
        return "\n".join([told, *self._why()])

    def _why(self) -> list[str]:
        """What was tried, with the loss of each; no line where all was told."""
        if not self.left_out:
            return []
        loss = "log loss" if self.target.kind == "sym" else "squared error"
        ways = WAYS if self.losses.shape[1] == len(WAYS) else (self.way,)
        who = f"{len(self.number):,} distinct rows"
        if self.left_out < len(self.number):
            who = f"{self.left_out:,} of {who}, drawn by content"
        lines = ["", f"Chosen by leave-one-out over {who}: the least {loss}."]
        lines += ["    k" + "".join(f"{way:>11}" for way in ways)]
        for k, row in zip(self.tried, self.losses, strict=True):
            lines.append(f"{k:5}" + "".join(f"{each:11.4g}" for each in row))
        return lines


class KNNClassifier(Neighbours, Classifier):
    """Rows to be looked among, and the class of each."""

    schema: ClassVar[Schema] = Schema(targets=IntArray("rows", below="classes"))

    def probabilities(self, batch: Table) -> Floats:
        """The share of each class among the neighbours, real and imaginary."""
        shares = class_shares(self.targets, self.weight, len(self.classes))
        return self._counted(batch, shares[None])

    def by_others(self, rows: Table, own: Own) -> Floats:
        """The same of rows that were learned from, by all others; NaN where none of these votes."""
        held = np.bincount(self.targets, self.weight, len(self.classes))
        each = np.tile(held.astype(np.float64), (len(rows), 1))
        each[np.arange(len(rows)), self.targets[own.row]] -= own.weight
        each[each <= 1e-9 * held] = 0.0
        return self._counted(rows, each / each.sum(axis=1, keepdims=True), own)

    def _counted(self, batch: Table, shares: Floats, own: Own | None = None) -> Floats:
        classes = len(self.classes)
        found = np.empty((len(batch), classes))
        for asked, rows, votes in self.votes(batch, own):
            at = np.arange(len(asked))[:, None] * classes + self.targets[rows]
            summed = np.bincount(at.ravel(), votes.ravel(), len(asked) * classes)
            found[asked] = summed.reshape(-1, classes)
        found += self.m * shares
        with np.errstate(invalid="ignore"):
            return found / found.sum(axis=1, keepdims=True)


class KNNRegressor(Neighbours, Regressor):
    """Rows to be looked among, and the number of each."""

    schema: ClassVar[Schema] = Schema(targets=FloatArray("rows"))

    def numbers(self, batch: Table) -> Floats:
        """The mean of the neighbours."""
        return self.by_others(batch)

    def by_others(self, rows: Table, own: Own | None = None) -> Floats:
        """The same of rows that were learned from, by all others; NaN where none of these votes."""
        found = np.empty(len(rows))
        for asked, at, votes in self.votes(rows, own):
            with np.errstate(invalid="ignore"):
                found[asked] = (self.targets[at] * votes).sum(axis=1) / votes.sum(axis=1)
        return found


def class_shares(targets: Integers, weight: Floats | None, classes: int) -> Floats:
    """How many rows there are of each class, as a share of all."""
    found = np.bincount(targets, weight, classes)
    return found / found.sum()


def first_neighbours(
    away: Floats, rows: Integers, counted: Floats, wanted: int
) -> tuple[Floats, Integers]:
    """The first neighbours of each query, so many: each as often as it counts, at least once.

    Examples
    --------
    >>> away, rows = np.array([[0.0, 1.0, 1.0]]), np.array([[5, 2, 7]])
    >>> first_neighbours(away, rows, np.array([[2.0, 0.5, 0.5]]), 3)
    (array([[0., 0., 1.]]), array([[5, 5, 2]]))
    """
    often = np.where(rows >= 0, np.maximum(np.ceil(counted - 1e-9), 1), 0).astype(np.intp)
    ends = np.cumsum(often, axis=1)
    place = np.arange(wanted)
    at = (ends[:, None, :] <= place[None, :, None]).sum(axis=2)
    at = np.minimum(at, rows.shape[1] - 1)
    return np.take_along_axis(away, at, axis=1), np.take_along_axis(rows, at, axis=1)
