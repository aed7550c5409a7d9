"""KNN: k nearest neighbours, by distance over numbers and symbols."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from satsuma.data.fields import LARGE, FloatArray, Instance, IntArray, Maybe
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError, check_choice, check_number
from satsuma.kernels.nearest import Nearest
from satsuma.learners.learner import Learner
from satsuma.learners.model import Classifier, Regressor
from satsuma.learners.takes import Takes, training_rows
from satsuma.measures.distance import Distance, nearest_weighing
from satsuma.numerics.arrays import Array, Codes, Floats, Integers
from satsuma.tallies.by_class import numbers_of, symbols_of


class _Neighbours:
    """The rows that were learned from, and how they are looked for.

    Parameters
    ----------
    lo, hi
        The range of each numeric attribute.
    number, symbol
        The rows: numbers from 0 to 1, and codes.
    targets
        The target of each row.
    weight
        What each row weighs; None where all weigh 1.
    """

    domain: Any
    learner: Any

    schema: ClassVar[Schema] = Schema(
        "rows",
        learner=Instance(lambda: KNN),
        lo=FloatArray("num", missing=True),
        hi=FloatArray("num", missing=True),
        number=FloatArray("rows", "num", low=0, high=1, missing=True),
        symbol=IntArray("rows", "sym", low=-1),
        weight=Maybe(FloatArray("rows", low=0, high=LARGE)),
    )

    def check_rows(self) -> None:
        """Raise a `ReadError` unless there are rows, and some of them weigh something."""
        some = len(self.number) and (self.weight is None or bool((self.weight > 0).any()))
        if not some or not self.domain.attributes:
            raise ReadError("there are no rows to look for neighbours among")

    def __init__(
        self, distance: Distance, rows: tuple[Floats, Codes], targets: Array, weight: Floats | None
    ) -> None:
        self.lo, self.hi = distance.lo, distance.hi
        self.number, self.symbol = rows
        self.targets, self.weight = targets, weight

    def _distance(self) -> Distance:
        numbers, symbols = numbers_of(self.domain), symbols_of(self.domain)
        names = tuple(v.name for v in numbers), tuple(v.name for v in symbols)
        return Distance(names, self.lo, self.hi, self.learner.p)

    def _searched(self) -> Nearest:
        made: Nearest | None = vars(self).get("_made")
        if made is None:
            made = self._made = Nearest(self.number, self.symbol, self.learner.p)
        return made

    def neighbours(self, batch: Table) -> tuple[Floats, Integers, Floats]:
        """Distances, rows and what each row counts, nearest first; a row of -1 counts nothing.

        Rows are numbered as they were learned from, without those that were left out.
        """
        distance = self._distance()
        cells, k = distance.cells(batch), int(self.learner.k)
        sums, rows, count = nearest_weighing(self._searched(), cells, k, self.weight)
        return distance.rooted(sums), rows, count

    def _shares(self, batch: Table) -> tuple[Integers, Floats]:
        """The neighbours of each row, and the share of each in the prediction."""
        away, rows, count = self.neighbours(batch)
        if self.learner.weights == "distance":
            # As a share of the nearest, so that the smallest distance is not divided by.
            near = away[:, :1]
            with np.errstate(invalid="ignore"):
                nearness = np.where(near > 0, near / away, away == 0)
            count = count * np.where(rows < 0, 0.0, nearness)
        return rows, count / count.sum(axis=1, keepdims=True)

    def __str__(self) -> str:
        how = "the nearer the more" if self.learner.weights == "distance" else "all alike"
        n, (numbers, symbols) = len(self.targets), (self.number.shape[1], self.symbol.shape[1])
        target = self.domain.target.name
        return (
            f"{target}, by the {self.learner.k} nearest of {n} rows, {how}; "
            f"distance over {numbers} numbers and {symbols} symbols, p = {self.learner.p:g}"
        )


class KNNClassifier(_Neighbours, Classifier):
    """Rows to be looked among, and the class of each."""

    schema: ClassVar[Schema] = Schema(targets=IntArray("rows", below="classes"))

    def check_state(self) -> None:
        """There are rows."""
        super().check_state()
        self.check_rows()

    def probabilities(self, batch: Table) -> Floats:
        """The share of each class among the neighbours."""
        rows, shares = self._shares(batch)
        n, classes = len(batch), len(self.classes)
        at = np.arange(n)[:, None] * classes + self.targets[rows]
        found = np.bincount(at.ravel(), shares.ravel(), n * classes).reshape(n, classes)
        return found / found.sum(axis=1, keepdims=True)


class KNNRegressor(_Neighbours, Regressor):
    """Rows to be looked among, and the number of each."""

    schema: ClassVar[Schema] = Schema(targets=FloatArray("rows"))

    def check_state(self) -> None:
        """There are rows."""
        super().check_state()
        self.check_rows()

    def numbers(self, batch: Table) -> Floats:
        """The mean of the neighbours."""
        rows, shares = self._shares(batch)
        return (self.targets[rows] * shares).sum(axis=1)


@dataclass(kw_only=True, eq=False)
class KNN(Learner):
    """K nearest neighbours: the share of each class among the k rows nearest to a row, or the mean.

    The distance is that of `satsuma.measures.Distance`: numbers by what lies between them, as a
    share of the range of their column, symbols by 0 or 1, and a missing cell as far away as it can
    be. A symbol that was not there in learning is missing. Rows without a target are left out.

    Parameters
    ----------
    k
        How many neighbours. Where rows have weights, the nearest that weigh k together; what the
        last one weighs beyond that is not counted.
    weights
        ``uniform``: all neighbours count alike; ``distance``: by one over their distance, and
        where some are at no distance, these alone.
    p
        The power of the distance, above 0; 2 is Euclid's, 1 that of city blocks.

    Notes
    -----
    Ties in distance go by the order of the rows. A row that was learned from is not known again
    when it is asked about: it is among its own neighbours, and with a missing value even at
    some distance from itself.

    The target may be symbols or numbers. In `fit`, labels that are floats are numbers, and all
    others are classes.

    Examples
    --------
    >>> rows = [(0, "red", "no"), (1, "red", "no"), (9, "blue", "yes"), (8, None, "yes")]
    >>> table = Table.of(rows, ["size", "colour", "sweet"])
    >>> model = KNN(k=3)(table)
    >>> model({"size": 7, "colour": "blue"})
    'yes'
    >>> print(model)
    sweet, by the 3 nearest of 4 rows, all alike; distance over 1 numbers and 1 symbols, p = 2
    """

    k: int = 10
    weights: Literal["uniform", "distance"] = "uniform"
    p: float = 2.0

    takes: ClassVar[Takes] = Takes(target="either", rounds="rows")

    def check(self) -> None:
        """A number of neighbours, one of two ways to weigh them, and a power above 0."""
        check_number(self, "k", low=1, whole=True)
        check_choice(self, "weights", ["uniform", "distance"])
        check_number(self, "p", low=1e-3, high=1e3)

    def learn(self, data: Table) -> KNNClassifier | KNNRegressor:
        """Keep the rows whose target is known."""
        target = data.domain.target
        assert target is not None
        rows = training_rows(data, "KNN")
        distance = Distance.of(rows, self.p)
        kind = KNNClassifier if target.kind == "sym" else KNNRegressor
        return kind(distance, distance.cells(rows), rows.column(target.name), rows.weights)
