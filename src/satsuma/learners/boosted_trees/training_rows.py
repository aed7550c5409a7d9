"""Training rows: what is known of them at first, and all of them in codes."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.kernels.boost import Coded
from satsuma.learners.boosted_trees.code_layout import Layout, signs_of
from satsuma.learners.target_rows import Rows, rows_of
from satsuma.learners.tree.binning import Sample
from satsuma.numerics.arrays import Array, Codes, Floats, Hashes
from satsuma.numerics.sums import weighted_bincount

#: Bits of the largest weight, as a whole number.
_BITS = 20


@dataclass(frozen=True)
class FirstLook:
    """What is known of rows before the first tree.

    Parameters
    ----------
    domain
        The columns.
    sample
        Rows whose numbers make the codes: the same whatever the order of all rows.
    rows, weight
        How many there are, and what they weigh.
    heaviest, alike
        The largest weight, and whether all weights are 1.
    low, high
        The least and the greatest target, where it is a number.
    classes
        How much the rows of each class weigh.
    values
        Of each symbolic attribute, how much the rows with each value weigh.
    """

    domain: Domain
    sample: Sample
    rows: int
    weight: float
    heaviest: float
    alike: bool
    low: float
    high: float
    classes: Floats
    values: tuple[Floats, ...]

    def __add__(self, other: "FirstLook") -> "FirstLook":
        """What is known of the rows of both."""
        return FirstLook(
            self.domain,
            self.sample + other.sample,
            self.rows + other.rows,
            self.weight + other.weight,
            max(self.heaviest, other.heaviest),
            self.alike and other.alike,
            min(self.low, other.low),
            max(self.high, other.high),
            self.classes + other.classes,
            tuple(a + b for a, b in zip(self.values, other.values, strict=True)),
        )

    @classmethod
    def of(cls, batch: Table) -> "FirstLook":
        """What is known of the rows of a batch."""
        rows = rows_of(batch)
        domain, variable, weights = rows.batch.domain, rows.variable, rows.weights
        heavy = np.ones(len(rows.batch)) if weights is None else weights
        # Multiples of a small number, whose sums do not depend on their order.
        fine = np.rint(heavy * 2.0**_BITS)
        values = tuple(
            _by_value(rows.batch.column(v.name), fine, len(v.values))
            if v.kind == "sym"
            else np.zeros(0)
            for v in domain.attributes
        )
        number = variable.kind == "num"
        classes = np.zeros(0) if number else _by_value(rows.target, fine, len(variable.values))
        return cls(
            domain,
            Sample.of(rows.batch, rows.hashes()),
            len(rows.batch),
            float(fine.sum()) * 2.0**-_BITS,
            float(heavy.max(initial=0.0)),
            bool((heavy == 1).all()),
            float(rows.target.min(initial=np.inf)) if number else 0.0,
            float(rows.target.max(initial=-np.inf)) if number else 0.0,
            classes,
            values,
        )

    @property
    def seen(self) -> Array:
        """Classes that weigh something, in the order of the alphabet: not of who came first."""
        target = self.domain.target
        names = () if target is None else target.values
        there = np.flatnonzero(self.classes > 0).tolist()
        return np.array(sorted(there, key=names.__getitem__), np.int64)

    @property
    def weight_unit(self) -> float:
        """What weights are whole multiples of."""
        return 1.0 if self.alike else 2.0 ** (math.ceil(math.log2(self.heaviest)) - _BITS)


def _by_value(column: Array, weights: Floats, values: int) -> Floats:
    return weighted_bincount(column + 1, weights, values + 1)[1:]


@dataclass(frozen=True)
class CodedRows:
    """Rows in codes, with what they are to predict. Two of them add up to one.

    Parameters
    ----------
    records
        Rows by columns.
    target
        The number, or the place of the class among those that were seen.
    hashes
        Numbers that depend on what is in each row.
    weights
        As whole numbers; None where all are 1.
    """

    records: tuple[Array, ...]
    target: tuple[Floats, ...]
    hashes: tuple[Hashes, ...]
    weights: tuple[Codes, ...] | None

    def __add__(self, other: "CodedRows") -> "CodedRows":
        """The rows of both."""
        both = None
        if self.weights is not None and other.weights is not None:
            both = self.weights + other.weights
        return CodedRows(
            self.records + other.records,
            self.target + other.target,
            self.hashes + other.hashes,
            both,
        )

    @classmethod
    def of(cls, batch: Table, layout: Layout, seen: Array, unit: float | None) -> "CodedRows":
        """The rows of a batch."""
        rows = rows_of(batch)
        target = places(rows, seen)
        weights = None
        if unit is not None:
            heavy = np.ones(len(target)) if rows.weights is None else rows.weights
            weights = (np.rint(heavy / unit).astype(np.int32),)
        records = layout.codes(rows.batch)[0]
        return cls((records,), (target,), (rows.hashes(),), weights)


def places(rows: Rows, seen: Array) -> Floats:
    """The target as a number: itself, or the place of the class among those that were seen."""
    variable = rows.batch.domain.target
    assert variable is not None
    if variable.kind == "num":
        return np.ascontiguousarray(rows.target, np.float64)
    place = np.zeros(len(variable.values))
    place[seen] = np.arange(len(seen))
    return place[rows.target]


class Training(NamedTuple):
    """All rows, ready to grow trees from."""

    coded: Coded
    target: Floats
    hashes: Hashes
    weight_unit: float

    @property
    def rows(self) -> CodedRows:
        """The same rows in one batch."""
        weights = None if self.coded.weights is None else (self.coded.weights,)
        return CodedRows((self.coded.records,), (self.target,), (self.hashes,), weights)


def training_of(rows: CodedRows, layout: Layout, monotone: Any, unit: float) -> Training:
    """Rows in codes as the kernel takes them."""
    records = rows.records[0] if len(rows.records) == 1 else np.concatenate(rows.records)
    weights = None if rows.weights is None else np.concatenate(rows.weights)
    coded = Coded(
        records,
        np.ascontiguousarray(records.T),
        layout.levels,
        layout.offset,
        layout.symbols,
        signs_of(layout.names, monotone),
        weights,
    )
    return Training(coded, np.concatenate(rows.target), np.concatenate(rows.hashes), unit)
