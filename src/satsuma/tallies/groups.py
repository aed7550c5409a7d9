"""Rows by class and fold: what the kernels call groups."""

import numpy as np

from satsuma.data.table import Table
from satsuma.data.weights import MOST, check_weights
from satsuma.errors import DomainError
from satsuma.kernels import tally
from satsuma.numerics.arrays import Array, Floats
from satsuma.tallies.features import classes_of


def columns_of(batch: Table, kind: str) -> list[Array]:
    """The columns of the attributes of a kind, in order."""
    pairs = zip(batch.domain, batch.columns, strict=True)
    return [column for v, column in pairs if v.role == "x" and v.kind == kind]


def groups_of(batch: Table, folds: Array | None = None, k: int = 1) -> Array:
    """The group of each row: its class, or ``fold * classes + class``; -1 for no class or fold.

    Examples
    --------
    >>> table = Table.of([(1, "a"), (2, None), (3, "b")], ["x", "y"])
    >>> groups_of(table), groups_of(table, np.array([1, 0, -1]), 2)
    (array([ 0, -1,  1], dtype=int32), array([ 2, -1, -1], dtype=int32))
    """
    target = batch.domain.target
    if target is not None and target.kind == "sym":
        codes = batch.column(target.name)
    else:
        codes = np.zeros(len(batch), np.int32)
    if folds is None:
        return codes
    folds = checked_folds(folds, len(batch), k)
    return tally.fold_groups(codes, folds, len(classes_of(batch.domain)), k)


def checked_folds(folds: Array, rows: int, k: int) -> Array:
    """The folds, once it is sure that each row has one, from -1 to below `k`."""
    folds = np.asarray(folds)
    if folds.shape != (rows,) or folds.dtype.kind not in "iu":
        raise DomainError(
            f"Folds must be whole numbers, one for each of the {rows} rows. "
            f"Got an array of shape {folds.shape} and type {folds.dtype}."
        )
    if rows and (int(folds.min()) < -1 or int(folds.max()) >= k):
        row = int(((folds < -1) | (folds >= k)).argmax())
        raise DomainError(
            f"Row {row} is in fold {folds[row]}, but there are {k} folds. "
            f"Folds go from 0 to {k - 1}; -1 is in none."
        )
    return folds


def weights_of(batch: Table) -> Floats | None:
    """What each row weighs, once it is sure that all weights are finite and not negative.

    Examples
    --------
    >>> rows = [("a", 1), ("b", -2)]
    >>> weights_of(Table.of(rows, ["y", "w"], target="y", roles={"w": "weight"}))
    Traceback (most recent call last):
    ...
    satsuma.errors.DomainError: Column 'w' says that row 1 weighs -2. A weight must be 0, which
    leaves the row out, or between 1e-100 and 1e+100; 2 counts the row twice.
    """
    weights = batch.weights
    if weights is None or not len(weights) or (weights.min() >= 0 and weights.max() <= MOST):
        return weights  # the least of those above 0 costs more to find: learners look at it
    name = batch.domain.weight.name if batch.domain.weight else ""
    check_weights(weights, f"Column {name!r}")
    return weights
