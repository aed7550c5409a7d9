"""DistinctRows: all rows that differ, and what each weighs, to compare all thresholds of."""

from dataclasses import dataclass

import numpy as np

from satsuma.data.table import Table
from satsuma.numerics.arrays import Floats, Hashes
from satsuma.numerics.sums import weighted_bincount


@dataclass(frozen=True)
class DistinctRows:
    """Rows that differ, in the order of their hashes, and what all rows like each weigh.

    It is a tally: that of two batches is the sum of theirs. It is as large as the rows that differ,
    so it is made where these are known to be few.

    Parameters
    ----------
    table
        One row of each sort.
    hashes
        Of these, in order.
    weights
        What the rows of each sort weigh together.

    Examples
    --------
    >>> table = Table.of([(1.0, "a"), (2.0, "b"), (1.0, "a")], ["n", "s"])
    >>> hashes = np.array([7, 3, 7], np.uint64)
    >>> found = DistinctRows.of(table, hashes, None)
    >>> found.table["n"].tolist(), found.weights.tolist()
    ([2.0, 1.0], [1.0, 2.0])
    """

    table: Table
    hashes: Hashes
    weights: Floats

    @classmethod
    def of(cls, table: Table, hashes: Hashes, weights: Floats | None) -> "DistinctRows":
        """The rows of a batch."""
        kept, first, at = np.unique(hashes, return_index=True, return_inverse=True)
        each = np.ones(len(hashes)) if weights is None else weights
        return cls(table[first], kept, weighted_bincount(at, each, len(kept)))

    def __add__(self, other: "DistinctRows") -> "DistinctRows":
        both = Table(
            self.table.domain,
            [
                np.concatenate([self.table.column(v.name), other.table.column(v.name)])
                for v in self.table.domain
            ],
            check=False,
        )
        return DistinctRows.of(
            both,
            np.concatenate([self.hashes, other.hashes]),
            np.concatenate([self.weights, other.weights]),
        )
