"""ClassCounts: how often each value of each symbolic attribute comes with each class."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.fields import FloatArray
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.kernels import tally
from satsuma.numerics.arrays import Array, frozen
from satsuma.tallies.base import places
from satsuma.tallies.by_class import (
    ByClass,
    Floats,
    classes_of,
    columns_of,
    left_over,
    near,
    symbols_of,
    weights_of,
)


class ClassCounts(ByClass):
    """The weight of each class, and of each value of each symbolic attribute in it.

    A missing value is counted nowhere but in the weight of its row's class.

    Parameters
    ----------
    domain
        The columns that were counted.
    class_weight
        The weight of each class.
    counts
        For each symbolic attribute, in order, an array (values, classes).

    Examples
    --------
    >>> from satsuma import Table
    >>> from satsuma.extend import ClassCounts
    >>> days = Table.of([("hot", "no"), ("mild", "yes"), ("hot", "yes")], ["temp", "play"])
    >>> counts = ClassCounts.of(days)
    >>> counts.class_weight
    array([1., 2.])
    >>> counts["temp"]
    array([[1., 1.],
           [0., 1.]])
    """

    unscaled: ClassVar[tuple[str, ...] | None] = ()

    def __init__(self, domain: Domain, class_weight: Floats, counts: Sequence[Floats]) -> None:
        self.domain = domain
        self.class_weight = frozen(class_weight)
        self.counts = tuple(frozen(each) for each in counts)

    @classmethod
    def schema_in(cls, domain: Domain) -> Schema:
        """The weight of each class, and of each value of each column in it."""
        counts = {
            f"counts_{at}": FloatArray(len(v.values), "classes", low=0)
            for at, v in enumerate(symbols_of(domain))
        }
        return Schema(class_weight=FloatArray("classes", low=0), **counts)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the symbolic attributes, in the order of `counts`."""
        return tuple(v.name for v in symbols_of(self.domain))

    def __getitem__(self, name: str) -> Floats:
        """The counts of one attribute: an array (values, classes)."""
        return self.counts[self.names.index(self.domain[name].name)]

    @classmethod
    def zero(cls, domain: Domain) -> Self:
        """The tally of no rows."""
        n = len(classes_of(domain))
        return cls(domain, np.zeros(n), [np.zeros((len(v.values), n)) for v in symbols_of(domain)])

    @classmethod
    def split(cls, batch: Table, groups: Array, k: int) -> Sequence[Self]:
        """The tallies of `k` sets of rows, where groups are ``set * classes + class``."""
        domain = batch.domain
        symbols, n = symbols_of(domain), len(classes_of(domain))
        total, counts = tally.counts(
            columns_of(batch, "sym"),
            [len(v.values) for v in symbols],
            groups,
            k * n,
            weights_of(batch),
        )
        rows = [slice(fold * n, fold * n + n) for fold in range(k)]
        return [cls(domain, total[each], [one[each].T for one in counts]) for each in rows]

    def _spread(self, domain: Domain) -> Self:
        wide = type(self).zero(domain)
        classes = places(self.classes, wide.classes)
        class_weight = wide.class_weight.copy()
        class_weight[classes] = self.class_weight
        counts: list[Floats] = []
        for variable, empty in zip(symbols_of(domain), wide.counts, strict=True):
            each = empty.copy()
            values = places(self.domain[variable.name].values, variable.values)
            each[np.ix_(values, classes)] = self[variable.name]
            counts.append(each)
        return type(self)(domain, class_weight, counts)

    def _plus(self, other: Any) -> Self:
        counts = [a + b for a, b in zip(self.counts, other.counts, strict=True)]
        return type(self)(self.domain, self.class_weight + other.class_weight, counts)

    def _minus(self, other: Any) -> Self:
        counts = [left_over(a, b) for a, b in zip(self.counts, other.counts, strict=True)]
        return type(self)(self.domain, left_over(self.class_weight, other.class_weight), counts)

    def _arrays(self) -> dict[str, Array]:
        each = {f"counts_{at}": counts for at, counts in enumerate(self.counts)}
        return {"class_weight": self.class_weight, **each}

    @classmethod
    def _made(cls, domain: Domain, arrays: Mapping[str, Array]) -> Self:
        counts = [arrays[f"counts_{at}"] for at in range(len(symbols_of(domain)))]
        return cls(domain, arrays["class_weight"], counts)

    def agrees(self, other: Any, rel: float) -> bool:
        """Whether a tally of the same domain says the same."""
        pairs = zip(self.counts, other.counts, strict=True)
        return near(self.class_weight, other.class_weight, rel) and all(
            near(a, b, rel) for a, b in pairs
        )
