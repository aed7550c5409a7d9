"""A good learner of fewer than 20 lines, which passes; the broken ones grow from it."""

from dataclasses import dataclass

import numpy as np

from satsuma.learners.learner import TallyLearner
from satsuma.learners.model import Classifier
from satsuma.tallies.class_counts import ClassCounts


class CountingModel(Classifier):
    def __init__(self, prior, tables):
        self.prior, self.tables = prior, tables

    def probabilities(self, batch):
        joint = np.tile(self.prior, (len(batch), 1))
        for name, table in self.tables.items():
            joint *= table[batch.column(name)]  # a code of -1, missing, finds the ones at the end
        return joint / joint.sum(axis=1, keepdims=True)


@dataclass(kw_only=True, eq=False)
class Counting(TallyLearner[ClassCounts]):
    m: float = 2.0

    def tally(self, batch):
        return ClassCounts.of(batch)

    def conclude(self, tally):
        weight = tally.class_weight + self.m
        smooth, ones = {name: tally[name] + self.m for name in tally.names}, np.ones(len(weight))
        tables = {n: np.vstack([each / each.sum(axis=0), ones]) for n, each in smooth.items()}
        return CountingModel(weight / weight.sum(), tables)
