"""Learners that modify what they are given, or leave something to chance."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from satsuma.tallies.class_counts import ClassCounts
from tests.checks.broken_models import with_model
from tests.checks.counting import Counting, CountingModel


@dataclass(kw_only=True, eq=False)
class FillsHoles(Counting):
    def tally(self, batch):
        for column in batch.columns:
            if column.dtype == np.float64:
                column.flags.writeable = True
                column[np.isnan(column)] = 0.0
                column.flags.writeable = False
        return ClassCounts.of(batch)


class FillsQueries(CountingModel):
    def probabilities(self, batch):
        for column in batch.columns:
            column.flags.writeable = True
            column[:1] = 0
            column.flags.writeable = False
        return super().probabilities(batch)


@dataclass(kw_only=True, eq=False)
class CentresItsArray(Counting):
    def fit(self, X, y=None, sample_weight=None):
        if isinstance(X, np.ndarray):
            X -= 1.0
        return super().fit(X, y, sample_weight)


@dataclass(kw_only=True, eq=False)
class KeepsItsTally(Counting):
    def conclude(self, tally):
        self.last = tally.class_weight
        return super().conclude(tally)


class Hidden:
    rows = 0

    def __repr__(self):
        return "Hidden()"


@dataclass(kw_only=True, eq=False)
class Remembers(Counting):
    """Learns something else every time, by a number that hides in a parameter."""

    seen: Any = field(default_factory=Hidden)

    def conclude(self, tally):
        self.seen.rows += 1
        model = super().conclude(tally)
        model.prior = model.prior ** (1 / self.seen.rows)
        model.prior /= model.prior.sum()
        return model


#: Chance that goes on from learner to learner, whatever their seeds.
CHANCE = np.random.default_rng(1)


@dataclass(kw_only=True, eq=False)
class Random(Counting):
    seed: int | None = None

    def conclude(self, tally):
        model = super().conclude(tally)
        model.prior = CHANCE.dirichlet(np.ones(len(model.prior)))
        return model


BROKEN = [
    (FillsHoles(), 6, "learned from has been modified"),
    (with_model(FillsQueries), 6, "asked about has been modified"),
    (CentresItsArray(), 6, "modified X"),
    (KeepsItsTally(), 6, "modified the learner"),
    (Remembers(), 6, "learning"),
    (Random(), 6, "learning"),
]
