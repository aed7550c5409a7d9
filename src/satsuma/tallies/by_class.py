"""ByClass: what the tallies by class share."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import frozen
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import DomainError, SatsumaError
from satsuma.numerics.arrays import Array, Floats
from satsuma.tallies.base import Folds, State, Tally
from satsuma.tallies.features import classes_of, features_of, numbers_of
from satsuma.tallies.groups import columns_of, groups_of, weights_of
from satsuma.tallies.union import domain_from_state, domain_state, places, unify


class ByClass(Tally):
    """A tally by class, in arrays; one nameless class where no target is symbolic."""

    class_weight: Floats

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes, in the order of the arrays."""
        return classes_of(self.domain)

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The names of the attributes that are tallied, in the order of the arrays."""

    def __repr__(self) -> str:
        pairs = zip(self.classes, self.class_weight.tolist(), strict=True)
        held = ", ".join(f"{value}: {weight:g}" for value, weight in pairs)
        return f"{type(self).__name__}({held}; of {', '.join(self.names)})"

    @classmethod
    def of(cls, batch: Table) -> Self:
        """The tally of a batch of rows."""
        return cls.split(batch, groups_of(batch), 1)[0]

    @classmethod
    def by_fold(cls, batch: Table, folds: Folds, k: int) -> Sequence[Self]:
        """The tallies of the rows of fold 0, 1, … k - 1, in one pass."""
        return list(cls.split(batch, groups_of(batch, folds, k), k))

    @classmethod
    @abstractmethod
    def split(cls, batch: Table, groups: Array, k: int) -> Sequence[Self]:
        """The tallies of `k` sets of rows, where groups are ``set * classes + class``."""

    def __add__(self, other: Any) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        domain = unify(self.domain, other.domain)
        return self.within(domain)._plus(other.within(domain))

    def __sub__(self, other: Any) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        if unify(self.domain, other.domain) != self.domain:
            raise SatsumaError(
                "Rows with values or classes that were never seen cannot be taken out again."
            )
        return self._minus(other.within(self.domain))

    def _minus(self, other: Any) -> Self:
        """The difference from a tally of the same domain, if there is one."""
        return super().__sub__(other)

    def within(self, domain: Domain) -> Self:
        """The same tally in a domain that has all its columns and values, and maybe more."""
        return self if domain is self.domain or domain == self.domain else self._spread(domain)

    @abstractmethod
    def _spread(self, domain: Domain) -> Self:
        """The same tally in a domain that has all its columns and values, and maybe more."""

    @abstractmethod
    def _plus(self, other: Any) -> Self:
        """The sum with a tally of the same domain."""

    @abstractmethod
    def _arrays(self) -> dict[str, Array]:
        """The arrays it consists of, by name."""

    @classmethod
    @abstractmethod
    def _made(cls, domain: Domain, arrays: Mapping[str, Array]) -> Self:
        """The tally of those arrays."""

    def state(self) -> State:
        """All there is to it, as arrays and what JSON can hold."""
        return {"domain": domain_state(self.domain), **self._arrays()}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """The tally whose `state` that is."""
        arrays = {name: np.asarray(each) for name, each in state.items() if name != "domain"}
        domain = domain_from_state(state["domain"])
        sizes = {
            "classes": len(classes_of(domain)),
            "numbers": len(numbers_of(domain)),
            "features": len(features_of(domain)),
        }
        cls.schema_in(domain).check(arrays, sizes, cls.__name__)
        cls.check_links(arrays)
        return cls._made(domain, arrays)

    @classmethod
    def check_links(cls, arrays: Mapping[str, Array]) -> None:
        """Raise a `ReadError` where arrays that fit `schema_in` do not fit each other."""

    def close_to(self, other: Any, rel: float = 1e-9) -> bool:
        """Whether both say the same, whatever the order of values, but for rounding."""
        if type(other) is not type(self):
            return False
        try:
            domain = unify(self.domain, other.domain)
        except DomainError:
            return False
        return self.within(domain).agrees(other.within(domain), rel)

    @abstractmethod
    def agrees(self, other: Any, rel: float) -> bool:
        """Whether a tally of the same domain says the same."""


def left_over(all_rows: Floats, some: Floats) -> Floats:
    """Weights without those of some rows; an error where these cannot have been among them.

    Examples
    --------
    >>> left_over(np.array([0.3, 2.0]), np.array([0.1 + 0.2, 1.0])).tolist()
    [0.0, 1.0]
    """
    left = all_rows - some
    rounding = 1e-12 * all_rows
    if (left < -rounding).any():
        raise SatsumaError(
            "More is to be taken out than was put in. Only rows that were learned can be forgotten."
        )
    return np.where(left > rounding, left, 0.0)


def never_put_in() -> SatsumaError:
    """The error for rows that lie where none were."""
    return SatsumaError(
        "The rows to be taken out lie beyond those that were put in. "
        "Only rows that were learned can be forgotten."
    )


def check_digits(before: Floats, after: Floats, touched: npt.NDArray[np.bool_]) -> None:
    """Raise where so little is left of sums of squares that its digits mean nothing."""
    if (after < -1e-9 * before)[touched].any():
        raise never_put_in()
    if (touched & (before > 0) & ~(after > 1e-6 * before)).any():
        raise SatsumaError(
            "So much is taken out that too few digits of the spread would be right. "
            "Learn anew, without these rows."
        )


def near(a: Array, b: Array, rel: float, scale: Array | float = 0.0) -> bool:
    """Whether numbers differ by no more than `rel` of the greater, or of a scale.

    Examples
    --------
    >>> near(np.array([1.0]), np.array([1.0 + 1e-12]), 1e-9)
    True
    """
    with np.errstate(over="ignore", invalid="ignore"):
        most = np.maximum(np.maximum(np.abs(a), np.abs(b)), scale)
        # Beneath that, squares are too small to be told from zero.
        return bool(np.all((a == b) | (np.abs(a - b) <= rel * most + 1e-290)))


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
