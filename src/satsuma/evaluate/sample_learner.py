"""SampleLearner: a learner that learns from some of the rows it is given."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from satsuma.data.table import Table
from satsuma.evaluate.request import known_rows
from satsuma.folds import Strata, even_order
from satsuma.learners.learner import Learner
from satsuma.learners.model import Model
from satsuma.learners.takes import TakesBy
from satsuma.numerics.arrays import Indices


@dataclass(kw_only=True, eq=False)
class SampleLearner(Learner):
    """A learner that learns from a sample of the rows it is given, drawn at random.

    Parameters
    ----------
    learner
        What learns.
    rows
        How many rows it learns from, at most.
    """

    learner: Learner
    rows: int = 0

    takes: ClassVar[Any] = TakesBy(lambda self: replace(self.learner.takes, rounds="rows"))

    def __call__(self, data: Any, *, weights: Any = None) -> Any:  # noqa: ARG002 - as of all
        """A model of the sample."""
        return self.learner(drawn(data, self.rows))

    def learn(self, data: Any) -> Model:
        """The same."""
        return self(data)


def drawn(table: Table, rows: int) -> Table:
    """So many rows whose target is known, or all; each class has its share of them."""
    known = known_rows(table, {}).strata(stratified=True)
    return table if int((known >= 0).sum()) <= rows else table[_some(known, rows)]


def drawn_from(table: Table, given: Indices, rows: int) -> Indices:
    """The same of given rows of a table, as their numbers: no other row need be copied.

    Examples
    --------
    >>> from satsuma import load
    >>> drawn_from(load("iris"), np.arange(0, 150, 10), 3).tolist()
    [30, 80, 120]
    """
    known = known_rows(table, {}).strata(stratified=True)[given]
    return given if int((known >= 0).sum()) <= rows else given[_some(known, rows)]


def _some(strata: Strata, rows: int) -> Indices:
    return np.sort(even_order(strata, np.random.default_rng(0))[:rows])
