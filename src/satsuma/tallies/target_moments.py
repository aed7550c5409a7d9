"""TargetMoments: where a numeric target lies, and how far it spreads."""

from typing import Any, ClassVar

from satsuma.data.domain import Domain
from satsuma.tallies.moments import Moments
from satsuma.tallies.num import Num
from satsuma.tallies.recast import Recast


class TargetMoments(Recast[Moments]):
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
