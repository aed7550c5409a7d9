"""TargetScatter: how attributes vary together with a numeric target."""

from typing import Any, ClassVar

from satsuma.data.domain import Domain
from satsuma.tallies.recast import Recast
from satsuma.tallies.scatter import Scatter


class TargetScatter(Recast[Scatter]):
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
        return [v.name for role in roles for v in domain if v.role == role and v.kind != "text"]
