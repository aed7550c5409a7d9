"""Support vector machines: LinearSVM and SVM, with scikit-learn's solvers."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, cast

import numpy as np

from satsuma.data.fields import LARGE, FloatArray, Instance, IntArray, Maybe, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError, SatsumaError, check_choice, check_number
from satsuma.kernels.threads import map_tasks, single_blas_thread
from satsuma.learners.calibration.margins import (
    FOLDS,
    Margins,
    fit_margins,
    held_out,
)
from satsuma.learners.distinct_rows import distinct_rows
from satsuma.learners.explanation import Explanation
from satsuma.learners.learner import Learner
from satsuma.learners.linear.svm_decisions import OneVsOne, one_vs_one, polish_slopes
from satsuma.learners.matrix_learner import EncodedClassifier, check_seen, encoded_rows, target_of
from satsuma.learners.model import Query, Scale
from satsuma.learners.takes import Takes
from satsuma.numerics.arrays import Array, Floats, Indices
from satsuma.prepare.encoding import Encoding

#: So close do the solvers come to the best margin: learning twice differs by less than 1e-9.
_TOLERANCE = 1e-10

#: A row that weighs less, of which a fold holds the rest, is not learned from.
_TRIFLE = 1e-9

#: Up to so many rows, and so many for each column, the kernel of every two of them is kept while
#: machines are learned: to find it again would take longer than to copy it.
_KEPT, _KEPT_PER_COLUMN = 4_000, 40

#: Rows that are compared with the vectors at a time, so that memory does not run out.
_ROWS = 4096


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
        found = np.empty((len(batch), len(self.seen)))
        for start in range(0, len(batch), _ROWS):
            rows = slice(start, start + _ROWS)
            found[rows] = np.tensordot(
                self.margin_slopes, self.margins(self.matrix(batch[rows])), 1
            )
        return self.from_scores(found + self.class_constants)


class LinearSVMModel(MarginModel):
    """Decision values as weighted sums: `slopes` (classes or 1, columns) and `constants`."""

    slopes: Floats
    constants: Floats

    schema: ClassVar[Schema] = Schema(
        "scores",
        slopes=Maybe(FloatArray("scores", "features", low=-LARGE, high=LARGE), optional=True),
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

        Parameters
        ----------
        query
            The row.
        value
            The class; the one that is predicted unless given.
        against
            The other; the most probable of the rest unless given.
        """
        scores = np.zeros((len(self.seen), 1 + len(self.mean)))
        if len(self.seen) > 1:
            lines = np.column_stack([self.constants, self.slopes])
            scores = self.margin_slopes[0] * _against_first(lines.T).T
            scores[:, 0] += self.class_constants
        return self.linear_explanation(self._rows(query), scores, value, against)

    def __str__(self) -> str:
        if len(self.seen) == 1:
            return f"{self.target.name} is always {self.classes[self.seen[0]]}"
        n = self.slopes.shape[1]
        return f"{self.target.name}, by margins between {len(self.seen)} classes in {n} columns"


class SVMModel(MarginModel):
    """Decision values by a kernel between a row and the support vectors.

    `vectors` are these rows, by class, `held` how many there are of each, `weights` (classes - 1,
    vectors) and `constants` those of every two classes, as libsvm has them.
    """

    vectors: Floats
    held: Array
    weights: Floats
    constants: Floats
    gamma: float

    kinds: ClassVar[int] = 2

    schema: ClassVar[Schema] = Schema(
        "vectors",
        "others",
        "pairs",
        learner=Instance(lambda: SVM),
        vectors=Maybe(FloatArray("vectors", "features", low=-LARGE, high=LARGE), optional=True),
        held=Maybe(IntArray("seen", dtypes=(np.int64,)), optional=True),
        weights=Maybe(FloatArray("others", "vectors", low=-LARGE, high=LARGE), optional=True),
        constants=Maybe(FloatArray("pairs", low=-LARGE, high=LARGE), optional=True),
        gamma=Maybe(Number(low=0, high=LARGE), optional=True),
    )

    def check_state(self) -> None:
        """Vectors are shared out among classes, and there is a constant for every two of them."""
        super().check_state()
        n = len(self.seen)
        parts = [vars(self).get(name) for name in ("vectors", "held", "weights", "constants")]
        if n > 1 and any(part is None for part in [*parts, vars(self).get("gamma")]):
            raise ReadError("SVMModel lacks its vectors")
        if n > 1 and (
            int(self.held.sum()) != len(self.vectors)
            or len(self.weights) != n - 1
            or len(self.constants) != n * (n - 1) // 2
        ):
            raise ReadError("SVMModel has the vectors of other classes")

    def decisions(self, batch: Table) -> Floats:
        """Every two classes against each other, put together for each class."""
        found = np.empty((len(batch), len(self.seen)))
        for start in range(0, len(batch), _ROWS):
            rows = slice(start, start + _ROWS)
            found[rows] = self._pairs(self.matrix(batch[rows])).decisions
        return found

    def margins(self, x: Floats) -> Floats:
        """The sum of decision values of each class against the others, and the least of them."""
        found = self._pairs(x)
        return np.stack([found.sums, found.least])

    def _pairs(self, x: Floats) -> OneVsOne:
        learner: Any = self.learner
        near = kernel_matrix(learner, self.gamma, x, self.vectors)
        return one_vs_one(near, self.weights, self.held, self.constants)

    def __str__(self) -> str:
        if len(self.seen) == 1:
            return f"{self.target.name} is always {self.classes[self.seen[0]]}"
        counts = ", ".join(
            f"{n} {self.classes[c]}" for n, c in zip(self.held, self.seen, strict=True)
        )
        kernel = getattr(self.learner, "kernel", "")
        return f"{self.target.name}, by {len(self.vectors)} rows ({counts}), kernel {kernel}"


class _Part(NamedTuple):
    """Rows that a machine learns from: cells, codes of classes, weights; which of all they are."""

    x: Floats
    labels: Array
    weights: Floats
    rows: Indices


@dataclass(kw_only=True, eq=False)
class _Margin(Learner):
    """What learners of margins have in common."""

    C: float = 1.0

    takes: ClassVar[Takes] = Takes(rounds="rows")

    def check(self) -> None:
        """The price of rows inside the margin is above 0."""
        check_number(self, "C", low=1e-12)

    def learn(self, data: Table) -> MarginModel:
        """Solve for the margin; then for the probabilities, by machines of all folds but one."""
        rows, encoding, x = encoded_rows(data, type(self).__name__)
        seen, labels = np.unique(target_of(rows), return_inverse=True)
        model = self._empty(encoding, seen)
        if len(seen) > 1:
            first, weights, hashes = distinct_rows(rows)
            weights = np.ones(len(first)) if weights is None else weights
            held = held_out(hashes, labels[first], weights)
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
                self._solve(part, _Part(x[learned], codes, left[learned], learned), shared)
            if len(seen) > 1 and at < FOLDS:
                asked = np.flatnonzero(held[:, at])[:, None]
                margins.values[:, at, asked, seen] = part.margins(x[asked[:, 0]])
                margins.known[at, asked, seen] = True

        map_tasks(solve, reversed(range(FOLDS + 1)))
        fold, row = np.nonzero(margins.known[:, np.arange(len(x)), labels])
        known = Margins(margins.values[:, fold, row], margins.known[fold, row])
        found = fit_margins(known, labels[row], held[row, fold])
        model.margin_slopes, model.class_constants = found

    def _empty(self, encoding: Encoding, seen: Array) -> Any:
        raise NotImplementedError

    def _shared(self, x: Floats, weights: Floats) -> Any:  # noqa: ARG002 - a contract
        """What machines of parts of the rows have in common."""
        return None

    def _solve(self, model: Any, part: "_Part", shared: Any) -> None:
        raise NotImplementedError


@dataclass(kw_only=True, eq=False)
class LinearSVM(_Margin):
    """Linear support vector machine: a plane with a wide margin, each class against all others.

    A missing cell is the mean of its column: of a symbol, its values by their shares. Rows inside
    the margin cost the square of how far (scikit-learn's ``LinearSVC(dual=False)``).

    Parameters
    ----------
    C
        What rows inside the margin cost (the less, the more regularization); half the sum of
        squared slopes is added to it. Slopes are
        per standard deviation of a number, and per value of a symbol; the constant costs as much.

    Notes
    -----
    Probabilities are calibrated (after Platt 1999): their logarithms are linear in the decision
    values, with a slope and a constant for each class. These make rows most probable by machines
    that have not learned from them, but from the rows of all folds but theirs, of five. Of a row
    that weighs 2, each half is in a fold, as two rows would be.

    Examples
    --------
    >>> import satsuma
    >>> iris = satsuma.load("iris")
    >>> model = LinearSVM()(iris)
    >>> model(iris[100])
    'virginica'
    """

    def _empty(self, encoding: Encoding, seen: Array) -> LinearSVMModel:
        model = LinearSVMModel(encoding, seen)
        model.slopes, model.constants = np.zeros((0, len(encoding.mean))), np.zeros(0)
        return model

    def _solve(self, model: Any, part: _Part, shared: Any) -> None:  # noqa: ARG002 - a contract
        from sklearn import svm

        x, labels, weights, _ = part
        solver: Any = cast("Any", svm).LinearSVC(
            C=self.C, dual=False, tol=_TOLERANCE, max_iter=100_000
        )
        solver.fit(x, labels, sample_weight=weights)
        ahead, found = np.hstack([x, np.ones((len(x), 1))]), np.c_[solver.coef_, solver.intercept_]
        classes = np.unique(labels)
        for at, against in enumerate(classes[1:] if len(found) == 1 else classes):
            sides = np.where(labels == against, 1.0, -1.0)
            found[at] = polish_slopes(ahead, sides, 2 * self.C * weights, found[at])
        model.slopes, model.constants = np.ascontiguousarray(found[:, :-1]), found[:, -1].copy()


@dataclass(kw_only=True, eq=False)
class SVM(_Margin):
    """Support vector machine: a wide margin in the space of a kernel (the kernel trick).

    A missing cell is the mean of its column: of a symbol, its values by their shares. Every two
    classes are told apart (scikit-learn's ``SVC``).

    Parameters
    ----------
    kernel
        ``rbf``: exp(-gamma times the squared distance); ``linear``; ``poly``: (gamma times the
        product, plus 1) to a power.
    C
        What rows inside the margin cost: the less, the more regularization.
    gamma
        A number above 0; unless given, one over the number of columns times the variance of their
        cells, as scikit-learn's ``scale``.
    degree
        The power of ``poly``.

    Notes
    -----
    The model keeps the support vectors, the rows at the margin and inside, and their weights.
    Probabilities are as in `LinearSVM`, of two kinds of margins: the sum of the decision values of
    a class against each other class, and the least of them. A row is of the class that is most
    probable.
    Time grows with the square of the number of rows, at least.

    Examples
    --------
    >>> import satsuma
    >>> iris = satsuma.load("iris")
    >>> model = SVM(C=10)(iris)
    >>> model(iris[100])
    'virginica'
    """

    kernel: Literal["rbf", "linear", "poly"] = "rbf"
    gamma: float | None = None
    degree: int = 3

    def check(self) -> None:
        """A known kernel, with numbers above 0."""
        super().check()
        check_choice(self, "kernel", ["rbf", "linear", "poly"])
        check_number(self, "degree", low=1, high=5, whole=True)
        if self.gamma is not None:
            check_number(self, "gamma", low=1e-12, high=1e12)

    def _empty(self, encoding: Encoding, seen: Array) -> SVMModel:
        model = SVMModel(encoding, seen)
        model.vectors, model.held = np.zeros((0, len(encoding.mean))), np.zeros(0, np.int64)
        model.weights, model.constants, model.gamma = np.zeros((0, 0)), np.zeros(0), 0.0
        return model

    def _shared(self, x: Floats, weights: Floats) -> tuple[float, Floats | None]:
        """Gamma, and where that is not too large, the kernel of all rows."""
        gamma = _gamma(self.gamma, x, weights)
        kept = len(x) <= min(_KEPT, _KEPT_PER_COLUMN * x.shape[1])
        return gamma, kernel_matrix(self, gamma, x, x) if kept else None

    def _solve(self, model: Any, part: _Part, shared: tuple[float, Floats | None]) -> None:
        from sklearn import svm

        model.gamma, near = shared
        x, labels, weights, rows = part
        solver: Any = cast("Any", svm).SVC(
            C=self.C,
            kernel=self.kernel if near is None else "precomputed",
            gamma=model.gamma,
            degree=self.degree,
            coef0=1.0,
            tol=_TOLERANCE,
            decision_function_shape="ovo",
        )
        try:
            given = x if near is None else _square(near, rows)
            solver.fit(given, labels, sample_weight=weights)
        except ValueError as error:
            raise SatsumaError(f"SVM found no margin between the classes: {error}") from None
        model.vectors = x[solver.support_]
        model.held = np.array(solver.n_support_, np.int64)
        # With two classes, scikit-learn has the signs such that the second one is positive.
        sign = -1.0 if len(model.seen) == 2 else 1.0
        model.weights = sign * np.ascontiguousarray(solver.dual_coef_)
        model.constants = sign * np.array(solver.intercept_, np.float64)


def _gamma(gamma: float | None, x: Floats, weights: Floats) -> float:
    if gamma is not None:
        return float(gamma)
    middle = np.average(x.mean(axis=1), weights=weights)
    spread = np.average(((x - middle) ** 2).mean(axis=1), weights=weights)
    return float(1 / (x.shape[1] * spread)) if spread > 0 else 1.0


def kernel_matrix(learner: SVM, gamma: float, x: Floats, vectors: Floats) -> Floats:
    """The kernel of rows and support vectors: how alike they are."""
    products = x @ vectors.T
    if learner.kernel == "linear":
        return products
    if learner.kernel == "poly":
        return (gamma * products + 1.0) ** learner.degree
    products *= 2 * gamma
    products -= gamma * (x * x).sum(axis=1)[:, None]
    products -= gamma * (vectors * vectors).sum(axis=1)
    return np.exp(np.minimum(products, 0.0, out=products), out=products)


def _square(near: Floats, rows: Indices) -> Floats:
    """The kernel of every two of some rows, out of that of all."""
    return near if len(rows) == len(near) else near.take(rows, axis=0).take(rows, axis=1)


def _against_first(found: Floats) -> Floats:
    """With one column, the second of two classes against the first, which has 0."""
    return np.hstack([np.zeros((len(found), 1)), found]) if found.shape[1] == 1 else found
