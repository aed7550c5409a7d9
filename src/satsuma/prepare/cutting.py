"""Cutting: what all ways of cutting numbers into intervals have in common."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from satsuma.data.columns import Floats
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.engines import Source, reduce
from satsuma.errors import DomainError
from satsuma.prepare.intervals import Intervals
from satsuma.tallies.grouping import numbers_of


class Cutting(ABC):
    """A way of cutting numbers: a set of parameters, which is called with data.

    Cuts are learned from a tally, and so from tables, files and clusters alike.
    """

    #: What is to be known of the rows.
    tally_kind: ClassVar[Any]

    #: Whether the cuts depend on classes.
    by_class: ClassVar[bool] = False

    def check(self) -> None:  # noqa: B027 - some have no parameters
        """Raise a `ParameterError` if a parameter has a value that it cannot have."""

    @abstractmethod
    def cuts(self, tally: Any, name: str) -> Floats:
        """The cuts of a column, increasing, none of them outside of its numbers."""

    def tally(self, batch: Table) -> Any:
        """What is to be known of a batch of rows; those without a target are left out."""
        target = batch.domain.target
        if target is not None and target.kind == "num":  # classes see to it themselves
            batch = batch[np.flatnonzero(~batch.missing(target.name))]
        return self.tally_kind.of(batch)

    def intervals(self, tally: Any) -> Intervals:
        """The cuts of all numeric attributes."""
        names = [v.name for v in numbers_of(tally.domain)]
        return Intervals({name: self.cuts(tally, name) for name in names})

    def check_domain(self, domain: Domain) -> None:
        """Raise if there are no classes to cut by."""
        target = domain.target
        if self.by_class and (target is None or target.kind != "sym"):
            raise DomainError(
                f"{type(self).__name__} cuts numbers by their classes, and there is no target of "
                f"symbols. Name one, or use EqualFrequency."
            )

    def __call__(self, data: Table | Source) -> Intervals:
        """Learn the cuts of all numeric attributes of a table or a source."""
        self.check()
        self.check_domain(data.domain)
        return self.intervals(reduce(data, self.tally))
