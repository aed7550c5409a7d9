"""Partial dependence: what a model predicts on average where one column is set to each value."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, NoSuchColumn, ParameterError
from satsuma.learners.estimator.api import model_of
from satsuma.learners.model import Classifier, Model, Regressor
from satsuma.learners.predictions import numbers_of, probabilities_of
from satsuma.learners.sampled_explanation import background_rows
from satsuma.numerics.arrays import Array, Floats

if TYPE_CHECKING:
    from satsuma.learners.learner import Learner

#: Steps along a column of numbers, values of a symbol, and rows that are asked about.
STEPS, VALUES, ROWS = 40, 30, 200


@dataclass(frozen=True)
class PartialDependence:
    """What is predicted where a column is set to each of some values.

    Parameters
    ----------
    variable
        The column.
    grid
        The values: numbers, or codes of symbols.
    lines
        (rows, values): what is predicted for each row (individual conditional expectation).
    of
        What is predicted: a class, or the target.
    cells
        What the rows hold.
    """

    variable: Variable
    grid: Array
    lines: Floats
    of: str
    cells: Array

    @property
    def mean(self) -> Floats:
        """The partial dependence: the mean over rows (Friedman 2001)."""
        return self.lines.mean(axis=0)

    @property
    def labels(self) -> list[str]:
        """The values of a symbol that the grid has; empty for numbers."""
        values = self.variable.values
        return [values[int(code)] for code in self.grid] if values else []


def partial_dependence(
    model: "Model | Learner",
    column: str,
    table: Table | None = None,
    value: str | None = None,
    rows: int = ROWS,
) -> PartialDependence:
    """What a model predicts for rows where one column is set to each of some values.

    Parameters
    ----------
    model
        What predicts: a model, or a learner that was fitted.
    column
        An attribute: numbers, or symbols.
    table
        The rows; those that the model keeps as a sample unless given.
    value
        The class whose probability is predicted; of two, the second unless given.
    rows
        How many of the rows are asked about, evenly spaced.

    Examples
    --------
    >>> import satsuma
    >>> found = partial_dependence(satsuma.Ridge(satsuma.load("housing")), "RM")
    >>> bool(found.mean[-1] > found.mean[0])
    True
    """
    used: Any = model_of(model)
    if not isinstance(used, Classifier | Regressor):
        raise ParameterError(
            f"An effect is drawn of a model that predicts a target, not of a {type(used).__name__}."
        )
    known = {v.name: v for v in used.domain.attributes}
    if column not in known:
        raise NoSuchColumn(column, known)
    if known[column].kind not in ("num", "sym"):
        raise DomainError(f"Column {column!r} is {known[column].kind!r}, and no number or symbol.")
    some = background_rows(used, table, most=rows)
    cells = some.column(column)
    grid = _grid(known[column], cells)
    repeated = some[np.repeat(np.arange(len(some)), len(grid))]
    columns = list(repeated.columns)
    at = some.domain.index(column)
    columns[at] = np.tile(grid, len(some)).astype(cells.dtype)
    batch = Table(some.domain, columns, check=False)
    said, of = _said(used, batch, value)
    return PartialDependence(known[column], grid, said.reshape(len(some), len(grid)), of, cells)


def _said(model: Any, batch: Table, value: str | None) -> tuple[Floats, str]:
    if not isinstance(model, Classifier):
        if value is not None:
            raise ParameterError("value is a class, and this model predicts a number.")
        return numbers_of(model, batch), model.target.name
    told = model.classes[min(1, len(model.classes) - 1)] if value is None else value
    return probabilities_of(model, batch)[:, model.target.code(told)], told


def _grid(variable: Variable, cells: Array) -> Array:
    """Values to set a column to: those that occur, or steps between them."""
    if variable.kind == "sym":
        counts = np.bincount(cells[cells >= 0], minlength=len(variable.values))
        often = np.argsort(-counts, kind="stable")[:VALUES]
        return np.sort(often[counts[often] > 0])
    known = cells[~np.isnan(cells)]
    if not len(known):
        raise DomainError(
            f"All cells of column {variable.name!r} are missing in these rows. Give others: table=."
        )
    distinct: Floats = np.unique(known)
    if len(distinct) <= STEPS:
        return distinct
    low, high = (float(each) for each in np.quantile(known, [0.01, 0.99]))
    return np.unique([*np.linspace(low, high, STEPS), distinct[0], distinct[-1]])
