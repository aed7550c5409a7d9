"""Log-odds: what each column adds to the odds of one class against another."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from satsuma.data.columns import Array, Floats
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import SatsumaError
from satsuma.learners.model import Classifier
from satsuma.plot.asking import Points, batch_of, middle, name_of, nothing

#: How far the sum over columns may be from the log-odds of a row.
_CLOSE = 1e-6

#: Rows that the sum is tried on.
_TRIED = 100


@dataclass(frozen=True)
class LogOdds:
    """The log-odds of one class against another, as a sum over columns.

    Parameters
    ----------
    model
        The model that is asked.
    value, against
        The codes of the two classes.
    base
        The row that columns are changed in, one at a time.
    shift
        What is taken off what each column adds, by name.
    start
        The log-odds where no column adds anything.
    """

    model: Classifier
    value: int
    against: int
    base: dict[str, Any]
    shift: dict[str, float]
    start: float

    def added(self, variable: Variable, cells: Array) -> Floats:
        """What each cell of a column adds."""
        batch = batch_of(self.model, len(cells), {**self.base, variable.name: cells})
        alone = batch_of(self.model, 1, self.base)
        with np.errstate(invalid="ignore"):
            without = _odds(self.model, alone, self.value, self.against)[0]
            found = _odds(self.model, batch, self.value, self.against) - without
        return found - self.shift.get(variable.name, 0.0)


def log_odds(model: Classifier, value: int, against: int, points: Points) -> LogOdds:
    """The log-odds of a class as a sum over columns, if they are one.

    A column that is missing adds nothing, if the model is of those where that makes a sum. Else
    rows must be complete, and what a column adds on average in the rows of the two classes is
    taken as nothing. A model of neither sort is refused.
    """
    two = np.flatnonzero((points.truth == value) | (points.truth == against))
    tried = (points.of(two) if len(two) else points).thinned(_TRIED)
    for base in _bases(model, tried):
        rows = _filled(model, tried.rows, base)
        start = float(_odds(model, batch_of(model, 1, base), value, against)[0])
        odds = LogOdds(model, value, against, base, {}, start)
        parts = {v.name: odds.added(v, rows.column(v.name)) for v in model.domain.attributes}
        if not _add_up(parts, start, _odds(model, rows, value, against)):
            continue
        shift = {name: _mean(each) for name, each in parts.items()} if base else {}
        return LogOdds(model, value, against, base, shift, start + sum(shift.values()))
    raise SatsumaError(
        f"A nomogram adds up what each column says, and in this {name_of(model)} the columns do "
        f"not add up. Use plot.conditional, one column at a time, or a model where they do, such "
        f"as NaiveBayes."
    )


def _filled(model: Classifier, rows: Table, base: dict[str, Any]) -> Table:
    """The rows, with cells of the base where theirs are missing."""
    cells = {
        v.name: np.where(rows.missing(v.name), base.get(v.name, nothing(v)), rows.column(v.name))
        for v in model.domain.attributes
    }
    return batch_of(model, len(rows), cells)


def _add_up(parts: dict[str, Floats], start: float, real: Floats) -> bool:
    """Whether what columns add makes the log-odds of rows, as far as all of it is finite."""
    every = np.array([real, *parts.values()])
    every = every[:, np.isfinite(every).all(axis=0)]
    gap = np.abs(every[0] - start - every[1:].sum(axis=0))
    return bool((gap <= _CLOSE * (1 + np.abs(every).max(axis=0))).all())


def _mean(added: Floats) -> float:
    finite = added[np.isfinite(added)]
    return float(finite.mean()) if len(finite) else 0.0


def _bases(model: Classifier, points: Points) -> list[dict[str, Any]]:
    """Rows to start from: one that shows nothing, and one in the middle."""
    takes = getattr(getattr(model, "learner", None), "takes", None)
    centre = {v.name: middle(points, v) for v in model.domain.attributes}
    return [{}, centre] if takes is None or takes.missing else [centre]


def _odds(model: Classifier, batch: Table, value: int, against: int) -> Floats:
    """The log-odds of one class against another in each row; NaN where both are impossible."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(model.probabilities(batch))
        return logs[:, value] - logs[:, against]
