"""Good learners of the other sorts: of all rows, of many rounds, and of numbers."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from satsuma.errors import SatsumaError, check_choice, check_number
from satsuma.learners.learner import Learner, RoundsLearner, TallyLearner
from satsuma.learners.model import Classifier, Regressor
from satsuma.learners.takes import Takes
from satsuma.tallies.base import Tally


def block(batch, names):
    return np.stack([batch.column(name) for name in names], axis=1)


class NearestModel(Classifier):
    def __init__(self, names, rows, codes, k):
        self.names, self.rows, self.nearest_codes, self.k = names, rows, codes, k

    def probabilities(self, batch):
        gaps = np.abs(block(batch, self.names)[:, None, :] - self.rows[None]).sum(axis=2)
        near = np.argsort(gaps, axis=1, kind="stable")[:, : self.k]
        votes = self.nearest_codes[near][:, :, None] == np.arange(len(self.classes))
        return votes.mean(axis=1)


@dataclass(kw_only=True, eq=False)
class Nearest(Learner):
    k: int = 3
    metric: str = "city block"
    takes: ClassVar[Takes] = Takes(kinds=("num",), missing=False, weights=False, rounds="rows")

    def check(self):
        check_number(self, "k", low=1, whole=True)
        check_choice(self, "metric", ["city block"])

    def learn(self, table):
        names = [v.name for v in table.domain.attributes]
        if not names:
            raise SatsumaError("Nearest needs a column to measure distance in.")
        codes = table.column(table.domain.target.name)
        known = codes >= 0
        return NearestModel(names, block(table, names)[known], codes[known], self.k)


class Sums(Tally):
    """Weight, sum of the target, and sum of its squares about a given centre."""

    def __init__(self, domain, sums):
        self.domain, self.sums = domain, sums

    @classmethod
    def zero(cls, domain):
        return cls(domain, np.zeros(2))

    @classmethod
    def of(cls, batch):
        y = batch.column(batch.domain.target.name)
        w = np.ones(len(y)) if batch.weights is None else batch.weights
        if not (np.isfinite(w) & (w >= 0)).all():
            raise SatsumaError("A weight is negative or not finite.")
        known = ~np.isnan(y)
        return cls(batch.domain, np.array([w[known].sum(), (w * y)[known].sum()]))

    def __add__(self, other):
        return type(self)(self.domain, self.sums + other.sums)

    def state(self):
        return {"domain": list(self.domain), "sums": self.sums}

    @classmethod
    def from_state(cls, state):
        raise NotImplementedError

    def close_to(self, other, rel=1e-9):
        return np.allclose(self.sums, other.sums, rtol=rel)


class SameModel(Regressor):
    def __init__(self, number):
        self.number = number

    def numbers(self, batch):
        return np.full(len(batch), self.number)


@dataclass(kw_only=True, eq=False)
class Middle(TallyLearner[Sums]):
    """The mean of the target, whatever the row."""

    takes: ClassVar[Takes] = Takes(target="number", rounds="one")

    def tally(self, batch):
        return Sums.of(batch)

    def conclude(self, tally):
        weight, total = tally.sums
        if weight == 0:
            raise SatsumaError("Every weight is 0.")
        return SameModel(float(total / weight))


@dataclass
class Step:
    domain: object
    number: float = 0.0
    round: int = 0

    @property
    def done(self):
        return self.round == 3


@dataclass(kw_only=True, eq=False)
class Stepping(RoundsLearner):
    """The same, found in three rounds, each of them half way there."""

    takes: ClassVar[Takes] = Takes(target="number", rounds="many")

    def start(self, domain):
        return Step(domain)

    def tally(self, state, batch):  # noqa: ARG002 - every round sees the same
        return Sums.of(batch)

    def advance(self, state, tally):
        mean = Middle().conclude(tally).number
        return replace(state, number=(state.number + mean) / 2, round=state.round + 1)

    def conclude(self, state):
        return SameModel(state.number)
