"""Small learners of each sort, written as a user would, and tables to try them on."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from hypothesis import strategies as st

from satsuma import Domain, Table, Variable
from satsuma.learners.learner import Learner, TallyLearner
from satsuma.learners.model import Classifier, Regressor
from satsuma.learners.takes import Takes
from satsuma.tallies.base import Tally
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.composite import Composite
from satsuma.tallies.moments import Moments

#: Mixed tables, and folds to deal them to.
FOLDED = {
    "seed": st.integers(0, 2**32),
    "classes": st.integers(2, 6),
    "folds": st.integers(2, 12),
    "weighted": st.booleans(),
    "block": st.booleans(),
}

BOTH = Composite.of_kinds(ClassCounts, Moments)


class BayesModel(Classifier):
    def __init__(self, tally, m):
        self.counts, self.moments, self.m = tally[ClassCounts], tally[Moments], m

    def probabilities(self, batch):
        weight = self.counts.class_weight
        found = np.tile(np.log(weight + self.m), (len(batch), 1))
        for name in (v.name for v in batch.domain if v.role == "x" and v.kind == "sym"):
            counts = self.counts[name] + self.m
            tall = np.vstack([np.log(counts / counts.sum(axis=0)), np.zeros(len(weight))])
            found += tall[batch.column(name)]
        moments = self.moments
        for at, name in enumerate(moments.names):
            n, mean = moments.weight[:, at] + self.m, moments.mean[:, at]
            var = (moments.m2[:, at] + self.m) / n
            evidence = -0.5 * np.log(var) - (batch.column(name)[:, None] - mean) ** 2 / (2 * var)
            found += np.nan_to_num(evidence)
        found = np.exp(found - found.max(axis=1, keepdims=True))
        return found / found.sum(axis=1, keepdims=True)


@dataclass(kw_only=True, eq=False)
class Bayes(TallyLearner):
    """It says what its tally is."""

    m: float = 1.0
    tally_kind: ClassVar = BOTH

    def conclude(self, tally):
        return BayesModel(tally, self.m)


@dataclass(kw_only=True, eq=False)
class QuietBayes(TallyLearner):
    """The same; it does not say."""

    m: float = 1.0

    def tally(self, batch):
        return BOTH.of(batch)

    def conclude(self, tally):
        return BayesModel(tally, self.m)


@dataclass(kw_only=True, eq=False)
class RefittedBayes(Learner):
    """The same, from all rows at once."""

    m: float = 1.0

    def learn(self, data):
        return BayesModel(BOTH.of(data), self.m)


class GuessModel(Classifier):
    def __init__(self, seed):
        self.seed = seed

    def probabilities(self, batch):
        known = np.nan_to_num(batch.columns[0]) if len(batch.columns) else np.zeros(len(batch))
        waves = np.sin((known[:, None] + 1) * (np.arange(len(self.classes)) + 1.7 + self.seed))
        waves = np.exp(waves)
        return waves / waves.sum(axis=1, keepdims=True)


@dataclass(kw_only=True, eq=False)
class Guess(Learner):
    """It learns nothing."""

    seed: int = 0

    def learn(self, data):  # noqa: ARG002
        return GuessModel(self.seed)


class LineModel(Regressor):
    def __init__(self, slopes):
        self.slopes = slopes

    def numbers(self, batch):
        known = [batch.column(v.name) for v in self.domain.attributes]
        return np.column_stack([*known, np.ones(len(batch))]) @ self.slopes


@dataclass(kw_only=True, eq=False)
class Line(Learner):
    """Least squares."""

    takes: ClassVar = Takes(kinds=("num",), target="number", missing=False)

    def learn(self, data):
        known = [data.column(v.name) for v in data.domain.attributes]
        truth = data.column(data.domain.target.name)
        weights = np.sqrt(np.ones(len(data)) if data.weights is None else data.weights)
        made = np.column_stack([*known, np.ones(len(data))]) * weights[:, None]
        return LineModel(np.linalg.lstsq(made, truth * weights)[0])


class Sum(Tally):
    """A tally of a user's own: without weights, and without a pass for all folds at once."""

    def __init__(self, domain, rows, total):
        self.domain, self.rows, self.total = domain, rows, total

    @classmethod
    def zero(cls, domain):
        return cls(domain, 0, 0.0)

    @classmethod
    def of(cls, batch):
        known = batch.column(batch.domain.target.name)
        known = known[~np.isnan(known)]
        return cls(batch.domain, len(known), known.sum())

    def __add__(self, other):
        return Sum(self.domain, self.rows + other.rows, self.total + other.total)

    def state(self):
        return {"rows": self.rows, "total": self.total}

    @classmethod
    def from_state(cls, state):
        raise NotImplementedError

    def close_to(self, other, rel=1e-9):
        return self.rows == other.rows and abs(self.total - other.total) <= rel * abs(self.total)


@dataclass(kw_only=True, eq=False)
class Level(TallyLearner):
    """The mean of the target."""

    takes: ClassVar = Takes(target="number", rounds="one", weights=False)
    tally_kind: ClassVar = Sum

    def conclude(self, tally):
        return LevelModel(tally.total / tally.rows)


class LevelModel(Regressor):
    def __init__(self, level):
        self.level = level

    def numbers(self, batch):
        return np.full(len(batch), self.level)


def mixed(seed, rows=120, classes=3, *, weighted=True, holes=0.15, block=False):
    """Numbers and symbols that tell something of the class, unequal classes, and holes."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(classes, rows, p=rng.dirichlet(np.full(classes, 2.0))).astype(np.int32)
    numbers = rng.normal(size=(rows, 3)) * [1, 10, 0.1] + truth[:, None] * [1, 0, 0.05]
    numbers[rng.random(numbers.shape) < holes] = np.nan
    columns = list(numbers.T) if block else [column.copy() for column in numbers.T]
    variables = [Variable(f"n{at}") for at in range(3)]
    for at, levels in enumerate((2, 5)):
        codes = ((truth + rng.integers(0, levels, rows)) % levels).astype(np.int32)
        codes[rng.random(rows) < holes] = -1
        variables.append(Variable(f"s{at}", "sym", tuple("abcde"[:levels])))
        columns.append(codes)
    truth = np.where(rng.random(rows) < holes / 2, -1, truth).astype(np.int32)
    variables.append(Variable("y", "sym", tuple("ABCDEFG"[:classes]), "target"))
    columns.append(truth)
    if weighted:
        variables.append(Variable("w", role="weight"))
        columns.append(rng.choice([0.0, 0.5, 1.0, 2.5], rows, p=[0.1, 0.3, 0.3, 0.3]))
    return Table(Domain(variables), columns)


def straight(seed, rows=80, *, weighted=False):
    """Numbers that follow from numbers."""
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(rows, 2))
    truth = numbers @ [2.0, -1.0] + 3 + rng.normal(size=rows) * 0.5
    truth[::17] = np.nan
    variables = [Variable("a"), Variable("b"), Variable("y", role="target")]
    columns = [*numbers.T, truth]
    if weighted:
        variables.append(Variable("w", role="weight"))
        columns.append(rng.choice([0.5, 1.0, 2.0], rows))
    return Table(Domain(variables), columns)
