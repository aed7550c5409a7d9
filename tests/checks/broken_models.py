"""Learners that break the laws about missing cells, probabilities and bad input."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from satsuma.errors import NoSuchColumn, SatsumaError, check_number
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.moments import Moments
from tests.checks.counting import Counting, CountingModel


def with_model(kind):
    """Counting, with another model."""

    @dataclass(kw_only=True, eq=False)
    class Made(Counting):
        def conclude(self, tally):
            plain = super().conclude(tally)
            return kind(plain.prior, plain.tables)

    return Made()


class CrashesOnTheUnseen(CountingModel):
    def probabilities(self, batch):
        for name in self.tables:
            if (batch.column(name) < 0).any():
                raise KeyError(name)
        return super().probabilities(batch)


@dataclass(kw_only=True, eq=False)
class CountsMissingTargets(Counting):
    def tally(self, batch):
        plain = ClassCounts.of(batch)
        weight = plain.class_weight.copy()
        weight[-1] += (batch.column(batch.domain.target.name) < 0).sum()
        return ClassCounts(plain.domain, weight, plain.counts)


class NoNewValues(ClassCounts):
    def __add__(self, other):
        if self.domain.target.values != other.domain.target.values:
            raise IndexError("class 2 is out of range")
        return super().__add__(other)


@dataclass(kw_only=True, eq=False)
class CrashesOnNewClasses(Counting):
    def tally(self, batch):
        return NoNewValues.of(batch)


class SumsToMore(CountingModel):
    def probabilities(self, batch):
        return super().probabilities(batch) * 1.1


class Single(CountingModel):
    """Probabilities with the digits of float32."""

    def probabilities(self, batch):
        return super().probabilities(batch).astype(np.float32).astype(np.float64)


class Negative(CountingModel):
    def probabilities(self, batch):
        return super().probabilities(batch) * [[3.0] + [0.0] * (len(self.prior) - 1)] - 0.5


class TiesToTheLast(CountingModel):
    def codes(self, batch):
        found = self.probabilities(batch)
        return found.shape[1] - 1 - found[:, ::-1].argmax(axis=1)


@dataclass(kw_only=True, eq=False)
class Underflows(Counting):
    """Gaussian, without logarithms: far away, every class has the density 0."""

    def tally(self, batch):
        return Moments.of(batch)

    def conclude(self, tally):
        spread = np.sqrt(tally.m2 / np.maximum(tally.weight - 1, 1)) + 0.1
        return DensityModel(tally.names, tally.mean, spread)


class DensityModel(CountingModel):
    def __init__(self, names, mean, spread):
        self.names, self.mean, self.spread = names, mean, spread

    def probabilities(self, batch):
        joint = np.ones((len(batch), len(self.mean)))
        for at, name in enumerate(self.names):
            z = (batch.column(name)[:, None] - self.mean[:, at]) / self.spread[:, at]
            joint *= np.where(np.isnan(z), 1.0, np.exp(-z * z / 2) / self.spread[:, at])
        return joint / joint.sum(axis=1, keepdims=True)


@dataclass(kw_only=True, eq=False)
class NeedsTwoClasses(Counting):
    def conclude(self, tally):
        if not tally.class_weight[tally.class_weight > 0][1] > 0:
            raise AssertionError
        return super().conclude(tally)


@dataclass(kw_only=True, eq=False)
class DividesByTheRange(Counting):
    def conclude(self, tally):
        model = super().conclude(tally)
        model.scales = [float(each.max() / np.ptp(each.sum(axis=1))) for each in tally.counts]
        return model


@dataclass(kw_only=True, eq=False)
class NamelessErrors(Counting):
    def conclude(self, tally):
        if (tally.class_weight == 0).any():
            raise SatsumaError("Something is wrong.")
        return super().conclude(tally)


@dataclass(kw_only=True, eq=False)
class ChecksHalf(Counting):
    power: float = 1.0

    def check(self):
        check_number(self, "m", low=0)


class LooksForItsColumn(CountingModel):
    """Where no column could be chosen in learning, it is told so in predicting."""

    def probabilities(self, batch):
        if not self.domain.attributes:
            raise NoSuchColumn("", batch.domain.names)
        return super().probabilities(batch)


@dataclass(kw_only=True, eq=False)
class SaysItFindsInfinite(Counting):
    finds_infinite: ClassVar[bool] = True


BROKEN = [
    (with_model(CrashesOnTheUnseen), 4, "raised KeyError"),
    (CountsMissingTargets(), 4, "rows whose target is missing"),
    (CrashesOnNewClasses(), 4, "new symbols and classes"),
    (with_model(Single), 5, "not to 1"),
    (with_model(TiesToTheLast), 5, "the first of the most probable"),
    (Underflows(), 5, "RuntimeWarning"),
    (NeedsTwoClasses(), 8, "IndexError"),
    (DividesByTheRange(), 8, "RuntimeWarning"),
    (NamelessErrors(), 8, "without naming 'aim'"),
    (with_model(LooksForItsColumn), 8, "asking after learning from no column but the target"),
    (SaysItFindsInfinite(), 8, "fit where X holds inf in column x1 was not refused"),
    (ChecksHalf(), 8, "power='no number'"),
]

#: Learners whose models predict what no class may, and so break no law but the contract.
NO_DISTRIBUTION = [with_model(SumsToMore), with_model(Negative)]
