"""Predictions for laws: what a model predicts for rows, to be compared with what another does."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from satsuma.checks.law_broken import LawBroken
from satsuma.checks.law_tables import attributes_of, with_column
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.learners.model import Classifier, Model, Regressor
from satsuma.learners.predictions import GetProbabilities
from satsuma.learners.takes import Takes
from satsuma.numerics.arrays import MISSING, Array, Floats

#: How far two predictions may be apart that should be equal but for rounding.
TOLERANCE = 1e-9


def queries(table: Table, takes: Takes) -> Table:
    """The rows of a table without their target, then rows with holes and with unseen symbols."""
    asked = attributes_of(table)
    extra = asked[[0, 1, 2]] if takes.missing else asked[:0]
    for at, variable in enumerate(extra.domain if takes.missing else ()):
        column = extra.column(variable.name).copy()
        column[[0, 1 + at % 2]] = MISSING[variable.kind]
        extra = with_column(extra, variable, column)
    return stack_tables(asked, extra, with_unseen(asked[:2]) if takes.missing else asked[:0])


def with_unseen(table: Table) -> Table:
    """Rows that hold a symbol which no column knows."""
    for variable in table.domain.attributes:
        if variable.kind == "sym":
            values = (*variable.values, "unheard of")
            wider = Variable(variable.name, "sym", values, variable.role)
            table = with_column(table, wider, len(values) - 1)
    return table


def stack_tables(first: Table, *more: Table) -> Table:
    """Tables on top of each other; the one with most values says what these are."""
    domain = max((first, *more), key=lambda t: sum(len(v.values) for v in t.domain)).domain
    parts = (first, *more)
    columns = [np.concatenate([part.column(v.name) for part in parts]) for v in domain]
    return Table(domain, columns, name=first.name)


def predictions(model: Model, asked: Table, classes: Sequence[str] | None = None) -> Floats:
    """Probabilities by row and class, in the order of `classes` if given; or numbers."""
    if isinstance(model, Classifier):
        found = model(asked, GetProbabilities)
        if classes is not None:
            found = found[:, [model.classes.index(name) for name in classes]]
        return cast("Floats", found)
    if isinstance(model, Regressor):
        return cast("Floats", model(asked))
    return cast("Floats", np.asarray(model(asked)))


def check_same(first: Array, second: Array, doing: str) -> None:
    """Make sure that two predictions are the same to the last bit."""
    if first.dtype.kind == "f":
        _compare(first, second, doing, 0.0)
    elif not np.array_equal(first, second):
        raise LawBroken(f"{doing}: the predictions are not the same")


def check_close(first: Array, second: Array, doing: str) -> None:
    """Make sure that two predictions are the same but for rounding."""
    if first.dtype.kind == "f":
        _compare(first, second, doing, TOLERANCE)
    elif not np.array_equal(first, second):
        raise LawBroken(f"{doing}: the predictions are not the same")


def _compare(first: Floats, second: Floats, doing: str, tolerance: float) -> None:
    if first.shape != second.shape:
        raise LawBroken(f"{doing}: predictions of shape {first.shape} and {second.shape}")
    scale = np.maximum(1.0, np.abs(first))
    with np.errstate(invalid="ignore"):
        gap = np.where(first == second, 0.0, np.abs(first - second) / scale)
    gap = np.where(np.isnan(first) & np.isnan(second), 0.0, gap)
    wrong = ~(gap <= tolerance)
    if wrong.any():
        at: Any = np.unravel_index(int(np.argmax(np.where(wrong, gap, -1.0))), gap.shape)
        where = f"row {at[0]}" + "".join(f", class {int(c)}" for c in at[1:])
        limit = "to the last bit" if tolerance == 0 else f"within {tolerance:g}"
        raise LawBroken(
            f"{doing}: predictions should be the same {limit}, but in {where} of the queries they "
            f"are {float(first[at])!r} and {float(second[at])!r}"
        )


def check_legal(model: Model, asked: Table, doing: str) -> None:
    """Make sure that predictions are finite, and probabilities are not negative and sum to 1."""
    found = predictions(model, asked)
    if len(found) != len(asked):
        raise LawBroken(f"{doing}: {len(asked)} rows got {len(found)} predictions")
    if found.dtype.kind == "f" and not np.isfinite(found).all():
        row = int(np.argwhere(~np.isfinite(found))[0][0])
        raise LawBroken(
            f"{doing}: the prediction for row {row} is {found[row]}, which is not finite"
        )
    if isinstance(model, Classifier):
        _check_probabilities(model, found, doing)


def _check_probabilities(model: Classifier, found: Floats, doing: str) -> None:
    if found.shape[1:] != (len(model.classes),):
        raise LawBroken(
            f"{doing}: the shape of the probabilities is {found.shape}, for {len(model.classes)} "
            f"classes"
        )
    if (found < 0).any():
        row = int(np.argwhere(found < 0)[0][0])
        raise LawBroken(f"{doing}: a probability of row {row} is negative: {found[row]}")
    sums = found.sum(axis=1)
    if len(sums) and np.abs(sums - 1).max() > 1e-12:
        row = int(np.abs(sums - 1).argmax())
        raise LawBroken(
            f"{doing}: the probabilities of row {row} sum to {float(sums[row])!r}, not to 1"
        )
