"""Categorical: how probable each value of a symbol is in each class."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from satsuma.data.columns import Floats
from satsuma.errors.parameters import check_choice, check_number
from satsuma.likelihoods.block import PriorBlock
from satsuma.likelihoods.tables import SymbolTables
from satsuma.measures.estimates import m_estimate, relative
from satsuma.tallies.class_counts import ClassCounts


class Shares(SymbolTables):
    """How probable each value is in each class; columns are taken as independent."""

    def logs(self) -> list[Floats]:
        """The logarithms of the shares."""
        with np.errstate(divide="ignore"):
            return [np.log(table) for table in self.tables]


@dataclass(kw_only=True, frozen=True)
class Categorical(PriorBlock):
    """Symbols have a probability in each class, and columns are independent given the class.

    A missing symbol says nothing, and neither does one that was never seen in learning.

    Parameters
    ----------
    m
        Weight of the prior of a value, in imaginary rows: P(value | class) = (rows of the class
        with the value + m p) / (rows of the class + m) (Cestnik 1990). At 0, a value that was not
        seen with a class vetoes it. Rows of the class are all of them, also those where the value
        is missing.
    prior
        What p is: ``uniform``, 1 / number of values; ``value``, the share of the value in all rows
        where the column is known; ``class``, the share of the class, so that the probabilities of
        the values do not add up to 1.
    columns
        Their names; all columns of symbols that no other block takes, unless given.

    Examples
    --------
    >>> from satsuma import Table
    >>> days = Table.of([("hot", "no"), ("mild", "yes"), ("hot", "yes")], ["temp", "play"])
    >>> Categorical(m=1).conclude(ClassCounts.of(days))["temp"].tolist()
    [[0.75, 0.5], [0.25, 0.5]]
    """

    m: float = 2.0
    prior: Literal["uniform", "value", "class"] = "uniform"
    columns: tuple[str, ...] | None = None

    kinds: ClassVar[tuple[str, ...]] = ("sym",)
    tally_kind: ClassVar[type[ClassCounts]] = ClassCounts

    def check(self) -> None:
        """The weight of the prior is a number from 0 on."""
        check_number(self, "m", low=0)
        check_choice(self, "prior", ("uniform", "value", "class"))

    def conclude(self, tally: ClassCounts, prior: Floats | None = None) -> Shares:
        """Shares of the values in each class, smoothed."""
        weight = tally.class_weight
        classes = relative(weight) if prior is None else prior
        return Shares(tally.names, [self._shares(each, weight, classes) for each in tally.counts])

    def _shares(self, counts: Floats, weight: Floats, classes: Floats) -> Floats:
        if not len(counts):
            return counts
        p: Floats | float = 1 / len(counts)
        if self.prior == "value":
            p = relative(counts.sum(axis=1))[:, None]
        elif self.prior == "class":
            p = classes
        # A class without rows says nothing where there is no prior either.
        return np.where(weight + self.m > 0, m_estimate(counts, weight, self.m, p), 1.0)
