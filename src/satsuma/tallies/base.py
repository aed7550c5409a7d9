"""Tally: all that a learner needs to know of some rows, as a value that adds up."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, Self, cast

import numpy as np
import numpy.typing as npt

from satsuma.data.domain import Domain
from satsuma.data.schema import Schema, variable_of, variable_parts
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, SatsumaError
from satsuma.numerics.arrays import Array

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
    >>> from satsuma import Table
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

    def scaled(self, factor: float) -> Self:  # noqa: ARG002 - a contract
        """The tally of the same rows, each of which weighs so many times as much."""
        raise SatsumaError(
            f"The rows of {type(self).__name__} cannot be made to weigh less. Use a window instead."
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


def checked_folds(folds: Array, rows: int, k: int) -> Array:
    """The folds, once it is sure that each row has one, from -1 to below `k`."""
    folds = np.asarray(folds)
    if folds.shape != (rows,) or folds.dtype.kind not in "iu":
        raise DomainError(
            f"Folds must be whole numbers, one for each of the {rows} rows. "
            f"Got an array of shape {folds.shape} and type {folds.dtype}."
        )
    if rows and (int(folds.min()) < -1 or int(folds.max()) >= k):
        row = int(((folds < -1) | (folds >= k)).argmax())
        raise DomainError(
            f"Row {row} is in fold {folds[row]}, but there are {k} folds. "
            f"Folds go from 0 to {k - 1}; -1 is in none."
        )
    return folds


def unify(left: Domain, right: Domain) -> Domain:
    """The domain of both: the columns and values of the left in order, then new values.

    Attributes and target must have the same names and kinds; other columns are those of the left.

    Examples
    --------
    >>> left = Domain([Variable("wind", "sym", ("weak",))])
    >>> right = Domain([Variable("wind", "sym", ("strong", "weak"))])
    >>> unify(left, right)["wind"].values
    ('weak', 'strong')
    """
    if left is right or left == right:
        return left
    mine, theirs = _learned_from(left), _learned_from(right)
    for name in [*mine, *theirs]:
        if name not in mine or name not in theirs:
            side = "left" if name in mine else "right"
            raise DomainError(
                f"Tallies of different columns cannot be added: {name!r} is only on the {side}. "
                f"Tally the same attributes and the same target on both sides."
            )
        if (mine[name].kind, mine[name].role) != (theirs[name].kind, theirs[name].role):
            raise DomainError(
                f"Column {name!r} is a {mine[name].kind} {mine[name].role} on the left and a "
                f"{theirs[name].kind} {theirs[name].role} on the right. Give both the same kind "
                f"and role."
            )
    return Domain(_joined(v, theirs.get(v.name)) for v in left)


def _learned_from(domain: Domain) -> dict[str, Variable]:
    return {v.name: v for v in domain if v.role in ("x", "target")}


def _joined(mine: Variable, theirs: Variable | None) -> Variable:
    new = () if theirs is None else tuple(v for v in theirs.values if v not in mine.codes)
    return replace(mine, values=mine.values + new) if new else mine


def places(old: Sequence[Hashable], new: Sequence[Hashable]) -> npt.NDArray[np.intp]:
    """Where each old name or value stands among the new ones.

    Examples
    --------
    >>> places(["b", "a"], ["a", "b", "c"])
    array([1, 0])
    """
    at = {value: place for place, value in enumerate(new)}
    return np.array([at[value] for value in old], np.intp)


def domain_state(domain: Domain) -> list[dict[str, Any]]:
    """The variables as JSON has them."""
    return [variable_parts(variable) for variable in domain]


def domain_from_state(state: object) -> Domain:
    """The domain that `domain_state` described.

    Examples
    --------
    >>> domain = Domain([Variable("wind", "sym", ("weak", "strong"))])
    >>> domain_from_state(domain_state(domain)) == domain
    True
    """
    variables = cast("list[dict[str, Any]]", state)
    return Domain(variable_of(each) for each in variables)
