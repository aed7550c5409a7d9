"""Models of discriminant analysis: the Gaussians of the classes, and the axes that part them."""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, cast

import numpy as np

from satsuma.data.table import Table
from satsuma.learners.estimator.linear_attributes import LinearScores
from satsuma.learners.generative.model import GenerativeModel
from satsuma.learners.matrix_learner import feature_name
from satsuma.likelihoods.multivariate_evidence import Normals
from satsuma.numerics.arrays import Floats
from satsuma.tallies.features import features_of


class DiscriminantModel(GenerativeModel):
    """A Gaussian of several columns in each class, with its means and covariances by name."""

    @property
    def normals(self) -> Normals | None:
        """The Gaussians; None where no column has one."""
        return next((each for each in self.evidence if isinstance(each, Normals)), None)

    @property
    def features(self) -> tuple[str, ...]:
        """What the Gaussians are of: numbers, values of symbols, and missing cells, that vary."""
        normals = self.normals
        if normals is None:
            return ()
        named = set(normals.names)
        known = [feature_name(each) for each in features_of(self.domain) if each[0] in named]
        known += [f"{name} is missing" for name in normals.informative]
        return tuple(known[int(at)] for at in normals.varies)

    @property
    def means(self) -> dict[str, dict[str, float]]:
        """The mean of each feature, by class."""
        if self.normals is None:
            return {}
        names = self.features
        rows = (dict(zip(names, row, strict=True)) for row in self.normals.mean.tolist())
        return dict(zip(self.classes, rows, strict=True))

    @property
    def covariances(self) -> dict[str, dict[str, dict[str, float]]]:
        """The covariance of each two features, by class; in LDA, all classes have the same."""
        if self.normals is None:
            return {}
        each = [self._named(matrix) for matrix in self.normals.covariance]
        return dict(zip(self.classes, each * (len(self.classes) // len(each)), strict=True))

    def _named(self, matrix: Floats) -> dict[str, dict[str, float]]:
        names = self.features
        rows = (dict(zip(names, row, strict=True)) for row in matrix.tolist())
        return dict(zip(names, rows, strict=True))


class Axis(NamedTuple):
    """A discriminant axis: a weighted sum of features that tells classes apart.

    Parameters
    ----------
    share
        Its share of the variance between the classes, where the variance within them is 1.
    coefficients
        What one more of a feature adds.
    standardized
        What a standard deviation of the feature within the classes adds: which features matter.
    """

    share: float
    coefficients: dict[str, float]
    standardized: dict[str, float]


@dataclass(frozen=True)
class Projection:
    """What brings rows to the discriminant axes.

    Parameters
    ----------
    origin
        The mean of the classes, weighed by how probable they are: where all axes are 0.
    slopes
        (features, axes).
    shares
        The share of the variance between classes, by axis.
    centres
        (classes, axes): where the means of the classes are.
    """

    origin: Floats
    slopes: Floats
    shares: Floats
    centres: Floats

    @classmethod
    def of(cls, normals: Normals, prior: Floats) -> "Projection":
        """The axes of Gaussians that share a covariance.

        They are the directions in which the means are spread most, once all columns are such that
        the covariance within classes is 1 (Fisher 1936, Rao 1948).
        """
        origin = prior @ normals.mean
        whiten = normals.whitening().whitening_matrix()
        away = np.sqrt(prior)[:, None] * ((normals.mean - origin) @ whiten.T)
        _, spread, turned = np.linalg.svd(away, full_matrices=False)
        some = spread > 1e-6 * spread.max(initial=0.0)
        some[max(int((prior > 0).sum()) - 1, 0) :] = False
        slopes = whiten.T @ turned[some].T
        if slopes.size:  # an axis may point either way: its largest part is positive
            sized = slopes * np.sqrt(np.diagonal(normals.covariance[0]))[:, None]
            largest = np.abs(sized).argmax(axis=0)
            slopes = slopes * np.where(sized[largest, np.arange(len(largest))] < 0, -1.0, 1.0)
        squares = spread[some] ** 2
        shares = squares / squares.sum() if squares.size else squares
        return cls(origin, slopes, shares, (normals.mean - origin) @ slopes)

    def __call__(self, x: Floats) -> Floats:
        """Rows by axes; a missing cell is taken for the origin."""
        return np.where(np.isnan(x), 0.0, x - self.origin) @ self.slopes


class LDAModel(DiscriminantModel):
    """Gaussians of one shape in all classes, which are told apart along a few axes.

    `informative` has the columns whose missing cells tell something of the class.

    Examples
    --------
    >>> import satsuma
    >>> iris = satsuma.load("iris")
    >>> model = satsuma.LDA(iris)
    >>> model.transform(iris[:2]).round(2).tolist()
    [[-8.06, 0.3], [-7.13, -0.79]]
    >>> [round(axis.share, 3) for axis in model.axes]
    [0.991, 0.009]
    """

    #: A value that was not there in learning is no missing one.
    unseen: ClassVar[int] = -2

    @property
    def informative(self) -> list[str]:
        """The columns whose missing cells tell something of the class."""
        return [] if self.normals is None else list(self.normals.informative)

    def linear_scores(self) -> LinearScores:
        """What `log_scores` are of rows whose cells are all known."""
        heat = self.heat_of_known()
        with np.errstate(divide="ignore"):
            constants = np.log(self.prior) / heat
        slopes = np.zeros((len(self.classes), len(self.domain.attributes)))
        normals = self.normals
        if normals is None or not len(normals.varies):
            return LinearScores(slopes, constants)
        away = normals.mean - normals.middle
        each = cast("Floats", np.linalg.solve(normals.covariance[0], away.T)).T / heat
        own = normals.varies < normals.width  # no cell is missing
        slopes[:, normals.owner[own]] = each[:, own]
        constants = constants - ((away / 2 + normals.middle) * each).sum(axis=1)
        return LinearScores(slopes, constants)

    def transform(self, rows: Table) -> Floats:
        """Rows by axes: where rows are on the discriminant axes.

        A missing cell adds nothing, but where it tells something of the class.

        Within each class the axes have the variance 1 and are not correlated; all of them are 0 at
        the mean of the classes.
        """
        return self.project(self._rows(rows))

    def project(self, batch: Table) -> Floats:
        """`transform` for rows that have the columns of the model already."""
        if self.normals is None:
            return np.zeros((len(batch), 0))
        columns = self.normals.looked_at(batch)
        if not columns:
            return np.zeros((len(batch), 0))
        return self.projection()(np.stack(columns, axis=1))

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The discriminant axes, the one that parts the classes most first."""
        if self.normals is None:
            return ()
        projection, names = self.projection(), self.features
        spread = np.sqrt(np.diagonal(self.normals.covariance[0]))
        return tuple(
            Axis(
                float(share),
                dict(zip(names, slopes.tolist(), strict=True)),
                dict(zip(names, (slopes * spread).tolist(), strict=True)),
            )
            for share, slopes in zip(projection.shares, projection.slopes.T, strict=True)
        )

    def projection(self) -> Projection:
        """What brings rows to the axes; made once."""
        made: Projection | None = vars(self).get("_projection")
        if made is None:
            assert self.normals is not None, "only asked for where there are columns"
            made = self._projection = Projection.of(self.normals, self.prior)
        return made
