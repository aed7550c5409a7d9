"""Planted outliers: rows of copies of tables, given other attributes."""

import numpy as np

from satsuma import Table


def planted(table, seed, share=0.01, how="ranges"):
    """A copy in which a share of the rows has other attributes, and which rows these are.

    Each cell is drawn by itself: with ``ranges``, a number evenly from the range of its column and
    a symbol evenly from the values that occur in it; with ``mixed``, from the cells of other rows,
    so that only the combination is unusual, if it is. A cell is missing as often as in its column.
    """
    rng = np.random.default_rng(seed)
    rows = rng.choice(len(table), max(1, round(share * len(table))), replace=False)
    columns = []
    for variable, column in zip(table.domain, table.columns, strict=True):
        known = column[~table.missing(variable.name)]
        made = column.copy()
        if variable.role == "x" and len(known):
            if how == "mixed":
                cells = rng.choice(known, len(rows))
            elif variable.kind == "num":
                cells = rng.uniform(known.min(), known.max(), len(rows))
            else:
                cells = rng.choice(np.unique(known), len(rows))
            missing = rng.random(len(rows)) < table.missing(variable.name).mean()
            made[rows] = np.where(missing, np.nan if variable.kind == "num" else -1, cells)
        columns.append(made)
    is_outlier = np.zeros(len(table), np.bool_)
    is_outlier[rows] = True
    return Table(table.domain, columns, name=table.name), is_outlier
