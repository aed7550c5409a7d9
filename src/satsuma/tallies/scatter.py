"""Scatter: how the numbers of each class vary together."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.kernels import merging, tally
from satsuma.kernels.merging import GroupScatter
from satsuma.tallies.base import Array
from satsuma.tallies.by_class import ByClass, Floats, frozen, near
from satsuma.tallies.grouping import classes_of, numbers_of, weights_of
from satsuma.tallies.unify import places


class Scatter(ByClass):
    """Means and cross-products of the numeric attributes in each class, for covariances.

    Only rows that are complete in the numeric attributes are used: a row with one missing number
    counts in `class_weight`, and nowhere else. `weight` is (classes,), `mean` (classes, columns)
    and `cross`, the cross-products about the mean, (classes, columns, columns).

    Parameters
    ----------
    domain
        The columns that were tallied.
    held
        The scatter, as the kernels give it.

    Examples
    --------
    >>> rows = [(1, 2, "a"), (3, 6, "a"), (None, 9, "a")]
    >>> scatter = Scatter.of(Table.of(rows, ["x", "y", "class"]))
    >>> scatter.mean.tolist(), scatter.cross.tolist()
    ([[2.0, 4.0]], [[[2.0, 4.0], [4.0, 8.0]]])
    >>> scatter.weight.tolist(), scatter.class_weight.tolist()
    ([2.0], [3.0])
    """

    def __init__(self, domain: Domain, held: GroupScatter) -> None:
        self.domain = domain
        self.held = GroupScatter(*map(frozen, held))
        self.class_weight, self.weight, self.mean, self.rest, self.cross = self.held

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the numeric attributes, in the order of the arrays' columns."""
        return tuple(v.name for v in numbers_of(self.domain))

    @classmethod
    def zero(cls, domain: Domain) -> Self:
        """The tally of no rows."""
        n, d = len(classes_of(domain)), len(numbers_of(domain))
        shapes = ((n,), (n,), (n, d), (n, d), (n, d, d))
        return cls(domain, GroupScatter(*map(np.zeros, shapes)))

    @classmethod
    def _split(cls, batch: Table, groups: Array, k: int) -> Sequence[Self]:
        domain = batch.domain
        n = len(classes_of(domain))
        columns = [batch.column(v.name) for v in numbers_of(domain)]
        made = tally.scatter(columns, groups, k * n, weights_of(batch))
        rows = [slice(fold * n, fold * n + n) for fold in range(k)]
        return [cls(domain, GroupScatter(*(part[each] for part in made))) for each in rows]

    def _spread(self, domain: Domain) -> Self:
        wide = type(self).zero(domain)
        classes, columns = places(self.classes, wide.classes), places(self.names, wide.names)
        arrays: list[Floats] = []
        for empty, mine in zip(wide.held, self.held, strict=True):
            each = empty.copy()
            each[np.ix_(classes, *[columns] * (each.ndim - 1))] = mine
            arrays.append(each)
        return type(self)(domain, GroupScatter(*arrays))

    def _plus(self, other: Any) -> Self:
        return type(self)(self.domain, merging.merge_scatter([self.held, other.held]))

    def _arrays(self) -> dict[str, Array]:
        return self.held._asdict()

    @classmethod
    def _made(cls, domain: Domain, arrays: Mapping[str, Array]) -> Self:
        return cls(domain, GroupScatter(*(arrays[name] for name in GroupScatter._fields)))

    def agrees(self, other: Any, rel: float) -> bool:
        """Whether a tally of the same domain says the same."""
        spread = np.sqrt(np.diagonal(self.cross, axis1=1, axis2=2))
        # A mean may cancel to nearly nothing where the numbers do not.
        size = np.abs(self.mean) + spread
        # Numbers that are all the same have no spread but what rounding makes of them; those
        # that are all subnormal have no digits to agree in.
        floats = np.finfo(float)
        rounding = floats.eps * np.abs(self.mean) * np.sqrt(self.weight / rel)[:, None]
        spread = spread + rounding + floats.tiny
        most = np.maximum(spread[:, :, None] * spread[:, None, :], np.abs(self.cross))
        return (
            near(self.class_weight, other.class_weight, rel)
            and near(self.weight, other.weight, rel)
            and near(self.mean, other.mean, rel, size)
            and near(self.cross, other.cross, rel, most)
        )
