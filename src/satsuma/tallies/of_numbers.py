"""OfNumbers: what the tallies of numeric attributes by class share."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from satsuma.data.columns import frozen
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.tallies.base import Array
from satsuma.tallies.by_class import ByClass, Floats
from satsuma.tallies.grouping import classes_of, columns_of, numbers_of, weights_of
from satsuma.tallies.unify import places


class OfNumbers(ByClass):
    """A tally of numeric attributes by class, kept as the kernels give it.

    Its arrays have classes first, and columns in every dimension behind them.
    """

    #: The named tuple of arrays that the kernels give.
    arrays: ClassVar[Any]

    def __init__(self, domain: Domain, held: Any) -> None:
        self.domain = domain
        self.held = self.arrays(*map(frozen, held))

    @staticmethod
    @abstractmethod
    def _tallied(
        columns: Sequence[Array], groups: Array, count: int, weights: Floats | None
    ) -> Sequence[Floats]:
        """The kernel: what is known of each group of rows."""

    @staticmethod
    @abstractmethod
    def _merged(parts: list[Any]) -> Sequence[Floats]:
        """What is known of several batches together."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the numeric attributes, in the order of the arrays' columns."""
        return tuple(v.name for v in numbers_of(self.domain))

    @classmethod
    def split(cls, batch: Table, groups: Array, k: int) -> Sequence[Self]:
        """The tallies of `k` sets of rows, where groups are ``set * classes + class``."""
        domain = batch.domain
        n = len(classes_of(domain))
        columns: Any = columns_of(batch, "num") if batch.matrix is None else batch.matrix.T
        made = cls._tallied(columns, groups, k * n, weights_of(batch))
        rows = [slice(fold * n, fold * n + n) for fold in range(k)]
        return [cls(domain, [part[each] for part in made]) for each in rows]

    def _spread(self, domain: Domain) -> Self:
        wide = type(self).zero(domain)
        classes, columns = places(self.classes, wide.classes), places(self.names, wide.names)
        arrays: list[Floats] = []
        for empty, mine in zip(wide.held, self.held, strict=True):
            each = empty.copy()
            each[np.ix_(classes, *[columns] * (each.ndim - 1))] = mine
            arrays.append(each)
        return type(self)(domain, arrays)

    def _plus(self, other: Any) -> Self:
        return type(self)(self.domain, self._merged([self.held, other.held]))

    def _arrays(self) -> dict[str, Array]:
        return self.held._asdict()

    @classmethod
    def _made(cls, domain: Domain, arrays: Mapping[str, Array]) -> Self:
        return cls(domain, [arrays[name] for name in cls.arrays._fields])
