"""Target tallies: those in which the target is one of the columns that are tallied."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.tallies.base import (
    Folds,
    State,
    Tally,
    checked_folds,
    domain_from_state,
    domain_state,
    unify,
)
from satsuma.tallies.moments import Moments
from satsuma.tallies.num import Num
from satsuma.tallies.scatter import Scatter

T = TypeVar("T", bound=Tally)


class TargetTally(Tally, Generic[T]):
    """What another kind of tally says of rows whose target is an attribute among others.

    Rows without a target are left out.

    Parameters
    ----------
    domain
        The columns of the rows that were tallied.
    held
        The tally, in which no column is a target.
    """

    #: What the tally inside is.
    kind: ClassVar[Any]

    @classmethod
    def schema_in(cls, domain: Domain) -> Schema:
        """That of the tally inside."""
        return cls.kind.schema_in(cls._recast(domain))

    def __init__(self, domain: Domain, held: T) -> None:
        self.domain, self.held = domain, held

    @classmethod
    @abstractmethod
    def kept(cls, domain: Domain) -> list[str]:
        """The names of the columns that are looked at; the target is one of them."""

    @classmethod
    def zero(cls, domain: Domain) -> Self:
        """The tally of no rows."""
        return cls(domain, cls.kind.zero(cls._recast(domain)))

    @classmethod
    def of(cls, batch: Table) -> Self:
        """The tally of a batch of rows."""
        known = cls._known(batch)
        rows = batch if known.all() else batch[np.flatnonzero(known)]
        return cls(batch.domain, cls.kind.of(cls._looked_at(rows)))

    @classmethod
    def by_fold(cls, batch: Table, folds: Folds, k: int) -> list[Self]:
        """The tallies of the rows of fold 0, 1, … k - 1, in one pass."""
        folds = np.where(cls._known(batch), checked_folds(folds, len(batch), k), -1)
        return [
            cls(batch.domain, held) for held in cls.kind.by_fold(cls._looked_at(batch), folds, k)
        ]

    @classmethod
    def _recast(cls, domain: Domain) -> Domain:
        each = (domain[name] for name in cls.kept(domain))
        return Domain(v.with_role("x") if v.role == "target" else v for v in each)

    @classmethod
    def _looked_at(cls, batch: Table) -> Table:
        columns = [batch.column(name) for name in cls.kept(batch.domain)]
        return Table(cls._recast(batch.domain), columns, check=False)

    @staticmethod
    def _known(batch: Table) -> Any:
        assert batch.domain.target is not None, "only asked for where there is a target"
        return ~batch.missing(batch.domain.target.name)

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        held: Any = self.held
        return type(self)(unify(self.domain, other.domain), held + other.held)

    def scaled(self, factor: float) -> Self:
        """The tally of the same rows, each of which weighs so many times as much."""
        return type(self)(self.domain, self.held.scaled(factor))

    def state(self) -> State:
        """All there is to it, as arrays and what JSON can hold."""
        held = {f"held/{name}": each for name, each in self.held.state().items()}
        return {"domain": domain_state(self.domain), **held}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """The tally whose `state` that is."""
        held = {name.removeprefix("held/"): each for name, each in state.items() if "/" in name}
        return cls(domain_from_state(state["domain"]), cls.kind.from_state(held))

    def close_to(self, other: Self, rel: float = 1e-9) -> bool:
        """Whether both say the same, but for rounding."""
        return type(other) is type(self) and self.held.close_to(other.held, rel)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.held!r})"


class TargetMoments(TargetTally[Moments]):
    """Weight, mean, spread, least and greatest of a target of numbers.

    Examples
    --------
    >>> from satsuma import Table
    >>> days = Table.of([("hot", 2), ("mild", 4), ("hot", None)], ["temp", "visitors"])
    >>> TargetMoments.of(days).num
    Num(n=2, mu=3, sd=1.41, lo=2, hi=4)
    """

    kind: ClassVar[Any] = Moments

    @classmethod
    def kept(cls, domain: Domain) -> list[str]:
        """The target and the weights."""
        return [v.name for v in domain if v.role in ("target", "weight")]

    @property
    def num(self) -> Num:
        """The summary of the target."""
        return self.held.num(self.held.names[0])

    def __repr__(self) -> str:
        return f"TargetMoments({self.num!r})"


class TargetScatter(TargetTally[Scatter]):
    """Means and cross-products of the attributes and a target of numbers, as `Scatter` has them.

    The target is the last column.

    Examples
    --------
    >>> from satsuma import Table
    >>> days = Table.of([("hot", 2), ("mild", 4), ("hot", None)], ["temp", "visitors"])
    >>> scatter = TargetScatter.of(days).held
    >>> scatter.features
    (('temp', 'hot'), ('temp', 'mild'), ('visitors', None))
    >>> scatter.cross[0, -1].tolist()
    [-1.0, 1.0, 2.0]
    """

    kind: ClassVar[Any] = Scatter

    @classmethod
    def kept(cls, domain: Domain) -> list[str]:
        """The attributes, the weights and, at the end, the target."""
        roles = ("x", "weight", "target")
        return [
            v.name for role in roles for v in domain if v.role == role and v.kind in ("num", "sym")
        ]
