"""LinearSVM: a plane with a wide margin between the classes."""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np

from satsuma.data.fields import LARGE, FloatArray, Maybe
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError, require_extra
from satsuma.learners.estimator.linear_attributes import LinearAttributes, LinearScores
from satsuma.learners.explanation import Explanation
from satsuma.learners.informative import missing_note
from satsuma.learners.linear.margin import Margin, MarginModel, Part
from satsuma.learners.linear.svm_decisions import Plane, widest_margin
from satsuma.learners.matrix_learner import check_seen
from satsuma.learners.model import Query, Scale
from satsuma.numerics.arrays import Array, Floats
from satsuma.prepare.encoding import Encoding

#: With more columns than this, the equations of a step would take longer than many small steps.
_COLUMNS = 500

#: So close does the other solver come to the best margin: learning twice differs by less than 1e-9.
_TOLERANCE = 1e-10


class _Shared(NamedTuple):
    """The cells of all rows, with a constant behind them, and the planes of all rows by class."""

    x: Floats
    planes: dict[int, Plane]


class LinearSVMModel(MarginModel):
    """Decision values as weighted sums: `slopes` (classes or 1, columns) and `constants`."""

    slopes: Floats
    constants: Floats

    schema: ClassVar[Schema] = Schema(
        "scores",
        slopes=Maybe(FloatArray("scores", "encoded", low=-LARGE, high=LARGE), optional=True),
        constants=Maybe(FloatArray("scores", low=-LARGE, high=LARGE), optional=True),
    )

    def check_state(self) -> None:
        """There are slopes for the classes that were seen."""
        super().check_state()
        if len(self.seen) > 1 and vars(self).get("slopes") is None:
            raise ReadError("LinearSVMModel.slopes is missing")
        if len(self.seen) > 1:
            check_seen(self.seen, len(self.constants))

    def decisions(self, batch: Table) -> Floats:
        """Each class against all others; with two classes, the second against the first."""
        return self.margins(self.matrix(batch))[0]

    def margins(self, x: Floats) -> Floats:
        """The decision values."""
        return _against_first(x @ self.slopes.T + self.constants)[None]

    @property
    def terms_of(self) -> Scale:
        """What the terms of `explain` sum to."""
        return "log-odds"

    def explain(
        self, query: Query, value: str | None = None, against: str | None = None
    ) -> Explanation:
        """What the constants and each column add to the log-odds of two classes.

        The parameters are those of `Classifier.explain`.
        """
        return self.linear_explanation(self._rows(query), self._by_column(), value, against)

    def linear_scores(self) -> LinearScores:
        """What `log_scores` are of raw numbers."""
        return self.linear_scores_of(self._by_column())

    def _by_column(self) -> Floats:
        """The scores of classes by columns of the matrix, a constant in front."""
        if len(self.seen) == 1:
            return np.zeros((1, 1 + len(self.mean)))
        lines = np.column_stack([self.constants, self.slopes])
        scores = self.margin_slopes[0] * _against_first(lines.T).T
        scores[:, 0] += self.class_constants
        return scores

    def __str__(self) -> str:
        if len(self.seen) == 1:
            return f"{self.target.name} is always {self.classes[self.seen[0]]}"
        n = self.slopes.shape[1]
        told = f"{self.target.name}, by margins between {len(self.seen)} classes in {n} columns"
        return "\n".join([told, *missing_note(self.informative)])


@dataclass(kw_only=True, eq=False, repr=False)
class LinearSVM(LinearAttributes, Margin):
    """Linear support vector machine: a plane with a wide margin, each class against all others.

    A missing cell is the mean of its column: of a symbol, its values by their shares. Where a test
    says that it tells something of the class, an indicator of it is one more column. Rows inside
    the margin cost the square of how far (scikit-learn's ``LinearSVC(dual=False)``).

    Parameters
    ----------
    C
        What rows inside the margin cost (the less, the more regularization); half the sum of
        squared slopes is added to it. Slopes are
        per standard deviation of a number, and per value of a symbol; the constant costs as much.
    missing
        What a missing value tells: ``ignore``, nothing; ``informative``, each column with missing
        cells has an indicator of them, a column of zeros and ones; ``auto``, the columns for which
        a test says that the classes differ where they are missing (`model.informative` has the
        names).

    Notes
    -----
    Probabilities are calibrated (after Platt 1999): their logarithms are linear in the decision
    values, with a slope and a constant for each class. These make rows most probable by machines
    that have not learned from them, but from the rows of all folds but theirs, of five. Of a row
    that weighs 2, each half is in a fold, as two rows would be.

    Examples
    --------
    >>> from satsuma import LinearSVM, load
    >>> iris = load("iris")
    >>> model = LinearSVM()(iris)
    >>> model(iris[100])
    'virginica'
    """

    folds_follow: ClassVar[bool] = True

    def _empty(self, encoding: Encoding, seen: Array) -> LinearSVMModel:
        model = LinearSVMModel(encoding, seen)
        model.slopes, model.constants = np.zeros((0, len(encoding.mean))), np.zeros(0)
        return model

    def _shared(self, x: Floats, weights: Floats) -> _Shared:  # noqa: ARG002 - a contract
        return _Shared(np.hstack([x, np.ones((len(x), 1))]), {})

    def _solve(self, model: Any, part: Part, shared: _Shared) -> None:
        x, labels, weights, rows = part
        if x.shape[1] > _COLUMNS:
            found = self._by_liblinear(x, labels, weights)
        else:
            costs, sides = np.zeros((2, len(shared.x)))
            costs[rows] = 2 * self.C * weights
            planes: list[Floats] = []
            for one in range(len(model.seen) == 2, len(model.seen)):
                sides[rows] = np.where(labels == one, 1.0, -1.0)
                near = shared.planes.get(int(model.seen[one]))
                plane = widest_margin(shared.x, sides, costs, near)
                shared.planes.setdefault(int(model.seen[one]), plane)
                planes.append(plane.slopes)
            found = np.stack(planes)
        model.slopes, model.constants = np.ascontiguousarray(found[:, :-1]), found[:, -1].copy()

    def _by_liblinear(self, x: Floats, labels: Array, weights: Floats) -> Floats:
        """The slopes and the constant of each class, where there are many columns."""
        with require_extra("sklearn", "LinearSVM with so many columns", "scikit-learn"):
            from sklearn import svm

        solver: Any = cast("Any", svm).LinearSVC(
            C=self.C, dual=False, tol=_TOLERANCE, max_iter=100_000
        )
        solver.fit(x, labels, sample_weight=weights)
        return np.c_[solver.coef_, solver.intercept_]


def _against_first(found: Floats) -> Floats:
    """With one column, the second of two classes against the first, which has 0."""
    return np.hstack([np.zeros((len(found), 1)), found]) if found.shape[1] == 1 else found
