"""wrap: any estimator of scikit-learn as a learner."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, cast

import numpy as np

from satsuma.data.fields import Anything
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import DomainError, ReadError, SatsumaError, refuse, require_extra
from satsuma.learners.learner import Learner
from satsuma.learners.matrix_learner import Encoded, EncodedClassifier, encoded_rows, target_of
from satsuma.learners.model import Regressor
from satsuma.learners.model_files.sklearn_estimators import is_estimator
from satsuma.learners.takes import Takes, TakesBy
from satsuma.numerics.arrays import Array, Floats
from satsuma.prepare.encoding import Encoding


class WrappedClassifier(EncodedClassifier):
    """A classifier of scikit-learn; None where there was but one class."""

    schema: ClassVar[Schema] = Schema(estimator=Anything())

    def check_state(self) -> None:
        """There is an estimator where there are classes to tell apart."""
        super().check_state()
        if self.estimator is not None and not is_estimator(self.estimator):
            raise ReadError("WrappedClassifier.estimator must be an estimator")
        if self.estimator is None and len(self.seen) > 1:
            raise ReadError("WrappedClassifier.estimator is missing")

    def __init__(self, encoding: Encoding, seen: Array, estimator: Any) -> None:
        super().__init__(encoding, seen)
        self.estimator = estimator

    def probabilities(self, batch: Table) -> Floats:
        """What the estimator says; where it has no probabilities, 1 for the class it predicts."""
        if self.estimator is None:
            return self.among_all(np.ones((len(batch), 1)))
        if not len(batch):
            return np.zeros((0, len(self.classes)))
        x = self.matrix(batch)
        if hasattr(self.estimator, "predict_proba"):
            found = np.asarray(_answer(self.estimator, "predict_proba", x), np.float64)
            return self.among_all(found / found.sum(axis=1, keepdims=True))
        told = np.asarray(_answer(self.estimator, "predict", x), np.intp)
        return self.among_all(np.eye(len(self.seen))[told])

    def __str__(self) -> str:
        return f"{self.target.name}, by {self.estimator!r}"


class WrappedRegressor(Encoded, Regressor):
    """A regressor of scikit-learn."""

    schema: ClassVar[Schema] = Schema(estimator=Anything())

    def check_state(self) -> None:
        """There is an estimator."""
        super().check_state()
        if not is_estimator(self.estimator):
            raise ReadError("WrappedRegressor.estimator must be an estimator")

    def __init__(self, encoding: Encoding, estimator: Any) -> None:
        super().__init__(encoding)
        self.estimator = estimator

    def numbers(self, batch: Table) -> Floats:
        """What the estimator predicts."""
        if not len(batch):
            return np.zeros(0)
        found = _answer(self.estimator, "predict", self.matrix(batch))
        return np.asarray(found, np.float64).reshape(len(batch))

    def __str__(self) -> str:
        return f"{self.target.name}, by {self.estimator!r}"


def _answer(estimator: Any, verb: str, x: Floats) -> Any:
    """What an estimator says of rows; an error where that is no number."""
    with np.errstate(all="ignore"):
        found = getattr(estimator, verb)(x)
    if not np.isfinite(found).all():
        row = int(np.argwhere(~np.isfinite(found))[0][0])
        raise SatsumaError(f"{type(estimator).__name__} has no answer for row {row}.")
    return found


def _takes(learner: Any) -> Takes:
    if not is_estimator(learner.estimator):
        return Takes()  # of what is no estimator, `check` tells
    target = "number" if _base().is_regressor(learner.estimator) else "classes"
    from sklearn.utils import validation

    weights = cast("Any", validation).has_fit_parameter(learner.estimator, "sample_weight")
    return Takes(target=target, weights=weights, rounds="rows")


@dataclass(kw_only=True, eq=False)
class Wrapped(Learner):
    """What `wrap` makes: a learner around an estimator.

    Parameters
    ----------
    estimator
        A classifier or a regressor. It is copied before it learns.
    """

    estimator: Any

    takes: ClassVar[Any] = TakesBy(_takes)

    def check(self) -> None:
        """A classifier or a regressor."""
        sorts = _base().is_classifier, _base().is_regressor
        if not is_estimator(self.estimator) or not any(sort(self.estimator) for sort in sorts):
            raise refuse(self, "estimator", "a classifier or a regressor of scikit-learn")

    def learn(self, data: Table) -> WrappedClassifier | WrappedRegressor:
        """Fit a copy of the estimator to the rows as a matrix."""
        rows, encoding, x = encoded_rows(data, type(self.estimator).__name__)
        told = target_of(rows)
        if self.takes.target == "number":
            return WrappedRegressor(encoding, self._fitted(x, told, rows))
        seen, told = np.unique(told, return_inverse=True)
        estimator = self._fitted(x, told, rows) if len(seen) > 1 else None
        return WrappedClassifier(encoding, seen, estimator)

    def _fitted(self, x: Floats, told: Array, rows: Table) -> Any:
        weights = {} if rows.weights is None else {"sample_weight": rows.weights}
        try:
            with np.errstate(all="ignore"):
                return _base().clone(self.estimator).fit(x, told, **weights)
        except (ValueError, ArithmeticError) as error:
            raise DomainError(
                f"{type(self.estimator).__name__} cannot learn from these rows, {len(rows)} of "
                f"{', '.join(repr(v.name) for v in rows.domain)}: {error}"
            ) from error

    def _alike(self) -> Self:
        return replace(self, estimator=_base().clone(self.estimator))


def _base() -> Any:
    with require_extra("sklearn", "wrap", "scikit-learn"):
        from sklearn import base
    return cast("Any", base)


def wrap(estimator: Any) -> Wrapped:
    """A learner of an estimator of scikit-learn, which takes mixed tables with missing values.

    Numbers are standardized, symbols one-hot encoded (zeros and ones, less their shares), and a
    missing cell is imputed by the mean, which is 0. All of that is learned inside each fold.

    Parameters
    ----------
    estimator
        Any classifier or regressor. Where a classifier has no ``predict_proba``, the class that it
        predicts has a probability of 1.

    Notes
    -----
    A model is saved through skops (``pip install 'satsuma[skops]'``), never as a pickle, and only
    if all that is in it is known to be harmless to open: not so the trees of scikit-learn.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from satsuma import load, wrap
    >>> titanic = load("titanic")
    >>> model = wrap(GaussianNB())(titanic)
    >>> print(model)
    survived, by GaussianNB()
    """
    learner = Wrapped(estimator=estimator)
    learner.check()
    return learner
