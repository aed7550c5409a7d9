"""First look: what has to be known of the columns before effects can be fitted, as a tally."""

import math
from dataclasses import dataclass

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import DomainError
from satsuma.learners.additive.layout import Layout, layout_of
from satsuma.learners.additive.loss import Loss
from satsuma.learners.target_rows import rows_of
from satsuma.learners.tree.binning import Sample, bin_edges
from satsuma.numerics.arrays import Array, Floats

#: What constants are multiples of at first: sums of weights differ by less in any order.
_STEP = 2.0**-10


@dataclass(frozen=True)
class FirstLook:
    """What is known of the columns and the target.

    Parameters
    ----------
    domain
        The columns.
    sample
        Rows whose numbers make the bins: the same whatever the order of all rows.
    total
        The weight of all rows.
    classes
        The weight of each class; of a number, nothing.
    low, high, sum
        Of the target, where it is a number.
    values
        Of each attribute, the weight of each value.
    """

    domain: Domain
    sample: Sample
    total: float
    classes: Floats
    low: float
    high: float
    sum: float
    values: tuple[Floats, ...]

    def __add__(self, other: "FirstLook") -> "FirstLook":
        """What is known of the rows of both."""
        return FirstLook(
            self.domain,
            self.sample + other.sample,
            self.total + other.total,
            self.classes + other.classes,
            min(self.low, other.low),
            max(self.high, other.high),
            self.sum + other.sum,
            tuple(a + b for a, b in zip(self.values, other.values, strict=True)),
        )

    @classmethod
    def of(cls, batch: Table, *, counts: bool) -> "FirstLook":
        """What is known of the rows of a batch."""
        rows = rows_of(batch)
        domain, target = rows.batch.domain, rows.variable
        weights = np.ones(len(rows.batch)) if rows.weights is None else rows.weights
        values = tuple(
            _counts(rows.batch, v.name, len(v.values), weights) for v in domain.attributes
        )
        total = float(weights.sum())
        sample = Sample.of(rows.batch, rows.hashes())
        if target.kind == "sym":
            classes = _counts(rows.batch, target.name, len(target.values), weights)
            return cls(domain, sample, total, classes, 0.0, 0.0, 0.0, values)
        low, high = (float(f(rows.target, initial=0.0)) for f in (np.min, np.max))
        if counts and low < 0:
            raise DomainError(
                f"Additive is to predict counts, and {target.name!r} holds {low:g}. Leave out "
                f"counts=True."
            )
        none = np.zeros(0)
        return cls(domain, sample, total, none, low, high, float(weights @ rows.target), values)

    def start(self, seen: Array, *, counts: bool) -> Floats:
        """The constants to begin with: as if all rows were alike, but for rounding."""
        found = np.zeros(1)
        if len(self.classes):
            shares = np.log(self.classes[seen] / self.total)
            found = shares[1:] - shares[:1] if len(seen) == 2 else shares - shares.mean()
        elif counts:
            found = np.log(np.array([max(self.sum / self.total, 1e-9)]))
        return np.rint(found / _STEP) * _STEP


def _counts(batch: Table, name: str, values: int, weights: Floats) -> Floats:
    if batch.domain[name].kind != "sym":
        return np.zeros(0)
    found = np.bincount(batch.column(name) + 1, weights, values + 1)[1:]
    return found.astype(np.float64, copy=False)


def loss_of(look: FirstLook, *, counts: bool) -> tuple[Loss, Array]:
    """What scores are of, and the codes of the classes that weigh something."""
    # A sum of weights is rounded in one way or another, and so may be at a power of 2 or above it.
    room = 2.0 ** (math.ceil(math.log2(look.total) - 1e-9) - 51)
    if len(look.classes):
        target = look.domain.target
        assert target is not None, "the learner has checked that there is one"
        found: list[int] = np.flatnonzero(look.classes > 0).tolist()
        seen = np.array(sorted(found, key=target.values.__getitem__), np.intp)
        scores = 0 if len(seen) == 1 else 1 if len(seen) == 2 else len(seen)
        return Loss("classes", scores, most=2.0, quantum=2 * room), seen
    none = np.zeros(0, np.intp)
    if counts:
        most = 2.0 ** math.ceil(math.log2(4 * look.high + 1))
        return Loss("counts", 1, most=most, quantum=most * room), none
    centre = look.sample.centre if len(look.sample.target) else 0.0
    away = max(look.high - centre, centre - look.low)
    return Loss("numbers", 1, centre, away if away > 0 else 1.0, 1.0, room), none


def first_layout(look: FirstLook, bins: int) -> Layout:
    """The cells of the columns, before there are pairs."""
    numbers = iter(range(look.sample.cells.shape[1]))
    edges = [
        bin_edges(look.sample.cells[:, next(numbers)], bins) if v.kind == "num" else None
        for v in look.domain.attributes
    ]
    return layout_of(look.domain, edges, look.values)
