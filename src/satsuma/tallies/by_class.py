"""ByClass: what the tallies by class share, and rows by class and fold as the kernels take them."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.data.weights import MOST, check_weights
from satsuma.errors import DomainError, SatsumaError
from satsuma.kernels import tally
from satsuma.numerics.arrays import Array, Floats
from satsuma.tallies.base import (
    Folds,
    State,
    Tally,
    checked_folds,
    domain_from_state,
    domain_state,
    unify,
)
from satsuma.tallies.features import features_of

#: The one class of rows that have no symbolic target.
NO_CLASS = ("",)


class ByClass(Tally):
    """A tally by class, in arrays; one nameless class where no target is symbolic."""

    class_weight: Floats

    #: The arrays of `_arrays` that stay as they are where all rows weigh more or less; None where
    #: that is not known.
    unscaled: ClassVar[tuple[str, ...] | None] = None

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

    def scaled(self, factor: float) -> Self:
        """The tally of the same rows, each of which weighs so many times as much."""
        if self.unscaled is None:
            return super().scaled(factor)
        pairs = self._arrays().items()
        arrays = {name: each if name in self.unscaled else each * factor for name, each in pairs}
        return self._made(self.domain, arrays)

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


def classes_of(domain: Domain) -> tuple[str, ...]:
    """The values of a symbolic target; one nameless class where there is none.

    Examples
    --------
    >>> classes_of(Domain([Variable("play", "sym", ("no", "yes"), "target")]))
    ('no', 'yes')
    """
    target = domain.target
    return target.values if target is not None and target.kind == "sym" else NO_CLASS


def numbers_of(domain: Domain) -> tuple[Variable, ...]:
    """The numeric attributes, in order."""
    return tuple(v for v in domain.attributes if v.kind == "num")


def symbols_of(domain: Domain) -> tuple[Variable, ...]:
    """The symbolic attributes, in order."""
    return tuple(v for v in domain.attributes if v.kind == "sym")


def columns_of(batch: Table, kind: str) -> list[Array]:
    """The columns of the attributes of a kind, in order."""
    pairs = zip(batch.domain, batch.columns, strict=True)
    return [column for v, column in pairs if v.role == "x" and v.kind == kind]


def groups_of(batch: Table, folds: Array | None = None, k: int = 1) -> Array:
    """The group of each row: its class, or ``fold * classes + class``; -1 for no class or fold.

    Examples
    --------
    >>> table = Table.of([(1, "a"), (2, None), (3, "b")], ["x", "y"])
    >>> groups_of(table), groups_of(table, np.array([1, 0, -1]), 2)
    (array([ 0, -1,  1], dtype=int32), array([ 2, -1, -1], dtype=int32))
    """
    target = batch.domain.target
    if target is not None and target.kind == "sym":
        codes = batch.column(target.name)
    else:
        codes = np.zeros(len(batch), np.int32)
    if folds is None:
        return codes
    folds = checked_folds(folds, len(batch), k)
    return tally.fold_groups(codes, folds, len(classes_of(batch.domain)), k)


def weights_of(batch: Table) -> Floats | None:
    """What each row weighs, once it is sure that all weights are finite and not negative.

    Examples
    --------
    >>> rows = [("a", 1), ("b", -2)]
    >>> weights_of(Table.of(rows, ["y", "w"], target="y", roles={"w": "weight"}))
    Traceback (most recent call last):
    ...
    satsuma.errors.DomainError: Column 'w' says that row 1 weighs -2. A weight must be 0, which
    leaves the row out, or between 1e-100 and 1e+100; 2 counts the row twice.
    """
    weights = batch.weights
    if weights is None or not len(weights) or (weights.min() >= 0 and weights.max() <= MOST):
        return weights  # the least of those above 0 costs more to find: learners look at it
    name = batch.domain.weight.name if batch.domain.weight else ""
    check_weights(weights, f"Column {name!r}")
    return weights


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
