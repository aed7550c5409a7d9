"""KNN: k nearest neighbours, by distance over numbers and symbols."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, cast

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import ParameterError, check_choice, check_number
from satsuma.kernels.nearest import Nearest
from satsuma.learners.distinct_rows import distinct_rows, place_of
from satsuma.learners.learner import Learner
from satsuma.learners.left_out import LeftOut
from satsuma.learners.neighbours.knn_model import (
    SCALES,
    KNNClassifier,
    KNNRegressor,
    class_shares,
    first_neighbours,
)
from satsuma.learners.neighbours.leave_one_out import (
    ASKED,
    SMOOTHINGS,
    TRIED,
    Grid,
    Rows,
    choose,
)
from satsuma.learners.neighbours.neighbourhoods import WAYS, Own
from satsuma.learners.takes import Takes, training_rows
from satsuma.numerics.arrays import Bools, Hashes, Indices


@dataclass(kw_only=True, eq=False, repr=False)
class KNN(Learner):
    """K nearest neighbours: the share of each class among the k rows nearest to a row, or the mean.

    What is not given of `k`, `weights` and `m` is chosen by leave-one-out: each row is predicted
    from the others, and the least log loss (of numbers, squared error) counts. Of more than
    2,000 rows, so many are predicted, drawn by what is in them. Rows without a target are left out.

    Parameters
    ----------
    k
        How many neighbours; unless given, one of 1 to 56, and at most half of the rows. Where rows
        have weights, the nearest that weigh k together. Rows at the same distance as the last one
        share what is left.
    weights
        ``uniform``: all neighbours count alike; ``distance``: by one over their distance, and
        where some are at no distance, these alone; ``linear``: less and less down to the last one
        (after Dudani 1976). The best of the three unless given.
    p
        The power of the distance, above 0; 2 is Euclid's, 1 that of city blocks.
    scale
        ``deviation``: numbers are compared in standard deviations, in which outliers count little;
        two symbols that differ are the square root of 2 apart; a missing number is the mean, a
        missing symbol one of its own. ``range``: the distance of `satsuma.measures.Distance`, by
        the range of each column; a missing cell is as far away as it can be. A symbol that was not
        there in learning is missing.
    m
        Imaginary neighbours that are of all classes, in proportion to their rows, so that no class
        is impossible; from 0.1 to 3 unless given.

    Notes
    -----
    A row that weighs 2 is two rows; to leave it out is to leave out one of them. A row that was
    learned from is not known again when it is asked about: it is among its own neighbours, and with
    a missing value and ``scale="range"`` even at some distance from itself.

    The target may be symbols or numbers. In `fit`, labels that are floats are numbers, and all
    others are classes.

    Examples
    --------
    >>> from satsuma import KNN, Table
    >>> rows = [(0, "red", "no"), (1, "red", "no"), (9, "blue", "yes"), (8, None, "yes")]
    >>> table = Table.of(rows, ["size", "colour", "sweet"])
    >>> model = KNN(k=3, weights="uniform", m=0)(table)
    >>> model({"size": 7, "colour": "blue"})
    'yes'
    >>> print(model)
    sweet, by the 3 nearest of 4 rows, all alike; distance over 1 numbers and 1 symbols, p = 2
    """

    k: int | None = None
    weights: Literal["uniform", "distance", "linear"] | None = None
    p: float = 2.0
    scale: Literal["deviation", "range"] = field(default="deviation", repr=False)
    m: float | None = field(default=None, repr=False)

    takes: ClassVar[Takes] = Takes(target="either", rounds="rows")

    def check(self) -> None:
        """A number of neighbours, a way to weigh them, a power above 0, a scale, a smoothing."""
        if self.k is not None:
            check_number(self, "k", low=1, whole=True)
        check_choice(self, "weights", [None, *WAYS])
        check_number(self, "p", low=1e-3, high=1e3)
        check_choice(self, "scale", list(SCALES))
        if self.m is not None:
            check_number(self, "m", low=0, high=1e9)

    def learn(self, data: Table) -> KNNClassifier | KNNRegressor:
        """Keep the rows whose target is known, each once, and find out how they vote best."""
        target = data.domain.target
        assert target is not None
        table = training_rows(data, "KNN")
        distance = SCALES[self.scale].of(table, self.p)
        row, weight, hashes = distinct_rows(table)
        kept = table if len(row) == len(table) else table[row]
        cells, targets = distance.cells(kept), kept.column(target.name)
        classes = len(target.values) if target.kind == "sym" else 0
        shares = class_shares(targets, weight, classes) if classes else None
        search = Nearest(*cells, self.p, distance.apart)
        rows = Rows(search, cells, targets, weight, shares, row, len(table))
        told = None not in (self.k, self.weights, self.m if classes else 0)
        asked = np.zeros(0, np.intp) if told else _some(hashes)
        kind = KNNClassifier if classes else KNNRegressor
        return kind(distance, rows, choose(rows, distance, asked, self._grid(rows)))

    def left_out(self, rows: Table) -> LeftOut | None:
        """What is predicted of rows by all others; see `PredictsLeftOut`.

        Numbers are compared as in all rows, and so is chosen what is not given.
        """
        model = cast("KNNClassifier | KNNRegressor", self(rows))
        if model.domain.attributes != rows.domain.attributes:
            return None
        weight = np.ones(len(rows)) if rows.weights is None else rows.weights
        found = model.by_others(rows, Own(place_of(rows, distinct_rows(rows).hashes), weight))
        unsure: Bools = np.isnan(found.reshape(len(rows), -1).sum(axis=1))
        return LeftOut(model, found, unsure)

    def kneighbors(
        self, X: Any, n_neighbors: int | None = None, return_distance: bool = True
    ) -> Any:
        """The nearest rows to each row, nearest first: distances and row numbers, once fitted.

        Parameters
        ----------
        X
            The rows that are asked about. One that was learned from is its own nearest.
        n_neighbors
            How many; `k` of the model unless given.
        return_distance
            Whether to give distances as well.

        Notes
        -----
        Rows that are alike, target and all, go under the number of the first, and stand there as
        often as they weigh. Rows without a target were left out, and are not numbered.

        Examples
        --------
        >>> from satsuma import KNN
        >>> learner = KNN(k=2).fit([[1.0], [2.0], [9.0]], ["a", "a", "b"])
        >>> learner.kneighbors([[8.0]], return_distance=False)
        array([[2, 1]])
        """
        found, table = self.asked_rows(X)
        model = cast("KNNClassifier | KNNRegressor", found)
        wanted = model.k if n_neighbors is None else n_neighbors
        if not 1 <= wanted <= model.row_count:
            raise ParameterError(
                f"Expected 1 <= n_neighbors <= {model.row_count}, the rows that "
                f"{type(self).__name__} learned from, but got {wanted}."
            )
        away, rows, counted = model.nearest(table, wanted)
        away, rows = first_neighbours(away, rows, counted, wanted)
        return (away, rows) if return_distance else rows

    def _grid(self, rows: Rows) -> Grid:
        total = len(rows.targets) if rows.weight is None else float(rows.weight.sum())
        tried = [k for k in TRIED if k <= max(1, total / 2)] if self.k is None else [int(self.k)]
        smoothings = SMOOTHINGS if self.m is None else [float(self.m)]
        return Grid(
            tried,
            WAYS if self.weights is None else [self.weights],
            [0.0] if rows.shares is None else smoothings,
        )


def _some(hashes: Hashes) -> Indices:
    """All rows, or as many as are predicted from the others, drawn by what is in them."""
    return np.argsort(hashes)[:ASKED] if len(hashes) > ASKED else np.arange(len(hashes))
