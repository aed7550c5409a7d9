"""Binning: the histogram bins of columns, from a sample that no order of the rows can change."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.kernels import tree as kernel
from satsuma.kernels.threads import map_tiles
from satsuma.learners.tree.asked_columns import FAR, AskedColumns
from satsuma.numerics.arrays import Array, Floats, Hashes
from satsuma.tallies.by_class import numbers_of

#: Rows of which the edges of bins are made: those with the least hashes.
SAMPLE = 1 << 14

#: Turns the hash of a row into another, so that rows held out are not those of the sample.
_OTHER = np.uint64(0xA0761D6478BD642F)


def held_share(hashes: Hashes) -> Floats:
    """A number from 0 to 1 for each row, by which rows are held out: equal rows together."""
    with np.errstate(over="ignore"):
        other = (hashes ^ _OTHER) * _OTHER
    return (other >> np.uint64(11)).astype(np.float64) * 2.0**-53


@dataclass(frozen=True)
class Sample:
    """The rows with the least hashes, each once: the same whatever the order of all rows.

    Parameters
    ----------
    hashes
        In order.
    cells
        (rows, columns of numbers).
    target
        The target of each, where it is a number.
    """

    hashes: Hashes
    cells: Floats
    target: Floats

    @classmethod
    def of(cls, batch: Table, hashes: Hashes) -> "Sample":
        """The sample of the rows of a batch."""
        at = _least(hashes)
        columns = [batch.column(v.name)[at] for v in numbers_of(batch.domain)]
        cells = np.stack(columns, axis=1) if columns else np.zeros((len(at), 0))
        return cls(hashes[at], cells, np.asarray(target_numbers(batch)[at], np.float64))

    def asked(self, asked: AskedColumns | None) -> "Sample":
        """The same rows with the columns that nodes ask for."""
        return self if asked is None else replace(self, cells=asked.cells(self.cells))

    @property
    def distinct(self) -> float:
        """How many different rows there are; estimated where there are more than are kept.

        The least of so many random numbers are the nearer to 0, the more there are (Bar-Yossef et
        al. 2002): that is right to about 1 %.
        """
        if len(self.hashes) < SAMPLE:
            return len(self.hashes)
        return (SAMPLE - 1) * 2.0**64 / float(self.hashes[-1])

    @property
    def centre(self) -> float:
        """The middle of the target."""
        return float(np.median(self.target))

    def __add__(self, other: "Sample") -> "Sample":
        both = np.concatenate([self.hashes, other.hashes])
        at = _least(both)
        cells = np.concatenate([self.cells, other.cells])
        return Sample(both[at], cells[at], np.concatenate([self.target, other.target])[at])


def _least(hashes: Hashes) -> npt.NDArray[np.intp]:
    """Where the least hashes are, in order, one of each."""
    if len(hashes) > 4 * SAMPLE:  # most are out of the question
        few = np.flatnonzero(hashes < np.uint64(2**65 // len(hashes) * SAMPLE))
        found = few[np.unique(hashes[few], return_index=True)[1]]
        if len(found) >= SAMPLE:
            return found[:SAMPLE]
    return np.unique(hashes, return_index=True)[1][:SAMPLE]


def target_numbers(batch: Table) -> Floats:
    """The target where it is a number; zeros where it is a class."""
    target = batch.domain.target
    assert target is not None
    return batch.column(target.name) if target.kind == "num" else np.zeros(len(batch))


def bin_edges(column: Floats, bins: int) -> Floats:
    """The upper edges of bins that hold about as many values each; one for each value if few.

    Missing cells that go with the least or the greatest numbers have a bin of their own.

    Examples
    --------
    >>> bin_edges(np.array([3.0, 1.0, np.nan, 3.0]), 4).tolist()
    [1.0, 3.0]
    >>> bin_edges(np.arange(10.0), 3).tolist()
    [3.0, 6.0, 9.0]
    """
    known = np.sort(column[~np.isnan(column)] + 0.0)
    if not len(known):
        return np.zeros(1)
    distinct = known[np.append(known[1:] != known[:-1], True)]
    if len(distinct) <= bins:
        return distinct
    for far in (-FAR, FAR):
        if (known == far).any():
            return np.unique(np.append(bin_edges(known[known != far], bins - 1), far))
    last = -(-np.arange(1, bins + 1) * len(known) // bins) - 1
    return np.unique(known[last])


def value_counts(domain: Domain, sample: Sample) -> tuple[int, ...]:
    """How many values each attribute has: as a symbol; as a number, in the sample."""
    numbers = iter(sample.cells.T)
    return tuple(
        _distinct(next(numbers)) if v.kind == "num" else len(v.values) for v in domain.attributes
    )


def _distinct(column: Floats) -> int:
    known = np.sort(column[~np.isnan(column)])
    return int((known[1:] != known[:-1]).sum()) + min(len(known), 1)


@dataclass(frozen=True)
class Binning:
    """How the cells of each attribute become bins.

    Parameters
    ----------
    names
        The attributes.
    edges
        For numbers the upper edge of each bin, for symbols None.
    levels
        How many bins each has.
    """

    names: tuple[str, ...]
    edges: tuple[Floats | None, ...]
    levels: npt.NDArray[np.int32]

    @classmethod
    def of(cls, domain: Domain, sample: Sample, bins: int) -> "Binning":
        """The bins of the attributes of a domain."""
        count = sample.cells.shape[1]
        found = (
            map_tiles(lambda j, _: bin_edges(sample.cells[:, j], bins), count, 1) if count else []
        )
        cuts = iter(found)
        edges = [next(cuts) if v.kind == "num" else None for v in domain.attributes]
        counts = zip(domain.attributes, edges, strict=True)
        levels = [len(v.values) if edge is None else len(edge) for v, edge in counts]
        names = tuple(v.name for v in domain.attributes)
        return cls(names, tuple(edges), np.array(levels, np.int32))

    @property
    def width(self) -> int:
        """The most bins of a column, and one for the missing."""
        return int(self.levels.max(initial=0)) + 1

    def columns(self, batch: Table) -> Sequence[Array]:
        """The attributes of a batch."""
        return [batch.column(name) for name in self.names]

    def codes(self, batch: Table) -> tuple[Array, npt.NDArray[np.bool_]]:
        """The bins of all cells, and which bins hold more than their edge."""
        return kernel.code_rows(self.columns(batch), self.edges, self.levels, len(batch))[:2]
