"""Quantiles: how the numbers of each class are distributed, in little room."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Self

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.fields import FloatArray, IntArray
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import NoSuchColumn, NoSuchValue, ReadError
from satsuma.kernels.threads import FEW_CELLS, map_tiles
from satsuma.numerics.arrays import Array, frozen
from satsuma.tallies.base import places
from satsuma.tallies.by_class import ByClass, Floats, classes_of, near, numbers_of, weights_of
from satsuma.tallies.quantile_sketch import QuantileSketch

PARTS = ("count", "lo", "hi")


class Quantiles(ByClass):
    """A sketch of each numeric attribute in each class, which gives quantiles and shares.

    Exact up to 1024 distinct numbers of a class. Missing numbers are left out.

    Parameters
    ----------
    domain
        The columns that were tallied.
    class_weight
        The weight of each class.
    sketches
        One for each class and numeric attribute, by class.

    Examples
    --------
    >>> from satsuma import Table
    >>> from satsuma.extend import Quantiles
    >>> days = Table.of([(30, "no"), (20, "yes"), (24, "yes"), (None, "no")], ["heat", "play"])
    >>> quantiles = Quantiles.of(days)
    >>> quantiles.quantile("heat", 0.5), quantiles.quantile("heat", 0.5, "no")
    (24.0, 30.0)
    >>> quantiles.cdf("heat", 20, "yes")
    0.5
    """

    def __init__(
        self, domain: Domain, class_weight: Floats, sketches: list[list[QuantileSketch]]
    ) -> None:
        self.domain = domain
        self.class_weight = frozen(class_weight)
        self.sketches = tuple(map(tuple, sketches))

    @classmethod
    def schema_in(cls, domain: Domain) -> Schema:
        """How many cells each sketch has, and what is in them."""
        sketches = len(classes_of(domain)) * len(numbers_of(domain))
        return Schema(
            class_weight=FloatArray("classes", low=0),
            dropped=IntArray(sketches, below=65, dtypes=(np.int64,)),
            sizes=IntArray(sketches, dtypes=(np.int64,)),
            count=FloatArray("cells", low=0),
            lo=FloatArray("cells"),
            hi=FloatArray("cells"),
        )

    @classmethod
    def check_links(cls, arrays: Mapping[str, Array]) -> None:
        """The sketches share out the cells."""
        if (arrays["sizes"] > len(arrays["count"])).any() or int(arrays["sizes"].sum()) != len(
            arrays["count"]
        ):
            raise ReadError("the sketches of Quantiles do not share out their cells")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the numeric attributes, in the order of the sketches of a class."""
        return tuple(v.name for v in numbers_of(self.domain))

    def sketch(self, name: str, value: str | None = None) -> QuantileSketch:
        """The sketch of an attribute, in one class or in all of them together."""
        if name not in self.names:
            raise NoSuchColumn(name, self.names)
        if value is not None and value not in self.classes:
            target = self.domain.target
            raise NoSuchValue(value, target.name if target else "", self.classes)
        made = QuantileSketch.zero()
        for each, row in zip(self.classes, self.sketches, strict=True):
            if value is None or value == each:
                made = made + row[self.names.index(name)]
        return made

    def quantile(self, name: str, q: Any, value: str | None = None) -> Any:
        """The number that a share `q` of an attribute's weight does not exceed."""
        return self.sketch(name, value).quantile(q)

    def cdf(self, name: str, x: Any, value: str | None = None) -> Any:
        """The share of an attribute's weight that lies at or below `x`."""
        return self.sketch(name, value).cdf(x)

    @classmethod
    def zero(cls, domain: Domain) -> Self:
        """The tally of no rows."""
        n, d = len(classes_of(domain)), len(numbers_of(domain))
        return cls(domain, np.zeros(n), [[QuantileSketch.zero()] * d for _ in range(n)])

    @classmethod
    def split(cls, batch: Table, groups: Array, k: int) -> Sequence[Self]:
        """The tallies of `k` sets of rows, where groups are ``set * classes + class``."""
        domain, weights = batch.domain, weights_of(batch)
        n = len(classes_of(domain))
        columns = [batch.column(v.name) for v in numbers_of(domain)]
        order = np.argsort(groups, kind="stable")
        edges = np.searchsorted(groups[order], np.arange(k * n + 1))
        rows = [order[a:b] for a, b in pairwise(edges)]
        weight = np.array([len(r) if weights is None else weights[r].sum() for r in rows], float)

        def of_column(at: int, _: int) -> list[QuantileSketch]:
            x = columns[at]
            return [QuantileSketch.of(x[r], None if weights is None else weights[r]) for r in rows]

        threads = 1 if len(columns) * len(batch) < FEW_CELLS else None
        each = map_tiles(of_column, len(columns), 1, threads) if columns else []
        by_group = [[column[g] for column in each] for g in range(k * n)]
        cuts = [slice(fold * n, fold * n + n) for fold in range(k)]
        return [cls(domain, weight[cut], by_group[cut]) for cut in cuts]

    def _spread(self, domain: Domain) -> Self:
        wide = type(self).zero(domain)
        classes, columns = places(self.classes, wide.classes), places(self.names, wide.names)
        class_weight, sketches = wide.class_weight.copy(), [list(row) for row in wide.sketches]
        class_weight[classes] = self.class_weight
        for c, row in zip(classes, self.sketches, strict=True):
            for j, each in zip(columns, row, strict=True):
                sketches[c][j] = each
        return type(self)(domain, class_weight, sketches)

    def _plus(self, other: Any) -> Self:
        sketches = [
            [a + b for a, b in zip(mine, theirs, strict=True)]
            for mine, theirs in zip(self.sketches, other.sketches, strict=True)
        ]
        return type(self)(self.domain, self.class_weight + other.class_weight, sketches)

    def flat(self) -> list[QuantileSketch]:
        """All sketches, by class."""
        return [each for row in self.sketches for each in row]

    def _arrays(self) -> dict[str, Array]:
        flat = [QuantileSketch.zero(), *self.flat()]
        return {
            "class_weight": self.class_weight,
            "dropped": np.array([each.dropped for each in flat[1:]], np.int64),
            "sizes": np.array([len(each.count) for each in flat[1:]], np.int64),
            **{name: np.concatenate([getattr(each, name) for each in flat]) for name in PARTS},
        }

    @classmethod
    def _made(cls, domain: Domain, arrays: Mapping[str, Array]) -> Self:
        ends = np.cumsum(arrays["sizes"])
        flat = [
            QuantileSketch(int(dropped), *(arrays[each][end - size : end] for each in PARTS))
            for dropped, size, end in zip(arrays["dropped"], arrays["sizes"], ends, strict=True)
        ]
        n, d = len(classes_of(domain)), len(numbers_of(domain))
        sketches = [flat[c * d : c * d + d] for c in range(n)]
        return cls(domain, arrays["class_weight"], sketches)

    def agrees(self, other: Any, rel: float) -> bool:
        """Whether a tally of the same domain says the same."""
        return near(self.class_weight, other.class_weight, rel) and all(
            a.dropped == b.dropped
            and np.array_equal(a.lo, b.lo)
            and np.array_equal(a.hi, b.hi)
            and near(a.count, b.count, rel)
            for a, b in zip(self.flat(), other.flat(), strict=True)
        )
