"""Margins: what support vector machines have in common, and probabilities that grow with them."""

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from satsuma.data.fields import LARGE, FloatArray
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError, check_choice, check_number
from satsuma.kernels.threads import map_tasks, single_blas_thread
from satsuma.learners.calibration.margins import Margins, fit_margins
from satsuma.learners.distinct_rows import distinct_rows
from satsuma.learners.estimator.log_odds import LogOdds, among_all
from satsuma.learners.learner import Learner
from satsuma.learners.matrix_learner import EncodedClassifier, encoded_rows, target_of
from satsuma.learners.takes import Takes
from satsuma.measures.informative_missing import MISSING
from satsuma.numerics.arrays import Array, Floats, Indices
from satsuma.prepare.encoding import Encoding
from satsuma.tallies.held_out import FOLDS, by_name, held_out

#: A row that weighs less, of which a fold holds the rest, is not learned from.
_TRIFLE = 1e-9

#: Rows whose margins are found at a time, so that memory does not run out.
ROWS = 4096


class MarginModel(EncodedClassifier):
    """Decision values of the classes, and probabilities that grow with them.

    Parameters
    ----------
    encoding
        How numbers are scaled and symbols taken apart.
    seen
        The codes of the classes that were there in learning.

    Attributes
    ----------
    margin_slopes
        What each kind of margin is multiplied by in log-probabilities.
    class_constants
        What is added to those of each class that was seen.
    """

    #: How many kinds of margins there are.
    kinds: ClassVar[int] = 1

    schema: ClassVar[Schema] = Schema(
        "kinds",
        margin_slopes=FloatArray("kinds", low=0, high=LARGE),
        class_constants=FloatArray("seen", low=-LARGE, high=LARGE),
    )

    def check_state(self) -> None:
        """There is a slope for each kind of margin."""
        super().check_state()
        if len(self.margin_slopes) != self.kinds:
            raise ReadError(f"{type(self).__name__} has slopes of other margins")

    def __init__(self, encoding: Encoding, seen: Array) -> None:
        super().__init__(encoding, seen)
        self.margin_slopes = np.eye(1, self.kinds)[0]
        self.class_constants = np.zeros(len(seen))

    def decisions(self, batch: Table) -> Floats:
        """Rows by classes that were seen: the higher, the surer. With two classes, 0 and one."""
        raise NotImplementedError

    def margins(self, x: Floats) -> Floats:
        """Kinds of margins, by rows of a matrix, by classes that were seen."""
        raise NotImplementedError

    def probabilities(self, batch: Table) -> Floats:
        """In proportion to the exponent of margins, times slopes, and a constant."""
        if len(self.seen) == 1:
            return self.among_all(np.ones((len(batch), 1)))
        return self.from_scores(self._scores(batch))

    def log_scores(self, batch: Table) -> Floats:
        """The logarithms of the probabilities, but for a constant in each row."""
        return among_all(self._scores(batch), self.seen, len(self.classes))

    def _scores(self, batch: Table) -> Floats:
        found = np.zeros((len(batch), len(self.seen)))
        if len(self.seen) == 1:
            return found
        for start in range(0, len(batch), ROWS):
            rows = slice(start, start + ROWS)
            found[rows] = np.tensordot(
                self.margin_slopes, self.margins(self.matrix(batch[rows])), 1
            )
        return found + self.class_constants


class Part(NamedTuple):
    """Rows that a machine learns from: cells, codes of classes, weights; which of all they are."""

    x: Floats
    labels: Array
    weights: Floats
    rows: Indices


@dataclass(kw_only=True, eq=False, repr=False)
class Margin(LogOdds, Learner):
    """What learners of margins have in common."""

    C: float = 1.0
    missing: str = field(default="auto", repr=False)

    takes: ClassVar[Takes] = Takes(rounds="rows")

    #: Whether machines of all folds but one begin with that of all rows.
    folds_follow: ClassVar[bool] = False

    def check(self) -> None:
        """The price of rows inside the margin is above 0."""
        check_number(self, "C", low=1e-12)
        check_choice(self, "missing", MISSING)

    def learn(self, data: Table) -> MarginModel:
        """Solve for the margin; then for the probabilities, by machines of all folds but one."""
        rows, encoding, x = encoded_rows(data, type(self).__name__, self.missing)
        seen, labels = np.unique(target_of(rows), return_inverse=True)
        model = self._empty(encoding, seen)
        if len(seen) > 1:
            first, weights, hashes = distinct_rows(rows)
            weights = np.ones(len(first)) if weights is None else weights
            assert rows.domain.target is not None, "encoded_rows has seen to it"
            classes = by_name(seen[labels[first]], rows.domain.target.values)
            held = held_out(hashes, classes, weights)
            with single_blas_thread():  # the machines have the threads
                self._fill(model, x[first], labels[first], weights, held)
        return model

    def _fill(
        self, model: MarginModel, x: Floats, labels: Array, weights: Floats, held: Floats
    ) -> None:
        """Solve for the margin and, beside it, for those of all folds but one."""
        shape, shared = (FOLDS, len(x), len(model.seen)), self._shared(x, weights)
        margins = Margins(np.zeros((model.kinds, *shape)), np.zeros(shape, bool))

        def solve(at: int) -> None:
            left = weights if at == FOLDS else weights - held[:, at]
            learned = np.flatnonzero(left > _TRIFLE)
            seen, codes = np.unique(labels[learned], return_inverse=True)
            part = model if at == FOLDS else self._empty(model.encoding(), seen)
            part.learner = self
            if len(seen) > 1:
                self._solve(part, Part(x[learned], codes, left[learned], learned), shared)
            if len(seen) > 1 and at < FOLDS:
                asked = np.flatnonzero(held[:, at])[:, None]
                margins.values[:, at, asked, seen] = part.margins(x[asked[:, 0]])
                margins.known[at, asked, seen] = True

        if self.folds_follow:
            solve(FOLDS)
            map_tasks(solve, range(FOLDS))
        else:  # the longest first
            map_tasks(solve, reversed(range(FOLDS + 1)))
        fold, row = np.nonzero(margins.known[:, np.arange(len(x)), labels])
        known = Margins(margins.values[:, fold, row], margins.known[fold, row])
        found = fit_margins(known, labels[row], held[row, fold])
        model.margin_slopes, model.class_constants = found

    @abstractmethod
    def _empty(self, encoding: Encoding, seen: Array) -> Any:
        """A model of these classes that has learned nothing."""

    def _shared(self, x: Floats, weights: Floats) -> Any:  # noqa: ARG002 - a contract
        """What machines of parts of the rows have in common."""
        return None

    @abstractmethod
    def _solve(self, model: Any, part: Part, shared: Any) -> None:
        """Find the margin of some rows."""
