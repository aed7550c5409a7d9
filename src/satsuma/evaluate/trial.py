"""Trial: what learners predict for rows that they have not seen, and what is true of them."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from satsuma.data.variable import Variable
from satsuma.evaluate.scores import Score
from satsuma.folds import Folds, sorted_rows
from satsuma.numerics.arrays import Array, Floats, Indices


class Predictions:
    """What one learner predicts for the rows of a trial.

    Parameters
    ----------
    predicted
        A code or a number for each row; codes are as narrow as the number of classes allows.
    seconds
        How long it took to learn and to predict.
    compute
        Computes the probabilities, rows by classes, when they are first needed. None for numbers.
    """

    def __init__(
        self, predicted: Array, seconds: float, compute: Callable[[], Floats] | None = None
    ) -> None:
        self.predicted, self.seconds, self._compute = predicted, seconds, compute

    @cached_property
    def probabilities(self) -> Floats:
        """Rows by classes; computed once."""
        compute, self._compute = self._compute, None  # the models that it needs can be forgotten
        assert compute is not None, "numbers are predicted without probabilities"
        return compute()


@dataclass
class Trial:
    """Rows with a known target, the part in which each is tested, and the predictions.

    Parameters
    ----------
    target
        What was to be predicted, with all its classes.
    truth
        Codes or numbers.
    weights
        What each row weighs, if they differ.
    parts
        The part in which a row was tested, from 0; -1 for a row that was not.
    count
        How many parts there are; every score is computed for each of them.
    ratio
        Rows tested for each row learned from, in one part.
    groups
        The group of each row, if rows of one group are not independent of each other.
    """

    target: Variable
    truth: Array
    weights: Floats | None
    parts: Folds
    count: int
    ratio: float
    predictions: dict[str, Predictions] = field(default_factory=dict[str, Predictions])
    groups: Array | None = None

    @cached_property
    def _rows(self) -> list[Indices]:
        order, edges = sorted_rows(self.parts, self.count)
        return [order[a:b] for a, b in itertools.pairwise(edges)]

    @cached_property
    def _tested(self) -> list[Indices]:
        return [np.flatnonzero(self.parts >= 0)]

    def matrices(self, learner: str, *, pooled: bool = False) -> Floats:
        """A confusion matrix, truth by prediction, for each part or (pooled) for all as one."""
        classes, count = len(self.target.values), 1 if pooled else self.count
        predicted, parts = self.predictions[learner].predicted, self.parts
        # One number for part, truth and prediction; those of rows that are not tested end up
        # in a place of their own, before all others.
        size = count * classes * classes
        cells = self.truth.astype(_wide(size)) * classes
        cells += predicted
        if count > 1:
            cells += parts.astype(cells.dtype) * (classes * classes)
        cells += 1
        if self._some_untested:
            cells[parts < 0] = 0
        found = np.bincount(cells, weights=self.weights, minlength=size + 1)[1:]
        return found.reshape(count, classes, classes).astype(np.float64, copy=False)

    @cached_property
    def _some_untested(self) -> bool:
        return bool((self.parts < 0).any())

    def scores(
        self, learner: str, score: Score, target: int | None, *, pooled: bool = False
    ) -> list[float]:
        """A score for each part, or (pooled) one for all."""
        if score.needs == "confusion":
            return [score.of(m, target) for m in self.matrices(learner, pooled=pooled)]
        given = self._given(learner, score)
        more = (target,) if score.needs == "probabilities" else ()
        return [
            score.of(given[rows], self.truth[rows], self._row_weights(rows), *more)
            for rows in (self._tested if pooled else self._rows)
        ]

    def _given(self, learner: str, score: Score) -> Array:
        """What a score is computed from, if that is no confusion matrix."""
        found = self.predictions[learner]
        return found.probabilities if score.needs == "probabilities" else found.predicted

    def _row_weights(self, rows: Indices) -> Floats:
        return np.ones(len(rows)) if self.weights is None else self.weights[rows]

    def losses(self, learner: str, score: Score) -> Floats:
        """What each tested row adds to a score that is a mean over rows, or nearly so."""
        assert score.each is not None
        rows, given = self._tested[0], self._given(learner, score)
        return score.each(given[rows], self.truth[rows], self._row_weights(rows), self.parts[rows])

    @property
    def tested_weights(self) -> Floats:
        """What each tested row weighs."""
        return self._row_weights(self._tested[0])

    @property
    def tested_groups(self) -> Array | None:
        """The group of each tested row, where there are groups."""
        return None if self.groups is None else self.groups[self._tested[0]]

    @property
    def learned(self) -> float:
        """How many rows a model was learned from."""
        return len(self._tested[0]) / self.count / self.ratio


def _wide(largest: int) -> type[np.signedinteger[Any]]:
    return np.int16 if largest < 2**15 else np.int32 if largest < 2**31 else np.int64
