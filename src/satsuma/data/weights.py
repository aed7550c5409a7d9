"""Weights of rows: what they can be, and how a table gets some."""

from typing import Any

import numpy as np

from satsuma.data.domain import free_name
from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError
from satsuma.numerics.arrays import Floats

#: A row that weighs anything weighs as much as this, at least and at most: products of such
#: weights, and of their squares with numbers, stay within the range of floats.
LEAST, MOST = 1e-100, 1e100


def check_weights(weights: Floats, where: str) -> None:
    """Raise if a weight cannot be one, and say which.

    Parameters
    ----------
    weights
        One for each row.
    where
        Who says so: a column, or an argument.

    Examples
    --------
    >>> check_weights(np.array([1.0, -2.0]), "sample_weight")
    Traceback (most recent call last):
        ...
    satsuma.errors.DomainError: sample_weight says that row 1 weighs -2. A weight must be 0, which \
leaves the row out, or between 1e-100 and 1e+100; 2 counts the row twice.
    """
    right = (weights == 0) | ((weights >= LEAST) & (weights <= MOST))
    if not right.all():
        row = int(right.argmin())
        raise DomainError(
            f"{where} says that row {row} weighs {weights[row]:g}. A weight must be 0, which "
            f"leaves the row out, or between {LEAST:g} and {MOST:g}; 2 counts the row twice."
        )


def with_weights(table: Table, weights: Any) -> Table:
    """The same rows, weighed by a column that is there, or by a number for each.

    Parameters
    ----------
    table
        The rows.
    weights
        The name of a column, or a number for each row.

    Examples
    --------
    >>> days = Table.of([(30, "no"), (18, "yes")], ["heat", "play"])
    >>> with_weights(days, [1, 2])[1]
    Row(heat=18, play='yes', weight=2)
    >>> with_weights(days, "heat").weights
    array([30., 18.])
    """
    before = table.domain.weight
    named = weights if isinstance(weights, str) else None
    if before is not None and before.name != named:
        raise DomainError(
            f"Column {before.name!r} weighs the rows already. Leave weights= out, or give the "
            f"column another role: table.with_roles({{{before.name!r}: 'ignore'}})."
        )
    if named is not None:
        return table.with_roles({named: "weight"})
    name = free_name("weight", table.domain.names)
    return table.with_column(name, _numbers(weights, len(table))).with_roles({name: "weight"})


def _numbers(weights: Any, rows: int) -> Floats:
    try:
        made = np.asarray(weights, np.float64)
    except (TypeError, ValueError):
        made = np.zeros(())
    if made.shape != (rows,):
        told = f"{len(made)} numbers" if made.ndim == 1 else f"{weights!r:.60}"
        raise ParameterError(
            f"weights= must be the name of a column, or a number for each of the {rows} rows. "
            f"Got {told}."
        )
    check_weights(made, "weights=")
    return made


def relative_weights(weights: Floats) -> Floats:
    """Weights that are 1 on average where a row weighs anything, if some are no whole numbers.

    Whole numbers count rows, and stay. Fractions cannot: what they say is how much rows weigh
    beside each other. A row that weighs next to nothing beside the others is left out.

    Examples
    --------
    >>> relative_weights(np.array([0.0, 1.0, 3.0])).tolist()
    [0.0, 1.0, 3.0]
    >>> relative_weights(np.array([0.0, 0.25, 0.75])).tolist()
    [0.0, 0.5, 1.5]
    """
    some = weights > 0
    if not np.isfinite(weights).all() or (weights < 0).any() or not some.any():
        return weights  # to be refused, or nothing to compare
    if (weights == np.floor(weights)).all():
        return weights
    made: Floats = weights / weights.max()
    made *= float(some.sum()) / float(made.sum())
    made[made < LEAST] = 0.0
    whole: Floats = np.round(made)  # rounding must not make less than a row of one
    return np.where(np.abs(made - whole) <= 1e-12 * whole, whole, made)
