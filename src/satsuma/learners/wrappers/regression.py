"""Regression: a learner of classes or numbers that is to learn numbers, and says so."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from satsuma.data.table import Table
from satsuma.engines import Source
from satsuma.errors import refuse
from satsuma.learners.delegation import DelegatingRegressor
from satsuma.learners.learner import Learner
from satsuma.learners.takes import Takes, TakesBy


class RegressionModel(DelegatingRegressor):
    """A model of numbers, as the one inside."""

    def __str__(self) -> str:
        return str(self.model)


def _takes(learner: Any) -> Takes:
    inner = learner.learner
    known: Takes = inner.takes if isinstance(inner, Learner) else Takes(rounds="rows")
    rounds = "many" if known.rounds == "one" else known.rounds
    return replace(known, target="number", rounds=rounds)


@dataclass(kw_only=True, eq=False)
class Regression(Learner):
    """A learner that predicts numbers alone, of one that predicts classes or numbers.

    `KNN`, `BoostedTrees`, `Bagging` and others go by the target: in `fit`, floats are numbers, and
    all other labels are classes. Inside `Regression` whole numbers are numbers too, and
    scikit-learn's tools, which ask before anything is learned, are told that it is a regressor.
    What is predicted is the same.

    Parameters
    ----------
    learner
        The learner; it may stand first, without its name.

    Examples
    --------
    >>> from satsuma import Regression
    >>> from sklearn.base import is_regressor
    >>> from satsuma import KNN
    >>> learner = Regression(KNN(k=2))
    >>> is_regressor(learner), is_regressor(KNN(k=2))
    (True, False)
    >>> learner.fit([[1], [2], [8], [9]], [10, 20, 80, 90]).predict([[1.5], [8.5]])
    array([15., 85.])
    """

    learner: Learner

    takes: ClassVar[Any] = TakesBy(_takes)

    #: A model is read as the one inside is.
    readable: ClassVar[Any] = property(lambda self: getattr(self.learner, "readable", False))

    def check(self) -> None:
        """A learner of numbers, with right parameters."""
        inner: Any = self.learner
        if not isinstance(inner, Learner) or inner.takes.target not in ("number", "either"):
            raise refuse(self, "learner", "a learner that predicts numbers, such as KNN()")
        inner.check()

    def learn(self, data: Table | Source) -> RegressionModel:
        """The model of the learner inside."""
        return RegressionModel(self.learner(data))
