"""How probable each class is given a value: relative frequency, Laplace, m-estimate."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from satsuma.data.fields import FloatArray
from satsuma.data.schema import Schema
from satsuma.data.variable import Variable
from satsuma.errors import ReadError, check_number
from satsuma.likelihoods.block import PriorBlock
from satsuma.likelihoods.categorical import SymbolTables
from satsuma.measures.estimates import m_estimate, relative
from satsuma.numerics.arrays import Floats
from satsuma.tallies.class_counts import ClassCounts


class Ratios(SymbolTables):
    """How probable each class is given each value, beside how probable it is without any.

    Parameters
    ----------
    names
        The columns.
    tables
        The probability of each class given each value alone, for each column.
    prior
        The probability of each class.
    """

    is_density = False

    schema: ClassVar[Schema] = Schema(prior=FloatArray("classes", low=0, high=1 + 1e-9))

    def check_columns(self, variables: Sequence[Variable], classes: int) -> None:
        """The prior is of the same classes."""
        super().check_columns(variables, classes)
        if len(self.prior) != classes:
            raise ReadError("the prior of Ratios is of other classes")
        if ((self.prior > 0) & (self.prior < 1e-300)).any():
            raise ReadError("the prior of Ratios is too small to be divided by")

    def __init__(self, names: tuple[str, ...], tables: list[Floats], prior: Floats) -> None:
        super().__init__(names, tables)
        self.prior = prior

    def logs(self) -> list[Floats]:
        """The logarithms of the ratios; nothing is said of a class that cannot be."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return [np.where(self.prior > 0, np.log(t / self.prior), 0.0) for t in self.tables]


class GivenValue(PriorBlock):
    """Symbols by how probable each class is given a value; the evidence is divided by the prior.

    So the probability of a class is proportional to P(class) times the product of P(class |
    value) / P(class) over the columns (Kononenko 1991). P(class | value) is estimated, and so
    P(class) is put through the same estimate, from as many rows as have the value: a value that
    says nothing makes no class more probable, however rare it is. A missing symbol says nothing,
    and neither does one that was never seen in learning.
    """

    kinds: ClassVar[tuple[str, ...]] = ("sym",)
    tally_kind: ClassVar[type[ClassCounts]] = ClassCounts

    @abstractmethod
    def estimate(self, counts: Floats, prior: Floats) -> Floats:
        """How probable each class is, from counts (…, classes) and what is known before them."""

    def of_classes(self, weight: Floats) -> Floats:
        """How probable each class is, by what it weighs: for use as a prior."""
        return self.estimate(weight, np.full(len(weight), 1 / len(weight)))

    def conclude(self, tally: ClassCounts, prior: Floats | None = None) -> Ratios:
        """The probability of each class given each value, from the rows where it is known."""
        share = relative(tally.class_weight)
        known = share if prior is None else prior
        tables = [self._table(each, share, known) for each in tally.counts]
        return Ratios(tally.names, tables, known)

    def _table(self, counts: Floats, share: Floats, prior: Floats) -> Floats:
        """The probability of each class given each value of a column."""
        total = _total(counts)
        found, without = self.estimate(counts, share), self.estimate(total * share, share)
        joint = prior * np.where(without > 0, found / np.where(without > 0, without, 1), 1.0)
        # A value that was never seen says nothing, so that it leaves the prior as it is.
        return np.where(total > 0, joint / _total(joint), prior)


@dataclass(kw_only=True, frozen=True)
class RelativeFrequency(GivenValue):
    """P(class | value) is the share of the class in the rows with the value.

    A class that was not seen with a value is vetoed by it.

    Parameters
    ----------
    columns
        Their names; all columns of symbols that no other block takes, unless given.

    Examples
    --------
    >>> from satsuma import RelativeFrequency, Table
    >>> from satsuma.extend import ClassCounts
    >>> days = Table.of([("hot", "no"), ("mild", "yes"), ("hot", "yes")], ["temp", "play"])
    >>> RelativeFrequency().conclude(ClassCounts.of(days))["temp"].tolist()
    [[0.5, 0.5], [0.0, 1.0]]
    """

    columns: tuple[str, ...] | None = None

    def estimate(self, counts: Floats, prior: Floats) -> Floats:
        """The shares; of nothing, the prior."""
        return m_estimate(counts, _total(counts), 0.0, prior)


@dataclass(kw_only=True, frozen=True)
class Laplace(GivenValue):
    """P(class | value) as if there were one row more of each class with each value.

    There is one more, too, in what would be expected of a value that says nothing: the evidence
    is (rows of the class with the value + 1) / (rows with the value P(class) + 1).

    Parameters
    ----------
    columns
        Their names; all columns of symbols that no other block takes, unless given.

    Examples
    --------
    >>> from satsuma import Laplace, Table
    >>> from satsuma.extend import ClassCounts
    >>> days = Table.of([("hot", "no"), ("mild", "yes"), ("hot", "no")], ["temp", "play"])
    >>> Laplace().conclude(ClassCounts.of(days))["temp"].round(3).tolist()
    [[0.811, 0.189], [0.444, 0.556]]
    """

    columns: tuple[str, ...] | None = None

    def estimate(self, counts: Floats, prior: Floats) -> Floats:
        """The shares, with one row more of each class."""
        return m_estimate(counts, _total(counts), len(prior), 1 / len(prior))


@dataclass(frozen=True)
class MEstimate(GivenValue):
    """P(class | value) = (rows of the class with the value + m P(class)) / (rows with it + m).

    Parameters
    ----------
    m
        Weight of the prior of the class, in imaginary rows (Cestnik 1990). As an estimate of the
        prior itself, these are spread evenly over the classes.
    columns
        Their names; all columns of symbols that no other block takes, unless given.

    Examples
    --------
    >>> from satsuma import MEstimate, Table
    >>> from satsuma.extend import ClassCounts
    >>> days = Table.of([("hot", "no"), ("mild", "yes"), ("hot", "no")], ["temp", "play"])
    >>> MEstimate(1).conclude(ClassCounts.of(days))["temp"].round(3).tolist()
    [[0.889, 0.111], [0.333, 0.667]]
    """

    m: float = 2.0
    columns: tuple[str, ...] | None = field(default=None, kw_only=True)

    def check(self) -> None:
        """The weight of the prior is a number from 0 on."""
        check_number(self, "m", low=0)

    def estimate(self, counts: Floats, prior: Floats) -> Floats:
        """The shares, with as many rows more as `m` says, spread as the prior is."""
        return m_estimate(counts, _total(counts), self.m, prior)


def _total(counts: Floats) -> Floats:
    return counts.sum(axis=-1, keepdims=True)
