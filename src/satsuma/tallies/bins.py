"""Bins: histograms of the numbers of each class, on edges that are given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from satsuma.data.domain import Domain
from satsuma.data.fields import Field, FloatArray, Maybe
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import DomainError, NoSuchColumn, ReadError
from satsuma.kernels import tally
from satsuma.numerics.arrays import Array, frozen
from satsuma.tallies.base import Folds, places
from satsuma.tallies.by_class import (
    ByClass,
    Floats,
    classes_of,
    groups_of,
    near,
    numbers_of,
    weights_of,
)

Edges = Mapping[str, npt.ArrayLike]


class Bins(ByClass):
    """The weight of each class in each bin of the numeric attributes that have edges.

    `m` edges make `m + 1` bins, so that nothing falls outside; a number on an edge is in the bin
    above it. A missing number is in no bin. Only histograms on the same edges add up.

    Parameters
    ----------
    domain
        The columns that were tallied.
    edges
        Increasing numbers, by the name of the attribute.
    class_weight
        The weight of each class.
    counts
        For each attribute with edges, in the order of the domain, an array (bins, classes).

    Examples
    --------
    >>> from satsuma import Table
    >>> from satsuma.extend import Bins
    >>> days = Table.of([(30, "no"), (20, "yes"), (24, "yes"), (None, "no")], ["heat", "play"])
    >>> bins = Bins.on({"heat": [22, 28]}).of(days)
    >>> bins["heat"]
    array([[0., 1.],
           [0., 1.],
           [1., 0.]])
    """

    def __init__(
        self, domain: Domain, edges: Edges, class_weight: Floats, counts: Sequence[Floats]
    ) -> None:
        self.domain = domain
        self.edges = {name: frozen(each) for name, each in checked_edges(domain, edges).items()}
        self.class_weight = frozen(class_weight)
        self.counts = tuple(frozen(each) for each in counts)

    @classmethod
    def schema_in(cls, domain: Domain) -> Schema:
        """The weight of each class, and of each bin of each column in it."""
        parts: dict[str, Field] = {}
        for v in numbers_of(domain):
            counts = FloatArray(f"bins of {v.name}", "classes", low=0)
            parts[f"edges_{v.name}"] = Maybe(FloatArray(f"edges of {v.name}"), optional=True)
            parts[f"counts_{v.name}"] = Maybe(counts, optional=True)
        return Schema(class_weight=FloatArray("classes", low=0), **parts)

    @classmethod
    def check_links(cls, arrays: Mapping[str, Array]) -> None:
        """There is a bin more than edges."""
        for name, edges in arrays.items():
            if name.startswith("edges_"):
                counts = arrays.get(f"counts_{name.removeprefix('edges_')}")
                if counts is None or len(counts) != len(edges) + 1:
                    raise ReadError("Bins has other bins than its edges make")

    @classmethod
    def on(cls, edges: Edges) -> "BinsOn":
        """The kind of tally that counts on these edges; it has `zero`, `of` and `by_fold`."""
        return BinsOn(edges)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the attributes that have edges, in the order of `counts`."""
        return tuple(self.edges)

    def __getitem__(self, name: str) -> Floats:
        """The histogram of one attribute: an array (bins, classes)."""
        if name not in self.edges:
            raise NoSuchColumn(name, self.edges)
        return self.counts[self.names.index(name)]

    @classmethod
    def zero(cls, domain: Domain, edges: Edges | None = None) -> Self:
        """The tally of no rows."""
        n, edges = len(classes_of(domain)), checked_edges(domain, edges or {})
        return cls(domain, edges, np.zeros(n), [np.zeros((len(e) + 1, n)) for e in edges.values()])

    @classmethod
    def of(cls, batch: Table, edges: Edges | None = None) -> Self:
        """The tally of a batch of rows."""
        return cls._binned(batch, groups_of(batch), 1, edges or {})[0]

    @classmethod
    def split(cls, batch: Table, groups: Array, k: int) -> Sequence[Self]:
        """The tallies of `k` sets of rows, where groups are ``set * classes + class``."""
        return cls._binned(batch, groups, k, {})

    @classmethod
    def _binned(cls, batch: Table, groups: Array, k: int, edges: Edges) -> list[Self]:
        domain = batch.domain
        cut, n = checked_edges(domain, edges), len(classes_of(domain))
        columns = [batch.column(name) for name in cut]
        total, counts = tally.bins(columns, list(cut.values()), groups, k * n, weights_of(batch))
        rows = [slice(fold * n, fold * n + n) for fold in range(k)]
        return [cls(domain, cut, total[each], [one[each].T for one in counts]) for each in rows]

    def _spread(self, domain: Domain) -> Self:
        wide = type(self).zero(domain, self.edges)
        classes = places(self.classes, wide.classes)
        arrays = [each.copy() for each in (wide.class_weight, *wide.counts)]
        arrays[0][classes] = self.class_weight
        for name, each in zip(wide.edges, arrays[1:], strict=True):
            each[:, classes] = self[name]
        return type(self)(domain, wide.edges, arrays[0], arrays[1:])

    def _same_edges(self, other: Any) -> bool:
        return self.names == other.names and all(
            np.array_equal(a, b)
            for a, b in zip(self.edges.values(), other.edges.values(), strict=True)
        )

    def _plus(self, other: Any) -> Self:
        if not self._same_edges(other):
            raise DomainError("Histograms on different edges cannot be added: use the same.")
        counts = [a + b for a, b in zip(self.counts, other.counts, strict=True)]
        return type(self)(self.domain, self.edges, self.class_weight + other.class_weight, counts)

    def _arrays(self) -> dict[str, Array]:
        each = {f"counts_{name}": self[name] for name in self.names}
        cut = {f"edges_{name}": edges for name, edges in self.edges.items()}
        return {"class_weight": self.class_weight, **each, **cut}

    @classmethod
    def _made(cls, domain: Domain, arrays: Mapping[str, Array]) -> Self:
        names = [v.name for v in numbers_of(domain) if f"edges_{v.name}" in arrays]
        edges: dict[str, Any] = {name: arrays[f"edges_{name}"] for name in names}
        counts = [arrays[f"counts_{name}"] for name in names]
        return cls(domain, edges, arrays["class_weight"], counts)

    def agrees(self, other: Any, rel: float) -> bool:
        """Whether a tally of the same domain says the same."""
        return (
            self._same_edges(other)
            and near(self.class_weight, other.class_weight, rel)
            and all(near(a, b, rel) for a, b in zip(self.counts, other.counts, strict=True))
        )


@dataclass(frozen=True)
class BinsOn:
    """The tally `Bins` on certain edges.

    Examples
    --------
    >>> kind = BinsOn({"heat": [22, 28]})
    >>> days = Table.of([(30, "no"), (20, "yes")], ["heat", "play"])
    >>> (kind.of(days) + kind.zero(days.domain)).close_to(kind.of(days))
    True
    """

    edges: Edges

    def zero(self, domain: Domain) -> Bins:
        """The tally of no rows."""
        return Bins.zero(domain, self.edges)

    def of(self, batch: Table) -> Bins:
        """The tally of a batch of rows."""
        return Bins.of(batch, self.edges)

    def by_fold(self, batch: Table, folds: Folds, k: int) -> list[Bins]:
        """The tallies of the rows of fold 0, 1, … k - 1, in one pass."""
        groups = groups_of(batch, folds, k)
        return Bins._binned(batch, groups, k, self.edges)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]


def checked_edges(domain: Domain, edges: Edges) -> dict[str, Floats]:
    """The edges in the order of the domain, once it is sure that they can be used."""
    names = [v.name for v in numbers_of(domain)]
    for name in edges:
        if name not in names:
            raise NoSuchColumn(name, names)
    made = {name: np.array(edges[name], np.float64) for name in names if name in edges}
    for name, each in made.items():
        if each.ndim != 1 or np.isnan(each).any() or (np.diff(each) <= 0).any():
            raise DomainError(f"The edges of column {name!r} must be increasing numbers.")
    return made
