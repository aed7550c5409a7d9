"""Naive Bayes: symbols by their shares, numbers by their Gaussians."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import Array, Floats, refuse_infinite
from satsuma.data.table import Table
from satsuma.errors import DomainError, NoSuchColumn
from satsuma.errors.parameters import check_number
from satsuma.kernels.posterior import Joint, most_probable_each, probabilities_each
from satsuma.learners.capabilities import Takes
from satsuma.learners.learner import TallyLearner
from satsuma.learners.model import Classifier, Query
from satsuma.tallies.base import Folds
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.grouping import columns_of, numbers_of, symbols_of
from satsuma.tallies.moments import Moments
from satsuma.tallies.together import Together, TogetherKind

#: The least variance of a class, as a share of the variance of the column.
FLOOR = 1e-9


class NaiveBayesModel(Classifier):
    """The prior of each class, and what each column says in it.

    Parameters
    ----------
    prior
        By class.
    shares
        By symbolic column: an array (values, classes), how probable a value is in a class.
    mean, sd
        (classes, numeric columns). A spread of infinity says nothing.
    """

    def __init__(self, prior: Floats, shares: dict[str, Floats], mean: Floats, sd: Floats) -> None:
        self.prior, self.shares, self.mean, self.sd = prior, shares, mean, sd

    def probabilities(self, batch: Table) -> Floats:
        """Rows by classes; a row that is impossible for every class gets the prior."""
        found, lost = self.joint().probabilities(*self._columns(batch), rows=len(batch))
        return self._possible(found, lost, batch)

    def codes(self, batch: Table) -> npt.NDArray[np.int32]:
        """The most probable class of each row, as a code; ties go to the first."""
        found, lost = self.joint().most_probable(*self._columns(batch), rows=len(batch))
        return self._possible(found, lost, batch)

    @classmethod
    def codes_by_model(
        cls, models: Sequence[Self], which: Folds, batch: Table
    ) -> npt.NDArray[np.int32]:
        """`codes`, each row by a model of its own, in one pass."""
        return cls._by_model(most_probable_each, models, which, batch)

    @classmethod
    def probabilities_by_model(cls, models: Sequence[Self], which: Folds, batch: Table) -> Floats:
        """`probabilities`, each row by a model of its own, in one pass."""
        return cls._by_model(probabilities_each, models, which, batch)

    @staticmethod
    def _by_model(ask: Any, models: Sequence["NaiveBayesModel"], which: Folds, batch: Table) -> Any:
        joints = [model.joint() for model in models]
        columns = columns_of(batch, "num"), columns_of(batch, "sym")
        found, lost = ask(joints, np.ascontiguousarray(which, np.int32), *columns)
        if lost:
            refuse_infinite_cells(batch)
        return found

    def p(self, value: str, query: Query) -> float:
        """The probability of a class and of what the row shows, together: not normalised."""
        return float(np.exp(np.minimum(self.log_p(value, query), 709.0)))

    def log_p(self, value: str, query: Query) -> float:
        """The logarithm of `p`, which does not vanish where many columns are multiplied."""
        code, batch = self.target.code(value), self._rows(query)
        joint = self.joint().log_joint(*self._columns(batch), rows=len(batch))
        return float(joint[0, code])

    def chance(self, name: str, value: str, given: str) -> float:
        """How probable a value of a symbolic column is in a class."""
        if name not in self.shares:
            raise NoSuchColumn(name, self.shares)
        return float(self.shares[name][self.domain[name].code(value), self.target.code(given)])

    def joint(self) -> Joint:
        """The same, laid out for the kernel."""
        made: Joint | None = vars(self).get("_made")
        if made is None:
            with np.errstate(divide="ignore"):
                tables = [np.log(self.shares[v.name]) for v in symbols_of(self.domain)]
                made = self._made = Joint(np.log(self.prior), self.mean, self.sd, tables)
        return made

    def _columns(self, batch: Table) -> tuple[list[Array], list[Array]]:
        numbers = [batch.column(v.name) for v in numbers_of(self.domain)]
        return numbers, [batch.column(v.name) for v in symbols_of(self.domain)]

    def _possible(self, found: Any, lost: int, batch: Table) -> Any:
        # A row with an infinite number is impossible for every class, so it is looked for here.
        if lost:
            refuse_infinite_cells(batch)
        return found

    def __str__(self) -> str:
        from satsuma.learners.bayes_show import show

        return show(self)


@dataclass(kw_only=True, eq=False)
class NaiveBayes(TallyLearner[Together]):
    """Bayes' rule, taking columns as independent given the class.

    A missing value says nothing: it is skipped in counting and in predicting. So does a value that
    was never seen in learning, and a number in a class that has no known number in its column.

    Parameters
    ----------
    m
        Weight of the prior of a value, in imaginary rows spread over all values of its column:
        P(value | class) = (rows of the class with the value + m / values) / (rows of the class + m)
        (Cestnik 1990). At 0, a value that was not seen with a class vetoes it; a row that is
        vetoed for every class gets the prior.

    Notes
    -----
    The rows of the class in the denominator are all of them, also those where the value is missing.
    Numbers have a Gaussian in each class, with the spread over n - 1 (over half the weight, where
    the class weighs less than two rows). Its variance is at least 1e-9 of the variance of the whole
    column, which also serves a class of a single row. A column that never varies says nothing.

    Examples
    --------
    >>> days = Table.of([("hot", "no"), ("mild", "yes")], ["temp", "play"])
    >>> model = NaiveBayes(m=1)(days)
    >>> model(days[0])
    'no'
    >>> model.chance("temp", "hot", given="no")
    0.75
    """

    m: float = 2.0

    takes: ClassVar[Takes] = Takes(rounds="one")
    tally_kind: ClassVar[TogetherKind] = Together.of_kinds(ClassCounts, Moments)
    finds_infinite: ClassVar[bool] = True

    def check(self) -> None:
        """The weight of the prior is a number from 0 on."""
        check_number(self, "m", low=0)

    def tally(self, batch: Table) -> Together:
        """Counts of symbols and moments of numbers, by class."""
        made = self.tally_kind.of(batch)
        moments = made[Moments]
        if (moments.hi == np.inf).any() or (moments.lo == -np.inf).any():
            refuse_infinite_cells(batch)
        return made

    def conclude(self, tally: Together) -> NaiveBayesModel:
        """Shares of symbols, smoothed, and the Gaussian of each number."""
        counts, moments = tally[ClassCounts], tally[Moments]
        weight = counts.class_weight
        total = weight.sum()
        if not total > 0:
            raise DomainError(
                "NaiveBayes was given no row of a known class whose weight is not zero. "
                "Give some rows a class and a weight."
            )
        shares = {
            name: m_estimate(each, weight, self.m)
            for name, each in zip(counts.names, counts.counts, strict=True)
        }
        return NaiveBayesModel(weight / total, shares, moments.mean, _spreads(moments))


def m_estimate(counts: Floats, weight: Floats, m: float) -> Floats:
    """How probable each value is in each class; 1 where a class has no rows and m is 0.

    Examples
    --------
    >>> m_estimate(np.array([[2.0], [3.0]]), np.array([5.0]), m=2)[1].round(6)
    array([0.571429])
    """
    room = weight + m
    if not len(counts):
        return counts
    with np.errstate(invalid="ignore"):
        return np.where(room > 0, (counts + m / len(counts)) / room, 1.0)


def _spreads(moments: Moments) -> Floats:
    """The standard deviation by class and column; infinite where nothing is known."""
    weight, mean = moments.weight, moments.mean
    lo, hi = moments.lo.min(axis=0), moments.hi.max(axis=0)
    total = weight.sum(axis=0)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        middle = (weight / total * mean).sum(axis=0)
        away = np.where(weight > 0, mean - middle, 0.0)
        m2 = (moments.m2 + weight * away * away).sum(axis=0)
        least = np.sqrt(FLOOR) * _sd(total, m2, lo, hi)
        sd = np.maximum(_sd(weight, moments.m2, moments.lo, moments.hi), least)
    says = (weight > 0) & (lo < hi)
    return np.where(says, np.maximum(sd, np.finfo(float).tiny), np.inf)


def _sd(weight: Floats, m2: Floats, lo: Floats, hi: Floats) -> Floats:
    """The standard deviation; a quarter of the range where squares leave the range of floats."""
    sd = np.sqrt(m2 / np.maximum(weight - 1, weight / 2))
    beyond = ~((sd > 0) & (sd < np.inf))
    return np.where(lo < hi, np.where(beyond, hi / 4 - lo / 4, sd), 0.0)


def refuse_infinite_cells(batch: Table) -> None:
    """Raise if a number of an attribute is infinite, naming column and row."""
    for variable in batch.domain.attributes:
        if variable.kind == "num":
            refuse_infinite(variable.name, batch.column(variable.name))
