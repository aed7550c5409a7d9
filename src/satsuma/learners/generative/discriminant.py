"""Discriminant analysis, linear and quadratic: all numbers of a class have one Gaussian."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from satsuma.data.table import Table
from satsuma.errors import check_choice
from satsuma.learners.estimator.linear_attributes import LinearAttributes
from satsuma.learners.estimator.log_odds import LogOdds
from satsuma.learners.estimator.transformer import Transformer
from satsuma.learners.generative.block_learner import BlockLearner
from satsuma.learners.generative.blocks import BlockColumns
from satsuma.learners.generative.discriminant_model import DiscriminantModel, LDAModel
from satsuma.learners.generative.model import GenerativeModel
from satsuma.likelihoods.categorical import Categorical
from satsuma.likelihoods.multivariate_gaussian import MultivariateGaussian
from satsuma.measures.informative_missing import MISSING
from satsuma.numerics.arrays import Floats


@dataclass(kw_only=True, eq=False, repr=False)
class LDA(Transformer, LinearAttributes, LogOdds, BlockLearner):
    """Bayes' rule with a Gaussian in each class, all of one shape: classes are parted by planes.

    Symbols enter one-hot, as a column of zeros and ones for each value. A missing cell says
    nothing: what the others say is said by their own means and covariances. Where a test says that
    it tells something of the class, an indicator of it is one more column.

    Parameters
    ----------
    shrinkage
        Regularization: how far the covariance is moved towards the average variance, from 0 to 1;
        ``auto`` for as far as Oracle Approximating Shrinkage says. See `MultivariateGaussian`, also
        for what is done about a covariance that has no full rank.
    prior
        The probability of each class by name, or how it is estimated; see `NaiveBayes`.
    calibrate
        Whether probabilities are calibrated by a temperature; see `NaiveBayes`.
    missing
        What a missing value tells: ``ignore``, nothing; ``informative``, each column with missing
        cells has an indicator of them, a column of zeros and ones; ``auto``, the columns for which
        a test says that the classes differ where they are missing (`model.informative` has the
        names).

    Notes
    -----
    Covariances are over n - g, for n rows and g classes. scikit-learn's are over n. The model has
    `means` and `covariances` by name; `transform` brings rows to its discriminant axes, `axes`.

    Examples
    --------
    >>> from satsuma import LDA, load
    >>> iris = load("iris")
    >>> model = LDA(iris)
    >>> model(iris[0])
    'setosa'
    >>> model.transform(iris[:1]).round(2).tolist()
    [[-8.06, 0.3]]
    """

    shrinkage: Literal["auto"] | float | None = None
    prior: Any = field(default=None, repr=False)
    calibrate: bool = field(default=True, repr=False)
    missing: str = field(default="auto", repr=False)
    model_kind: ClassVar[type[GenerativeModel]] = LDAModel

    def check(self) -> None:
        """`missing` is one of the words for what missing cells tell."""
        check_choice(self, "missing", MISSING)
        super().check()

    def block_columns(self) -> list[BlockColumns]:
        """All columns together."""
        block = MultivariateGaussian(shrinkage=self.shrinkage, missing=self.missing)
        return [BlockColumns(block, None, ("num", "sym"))]

    def transformed(self, model: LDAModel, table: Table) -> Floats:
        """Where rows are on the discriminant axes."""
        return model.project(table)

    def new_columns(self, model: LDAModel) -> int:
        """How many axes there are."""
        return len(model.axes)


@dataclass(kw_only=True, eq=False, repr=False)
class QDA(LogOdds, BlockLearner):
    """Bayes' rule with a Gaussian in each class, each of a shape of its own.

    Numbers have the Gaussian; symbols have their shares in each class (`Categorical`), and count
    as independent of it and of each other given the class. A missing cell says nothing: what the
    others say is said by their own means and covariances.

    Parameters
    ----------
    shrinkage
        Regularization: how far each covariance is moved towards the average variance, from 0 to 1;
        ``auto`` for as far as Oracle Approximating Shrinkage says. See `MultivariateGaussian`, also
        for what is done about a covariance that has no full rank.
    prior
        The probability of each class by name, or how it is estimated; see `NaiveBayes`.
    calibrate
        Whether probabilities are calibrated by a temperature; see `NaiveBayes`.

    Notes
    -----
    The covariance of a class is over n - 1 of its rows. The model has `means` and `covariances` by
    name.

    Examples
    --------
    >>> from satsuma import QDA, load
    >>> iris = load("iris")
    >>> model = QDA(iris)
    >>> model(iris[0])
    'setosa'
    """

    shrinkage: Literal["auto"] | float | None = None
    prior: Any = field(default=None, repr=False)
    calibrate: bool = field(default=True, repr=False)
    model_kind: ClassVar[type[GenerativeModel]] = DiscriminantModel

    def block_columns(self) -> list[BlockColumns]:
        """Numbers together, symbols each by itself."""
        block = MultivariateGaussian(shared=False, shrinkage=self.shrinkage)
        return [BlockColumns(block, None, ("num",)), BlockColumns(Categorical(), None, ("sym",))]
