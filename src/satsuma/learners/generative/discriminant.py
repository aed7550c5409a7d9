"""Discriminant analysis, linear and quadratic: all numbers of a class have one Gaussian."""

from dataclasses import dataclass, field
from typing import Any, Literal

from satsuma.learners.generative.blocks import BlockColumns
from satsuma.learners.generative.naive_bayes import BlockLearner
from satsuma.likelihoods.categorical import Categorical
from satsuma.likelihoods.multivariate_gaussian import MultivariateGaussian


@dataclass(kw_only=True, eq=False, repr=False)
class LDA(BlockLearner):
    """Bayes' rule with a Gaussian in each class, all of one shape: classes are parted by planes.

    Symbols enter one-hot, as a column of zeros and ones for each value. A missing cell says
    nothing: what the others say is said by their own means and covariances.

    Parameters
    ----------
    shrinkage
        Regularization: how far the covariance is moved towards the average variance, from 0 to 1;
        ``auto`` for as far as Oracle Approximating Shrinkage says. See `MultivariateGaussian`, also
        for what is done about a covariance that has no full rank.
    prior
        The probability of each class by name, or how it is estimated; see `NaiveBayes`.

    Notes
    -----
    Covariances are over n - g, for n rows and g classes. scikit-learn's are over n.

    Examples
    --------
    >>> import satsuma
    >>> iris = satsuma.load("iris")
    >>> model = LDA(iris)
    >>> model(iris[0])
    'setosa'
    """

    shrinkage: Literal["auto"] | float | None = None
    prior: Any = field(default=None, repr=False)

    def block_columns(self) -> list[BlockColumns]:
        """All columns together."""
        block = MultivariateGaussian(shared=True, shrinkage=self.shrinkage)
        return [BlockColumns(block, None, ("num", "sym"))]


@dataclass(kw_only=True, eq=False, repr=False)
class QDA(BlockLearner):
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

    Notes
    -----
    The covariance of a class is over n - 1 of its rows.

    Examples
    --------
    >>> import satsuma
    >>> iris = satsuma.load("iris")
    >>> model = QDA(iris)
    >>> model(iris[0])
    'setosa'
    """

    shrinkage: Literal["auto"] | float | None = None
    prior: Any = field(default=None, repr=False)

    def block_columns(self) -> list[BlockColumns]:
        """Numbers together, symbols each by itself."""
        block = MultivariateGaussian(shared=False, shrinkage=self.shrinkage)
        return [BlockColumns(block, None, ("num",)), BlockColumns(Categorical(), None, ("sym",))]
