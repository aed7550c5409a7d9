"""Tally: all that a learner needs to know of some rows, as a value that adds up."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from satsuma.data.domain import Domain
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import SatsumaError
from satsuma.tallies.groups import checked_folds

Folds = npt.NDArray[np.integer[Any]]
State = dict[str, Any]


class Tally(ABC):
    """What some rows come to. The tally of two batches is the sum of their tallies.

    A tally is a value: adding makes a new one. It holds counts, sums and the like, and never
    smoothing, priors or anything else that a learner concludes from them. Rows without a class
    are left out, missing cells are not counted, a weight of 2 counts a row twice, and one of 0 not
    at all.

    Examples
    --------
    >>> from satsuma.tallies.class_counts import ClassCounts
    >>> days = Table.of([("hot", "no"), ("mild", "yes"), ("hot", "yes")], ["temp", "play"])
    >>> whole, parts = ClassCounts.of(days), ClassCounts.of(days[:2]) + ClassCounts.of(days[2:])
    >>> parts.close_to(whole)
    True
    """

    domain: Domain

    @classmethod
    def schema_in(cls, domain: Domain) -> Schema:  # noqa: ARG003 - a contract
        """What `state` consists of where these are the columns, beside the domain."""
        return Schema()

    @classmethod
    @abstractmethod
    def zero(cls, domain: Domain) -> Self:
        """The tally of no rows."""

    @classmethod
    @abstractmethod
    def of(cls, batch: Table) -> Self:
        """The tally of a batch of rows."""

    @classmethod
    def by_fold(cls, batch: Table, folds: Folds, k: int) -> Sequence[Self]:
        """The tallies of the rows of fold 0, 1, … k - 1; a row of fold -1 is in none."""
        folds = checked_folds(folds, len(batch), k)
        return [cls.of(batch[np.flatnonzero(folds == fold)]) for fold in range(k)]

    @abstractmethod
    def __add__(self, other: Any) -> Self:
        """The tally of the rows of both.

        Columns match by name and values by value: those of the left in order, then new ones of the
        right.
        """

    def __sub__(self, other: Any) -> Self:
        """The tally of the rows of this one without those of the other, which are among them."""
        raise SatsumaError(
            f"Rows cannot be taken out of {type(self).__name__}. Learn anew, without them."
        )

    @abstractmethod
    def state(self) -> State:
        """All there is to it, as arrays and what JSON can hold."""

    @classmethod
    @abstractmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """The tally whose `state` that is."""

    @abstractmethod
    def close_to(self, other: Any, rel: float = 1e-9) -> bool:
        """Whether both say the same, whatever the order of values, but for rounding."""


class TallyKind(Protocol):
    """Whatever makes tallies: a tally class, or one with its settings, as `Bins.on` gives."""

    def zero(self, domain: Domain) -> Tally:
        """The tally of no rows."""
        ...

    def of(self, batch: Table) -> Tally:
        """The tally of a batch of rows."""
        ...

    def by_fold(self, batch: Table, folds: Folds, k: int) -> Sequence[Tally]:
        """The tallies of the rows of each fold."""
        ...
