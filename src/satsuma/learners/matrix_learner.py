"""Encoded: what learners have in common that see a table as a matrix of numbers."""

from typing import Any, ClassVar

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.fields import LARGE, FloatArray, IntArray, Many, Word
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import DomainError, ReadError
from satsuma.kernels import posterior
from satsuma.learners.estimator.linear_attributes import LinearScores
from satsuma.learners.estimator.log_odds import among_all
from satsuma.learners.explanation import PRIOR, Explanation, asked_classes
from satsuma.learners.informative import check_informative
from satsuma.learners.model import Classifier
from satsuma.learners.takes import training_rows
from satsuma.measures.informative_missing import informative_columns
from satsuma.numerics.arrays import Array, Floats
from satsuma.prepare.encoding import Encoding
from satsuma.tallies.features import Feature, features_of
from satsuma.tallies.target_where_missing import TargetWhereMissing


def check_seen(seen: Array, scores: int | None = None) -> None:
    """Raise a `ReadError` unless classes were seen, each once; with two there may be one score."""
    if not len(seen) or len(np.unique(seen)) < len(seen):
        raise ReadError("the classes that the model has seen are none, or not distinct")
    wanted = {1: (0, 1, 2), 2: (1,)}.get(len(seen), (len(seen),))
    if scores is not None and scores not in wanted:
        raise ReadError(f"the model has scores of {scores} classes, and has seen {len(seen)}")


class Encoded:
    """A part of models: what rows look like as a matrix.

    Parameters
    ----------
    encoding
        How numbers are scaled and symbols taken apart; `mean`, `scale` and `informative`, the names
        of the columns whose missing cells tell something, are kept of it.
    """

    domain: Domain

    schema: ClassVar[Schema] = Schema(
        "encoded",
        mean=FloatArray("encoded", low=-LARGE, high=LARGE),
        scale=FloatArray("encoded", low=np.finfo(float).tiny, infinite=True),
        informative=Many(Word()),
    )

    #: A value that was not there in learning is no missing one.
    unseen: ClassVar[int] = -2

    def check_state(self) -> None:
        """There is a mean for each column of the matrix."""
        check: Any = super()
        check.check_state()
        check_informative(self.domain, self.informative)
        if len(self.mean) != len(features_of(self.domain)) + len(self.informative):
            raise ReadError("the model has the means of other columns")

    def __init__(self, encoding: Encoding) -> None:
        self.domain, self.mean, self.scale = encoding.domain, encoding.mean, encoding.scale
        self.informative = list(encoding.informative)

    def encoding(self) -> Encoding:
        """How numbers are scaled and symbols taken apart."""
        return Encoding(self.domain, self.mean, self.scale, self.informative)

    def feature_names(self) -> list[str]:
        """The columns of the matrix, as they are printed."""
        features = features_of(self.domain)
        return [*map(feature_name, features), *(f"{name} is missing" for name in self.informative)]

    def by_column(self, terms: Floats) -> dict[str, float]:
        """What the columns of the matrix add to a row, by the attributes that they belong to."""
        names = [*(name for name, _ in features_of(self.domain)), *self.informative]
        added = dict.fromkeys((v.name for v in self.domain.attributes), 0.0)
        for name, term in zip(names, terms.tolist(), strict=True):
            added[name] += term
        return added

    def per_number(self, scores: Floats) -> LinearScores:
        """Scores by columns of the matrix, as such by raw numbers: all columns are numbers.

        Parameters
        ----------
        scores
            (scores, 1 + columns of the matrix): a constant, and what is added for each column.
        """
        per = scores[:, 1:] / self.scale
        middle = np.where(np.isfinite(self.scale), self.mean, 0.0)
        return LinearScores(per[:, : len(self.domain.attributes)], scores[:, 0] - per @ middle)

    def matrix(self, batch: Table) -> Floats:
        """Rows by columns, as the model sees them."""
        return self.encoding().matrix(batch)


class EncodedClassifier(Encoded, Classifier):
    """A model of classes, some of which may not have been there in learning: never probable.

    Parameters
    ----------
    encoding
        How numbers are scaled and symbols taken apart.
    seen
        The codes of the classes that were there in learning.
    """

    schema: ClassVar[Schema] = Schema(
        "seen", seen=IntArray("seen", below="classes", dtypes=(np.int32, np.int64))
    )

    def check_state(self) -> None:
        """Some classes were seen, each once."""
        super().check_state()
        check_seen(self.seen)

    def __init__(self, encoding: Encoding, seen: Array) -> None:
        super().__init__(encoding)
        self.seen = seen

    def from_scores(self, scores: Floats) -> Floats:
        """Probabilities in proportion to the exponents of scores of the classes that were seen."""
        found = np.empty_like(scores)
        posterior.normalise(np.ascontiguousarray(scores), np.zeros(len(self.seen)), 0, found)
        return self.among_all(found)

    def linear_explanation(
        self, batch: Table, scores: Floats, value: str | None, against: str | None
    ) -> Explanation:
        """The terms of log-odds, where log-probabilities are weighted sums but for a constant.

        Parameters
        ----------
        batch
            One row.
        scores
            (classes that were seen, 1 + columns of the matrix): a constant, and what is added for
            each column.
        value, against
            The classes; see `Classifier.explain`.
        """
        chances = self.probabilities(batch)
        this, other = asked_classes(self, chances, value, against)
        by_class = np.zeros((len(self.classes), scores.shape[1]))
        by_class[self.seen] = scores
        between = by_class[this] - by_class[other]
        parts = self.by_column(self.matrix(batch)[0] * between[1:])
        predicted = self.classes[int(self.codes_given(chances, batch)[0])]
        told = {PRIOR: float(between[0]), **parts}
        return Explanation(self.classes[this], self.classes[other], told, predicted=predicted)

    def linear_scores_of(self, scores: Floats) -> LinearScores:
        """`per_number` of scores of the classes that were seen: others are impossible."""
        slopes, constants = self.per_number(scores)
        found = np.zeros((len(self.classes), slopes.shape[1]))
        found[self.seen] = slopes
        return LinearScores(found, among_all(constants[None], self.seen, len(self.classes))[0])

    def among_all(self, probabilities: Floats) -> Floats:
        """Probabilities of the classes that were seen, as such of all classes."""
        found = np.zeros((len(probabilities), len(self.classes)))
        found[:, self.seen] = probabilities
        return found


def encoded_rows(
    data: Table, learner: str, missing: str = "ignore"
) -> tuple[Table, Encoding, Floats]:
    """The rows that can be learned from, their encoding, and the matrix that it makes of them.

    Parameters
    ----------
    data
        The rows.
    learner
        The name of who learns.
    missing
        What a missing value tells; see `informative_columns`.
    """
    rows = training_rows(data, learner)
    encoding = Encoding.of(Encoding.tally(rows))
    if missing != "ignore":
        where_missing = TargetWhereMissing.of(rows)
        informative = informative_columns(where_missing, missing)
        encoding = encoding.with_missing(where_missing, informative)
    found = encoding.matrix(rows)
    if not found.shape[1]:
        raise DomainError(f"{learner} was given no column to learn from beside the target.")
    return rows, encoding, found


def target_of(rows: Table) -> Any:
    """The column of the target: codes or numbers."""
    assert rows.domain.target is not None
    return rows.column(rows.domain.target.name)


def feature_name(feature: Feature) -> str:
    """A column, or a value of one, as it is printed.

    Examples
    --------
    >>> feature_name(("size", None)), feature_name(("sky", "rain"))
    ('size', 'sky = rain')
    """
    name, value = feature
    return name if value is None else f"{name} = {value}"
