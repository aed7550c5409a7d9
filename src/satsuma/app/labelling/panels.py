"""Panels: how far a strategy has come: whether to stop, a curve, the best row, doubted labels."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from satsuma.active.label_errors import suspicious
from satsuma.active.labelling import Labelling
from satsuma.active.stop_advice import StopAdvice
from satsuma.active.stop_by_recall import finds_of
from satsuma.active.stopping_rule import stop_advice
from satsuma.app.labelling.task import Task
from satsuma.data.summary import short_row
from satsuma.errors import SatsumaError
from satsuma.evaluate.learning_curve import learning_curve
from satsuma.learners.baselines import Mean
from satsuma.learners.learner import learns_in_one_round
from satsuma.plan.search import Search

#: Labels before a curve is drawn and old answers are doubted.
FEWEST_LABELS = 20

#: Rows with goals before the panel of a search is drawn.
FEWEST_GOALS = 4

#: Log odds from which on an old answer is doubted: another class is ten times as probable. The
#: rows that were asked about are the hard ones, and for most of them the model is of two minds.
DOUBTED = 2.3

#: Points of a curve of finds; proportions of the labels at which accuracy is measured, and folds:
#: fewer where each of them is learned anew.
_POINTS = 60
_QUICK, _SLOW = ((0.1, 0.2, 0.35, 0.5, 0.75, 1.0), 5), ((0.2, 0.4, 0.7, 1.0), 3)


@dataclass(frozen=True)
class Curve:
    """Points of a curve, what they mean, and how they are spelled, as `format` takes it."""

    points: list[tuple[float, float]]
    meaning: str
    spelled: str = ".0%"


@dataclass(frozen=True)
class Outcome:
    """What a search has found: the best row, and what to do and what not.

    Parameters
    ----------
    row
        The number of the best row.
    shown, goals
        The row in short, and its goals.
    start
        Which row the advice is for.
    advice
        Line by line.
    enough
        How many answers the search is planned for.
    done
        Whether it has them.
    """

    row: int
    shown: str
    goals: str
    start: str
    advice: list[str]
    enough: int
    done: bool


@dataclass(frozen=True)
class NumberError:
    """How far predicted numbers are off, by cross-validation among the rows with one.

    Parameters
    ----------
    rmse, mean_rmse
        Root mean squared error of the model, and of the mean, which is the baseline.
    labels
        Rows with a number.
    """

    rmse: float
    mean_rmse: float
    labels: int


@dataclass(frozen=True)
class Panel:
    """What is known after an event of the log.

    Parameters
    ----------
    seq
        The event.
    advice
        Whether to stop, and the estimate with its interval.
    curve
        The learning curve, the finds, or the distance of the best row from the ideal point.
    outcome
        Of a search.
    doubts
        Rows whose label is doubted, and what a model of the others predicts.
    error
        Where numbers are asked for.
    """

    seq: int = -1
    advice: StopAdvice | None = None
    curve: Curve | None = None
    outcome: Outcome | None = None
    doubts: dict[int, str] = field(default_factory=dict[int, str])
    error: NumberError | None = None


@dataclass(frozen=True)
class LabellingSnapshot:
    """Labels of one moment, and the class that is sought, if any."""

    labelling: Labelling
    sought: str | None

    def panel(self, seq: int, kappa: float | None) -> Panel:
        """Whether to stop, a curve, and labels to look at again."""
        if not self.labelling.ready:
            return Panel(seq)
        try:
            advice = stop_advice(self.labelling, sought=self.sought, kappa=kappa)
        except SatsumaError:
            advice = None
        curve = self._accuracy() if self.sought is None else self._finds(self.sought)
        return Panel(seq, advice, curve, doubts=self._doubts())

    def _finds(self, sought: str) -> Curve:
        found = np.cumsum(finds_of(self.labelling, sought).found)
        at = np.unique(np.linspace(0, len(found) - 1, min(_POINTS, len(found))).astype(int))
        points = [(float(each + 1), float(found[each])) for each in at]
        return Curve(points, f"rows found that are “{sought}”", ",.0f")

    def _accuracy(self) -> Curve | None:
        rows = self.labelling.labelled
        codes = np.bincount(rows.column(self.labelling.target.name))
        if len(rows) < FEWEST_LABELS or (codes[codes > 0] < 2).any():
            return None
        learner: Any = self.labelling.how.learner
        sizes, folds = _QUICK if learns_in_one_round(learner, rows.domain) else _SLOW
        try:
            curve = learning_curve({"model": learner}, rows, sizes=sizes, folds=folds)
        except SatsumaError:
            return None
        accuracy = curve.scores("CA")["model"].tolist()
        points = list(zip(map(float, curve.sizes), accuracy, strict=True))
        return Curve(points, "accuracy by the number of labels learned from")

    def _doubts(self) -> dict[int, str]:
        """Labels that are probably wrong, by a model of the others (cross-validation)."""
        rows = self.labelling.labelled_rows
        if len(rows) < FEWEST_LABELS:
            return {}
        learner: Any = self.labelling.how.learner
        try:
            found = suspicious(learner, self.labelling.labelled, folds=5)
        except SatsumaError:
            return {}
        doubted = zip(found.rows.tolist(), found.doubt.tolist(), found.guess, strict=True)
        return {int(rows[at]): str(guess) for at, doubt, guess in doubted if doubt > DOUBTED}


@dataclass(frozen=True)
class NumberSnapshot:
    """Numbers of one moment."""

    labelling: Labelling

    def panel(self, seq: int, kappa: float | None) -> Panel:  # noqa: ARG002 - the latest answer holds
        """Whether to stop, how far predictions are off, and how that has become less."""
        rows = self.labelling.labelled
        if len(rows) < FEWEST_LABELS:
            return Panel(seq)
        learner: Any = self.labelling.how.learner
        sizes, folds = _SLOW
        try:
            learners = {"model": learner, "mean": Mean()}
            curve = learning_curve(learners, rows, sizes=sizes, folds=folds)
        except SatsumaError:
            return Panel(seq)
        error, mean = (curve.scores("RMSE")[name].tolist() for name in ("model", "mean"))
        points = list(zip(map(float, curve.sizes), error, strict=True))
        meaning = "root mean squared error by the number of labels learned from"
        told, advice = NumberError(error[-1], mean[-1], len(rows)), stop_advice(self.labelling)
        return Panel(seq, advice, Curve(points, meaning, ".3g"), error=told)


@dataclass(frozen=True)
class SearchSnapshot:
    """A search of one moment; how many rows were known before, and how many answers are enough."""

    task: Task
    search: Search | None
    known: int
    enough: int

    def panel(self, seq: int, kappa: float | None) -> Panel:  # noqa: ARG002 - the latest answer holds
        """The best row so far, and what to do."""
        search = self.search
        if search is None or len(search.rows) < FEWEST_GOALS:
            return Panel(seq)
        points = [(float(at + 1), float(each)) for at, each in enumerate(search.path)]
        curve = Curve(points, "distance of the best row from the ideal point", ".2f")
        return Panel(seq, None, curve, self._outcome(search))

    def _outcome(self, search: Search) -> Outcome:
        filled = self.task.filled
        middle = int(search.order[len(search.order) // 2])
        advice = search.advise(search.labelled[middle])
        return Outcome(
            search.best_row,
            short_row(self.task.table[search.best_row], filled, 200),
            ", ".join(f"{name} {search.best[name]:g}" for name in filled),
            f"row {search.rows[middle] + 1:,}, which is in the middle",
            str(advice).splitlines(),
            self.enough,
            len(search.rows) - self.known >= self.enough,
        )
