"""Moments: where the numbers of each class lie, and how far they spread."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from satsuma.data.domain import Domain
from satsuma.data.fields import FloatArray
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import NoSuchColumn
from satsuma.kernels import tally
from satsuma.kernels.tally import GroupMoments, merge_moments
from satsuma.numerics.arrays import Array, Floats, frozen
from satsuma.tallies.base import places
from satsuma.tallies.by_class import (
    ByClass,
    check_digits,
    classes_of,
    columns_of,
    left_over,
    near,
    never_put_in,
    numbers_of,
    weights_of,
)
from satsuma.tallies.num import Num


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


class Moments(OfNumbers):
    """Weight, mean, spread, least and greatest of each numeric attribute in each class.

    All are arrays (classes, columns): `weight` of the known values, `mean` (0 for none), `m2` (the
    sum of squares about the mean), `lo` and `hi` (inf and -inf for none). `class_weight` also has
    the rows whose values are missing. `rest` is what the mean is too short for, so that batches at
    1e8 that differ in the tenth decimal still add up (Chan, Golub and LeVeque 1983). Where rows are
    taken out again, `lo` and `hi` stay: what was the least without them is not known.

    Parameters
    ----------
    domain
        The columns that were tallied.
    held
        The moments, as the kernels give them.

    Examples
    --------
    >>> from satsuma import Table
    >>> from satsuma.extend import Moments
    >>> days = Table.of([(30, "no"), (20, "yes"), (24, "yes"), (None, "no")], ["heat", "play"])
    >>> moments = Moments.of(days)
    >>> moments.mean.tolist(), moments.m2.tolist(), moments.weight.tolist()
    ([[30.0], [22.0]], [[0.0], [8.0]], [[1.0], [2.0]])
    >>> moments.class_weight.tolist()
    [2.0, 2.0]
    >>> moments.num("heat")
    Num(n=3, mu=24.7, sd=5.03, lo=20, hi=30)
    """

    @classmethod
    def schema_in(cls, domain: Domain) -> Schema:  # noqa: ARG003 - the same for all
        """Weights, means, squares and ends, by class and column."""
        shape = "classes", "numbers"
        return Schema(
            total=FloatArray("classes", low=0),
            weight=FloatArray(*shape, low=0),
            mean=FloatArray(*shape),
            rest=FloatArray(*shape),
            m2=FloatArray(*shape, low=0, infinite=True),
            lo=FloatArray(*shape, infinite=True),
            hi=FloatArray(*shape, infinite=True),
        )

    arrays = GroupMoments
    unscaled: ClassVar[tuple[str, ...] | None] = ("mean", "rest", "lo", "hi")
    _tallied = staticmethod(tally.moments)
    _merged = staticmethod(merge_moments)

    def __init__(self, domain: Domain, held: Sequence[Floats]) -> None:
        super().__init__(domain, held)
        self.class_weight, self.weight, self.mean, self.rest, self.m2, self.lo, self.hi = self.held

    def num(self, name: str, value: str | None = None) -> Num:
        """The summary of one attribute, in one class or in all of them together."""
        if name not in self.names:
            raise NoSuchColumn(name, self.names)
        at = self.names.index(name)
        rows = range(len(self.classes)) if value is None else [self.classes.index(value)]
        cells = [GroupMoments(*(each[row : row + 1, at] for each in self._cells())) for row in rows]
        return Num.from_moments(merge_moments(cells)) if cells else Num()

    def of_all_classes(self) -> GroupMoments:
        """The moments of all classes together: arrays (1, columns)."""
        if not len(self.classes):
            none = np.zeros((1, len(self.names)))
            return GroupMoments(np.zeros(1), none, none, none, none, none + np.inf, none - np.inf)
        at = range(len(self.classes))
        return merge_moments([GroupMoments(*(e[row : row + 1] for e in self.held)) for row in at])

    def is_finite(self) -> bool:
        """Whether all numbers were finite."""
        if isfinite(self.mean.sum()):  # no value is infinite where the mean of its column is not
            return True
        return not bool((self.hi == np.inf).any() or (self.lo == -np.inf).any())

    def _cells(self) -> GroupMoments:
        return self.held._replace(total=self.weight)

    @classmethod
    def zero(cls, domain: Domain) -> Self:
        """The tally of no rows."""
        shape = len(classes_of(domain)), len(numbers_of(domain))
        none, far = np.zeros(shape), np.full(shape, np.inf)
        return cls(domain, GroupMoments(np.zeros(shape[0]), none, none, none, none, far, -far))

    def _minus(self, other: Any) -> Self:
        """Without some rows; the least and the greatest may be those of rows that are gone.

        The updating formulas of Chan, Golub and LeVeque (1983), backwards. Where so little is left
        of the squares that its digits mean nothing, there is an error.
        """
        weight = left_over(self.weight, other.weight)
        some = weight > 0
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            gap = np.where(other.weight > 0, (self.mean - other.mean) + (self.rest - other.rest), 0)
            step = np.where(some, gap * (other.weight / weight), 0.0)
            m2 = np.where(some, self.m2 - other.m2 - gap * step * self.weight, 0.0)
            kept = self.mean + (self.rest + step)
            rest = (self.mean - kept) + (self.rest + step)
        self._check_digits(other, m2, some & (other.weight > 0))
        held = GroupMoments(
            left_over(self.class_weight, other.class_weight),
            weight,
            np.where(some, kept, 0.0),
            np.where(some, rest, 0.0),
            m2,
            np.where(some, self.lo, np.inf),
            np.where(some, self.hi, -np.inf),
        )
        return type(self)(self.domain, held)

    def _check_digits(self, other: Any, m2: Floats, touched: npt.NDArray[np.bool_]) -> None:
        beyond = (other.weight > 0) & ((other.lo < self.lo) | (other.hi > self.hi))
        if beyond.any():
            raise never_put_in()
        check_digits(self.m2, m2, touched)

    def agrees(self, other: Any, rel: float) -> bool:
        """Whether a tally of the same domain says the same."""
        size = np.where(self.weight > 0, np.maximum(np.abs(self.lo), np.abs(self.hi)), 0)
        return (
            near(self.class_weight, other.class_weight, rel)
            and near(self.weight, other.weight, rel)
            and near(self.mean, other.mean, rel, size)
            and near(self.m2, other.m2, rel)
            and np.array_equal(self.lo, other.lo)
            and np.array_equal(self.hi, other.hi)
        )
