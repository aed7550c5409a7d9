"""Weights of rows: what they can be."""

import numpy as np

from satsuma.errors import DomainError
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
