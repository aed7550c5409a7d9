"""Design: how rows become a matrix that models are fitted to, and bins that splits are made of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.kernels import tree as kernel
from satsuma.learners.model_tree.equation_terms import matrix_of, standardized, terms_of
from satsuma.learners.target_rows import rows_of
from satsuma.learners.tree.asked_columns import AskedColumns, asked_columns
from satsuma.learners.tree.binning import Binning, Sample
from satsuma.numerics.arrays import Array, Bools, Codes, Floats
from satsuma.prepare.encoding import Encoding
from satsuma.tallies.features import attributes_of

#: Values of a symbol that splits tell apart, at most; the rarest of more go together.
MOST_VALUES = 32

#: A value of a symbol, or all others, in fewer rows has no term of its own.
RARE = 5

#: The sum of squares that a value of a symbol must have at a node for a term, and that of a number
#: in squares of its span.
_LEAST_OF_VALUE, _LEAST_OF_NUMBER = 4.0, 1.5

#: Cells of a matrix that are looked at together, and kept from one round to the next (128 MB).
_KEPT = 1 << 24


class Target(NamedTuple):
    """What is fitted: a number about its mean, or the classes that weigh something.

    Parameters
    ----------
    centre, spread
        Of a number: its mean and its standard deviation.
    seen
        Of classes: their codes; None for a number.
    """

    centre: float
    spread: float
    seen: Any = None

    @property
    def width(self) -> int:
        """How many columns are fitted: one for a number or two classes, else one for each class."""
        return 1 if self.seen is None or len(self.seen) == 2 else len(self.seen)

    def columns(self, target: Array) -> Floats:
        """The columns that are fitted: (rows, width)."""
        if self.seen is None:
            return ((target - self.centre) / self.spread)[:, None]
        if len(self.seen) == 2:
            return (target == 1).astype(np.float64)[:, None]
        return (target[:, None] == np.arange(len(self.seen))).astype(np.float64)


class DesignRows(NamedTuple):
    """The rows of a batch that are learned from.

    Parameters
    ----------
    x
        A constant and the features: 0 where a cell is missing.
    absent
        Which features are missing; None if none is.
    y
        The columns that are fitted.
    target
        The numbers, or the places of the classes.
    weights
        Of the rows.
    codes
        The bin of each cell, by column.
    cells
        What the nodes of a tree ask for.
    mixed
        Which bins hold more than their edge.
    """

    x: Floats
    absent: Bools | None
    y: Floats
    target: Array
    weights: Floats
    codes: Sequence[Array]
    cells: Sequence[Array]
    mixed: Bools


@dataclass(frozen=True)
class Design:
    """The features of equations and the bins of splits.

    Parameters
    ----------
    domain
        The columns.
    target
        What is fitted.
    binning
        The bins of numbers.
    bins
        Of each symbol the bin of each value; of a number nothing.
    mean, scale
        Of all features, as in `Encoding`.
    used
        The places of the features that equations may have.
    informative
        The names of the columns whose missing cells tell something.
    """

    domain: Domain
    target: Target
    binning: Binning
    bins: tuple[Codes, ...]
    mean: Floats
    scale: Floats
    used: Array
    informative: tuple[str, ...] = ()
    _kept: dict[str, Any] = field(default_factory=dict[str, Any], repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_kept": {}}

    @property
    def asked(self) -> AskedColumns:
        """What the nodes of a tree can ask for."""
        return asked_columns(self.domain, self.informative)

    @property
    def levels(self) -> list[int]:
        """How many bins each column has, beside that of missing cells."""
        counts = zip(self.binning.levels.tolist(), self.bins, strict=True)
        return [int(bins.max()) + 1 if len(bins) else n for n, bins in counts]

    def least_squares(self, span: Floats) -> Floats:
        """The sum of squares about its mean that each used feature must have at a node.

        A value of a symbol must be there in some rows, and in some not. A number must not owe its
        spread to a single row, whose squares are about those of its span.

        Parameters
        ----------
        span
            The greatest of each feature at the node, less the least.
        """
        features = terms_of(self.domain, self.informative)
        one_hot = np.array([features[at][1] is not None for at in self.used.tolist()], np.bool_)
        return np.where(one_hot, _LEAST_OF_VALUE, _LEAST_OF_NUMBER * span**2)

    def blocks(self, batch: Table) -> Iterator[DesignRows]:
        """The rows with a target and a weight, some at a time; those of a small batch are kept."""
        step = max(1, _KEPT // (len(self.used) + len(self.domain)))
        if len(batch) > step:
            for at in range(0, len(batch), step):
                yield self._rows(batch[at : at + step])
            return
        kept = self._kept.get("rows")
        if kept is None or kept[0] is not batch:
            kept = batch, self._rows(batch)
            self._kept["rows"] = kept
        yield kept[1]

    def _rows(self, batch: Table) -> DesignRows:
        rows = rows_of(batch, self.target.seen)
        weights = np.ones(len(rows.batch)) if rows.weights is None else rows.weights
        cells = self.asked.columns(rows.batch)
        z = matrix_of(self.domain, rows.batch, self.used, self.informative)
        z = standardized(z, self.mean[self.used], self.scale[self.used])
        absent = np.isnan(z)
        z[absent] = 0.0
        x = np.hstack([np.ones((len(z), 1)), z])
        codes, mixed = self._codes(rows.batch)
        y = self.target.columns(rows.target)
        lost = absent if absent.any() else None
        return DesignRows(x, lost, y, rows.target, weights, codes, cells, mixed)

    def _codes(self, batch: Table) -> tuple[list[Array], Bools]:
        binning = self.binning
        _, mixed, across = kernel.code_rows(
            binning.columns(batch), binning.edges, binning.levels, len(batch), across=True
        )
        assert across is not None, "it was asked for"
        found = [
            np.append(bins, np.int32(level))[code] if len(bins) else code
            for bins, level, code in zip(self.bins, self.levels, across, strict=True)
        ]
        return found, mixed


def design_of(
    sample: Sample, encoding: Encoding, target: Target, weights: Sequence[Floats], bins: int
) -> Design:
    """The design that follows from a first look at the rows.

    Parameters
    ----------
    sample
        Rows whose numbers make the bins.
    encoding
        Means and standard deviations of the features.
    target
        What is fitted.
    weights
        Of each attribute, the weight of each value; then, of each column whose missing cells tell
        something, what the rows weigh where it is known and where it is missing.
    bins
        The most that a number is cut into.
    """
    domain = encoding.domain
    symbols = [variable.kind == "sym" for variable in attributes_of(domain)]
    of_values, of_missing = weights[: len(symbols)], weights[len(symbols) :]
    common = [
        *(
            _are_common(each) if symbol else [True]
            for each, symbol in zip(of_values, symbols, strict=True)
        ),
        *(_are_common(each)[:1] for each in of_missing),
    ]
    says = np.isfinite(encoding.scale) & np.fromiter(chain(*common), np.bool_)
    return Design(
        domain,
        target,
        Binning.of(domain, sample, bins),
        tuple(
            _bins(each) if symbol else np.zeros(0, np.int32)
            for each, symbol in zip(of_values, symbols, strict=True)
        ),
        encoding.mean,
        encoding.scale,
        np.flatnonzero(says),
        encoding.informative,
    )


def _are_common(weight: Floats) -> Bools:
    """Which values are there in enough rows, and are not there in enough, for a term."""
    return np.minimum(weight, weight.sum() - weight) >= RARE


def _bins(weight: Floats) -> Codes:
    """The bin of each value of a symbol: the most frequent have one each."""
    if len(weight) <= MOST_VALUES:
        return np.arange(len(weight), dtype=np.int32)
    found = np.full(len(weight), MOST_VALUES - 1, np.int32)
    kept = np.sort(np.argsort(-weight, kind="stable")[: MOST_VALUES - 1])
    found[kept] = np.arange(len(kept), dtype=np.int32)
    return found
