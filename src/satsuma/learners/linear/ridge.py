"""Ridge: a number is a weighted sum of the columns."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from satsuma.data.fields import LARGE, FloatArray, Number
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import check_choice, check_number
from satsuma.learners.learner import TallyLearner
from satsuma.learners.matrix_learner import Encoded
from satsuma.learners.model import Regressor
from satsuma.learners.takes import Takes, nothing_known
from satsuma.measures.informative_missing import MISSING, informative_columns
from satsuma.numerics.arrays import Floats
from satsuma.prepare.encoding import Encoding, refuse_endless
from satsuma.tallies.composite import Composite, CompositeKind
from satsuma.tallies.scatter import Scatter
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
    """

    schema: ClassVar[Schema] = Schema(
        middle=Number(low=-LARGE, high=LARGE),
        slopes=FloatArray("encoded", low=-LARGE, high=LARGE),
        sd=Number(low=0),
    )

    def __init__(self, encoding: Encoding, middle: float, slopes: Floats, sd: float) -> None:
        super().__init__(encoding)
        self.middle, self.slopes, self.sd = middle, slopes, sd

    def numbers(self, batch: Table) -> Floats:
        """The weighted sum of each row."""
        return self.middle + self.matrix(batch) @ self.slopes

    def coefficients(self) -> dict[str, float]:
        """A constant; what one more of a number adds, and what a value of a symbol does."""
        numbers = self.encoding().in_units(self.middle, self.slopes)
        return dict(zip(["constant", *self.feature_names()], numbers.tolist(), strict=True))

    def __str__(self) -> str:
        told = self.coefficients()
        width = max(map(len, told))
        lines = [f"{name:<{width}}  {number:>11.5g}" for name, number in told.items()]
        return "\n".join([f"{self.target.name} ± {self.sd:.3g} is the sum of:", *lines])


@dataclass(kw_only=True, eq=False, repr=False)
class Ridge(TallyLearner[Composite]):
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

    Examples
    --------
    >>> rows = [(1, "a", 3), (2, "a", 5), (3, "b", 17), (4, "b", 20), (5, "b", 21)]
    >>> model = Ridge(l2=0.01)(Table.of(rows, ["x", "group", "y"]))
    >>> round(model({"x": 5, "group": "a"}), 3)
    11.147
    >>> print(model)
    y ± 0.367 is the sum of:
    constant        7.0958
    x               2.0347
    group = a      -6.1224
    group = b       4.0816
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
        held, where_missing = tally[TargetScatter].held, tally[TargetWhereMissing]
        total = float(held.class_weight[0])
        if not total > 0:
            raise nothing_known("Ridge")
        products = _about_means(held)
        known = np.diagonal(held.weight[0])[:-1]
        mean, middle = held.mean[0, :-1], float(held.mean[0, -1])
        encoding = Encoding.from_spread(tally.domain, known, mean, np.diagonal(products)[:-1])
        informative = informative_columns(where_missing, self.missing)
        if informative:
            encoding = encoding.with_missing(where_missing, informative)
            products = _with_missing(held, products, informative)
        products = products / np.outer(scale := np.append(encoding.scale, 1.0), scale)
        slopes = _solved(products[:-1, :-1], products[:-1, -1], self.l2)
        with_target = np.append(-slopes, 1.0)
        left = max(float(with_target @ products @ with_target), 0.0)
        return RidgeModel(encoding, middle, slopes, float(np.sqrt(left / total)))


def _about_means(held: Scatter) -> Floats:
    """The cross-products of all rows, where a missing cell is the mean of its column.

    Those of two columns are known about their means over the rows where both are known.
    """
    weight, _, _, cross = (each[0] for each in held.pairs)
    away = _away(held)
    with np.errstate(over="ignore", invalid="ignore"):
        found = cross + weight * away * away.T
    refuse_endless(held.features, np.diagonal(found))
    return found


def _away(held: Scatter) -> Floats:
    """How far the mean of each column, where another is known, is from its mean in all rows."""
    _, mean, rest, _ = (each[0] for each in held.pairs)
    return (mean - np.diagonal(mean)[:, None]) + (rest - np.diagonal(rest)[:, None])


def _with_missing(held: Scatter, products: Floats, informative: tuple[str, ...]) -> Floats:
    """The cross-products with those of indicators of missing cells, in front of the target.

    A column adds up to nothing about its mean. So where another is missing, it adds up to what it
    lacks where that is known.
    """
    weight, total = held.pairs.weight[0], float(held.class_weight[0])
    names = [name for name, _ in held.features]
    at = [names.index(name) for name in informative]
    known = np.diagonal(weight)[at]
    lost = total - known
    across = -(weight * _away(held))[:, at]
    own = (lost - known[:, None] + weight[np.ix_(at, at)]) - np.outer(lost, lost) / total
    both = np.block([[products, across], [across.T, own]])
    end = len(products)
    order = [*range(end - 1), *range(end, len(both)), end - 1]
    return both[np.ix_(order, order)]


def _solved(products: Floats, with_target: Floats, l2: float) -> Floats:
    """The slopes; without a penalty, 0 along directions that say nothing."""
    if l2 > 0:
        found: Any = np.linalg.solve(products + l2 * np.eye(len(products)), with_target)
        return found
    inverse: Any = np.linalg.pinv(products, rcond=1e-12, hermitian=True)
    return inverse @ with_target
