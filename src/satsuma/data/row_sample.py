"""Row sample: some rows of a table, where all would take long."""

import numpy as np

from satsuma.data.table import Table

#: Rows that are inspected where all would take long; drawn, for rows often come in a rhythm.
INSPECTED = 20_000


def sample_rows(table: Table, most: int = INSPECTED) -> Table:
    """So many rows at most, drawn at random but the same each time, in their order."""
    if len(table) <= most:
        return table
    return table[np.sort(np.random.default_rng(0).choice(len(table), most, replace=False))]
