"""SVM: a wide margin between the classes in the space of a kernel, by scikit-learn's solver."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, cast

import numpy as np

from satsuma.data.fields import LARGE, FloatArray, Instance, IntArray, Maybe, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError, SatsumaError, check_choice, check_number, require_extra
from satsuma.learners.estimator.linear_attributes import LinearAttributes, LinearScores
from satsuma.learners.informative import missing_note
from satsuma.learners.linear.margin import ROWS, Margin, MarginModel, Part
from satsuma.learners.linear.svm_decisions import OneVsOne, one_vs_one
from satsuma.numerics.arrays import Array, Floats, Indices
from satsuma.prepare.encoding import Encoding

#: So close does the solver come to the best margin: learning twice differs by less than 1e-9.
_TOLERANCE = 1e-10

#: Up to so many rows, and so many for each column, the kernel of every two of them is kept while
#: machines are learned: to find it again would take longer than to copy it.
_KEPT, _KEPT_PER_COLUMN = 4_000, 40


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
        vectors=Maybe(FloatArray("vectors", "encoded", low=-LARGE, high=LARGE), optional=True),
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
        for start in range(0, len(batch), ROWS):
            rows = slice(start, start + ROWS)
            found[rows] = self._pairs(self.matrix(batch[rows])).decisions
        return found

    def margins(self, x: Floats) -> Floats:
        """The sum of decision values of each class against the others, and the least of them."""
        found = self._pairs(x)
        return np.stack([found.sums, found.least])

    def linear_scores(self) -> LinearScores | None:
        """What `log_scores` are of raw numbers: by a linear kernel, of two classes."""
        learner: Any = self.learner
        if learner.kernel != "linear" or len(self.seen) != 2:
            return None
        # Both kinds of margins are the same here: for the first class, and against the second.
        line = np.append(self.constants, self.weights[0] @ self.vectors) * self.margin_slopes.sum()
        scores = np.stack([line, -line])
        scores[:, 0] += self.class_constants
        return self.linear_scores_of(scores)

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
        told = f"{self.target.name}, by {len(self.vectors)} rows ({counts}), kernel {kernel}"
        return "\n".join([told, *missing_note(self.informative)])


@dataclass(kw_only=True, eq=False, repr=False)
class SVM(LinearAttributes, Margin):
    """Support vector machine: a wide margin in the space of a kernel (the kernel trick).

    A missing cell is the mean of its column: of a symbol, its values by their shares. Where a test
    says that it tells something of the class, an indicator of it is one more column. Every two
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
    missing
        What a missing value tells: ``ignore``, nothing; ``informative``, each column with missing
        cells has an indicator of them, a column of zeros and ones; ``auto``, the columns for which
        a test says that the classes differ where they are missing (`model.informative` has the
        names).

    Notes
    -----
    The model keeps the support vectors, the rows at the margin and inside, and their weights.
    Probabilities are as in `LinearSVM`, of two kinds of margins: the sum of the decision values of
    a class against each other class, and the least of them. A row is of the class that is most
    probable.
    Time grows with the square of the number of rows, at least.

    Examples
    --------
    >>> from satsuma import SVM, load
    >>> iris = load("iris")
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

    def _solve(self, model: Any, part: Part, shared: tuple[float, Floats | None]) -> None:
        with require_extra("sklearn", "SVM", "scikit-learn"):
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
