"""TargetMoments: where a numeric target lies, and how far it spreads."""

from collections.abc import Mapping
from typing import Any, Self

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.tallies.base import Folds, State, Tally
from satsuma.tallies.moments import Moments
from satsuma.tallies.num import Num
from satsuma.tallies.unify import domain_from_state, domain_state, unify


class TargetMoments(Tally):
    """Weight, mean, spread, least and greatest of a target of numbers.

    Rows without a target are left out.

    Parameters
    ----------
    domain
        The columns of the rows that were tallied.
    moments
        The moments of the target.

    Examples
    --------
    >>> days = Table.of([("hot", 2), ("mild", 4), ("hot", None)], ["temp", "visitors"])
    >>> TargetMoments.of(days).num
    Num(n=2, mu=3, sd=1.41, lo=2, hi=4)
    """

    def __init__(self, domain: Domain, moments: Moments) -> None:
        self.domain, self.moments = domain, moments

    @property
    def num(self) -> Num:
        """The summary of the target."""
        return self.moments.num(self.moments.names[0])

    @classmethod
    def zero(cls, domain: Domain) -> Self:
        """The tally of no rows."""
        return cls(domain, Moments.zero(_alone(domain)))

    @classmethod
    def of(cls, batch: Table) -> Self:
        """The tally of a batch of rows."""
        return cls(batch.domain, Moments.of(_looked_at(batch)))

    @classmethod
    def by_fold(cls, batch: Table, folds: Folds, k: int) -> list[Self]:
        """The tallies of the rows of fold 0, 1, … k - 1, in one pass."""
        return [cls(batch.domain, each) for each in Moments.by_fold(_looked_at(batch), folds, k)]

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        return type(self)(unify(self.domain, other.domain), self.moments + other.moments)

    def state(self) -> State:
        """All there is to it, as arrays and what JSON can hold."""
        held = {f"moments/{name}": each for name, each in self.moments.state().items()}
        return {"domain": domain_state(self.domain), **held}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """The tally whose `state` that is."""
        held = {name.removeprefix("moments/"): each for name, each in state.items() if "/" in name}
        return cls(domain_from_state(state["domain"]), Moments.from_state(held))

    def close_to(self, other: Self, rel: float = 1e-9) -> bool:
        """Whether both say the same, but for rounding."""
        return type(other) is type(self) and self.moments.close_to(other.moments, rel)

    def __repr__(self) -> str:
        return f"TargetMoments({self.num!r})"


def _alone(domain: Domain) -> Domain:
    """The target as something to be learned from, and the weights."""
    assert domain.target is not None
    return Domain(v.with_role("x") if v.role == "target" else v for v in _parts(domain))


def _parts(domain: Domain) -> list[Any]:
    return [v for v in domain if v.role in ("target", "weight")]


def _looked_at(batch: Table) -> Table:
    columns = [batch.column(v.name) for v in _parts(batch.domain)]
    return Table(_alone(batch.domain), columns, check=False)
