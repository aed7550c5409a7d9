"""Log-odds: what each column adds to the odds of one class against another."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import SatsumaError
from satsuma.learners.generative.model import GenerativeModel
from satsuma.learners.generative.threshold import odds_of
from satsuma.learners.model import Classifier
from satsuma.numerics.arrays import MISSING, Array, Floats
from satsuma.plot.plot_data import Points, batch_of, middle, name_of

#: How far the sum over columns may be from the log-odds of a row.
_CLOSE = 1e-6

#: Rows that the sum is tried on at first, and cells of the rows that it is tried on after that.
_TRIED, _CELLS = 100, 10_000_000

#: Log-odds that are as good as infinite: probabilities of a class vanish beyond them.
_CERTAIN = 650.0


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

    @property
    def threshold(self) -> float:
        """The log-odds from which on the class is predicted; 0 unless that was adjusted."""
        given = getattr(self.model, "threshold", None)  # of a tree, those of its nodes
        return odds_of(given if isinstance(given, float) else None, self.value)

    def is_sum(self, rows: Table) -> bool:
        """Whether what columns add makes the log-odds of rows, and of rows mixed from their cells.

        Cells that never met may rule out both classes, one the one and one the other: only in
        mixed rows may the sum be of both infinities.
        """
        total, real, size = self._sums(rows)
        if len(rows) and np.isnan(real).all():
            return False
        mixed = self._sums(_mixed(self.model, rows))
        return bool(_agree(total, real, size).all() and (_agree(*mixed) | np.isnan(mixed[0])).all())

    def centred(self, rows: Table) -> "LogOdds":
        """The same, where what a column adds on average in some rows counts as nothing."""
        every = self.model.domain.attributes
        shift = {v.name: _mean(self.added(v, rows.column(v.name))) for v in every}
        start = self.start + sum(shift.values())
        return LogOdds(self.model, self.value, self.against, self.base, shift, start)

    def _sums(self, rows: Table) -> tuple[Floats, Floats, Floats]:
        """Of each row: what columns add up to, its log-odds, and the largest finite part."""
        every = self.model.domain.attributes
        parts = np.array(
            [np.full(len(rows), self.start), *(self.added(v, rows.column(v.name)) for v in every)]
        )
        with np.errstate(invalid="ignore"):
            total = parts.sum(axis=0)
        size = np.abs(np.where(np.isfinite(parts), parts, 0.0)).max(axis=0)
        return total, _odds(self.model, rows, self.value, self.against), size


def log_odds(model: Classifier, value: int, against: int, points: Points) -> LogOdds:
    """The log-odds of a class as a sum over columns, if they are one.

    A column that is missing adds nothing, if the model is of those where that makes a sum. Else
    rows must be complete, and what a column adds on average in the rows of the two classes is
    taken as nothing. A model of neither sort is refused.
    """
    two = np.flatnonzero((points.truth == value) | (points.truth == against))
    known = points.of(two) if len(two) else points
    for base in _bases(model, known):
        start = float(_odds(model, batch_of(model, 1, base), value, against)[0])
        odds = LogOdds(model, value, against, base, {}, start)
        # A few rows first: they are enough to refuse most models.
        for most in (_TRIED, max(_TRIED, _CELLS // len(model.domain.attributes) ** 2)):
            rows = _filled(model, known.thinned(most).rows, base)
            if not odds.is_sum(rows):
                break
        else:
            return odds.centred(rows) if base else odds
    raise SatsumaError(
        f"A nomogram adds up what each column says, and in this {name_of(model)} the columns do "
        f"not add up. Use plot.class_probabilities, one column at a time, or a model where they "
        f"do, such as NaiveBayes."
    )


def _filled(model: Classifier, rows: Table, base: dict[str, Any]) -> Table:
    """The rows, with cells of the base where theirs are missing."""
    cells = {
        v.name: np.where(
            rows.missing(v.name), base.get(v.name, MISSING[v.kind]), rows.column(v.name)
        )
        for v in model.domain.attributes
    }
    return batch_of(model, len(rows), cells)


def _agree(total: Floats, real: Floats, size: Floats) -> Array:
    """Which sums are the log-odds of their rows; infinite ones must be so in the same direction.

    Where a model rules out both classes it has no log-odds, and no sum is wrong.
    """
    total, real = np.clip(total, -_CERTAIN, _CERTAIN), np.clip(real, -_CERTAIN, _CERTAIN)
    with np.errstate(invalid="ignore"):
        return np.isnan(real) | (np.abs(total - real) <= _CLOSE * (1 + size))


def _mixed(model: Classifier, rows: Table) -> Table:
    """Rows with the cells of these, each column in an order of its own."""
    rng = np.random.default_rng(len(rows))
    names = [v.name for v in model.domain.attributes]
    cells = {name: rows.column(name)[rng.permutation(len(rows))] for name in names}
    return batch_of(model, len(rows), cells)


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
        # Where a row is impossible for every class, the probabilities are but the prior.
        if isinstance(model, GenerativeModel) and _answers_by_joint(model):
            # The temperature is that of rows without missing cells: only there do columns add up.
            logs = model.log_joint(batch) / model.temperature
        else:
            logs = np.log(model.probabilities(batch))
        return logs[:, value] - logs[:, against]


def _answers_by_joint(model: GenerativeModel) -> bool:
    """Whether its probabilities are those of its `log_joint`, and not of a subclass's own."""
    return type(model).probabilities is GenerativeModel.probabilities
