"""GaussianProcess: Gaussian process regression, a number and how sure it is."""

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, cast

import numpy as np

from satsuma.data.fields import LARGE, FloatArray, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ReadError, check_choice, check_number, require_extra
from satsuma.learners.learner import Learner
from satsuma.learners.matrix_learner import Encoded, encoded_rows, target_of
from satsuma.learners.model import Query, Regressor
from satsuma.learners.takes import Takes
from satsuma.numerics.arrays import Floats
from satsuma.prepare.encoding import FAR, Encoding, refuse_endless

#: Rows that are asked about at a time, so that memory does not run out.
_ROWS = 4096


class Covariance(NamedTuple):
    """How the target varies, in units of its own variance.

    Parameters
    ----------
    signal
        The variance of what the columns tell of it.
    length
        The distance over which that changes.
    noise
        The variance of what they do not tell.
    """

    signal: float
    length: float
    noise: float


class GaussianProcessModel(Encoded, Regressor):
    """A Gaussian process, given the rows that were learned from.

    Parameters
    ----------
    encoding
        How numbers are scaled and symbols taken apart.
    target
        The mean and the standard deviation of the target, which the rest is measured by.
    covariance
        How the target varies: `signal`, `length` and `noise` are kept of it.
    rows
        The rows, as a matrix.
    solved
        What each row adds to a prediction, times how near it is; and the lower triangle whose
        square is the covariance of the rows.
    """

    schema: ClassVar[Schema] = Schema(
        "rows",
        middle=Number(low=-LARGE, high=LARGE),
        sd=Number(low=0, high=LARGE),
        signal=Number(low=0, high=LARGE),
        length=Number(low=1e-100, high=LARGE),
        noise=Number(low=0, high=LARGE),
        rows=FloatArray("rows", "features", low=-FAR, high=FAR),
        weights=FloatArray("rows", low=-1e100, high=1e100),
        root=FloatArray("rows", "rows", low=-LARGE, high=LARGE),
    )

    def check_state(self) -> None:
        """The root can be divided by."""
        super().check_state()
        if (np.diagonal(self.root) <= 0).any():
            raise ReadError("GaussianProcessModel.root must have a positive diagonal")

    def __init__(
        self,
        encoding: Encoding,
        target: tuple[float, float],
        covariance: Covariance,
        rows: Floats,
        solved: tuple[Floats, Floats],
    ) -> None:
        super().__init__(encoding)
        self.middle, self.sd = target
        self.signal, self.length, self.noise = covariance
        self.rows = rows
        self.weights, self.root = solved

    def numbers(self, batch: Table) -> Floats:
        """The mean of each row."""
        return self._both(batch, deviations=False)[0]

    def deviations(self, query: Query | Table) -> Any:
        """How far off a number may be: the standard deviation of a new row, noise included."""
        found = self._both(self._rows(query), deviations=True)[1]
        return found if isinstance(query, Table) else float(found[0])

    def _both(self, batch: Table, *, deviations: bool) -> tuple[Floats, Floats]:
        mean, sd = np.empty((2, len(batch)))
        for start in range(0, len(batch), _ROWS):
            rows = slice(start, start + _ROWS)
            near = self._near(self.matrix(batch[rows]))
            mean[rows] = self.middle + self.sd * (near @ self.weights)
            if deviations:
                sd[rows] = self._spread(near)
        return mean, sd

    def _spread(self, near: Floats) -> Floats:
        from scipy import linalg

        solve: Any = cast("Any", linalg).solve_triangular
        known: Floats = solve(self.root, near.T, lower=True, check_finite=False)
        left = self.signal + self.noise - (known * known).sum(axis=0)
        return self.sd * np.sqrt(np.maximum(left, 0.0))

    def _near(self, x: Floats) -> Floats:
        squares = (x * x).sum(axis=1)[:, None] + (self.rows * self.rows).sum(axis=1)
        far = np.maximum(squares - 2 * (x @ self.rows.T), 0.0) / self.length**2
        if getattr(self.learner, "kernel", "rbf") == "rbf":
            return self.signal * np.exp(-far / 2)
        far = np.sqrt(5 * far)
        return self.signal * (1 + far + far * far / 3) * np.exp(-np.minimum(far, 700.0))

    def __str__(self) -> str:
        kept = self.signal / (self.signal + self.noise)
        return (
            f"{self.target.name}, by nearness to {len(self.rows)} rows; it changes over "
            f"{self.length:.3g} standard deviations, and columns tell {kept:.0%} of its variance"
        )


@dataclass(kw_only=True, eq=False)
class GaussianProcess(Learner):
    """Gaussian process regression: rows that are alike have numbers that are alike, but for noise.

    It predicts a mean, and ``model.deviations(rows)`` with a standard deviation. A missing cell
    is the mean of its column: of a symbol, its values by their shares.

    Parameters
    ----------
    kernel
        ``rbf``: smooth without end; ``matern``: less smooth (nu = 5/2).
    noise
        The variance of the noise, as a share of that of the target, that the search starts from.

    Notes
    -----
    The hyperparameters (the variance of the signal, its length and the noise) are those that make
    the rows most probable, as found by scikit-learn's ``GaussianProcessRegressor``; lengths are in
    standard deviations of the numbers. Rows have no weights. Time grows with the cube of the number
    of rows, and memory with its square: take a sample of a few thousand.

    Examples
    --------
    >>> from satsuma import GaussianProcess, Table
    >>> rows = [(x, x * x) for x in (-3, -2, -1, 0, 1, 2, 3)]
    >>> model = GaussianProcess()(Table.of(rows, ["x", "y"]))
    >>> bool(abs(model({"x": 1.5}) - 2.25) < 0.05)
    True
    >>> model.deviations({"x": 9}) > 10 * model.deviations({"x": 1.5})
    True
    """

    kernel: Literal["rbf", "matern"] = "rbf"
    noise: float = 0.1

    takes: ClassVar[Takes] = Takes(target="number", weights=False, rounds="rows")

    def check(self) -> None:
        """A known kernel, and a share of noise."""
        check_choice(self, "kernel", ["rbf", "matern"])
        check_number(self, "noise", low=1e-8, high=1e3)

    def learn(self, data: Table) -> GaussianProcessModel:
        """Search for the length and the variances, and keep the rows."""
        target = data.domain.target
        assert target is not None
        rows, encoding, x = encoded_rows(data, "GaussianProcess")
        y = np.asarray(target_of(rows), np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            middle, sd = float(y.mean()), float(y.std())
        refuse_endless([(target.name, None)], np.array([sd]))
        # What rounding leaves of a target that never varies is no spread.
        sd = sd if sd > 1e-14 * abs(middle) else 1.0
        solver = self._solved(x, (y - middle) / sd)
        found = solver.kernel_.get_params()
        names = "k1__k1__constant_value", "k1__k2__length_scale", "k2__noise_level"
        return GaussianProcessModel(
            encoding,
            (middle, sd),
            Covariance(*(float(found[name]) for name in names)),
            x,
            (np.ascontiguousarray(solver.alpha_.ravel()), np.ascontiguousarray(solver.L_)),
        )

    def _solved(self, x: Floats, y: Floats) -> Any:
        with require_extra("sklearn", "GaussianProcess", "scikit-learn"):
            from sklearn.exceptions import ConvergenceWarning
            from sklearn.gaussian_process import GaussianProcessRegressor
            from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel

        start = np.sqrt(x.shape[1])  # as far as two rows are apart, or about that
        shape: Any = RBF(start) if self.kernel == "rbf" else Matern(start, nu=2.5)
        shape.length_scale_bounds = (1e-3, 1e4)
        kernel: Any = ConstantKernel(1.0, (1e-4, 1e5)) * shape
        kernel = kernel + WhiteKernel(self.noise, (1e-8, 1e3))
        solver: Any = GaussianProcessRegressor(kernel)
        with warnings.catch_warnings():
            # A length or a variance at the end of its range is an answer.
            warnings.simplefilter("ignore", ConvergenceWarning)
            return solver.fit(x, y)
