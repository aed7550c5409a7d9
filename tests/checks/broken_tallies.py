"""Learners that break the laws of tallies, sources and weights."""

import threading
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from satsuma.checks.law_tables import with_column
from satsuma.data.variable import Variable
from satsuma.learners.takes import Takes
from satsuma.tallies.class_counts import ClassCounts
from tests.checks.counting import Counting
from tests.checks.good import Nearest


class LosesAClass(ClassCounts):
    def __add__(self, other):
        both = super().__add__(other)
        weight = both.class_weight.copy()
        weight[-1] = self.class_weight[-1] if len(self.class_weight) == len(weight) else 0.0
        return type(self)(both.domain, weight, both.counts)


class Smoothed(ClassCounts):
    @classmethod
    def of(cls, batch):
        plain = super().of(batch)
        return cls(plain.domain, plain.class_weight + 1, plain.counts)


class AddsInPlace(ClassCounts):
    def __add__(self, other):
        both = super().__add__(other)
        if both.domain == self.domain:
            self.class_weight = both.class_weight
        return both


class ByCode(ClassCounts):
    """Adds the second value of the one to the second value of the other, whatever they are."""

    def __add__(self, other):
        if [len(v.values) for v in other.domain] == [len(v.values) for v in self.domain]:
            other = type(self)(self.domain, other.class_weight, other.counts)
        return super().__add__(other)


class MeansOfMeans(ClassCounts):
    """As if two batches always had the same number of rows."""

    def __add__(self, other):
        both = super().__add__(other)
        weight = both.class_weight / both.class_weight.sum() if both.class_weight.sum() else 0.0
        return type(self)(both.domain, weight * np.ones(len(both.classes)), both.counts)


def counting(kind):
    @dataclass(kw_only=True, eq=False)
    class Made(Counting):
        def tally(self, batch):
            return kind.of(batch)

    return Made()


class DoublesFolds(ClassCounts):
    """Of a fold, the first class counts twice."""

    @classmethod
    def by_fold(cls, batch, folds, k):
        plain = super().by_fold(batch, folds, k)
        twice = [np.where(np.arange(len(e.class_weight)) == 0, 2.0, 1.0) for e in plain]
        return [
            ClassCounts(each.domain, each.class_weight * weight, each.counts)
            for each, weight in zip(plain, twice, strict=True)
        ]


@dataclass(kw_only=True, eq=False)
class TalliesFoldsOtherwise(Counting):
    tally_kind: ClassVar[type[ClassCounts]] = DoublesFolds


@dataclass(kw_only=True, eq=False)
class OtherFit(Counting):
    def fit(self, X, y=None, sample_weight=None):
        super().fit(X, y, sample_weight)
        self.model_.prior = np.full_like(self.model_.prior, 1 / len(self.model_.prior))
        return self


@dataclass(kw_only=True, eq=False)
class ForgetsBatches(Counting):
    def partial_fit(self, X, y=None, classes=None, sample_weight=None):
        self._forget()
        return super().partial_fit(X, y, classes, sample_weight)


@dataclass(kw_only=True, eq=False)
class ByThread(Counting):
    """A little more for what is not counted by the main thread: too little for law 1."""

    def tally(self, batch):
        plain = ClassCounts.of(batch)
        if threading.current_thread() is threading.main_thread():
            return plain
        return ClassCounts(plain.domain, plain.class_weight * (1 + 1e-12), plain.counts)


@dataclass(kw_only=True, eq=False)
class TakesTheFirstBatch(Nearest):
    """Says that it needs all rows, and takes what it gets of a source."""

    def __call__(self, data, *, weights=None):
        return super().__call__(getattr(data, "batches", [data])[0], weights=weights)


class ForgetsWeightsOnTheCall(Counting):
    """Takes weights on the call, and does not regard them."""

    def __call__(self, data, *, weights=None):
        del weights
        return super().__call__(data)


def reweighed(batch, change):
    if batch.weights is None:
        return batch
    return with_column(batch, Variable("weight", role="weight"), change(batch.weights))


@dataclass(kw_only=True, eq=False)
class IgnoresWeights(Counting):
    def tally(self, batch):
        return ClassCounts.of(reweighed(batch, np.ones_like))


@dataclass(kw_only=True, eq=False)
class CountsTheWeightless(Counting):
    def tally(self, batch):
        return ClassCounts.of(reweighed(batch, lambda weights: np.maximum(weights, 0.1)))


@dataclass(kw_only=True, eq=False)
class SaysNoWeights(Counting):
    """Says that it takes no weights, and takes them."""

    takes: ClassVar[Takes] = Takes(rounds="one", weights=False)

    def __call__(self, data):
        known = "weight" in data.domain
        return super().__call__(data.with_roles({"weight": "meta"}) if known else data)


@dataclass(kw_only=True, eq=False)
class FitLosesWeights(Counting):
    def fit(self, X, y=None, sample_weight=None):
        return super().fit(X, y, None if sample_weight is None else np.ones_like(sample_weight))


BROKEN = [
    (counting(LosesAClass), 1, "batches of 1 rows"),
    (counting(Smoothed), 1, "batches of 1 rows"),
    (counting(AddsInPlace), 1, "tally + zero"),
    (counting(ByCode), 1, "list their symbols in another order"),
    (counting(MeansOfMeans), 1, "predictions should be the same within 1e-09"),
    (TalliesFoldsOtherwise(), 1, "tally_kind"),
    (OtherFit(), 2, "learning with fit"),
    (ForgetsBatches(), 2, "partial_fit"),
    (ByThread(), 2, "3 threads"),
    (TakesTheFirstBatch(), 2, "source"),
    (IgnoresWeights(), 3, "some weigh 2 or 3"),
    (CountsTheWeightless(), 3, "some weigh 0"),
    (SaysNoWeights(), 3, "says it does not take"),
    (ForgetsWeightsOnTheCall(), 3, "weights= on the call"),
    (FitLosesWeights(), 3, "sample_weight"),
]
