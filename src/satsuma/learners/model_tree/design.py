"""Design: how rows become a matrix that models are fitted to, and bins that splits are made of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.kernels import tree as kernel
from satsuma.learners.target_rows import rows_of
from satsuma.learners.tree.binning import Binning, Sample
from satsuma.numerics.arrays import Array, Bools, Codes, Floats
from satsuma.prepare.encoding import FAR, Encoding
from satsuma.tallies.features import attributes_of, features_of

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
        The attributes as they are.
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
    """

    domain: Domain
    target: Target
    binning: Binning
    bins: tuple[Codes, ...]
    mean: Floats
    scale: Floats
    used: Array
    _kept: dict[str, Any] = field(default_factory=dict[str, Any], repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_kept": {}}

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
        features = features_of(self.domain)
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
        cells = [rows.batch.column(v.name) for v in self.domain.attributes]
        z = matrix_of(self.domain, rows.batch, self.used)
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


def standardized(cells: Floats, mean: Floats, scale: Floats) -> Floats:
    """Numbers in standard deviations from a mean; none is taken to be farther away than `FAR`."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.clip((cells - mean) / scale, -FAR, FAR)


def matrix_of(domain: Domain, batch: Table, features: Array) -> Floats:
    """Some features of rows: numbers, and ones and zeros; NaN where a cell is missing.

    Examples
    --------
    >>> table = Table.of([(1, "a", 0), (None, "b", 1)], ["x", "s", "y"])
    >>> matrix_of(table.domain, table, np.array([0, 2])).tolist()
    [[1.0, 0.0], [nan, 1.0]]
    """
    found = np.empty((len(batch), len(features)))
    wanted = features_of(domain)
    for place, at in enumerate(cast("list[int]", features.tolist())):
        name, value = wanted[at]
        column = batch.column(name)
        if value is None:
            found[:, place] = column
            continue
        found[:, place] = column == domain[name].code(value)
        found[column < 0, place] = np.nan
    return found


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
        Of each attribute, the weight of each value.
    bins
        The most that a number is cut into.
    """
    domain = encoding.domain
    binning = Binning.of(domain, sample, bins)
    says = np.isfinite(encoding.scale)
    at = 0
    for variable, each in zip(attributes_of(domain), weights, strict=True):
        width = 1 if variable.kind == "num" else len(each)
        if variable.kind == "sym":
            says[at : at + width] &= np.minimum(each, each.sum() - each) >= RARE
        at += width
    return Design(
        domain,
        target,
        binning,
        tuple(
            _bins(each) if variable.kind == "sym" else np.zeros(0, np.int32)
            for variable, each in zip(attributes_of(domain), weights, strict=True)
        ),
        encoding.mean,
        encoding.scale,
        np.flatnonzero(says),
    )


def _bins(weight: Floats) -> Codes:
    """The bin of each value of a symbol: the most frequent have one each."""
    if len(weight) <= MOST_VALUES:
        return np.arange(len(weight), dtype=np.int32)
    found = np.full(len(weight), MOST_VALUES - 1, np.int32)
    kept = np.sort(np.argsort(-weight, kind="stable")[: MOST_VALUES - 1])
    found[kept] = np.arange(len(kept), dtype=np.int32)
    return found
