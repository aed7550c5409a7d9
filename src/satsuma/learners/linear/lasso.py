"""Lasso: a number is a weighted sum of few columns."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from satsuma.errors import check_choice, check_number, refuse
from satsuma.folds import others
from satsuma.kernels.descent import descend
from satsuma.learners.estimator.linear_attributes import LinearAttributes
from satsuma.learners.learner import TallyLearner
from satsuma.learners.linear.folded_scatter import FoldedScatter
from satsuma.learners.linear.lasso_model import LassoModel
from satsuma.learners.linear.least_squares import LeastSquares
from satsuma.learners.linear.strengths import strengths_below
from satsuma.learners.takes import Takes
from satsuma.measures.informative_missing import MISSING, informative_columns
from satsuma.numerics.arrays import Floats
from satsuma.tallies.composite import Composite, CompositeKind
from satsuma.tallies.target_tallies import TargetScatter
from satsuma.tallies.target_where_missing import TargetWhereMissing

#: No slope on the path, and of the model, would move the predictions of all rows by more than that,
#: as a share of how far their targets are from the mean (roots of sums of squares).
_TOLERANCE, _LAST = 1e-5, 1e-10


@dataclass(kw_only=True, eq=False, repr=False)
class Lasso(LinearAttributes, TallyLearner[Composite]):
    """The target is a constant plus a weighted sum of a few columns; the others have no say.

    A missing cell is the mean of its column: of a symbol, its values by their shares. Where a test
    says that it tells something of the target, it may also add something. Slopes are kept small,
    and many at 0, by L1 regularization (Tibshirani 1996); with L2 besides, it is the elastic net
    (Zou and Hastie 2005), which takes columns that say the same together.

    Parameters
    ----------
    l1
        What slopes cost: half the sum of squared errors, plus `l1` times the sum of the slopes
        without their signs, plus half of `l2` times the sum of their squares is least. With
        ``auto``, the strength among fifty that has the least squared error in rows that were
        not learned from, by ten folds.
    l2
        What half the squares of slopes cost, as in `Ridge`. Slopes are per standard deviation of a
        number (over n), and per value of a symbol; the constant costs nothing.
    missing
        What a missing value tells: ``ignore``, nothing; ``informative``, each column with missing
        cells has an indicator of them, a column of zeros and ones; ``auto``, the columns for which
        a test says that the target differs where they are missing (`model.informative` has the
        names).

    Notes
    -----
    scikit-learn's ``Lasso(alpha)`` on standardized columns is ``Lasso(l1=n * alpha)`` for n rows,
    and its ``ElasticNet(alpha, l1_ratio)`` has ``l1=n * alpha * l1_ratio`` and
    ``l2=n * alpha * (1 - l1_ratio)``.

    All that is needed of the rows is a tally of means and cross-products, with ``l1="auto"`` one
    for each of ten folds, and of the target where cells are missing, so cross-validation is exact
    in one pass. The fold of a row follows from what is in it; which columns have an indicator is
    decided once, for all folds. Slopes are found by coordinate descent (Friedman, Hastie and
    Tibshirani 2010). ``model.path`` has them at all strengths, and `plot.path` draws them.

    Examples
    --------
    >>> from satsuma import Lasso, load
    >>> model = Lasso(l1=1500)(load("housing"))
    >>> print(model)
    MEDV ± 6.42 is the sum of:
    constant       12.492
    RM             2.4586
    PTRATIO     -0.030922
    LSTAT        -0.38253
    … and 10 more that are 0, at l1 = 1500
    """

    l1: float | Literal["auto"] = "auto"
    l2: float = 0.0
    missing: str = field(default="auto", repr=False)

    readable: ClassVar[bool] = True
    takes: ClassVar[Takes] = Takes(target="number", rounds="one")

    @property
    def tally_kind(self) -> CompositeKind:  # pyright: ignore[reportIncompatibleVariableOverride]
        """With a strength to choose, the tallies of folds."""
        scatter = FoldedScatter if isinstance(self.l1, str) else TargetScatter
        return Composite.of_kinds(scatter, TargetWhereMissing)

    def check(self) -> None:
        """The penalties are not negative."""
        if isinstance(self.l1, str):
            if self.l1 != "auto":
                raise refuse(self, "l1", "a number from 0 on, or 'auto'")
        else:
            check_number(self, "l1", low=0)
        check_number(self, "l2", low=0)
        check_choice(self, "missing", MISSING)

    def conclude(self, tally: Composite) -> LassoModel:
        """The slopes at the strength that was given, or is the best, and at many others."""
        folded = tally.get(FoldedScatter)
        folds = () if folded is None else folded.parts
        whole = sum(folds[1:], folds[0]) if folds else tally[TargetScatter]
        informative = informative_columns(tally[TargetWhereMissing], self.missing)
        found = LeastSquares.of(whole, "Lasso", informative)
        strengths = strengths_below(float(np.abs(found.with_target).max(initial=0.0)))
        path, errors = _path(found, strengths, self.l2), None
        if isinstance(self.l1, str):
            errors = self._errors(folds, strengths / found.rows, informative)
            at = 0 if errors is None else int(errors.argmin())
            l1 = float(strengths[at])
        else:
            l1, at = float(self.l1), int(np.argmin(np.abs(strengths - self.l1)))
        slopes = _slopes(found, l1, self.l2, path[at], _LAST)
        return LassoModel(
            found.encoding,
            found.middle,
            slopes,
            float(np.sqrt(found.left(slopes) / found.rows)),
            l1=l1,
            strengths=strengths,
            path_slopes=path,
            path_errors=errors,
        )

    def _errors(
        self, folds: tuple[TargetScatter, ...], shares: Floats, informative: tuple[str, ...]
    ) -> Floats | None:
        """The mean squared error of each strength per row, in rows that were not learned from."""
        some = [each for each in folds if each.held.class_weight[0] > 0]
        if len(some) < 2:
            return None
        total, rows = np.zeros(len(shares)), 0.0
        for held_out, rest in zip(some, others(some), strict=True):
            train = LeastSquares.of(rest, "Lasso", informative)
            test = train.of_others(held_out)
            # The fewer the rows, the less errors weigh against slopes.
            path = _path(
                train, shares * train.rows, self.l2 * train.rows / (train.rows + test.rows)
            )
            total += [test.left(slopes) for slopes in path]
            rows += test.rows
        return total / rows


def _path(found: LeastSquares, strengths: Floats, l2: float) -> Floats:
    """(strengths, columns): the slopes at each strength, each from those before."""
    slopes, path = np.zeros(len(found.with_target)), np.zeros((len(strengths), len(found.gram)))
    for at, l1 in enumerate(strengths):
        slopes = _slopes(found, float(l1), l2, slopes, _TOLERANCE)
        path[at] = slopes
    return path


def _slopes(found: LeastSquares, l1: float, l2: float, start: Floats, tolerance: float) -> Floats:
    width, size = len(start), float(np.sqrt(found.squares))
    costs = np.full(width, l1), np.full(width, float(l2))
    return descend(found.gram, found.with_target, *costs, start, tolerance=tolerance * size)
