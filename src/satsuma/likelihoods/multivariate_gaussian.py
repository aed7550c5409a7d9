"""MultivariateGaussian: in each class, columns are spread about a mean, and vary together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from satsuma.data.variable import Variable
from satsuma.errors import DomainError, check_choice, check_number, refuse
from satsuma.likelihoods.block import Block
from satsuma.likelihoods.missing_indicators import Spread, informative_of
from satsuma.likelihoods.multivariate_evidence import Normals
from satsuma.measures.covariance import make_definite, over_degrees, shrink, shrink_by_oracle
from satsuma.measures.informative_missing import MISSING
from satsuma.numerics.arrays import Floats, Indices
from satsuma.tallies.features import levels_of
from satsuma.tallies.scatter import Scatter

#: Products of two columns in a class, of all classes together, that are looked at (128 MB).
CELLS = 1 << 24


@dataclass(kw_only=True, frozen=True)
class MultivariateGaussian(Block):
    """Columns have one Gaussian together in each class; symbols enter one-hot.

    A missing cell says nothing: the Gaussian of the columns that are known is that of their own
    means and covariances. In learning, any two columns are looked at in the rows where both are
    known.

    Parameters
    ----------
    shared
        Whether all classes have the same covariance, over n - g for n rows and g classes, or each
        its own, over n - 1 of its rows.
    shrinkage
        Regularization: how far covariances are moved towards the average variance: a share from 0
        to 1, as in scikit-learn's ``LinearDiscriminantAnalysis(solver="lsqr")``; or ``auto``, as
        far as Oracle Approximating Shrinkage says (Chen, Wiesel, Eldar and Hero 2010), with all
        columns brought to the same variance. (The ``auto`` of scikit-learn is Ledoit and Wolf's,
        which needs all rows at once.) None is for no shrinkage; but where there are more columns
        than rows to tell of them, it is as ``auto``.
    missing
        What a missing cell tells of the class: ``ignore``, nothing; ``informative``, each column
        with missing cells has an indicator of them, a column of zeros and ones that varies together
        with the others; ``auto``, the columns for which a test says that classes differ in where
        they are missing. For a shared covariance only: an indicator need not vary in each class.
    columns
        Their names; all that no other block takes, unless given.

    Notes
    -----
    Products of all pairs of columns are added up in each class. Where classes times columns times
    columns, symbols being one-hot, are more than 16 million, this is refused.

    The density is that of all columns that vary; one that never varies, or is never known, says
    nothing. In a class where a column is never known, it has the mean and the variance of all
    classes together. A class with less than two rows is taken for one with half its weight.

    A covariance need not have full rank. With every column measured in its standard deviation over
    all classes, no direction is taken for narrower than a variance of 1e-9; where estimates from
    different rows contradict each other, so that the variance of some direction is negative, for
    no narrower than the size of that. Densities are then high, and only their ratios mean much. A
    covariance of full rank is left as it is.

    Examples
    --------
    >>> from satsuma import MultivariateGaussian, Table
    >>> from satsuma.extend import Scatter
    >>> rows = [(1, 1, "a"), (2, 3, "a"), (3, 2, "a"), (7, 5, "b"), (8, 8, "b"), (9, 7, "b")]
    >>> table = Table.of(rows, ["x", "y", "class"])
    >>> normals = MultivariateGaussian().conclude(Scatter.of(table))
    >>> normals.mean.round(2).tolist(), normals.covariance.round(2).tolist()
    ([[2.0, 2.0], [8.0, 6.67]], [[[1.0, 0.75], [0.75, 1.67]]])
    """

    shared: bool = True
    shrinkage: Literal["auto"] | float | None = None
    missing: str = "ignore"
    columns: tuple[str, ...] | None = None

    tally_kind: ClassVar[type[Scatter]] = Scatter
    finds_infinite: ClassVar[bool] = True

    def check(self) -> None:
        """`shared` is a truth value, and the shrinkage a share, "auto" or None."""
        check_choice(self, "shared", (False, True))
        check_choice(self, "missing", MISSING if self.shared else ("ignore",))
        if isinstance(self.shrinkage, str):
            if self.shrinkage != "auto":
                raise refuse(self, "shrinkage", "a number from 0 to 1, 'auto' or None")
        elif self.shrinkage is not None:
            check_number(self, "shrinkage", low=0, high=1)

    def check_columns(self, variables: Sequence[Variable], classes: int) -> None:
        """Raise if there are so many pairs of columns that it would take minutes."""
        sizes = {v.name: len(v.values) if v.kind == "sym" else 1 for v in variables}
        width = sum(sizes.values())
        if max(classes, 1) * width * width <= CELLS:
            return
        most = max(sizes, key=lambda name: sizes[name])
        told = f"There are {width:,} columns"
        if sizes[most] > 1:
            told += f", of which {sizes[most]:,} are the values of {most!r}"
        way = (
            f"table.with_roles({{{most!r}: 'meta'}})" if sizes[most] > 1 else "Select(LDA(), n=100)"
        )
        raise DomainError(
            f"A Gaussian of several columns needs the products of all pairs of them in each class, "
            f"symbols being one-hot. {told}, and with {classes} classes that is more than can be "
            f"looked at soon. Leave some out: {way}; or take NaiveBayes, which needs no pairs."
        )

    def conclude(self, tally: Scatter) -> Normals:
        """The mean and the covariance of each class."""
        if not tally.is_finite():
            raise _too_large(tally)
        informative = informative_of(tally, self.missing)
        weight, mean, cross = Spread.of(tally, informative)
        known = np.diagonal(weight, axis1=1, axis2=2)
        middle, spread = _together(known, mean, np.diagonal(cross, axis1=1, axis2=2))
        varies = np.flatnonzero(spread > 0)
        mean = np.where(known > 0, mean, middle)[:, varies]
        known, spread = known[:, varies], spread[varies]
        # Where no row lacks a cell, any two columns are known in the same rows.
        weight = weight[:, :1, :1] if tally.others is None else weight[:, varies[:, None], varies]
        if len(varies) < cross.shape[1]:
            cross = cross[:, varies[:, None], varies]
        if self.shared:
            groups = (weight > 0).sum(axis=0).astype(float)
            found = over_degrees(cross.sum(axis=0), weight.sum(axis=0), groups)[None]
            rows = known.sum(axis=0, keepdims=True)
        else:
            found, rows = over_degrees(cross, weight), known
            strange, at = np.nonzero(known == 0)
            found[strange, at, at] = spread[at] ** 2
        scale = np.outer(spread, spread)
        classes = int((tally.class_weight > 0).sum())
        least = _least_rows(tally, varies) + (classes if self.shared else 1)
        covariance = [
            make_definite(self._shrunk(each, n.mean() if n.size else 0.0, least) / scale) * scale
            for each, n in zip(found, rows, strict=True)
        ]
        return Normals(
            tally.names,
            levels=levels_of(tally.domain),
            varies=varies,
            mean=mean,
            covariance=np.stack(covariance),
            middle=middle[varies],
            informative=informative,
        )

    def _shrunk(self, covariance: Floats, rows: float, least: int) -> Floats:
        how = self.shrinkage
        if how is None and rows < least:
            how = "auto"
        if how is None or not covariance.size:
            return covariance
        return (
            shrink_by_oracle(covariance, rows) if isinstance(how, str) else shrink(covariance, how)
        )


def _least_rows(tally: Scatter, varies: Indices) -> int:
    """How many rows columns must have for each to vary by itself; values of a symbol sum to 1."""
    features = tally.features
    own = [features[int(at)] for at in varies if at < len(features)]
    symbols = {name for name, value in own if value is not None}
    return len(varies) - len(symbols)


def _together(known: Floats, mean: Floats, squares: Floats) -> tuple[Floats, Floats]:
    """The mean and the standard deviation of each column over all classes."""
    total = known.sum(axis=0)
    middle = (known / np.where(total > 0, total, 1) * mean).sum(axis=0)
    away = np.where(known > 0, mean - middle, 0.0)
    inside = (squares + known * away * away).sum(axis=0)
    # What rounding leaves of a column that never varies is no spread.
    spread = np.sqrt(over_degrees(inside, total))
    return middle, np.where(spread > 1e-14 * np.abs(middle), spread, 0.0)


def _too_large(tally: Scatter) -> DomainError:
    square = np.diagonal(tally.cross, axis1=1, axis2=2)
    at = int((~np.isfinite(square)).any(axis=0).argmax())
    return DomainError(
        f"The squares of column {tally.features[at][0]!r} are beyond the range of floats. "
        f"Divide it by its largest number."
    )
