"""What the tests of linear models share: tables as matrices, written by hand."""

import numpy as np


def one_hot(table, plain=False, weights=None, indicators=False):
    """The attributes of a table as columns: centred, scaled and with means for holes, or plain.

    With indicators, there is one more for each attribute that has holes, of ones where they are.
    """
    target = table.domain.target.name
    used = ~table.missing(target)
    parts = []
    for variable in table.domain.attributes:
        column = table.column(variable.name)
        if variable.kind == "num":
            parts.append(_scaled(column[:, None].astype(float), used, weights, plain))
            continue
        for code in range(len(variable.values)):
            ones = np.where(column < 0, np.nan, (column == code).astype(float))
            parts.append(_scaled(ones[:, None], used, weights, plain, spread=False))
    for variable in table.domain.attributes if indicators else ():
        missing = table.missing(variable.name).astype(float)
        if missing[used].any():
            parts.append(_scaled(missing[:, None], used, weights, plain, spread=False))
    return np.hstack(parts)


def _scaled(column, used, weights, plain, spread=True):
    if plain:
        return column
    weights = np.ones(len(column)) if weights is None else weights
    known = used & ~np.isnan(column[:, 0])
    mean = np.average(column[known, 0], weights=weights[known])
    sd = np.sqrt(np.average((column[known, 0] - mean) ** 2, weights=weights[known]))
    made = (column - mean) / (sd if spread else 1.0)
    return np.where(np.isnan(made), 0.0, made)


def drawn(seed, n=120, classes=3):
    """Numbers and classes that overlap."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    return rng.normal(size=(n, 4)) * [1, 5, 0.1, 2] + y[:, None] * [0.8, 1, 0, -1] + 3, y
