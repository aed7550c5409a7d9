"""Plot data: the rows that a plot shows, and those that are predicted to draw it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np

from satsuma.data.columns import from_cells, remap, spell
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, NoSuchColumn, SatsumaError
from satsuma.learners.model import Classifier, Model
from satsuma.learners.queries import fitted
from satsuma.numerics.arrays import DTYPES, MISSING, Array, Codes, Floats

T = TypeVar("T")

#: Points that are drawn at most; of more, evenly spaced ones.
MOST_POINTS = 500


@dataclass(frozen=True)
class Points:
    """Rows to draw.

    Parameters
    ----------
    rows
        With the columns of the model.
    truth
        The class of each as a code of the model; -1 where it is not known.
    weight
        What each row weighs.
    """

    rows: Table
    truth: Codes
    weight: Floats

    def __len__(self) -> int:
        return len(self.rows)

    def thinned(self, most: int = MOST_POINTS) -> "Points":
        """So many of them at most, evenly spaced."""
        if len(self) <= most:
            return self
        return self.of(np.linspace(0, len(self) - 1, most).astype(np.intp))

    def of(self, which: Array) -> "Points":
        """Some of them, by their numbers."""
        return Points(self.rows[which], self.truth[which], self.weight[which])


def classifier(model: object) -> Classifier:
    """The model, if it is one that predicts classes."""
    if isinstance(model, Classifier):
        return model
    raise SatsumaError(
        f"satsuma.plot draws models that predict classes, as in plot.regions(NaiveBayes(table)). "
        f"Got a {type(model).__name__} instead."
    )


def drawn_as(given: object, kind: type[T], what: str) -> T:
    """What was given, if it is of the kind that is drawn; `what` says of which plot and kind."""
    if isinstance(given, kind):
        return given
    raise DomainError(f"{what}; this is of type {type(given).__name__}.")


def points_of(model: Classifier, table: Table | None) -> Points:
    """The rows of the table, or else those that the model keeps as a sample."""
    found = model.training_sample if table is None else table
    rows, target = fitted(found, model.domain), model.target
    truth = np.full(len(found), -1, np.int32)
    if target.name in found.domain and found.domain[target.name].kind == "sym":
        values = found.domain[target.name].values
        codes: Codes = found.column(target.name)
        truth = remap(codes, values, lambda value: target.codes.get(value, -1))
    weight = found.weights
    return Points(rows, truth, np.ones(len(found)) if weight is None else weight)


def rows_to_draw(model: Model, table: Table | None) -> Table:
    """The rows of the table, or else those that the model keeps as a sample; there is one."""
    rows = fitted(model.training_sample if table is None else table, model.domain)
    if not len(rows):
        raise DomainError("There is no row to draw. Give some: table=.")
    return rows


def attribute(model: Classifier, name: str, kinds: tuple[str, ...] = ("num", "sym")) -> Variable:
    """The column of that name that the model was learned from."""
    known = {variable.name: variable for variable in model.domain.attributes}
    if name not in known:
        raise NoSuchColumn(name, known)
    if known[name].kind not in kinds:
        raise DomainError(
            f"Column {name!r} is {known[name].kind!r}, and this plot needs one that is "
            f"{' or '.join(map(repr, kinds))}."
        )
    return known[name]


def known_of(points: Points, variable: Variable) -> Array:
    """The cells of a column that are not missing; there must be some."""
    cells = points.rows.column(variable.name)[~points.rows.missing(variable.name)]
    if not len(cells):
        raise SatsumaError(
            f"All cells of column {variable.name!r} are missing in the rows to draw. "
            f"Give others: table=."
        )
    return cells


def middle(points: Points, variable: Variable) -> Any:
    """The median of numbers, the most frequent of symbols; missing where all are."""
    cells = points.rows.column(variable.name)[~points.rows.missing(variable.name)]
    if not len(cells):
        return MISSING[variable.kind]
    if variable.kind == "num":
        return float(np.median(cells))
    return int(np.bincount(cells).argmax()) if variable.kind == "sym" else None


def fixed_cells(
    model: Classifier, points: Points, given: Mapping[str, object] | None, free: tuple[str, ...]
) -> dict[str, Any]:
    """A cell for every column that is not free: the one given, or the middle one."""
    cells = {v.name: middle(points, v) for v in model.domain.attributes if v.name not in free}
    for name, value in (given or {}).items():
        variable = attribute(model, name)
        if name in free:
            raise DomainError(f"Column {name!r} is an axis of the plot: leave it out of given=.")
        if value is None:
            cells[name] = MISSING[variable.kind]
        elif variable.kind == "sym":
            cells[name] = variable.code(spell(value))
        else:
            cells[name] = from_cells(name, [value], variable.kind)[1][0]
    return cells


def batch_of(model: Classifier, rows: int, cells: Mapping[str, Any]) -> Table:
    """Rows to ask a model about: an array or one cell for all rows, and missing if not named."""
    variables = model.domain.attributes
    columns = [_column(variable, rows, cells) for variable in variables]
    return Table(Domain(variables), columns, check=False)


def _column(variable: Variable, rows: int, cells: Mapping[str, Any]) -> Array:
    column = np.empty(rows, DTYPES[variable.kind])
    column[:] = cells.get(variable.name, MISSING[variable.kind])
    return column


def span_of(points: Points, variable: Variable, margin: float = 0.04) -> tuple[float, float]:
    """From the least to the greatest number, and a little more to both sides."""
    cells = known_of(points, variable)
    low, high = float(cells.min()), float(cells.max())
    if low == high:  # one number alone stands in the middle
        low, high = low - (abs(low) or 1.0) / 2, high + (abs(high) or 1.0) / 2
    room = (high - low) * margin
    return low - room, high + room


def name_of(model: Classifier) -> str:
    """What to call a model in a title."""
    learner = getattr(model, "learner", model)
    return type(cast("object", learner)).__name__
