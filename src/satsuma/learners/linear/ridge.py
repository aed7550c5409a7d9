"""Ridge: a number is a weighted sum of the columns."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from satsuma.data.fields import LARGE, FloatArray, Maybe, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import check_choice, check_number
from satsuma.learners.estimator.linear_attributes import LinearAttributes, LinearScores
from satsuma.learners.explanation import PRIOR, Explanation
from satsuma.learners.learner import TallyLearner
from satsuma.learners.left_out import LeftOut
from satsuma.learners.linear.least_squares import LeastSquares
from satsuma.learners.linear.quasi_newton import MOST_ERRORS
from satsuma.learners.linear.ridge_left_out import ridge_left_out
from satsuma.learners.matrix_learner import Encoded
from satsuma.learners.model import Query, Regressor, Scale
from satsuma.learners.takes import Takes
from satsuma.measures.informative_missing import MISSING, informative_columns
from satsuma.numerics.arrays import Floats
from satsuma.prepare.encoding import Encoding
from satsuma.tallies.composite import Composite, CompositeKind
from satsuma.tallies.target_tallies import TargetScatter
from satsuma.tallies.target_where_missing import TargetWhereMissing


class RidgeModel(Encoded, Regressor):
    """A weighted sum.

    Parameters
    ----------
    encoding
        How numbers are scaled and symbols taken apart.
    middle
        The mean of the target.
    slopes
        What a standard deviation of a number, or a value of a symbol, adds to the answer.
    sd
        The root of the mean square of what is left over, in the rows that were learned from.
    errors
        The standard errors of `coefficients`; None where there are none.
    degrees
        Rows less the degrees of freedom that the coefficients take.
    """

    schema: ClassVar[Schema] = Schema(
        middle=Number(low=-LARGE, high=LARGE),
        slopes=FloatArray("encoded", low=-LARGE, high=LARGE),
        sd=Number(low=0),
        errors=Maybe(FloatArray("encoded+1", low=0, high=LARGE)),
        degrees=Number(low=-LARGE, high=LARGE),
    )

    def __init__(
        self,
        encoding: Encoding,
        middle: float,
        slopes: Floats,
        sd: float,
        *,
        errors: Floats | None = None,
        degrees: float = 0.0,
    ) -> None:
        super().__init__(encoding)
        self.middle, self.slopes, self.sd = middle, slopes, sd
        self.errors, self.degrees = errors, degrees

    def numbers(self, batch: Table) -> Floats:
        """The weighted sum of each row."""
        return self.middle + self.matrix(batch) @ self.slopes

    @property
    def terms_of(self) -> Scale:
        """What the terms of `explain` sum to."""
        return "number"

    def explain(self, query: Query) -> Explanation:
        """What each column adds to the mean of the target."""
        batch = self._rows(query)
        parts = self.by_column(self.matrix(batch)[0] * self.slopes)
        predicted = float(self.numbers(batch)[0])
        told = {PRIOR: self.middle, **parts}
        return Explanation(None, None, told, predicted=predicted, of="number")

    def coefficients(self) -> dict[str, float]:
        """A constant; what one more of a number adds, and what a value of a symbol does."""
        numbers = self.encoding().in_units(self.middle, self.slopes)
        return dict(zip(["constant", *self.feature_names()], numbers.tolist(), strict=True))

    def linear_scores(self) -> LinearScores:
        """The prediction as a weighted sum of raw numbers."""
        return self.per_number(np.append(self.middle, self.slopes)[None])

    def standard_errors(self) -> dict[str, float]:
        """The standard error of each of `coefficients`; NaN where there is none."""
        names = self.coefficients()
        errors = np.full(len(names), np.nan) if self.errors is None else self.errors
        return dict(zip(names, errors.tolist(), strict=True))

    def __str__(self) -> str:
        told, errors = self.coefficients(), self.standard_errors()
        width = max(map(len, told))
        lines = [f"{self.target.name} ± {self.sd:.3g} is the sum of:"]
        if self.errors is not None:
            lines.append(f"{'':<{width}}  coefficient      error       t        p")
        for name, number in told.items():
            line = f"{name:<{width}}  {number:>11.5g}"
            if self.errors is not None:
                line += _tested(number, errors[name], self.degrees)
            lines.append(line)
        return "\n".join(lines)


def _tested(number: float, error: float, degrees: float) -> str:
    """The error of a coefficient, its t, and how probable so large a t is where it is truly 0."""
    from scipy.special import stdtr

    if not error > 0:
        return f"  {error:>9.4g}"
    t = number / error
    return f"  {error:>9.4g}  {t:>6.2f}  {2 * float(stdtr(degrees, -abs(t))):>7.2g}"


@dataclass(kw_only=True, eq=False, repr=False)
class Ridge(LinearAttributes, TallyLearner[Composite]):
    """The target is a constant, plus a slope times each number, plus something for each value.

    A missing cell is the mean of its column: of a symbol, its values by their shares. Where a test
    says that it tells something of the target, it also adds something. Slopes are kept small by L2
    regularization (ridge regression, Hoerl and Kennard 1970), so that columns may say the same
    twice.

    Parameters
    ----------
    l2
        The strength of regularization, what the squares of the slopes cost: the sum of squared
        errors plus `l2` times the sum of squared slopes is least. Slopes are per standard deviation
        of a number (over n), and per value of a symbol; the constant costs nothing. At 0, least
        squares; of several solutions, the one whose slopes are smallest.
    missing
        What a missing value tells: ``ignore``, nothing; ``informative``, each column with missing
        cells has an indicator of them, a column of zeros and ones; ``auto``, the columns for which
        a test says that the target differs where they are missing (`model.informative` has the
        names).

    Notes
    -----
    All that is needed of the rows is one tally of means and cross-products, and of the target where
    cells are missing, so cross-validation is exact in one pass.

    Standard errors are those of the estimate, which regularization makes smaller and biased: with
    the cross-products G of the columns, the covariance of the slopes is s² (G + l2)⁻¹ G
    (G + l2)⁻¹. The variance s² of what is left over is per degree of freedom: rows less one less
    the trace of G (G + l2)⁻¹. At ``l2=0`` all of it is as in R's ``lm``. More than 1,024
    coefficients have no standard errors.

    Examples
    --------
    >>> from satsuma import Ridge, Table
    >>> rows = [(1, "a", 3), (2, "a", 5), (3, "b", 17), (4, "b", 20), (5, "b", 21)]
    >>> model = Ridge(l2=0.01)(Table.of(rows, ["x", "group", "y"]))
    >>> round(model({"x": 5, "group": "a"}), 3)
    11.147
    >>> print(model)
    y ± 0.367 is the sum of:
               coefficient      error       t        p
    constant        7.0958      1.102    6.44    0.023
    x               2.0347     0.3571    5.70    0.029
    group = a      -6.1224     0.6171   -9.92   0.0096
    group = b       4.0816     0.4114    9.92   0.0096
    """

    l2: float = 1.0
    missing: str = field(default="auto", repr=False)

    readable: ClassVar[bool] = True
    takes: ClassVar[Takes] = Takes(target="number", rounds="one")
    tally_kind: ClassVar[CompositeKind] = Composite.of_kinds(TargetScatter, TargetWhereMissing)

    def check(self) -> None:
        """The penalty is not negative."""
        check_number(self, "l2", low=0)
        check_choice(self, "missing", MISSING)

    def conclude(self, tally: Composite) -> RidgeModel:
        """The slopes that follow from the cross-products."""
        informative = informative_columns(tally[TargetWhereMissing], self.missing)
        found = LeastSquares.of(tally[TargetScatter], "Ridge", informative)
        slopes = _solved(found.gram, found.with_target, self.l2)
        errors, degrees = None, 0.0
        if len(slopes) < MOST_ERRORS:
            errors, degrees = _errors(found, slopes, self.l2)
        sd = float(np.sqrt(found.left(slopes) / found.rows))
        return RidgeModel(found.encoding, found.middle, slopes, sd, errors=errors, degrees=degrees)

    def left_out(self, rows: Table) -> LeftOut | None:
        """What is predicted of rows by all others; see `PredictsLeftOut`."""
        model, tally = self(rows), self.tally_kind.of(rows)
        if informative_columns(tally[TargetWhereMissing], self.missing):
            return None
        found = ridge_left_out(rows, tally[TargetScatter].held, self.l2)
        return LeftOut(model, found.found, found.unsure)


def _solved(products: Floats, with_target: Floats, l2: float) -> Floats:
    """The slopes; without a penalty, 0 along directions that say nothing."""
    if l2 > 0:
        found: Any = np.linalg.solve(products + l2 * np.eye(len(products)), with_target)
        return found
    inverse: Any = np.linalg.pinv(products, rcond=1e-12, hermitian=True)
    return inverse @ with_target


def _errors(found: LeastSquares, slopes: Floats, l2: float) -> tuple[Floats | None, float]:
    """Standard errors of coefficients per unit, and the degrees of freedom that are left."""
    inverse: Any = (
        np.linalg.inv(found.gram + l2 * np.eye(len(slopes)))
        if l2 > 0
        else np.linalg.pinv(found.gram, rcond=1e-12, hermitian=True)
    )
    smooth = inverse @ found.gram
    degrees = found.rows - 1 - float(np.trace(smooth))
    if not degrees > 1e-9 * found.rows:
        return None, 0.0
    covariance = np.zeros((1 + len(slopes), 1 + len(slopes)))
    covariance[0, 0], covariance[1:, 1:] = 1 / found.rows, smooth @ inverse
    across = found.encoding.per_unit()
    squares = np.einsum("ij,jk,ik->i", across, covariance, across, optimize=True)
    variance = found.left(slopes) / degrees
    return np.sqrt(np.maximum(squares, 0.0) * variance), degrees
