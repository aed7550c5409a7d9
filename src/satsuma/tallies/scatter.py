"""Scatter: how the numbers of each class vary together."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from satsuma.data.domain import Domain
from satsuma.kernels import merging, tally
from satsuma.kernels.merging import GroupScatter
from satsuma.tallies.by_class import Floats, near
from satsuma.tallies.grouping import classes_of, numbers_of
from satsuma.tallies.of_numbers import OfNumbers


class Scatter(OfNumbers):
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
    >>> from satsuma import Table
    >>> rows = [(1, 2, "a"), (3, 6, "a"), (None, 9, "a")]
    >>> scatter = Scatter.of(Table.of(rows, ["x", "y", "class"]))
    >>> scatter.mean.tolist(), scatter.cross.tolist()
    ([[2.0, 4.0]], [[[2.0, 4.0], [4.0, 8.0]]])
    >>> scatter.weight.tolist(), scatter.class_weight.tolist()
    ([2.0], [3.0])
    """

    arrays = GroupScatter
    _tallied = staticmethod(tally.scatter)
    _merged = staticmethod(merging.merge_scatter)

    def __init__(self, domain: Domain, held: Sequence[Floats]) -> None:
        super().__init__(domain, held)
        self.class_weight, self.weight, self.mean, self.rest, self.cross = self.held

    @classmethod
    def zero(cls, domain: Domain) -> Self:
        """The tally of no rows."""
        n, d = len(classes_of(domain)), len(numbers_of(domain))
        shapes = ((n,), (n,), (n, d), (n, d), (n, d, d))
        return cls(domain, GroupScatter(*map(np.zeros, shapes)))

    def agrees(self, other: Any, rel: float) -> bool:
        """Whether a tally of the same domain says the same.

        The numbers of a column, less a shift near their mean, are known to the last bit of the
        mean; so each has an error that is small beside ``spread + eps |mean|``, where the spread
        is the root of its mean square. Products of columns i and j, added up over n rows, differ
        by at most ``rel n (spread_i + eps |mean_i|) (spread_j + eps |mean_j|)``.
        """
        floats = np.finfo(float)
        spread = np.sqrt(np.diagonal(self.cross, axis1=1, axis2=2))
        # A mean may cancel to nearly nothing where the numbers do not.
        size = np.abs(self.mean) + spread
        rounding = floats.eps * np.abs(self.mean) * np.sqrt(self.weight)[:, None]
        # Numbers that are all subnormal have no digits to agree in.
        spread = spread + rounding + floats.tiny
        most = np.maximum(spread[:, :, None] * spread[:, None, :], np.abs(self.cross))
        return (
            near(self.class_weight, other.class_weight, rel)
            and near(self.weight, other.weight, rel)
            and near(self.mean, other.mean, rel, size)
            and near(self.cross, other.cross, rel, most)
        )
