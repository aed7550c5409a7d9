"""Row sample: some rows of a table, where all would take long."""

import numpy as np

from satsuma.data.table import Table
from satsuma.numerics.arrays import Indices

#: Rows that are inspected where all would take long; drawn, for rows often come in a rhythm.
INSPECTED = 20_000


def sample_rows(table: Table, most: int = INSPECTED) -> Table:
    """So many rows at most, drawn at random but the same each time, in their order."""
    return table if len(table) <= most else table[sampled_rows(len(table), most)]


def sampled_rows(rows: int, most: int) -> Indices:
    """The numbers of such rows.

    Examples
    --------
    >>> sampled_rows(3, 5).tolist(), len(sampled_rows(100, 5))
    ([0, 1, 2], 5)
    """
    if rows <= most:
        return np.arange(rows)
    return np.sort(np.random.default_rng(0).choice(rows, most, replace=False))
