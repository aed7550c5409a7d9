"""Equation terms: what equations can have slopes for, and the matrix that rows make of it."""

from typing import cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.learners.tree.asked_columns import asked_columns
from satsuma.numerics.arrays import Array, Floats
from satsuma.prepare.encoding import FAR
from satsuma.tallies.features import Feature, features_of


def terms_of(domain: Domain, informative: tuple[str, ...] = ()) -> tuple[Feature, ...]:
    """Numbers and values of symbols; at the end, that an informative column is missing.

    Examples
    --------
    >>> domain = Table.of([(1, "a", 0.5)], ["size", "sort", "aim"]).domain
    >>> terms_of(domain, ("size",))
    (('size', None), ('sort', 'a'), ('size', 'missing'))
    """
    asked = asked_columns(domain, informative).domain
    lost = ((name, ("missing", *asked[name].values)[-1]) for name in informative)
    return (*features_of(domain), *lost)


def standardized(cells: Floats, mean: Floats, scale: Floats) -> Floats:
    """Numbers in standard deviations from a mean; none is taken to be farther away than `FAR`."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.clip((cells - mean) / scale, -FAR, FAR)


def matrix_of(
    domain: Domain, batch: Table, terms: Array, informative: tuple[str, ...] = ()
) -> Floats:
    """Some terms of rows: numbers, and ones and zeros; NaN where a cell is missing.

    Examples
    --------
    >>> table = Table.of([(1, "a", 0), (None, "b", 1)], ["x", "s", "y"])
    >>> matrix_of(table.domain, table, np.array([0, 2, 3]), ("x",)).tolist()
    [[1.0, 0.0, 0.0], [nan, 1.0, 1.0]]
    """
    found = np.empty((len(batch), len(terms)))
    wanted, plain = terms_of(domain, informative), len(features_of(domain))
    for place, at in enumerate(cast("list[int]", terms.tolist())):
        name, value = wanted[at]
        column = batch.column(name)
        if at >= plain:  # a value that was not seen in learning is no missing one
            found[:, place] = np.isnan(column) if domain[name].kind == "num" else column == -1
        elif value is None:
            found[:, place] = column
        else:
            found[:, place] = column == domain[name].code(value)
            found[column < 0, place] = np.nan
    return found
