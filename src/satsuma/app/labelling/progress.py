"""Panel: how far the labelling has come, and whether to go on; found in the background."""

from dataclasses import dataclass, field, replace
from threading import Event as Flag
from threading import Thread
from time import monotonic
from typing import Any

import numpy as np

from satsuma.active.label_errors import suspicious
from satsuma.active.labelling import Labelling
from satsuma.active.stopping_rule import StopAdvice, finds_of, stop_advice
from satsuma.app.labelling.classification import Classes
from satsuma.app.labelling.explanations import shown
from satsuma.app.labelling.optimisation import Goals
from satsuma.app.labelling.priority import Turns, patient
from satsuma.app.labelling.session import Desk
from satsuma.errors import SatsumaError
from satsuma.evaluate.learning_curve import learning_curve
from satsuma.learners.learner import learns_in_one_round

#: Labels before a curve is drawn and old answers are doubted.
FEWEST = 20

#: Log odds from which on an old answer is doubted: another class is ten times as probable. The
#: rows that were asked about are the hard ones, and for most of them the model is of two minds.
DOUBTED = 2.3

#: Seconds without an answer before a panel is made, so that it is made while people read; and
#: seconds after which it is made all the same.
_QUIET, _LONGEST = 0.3, 30.0

#: Points of a curve of finds; shares of the labels at which accuracy is told, and folds: fewer
#: where each of them is learned anew.
_POINTS = 60
_QUICK, _SLOW = ((0.1, 0.2, 0.35, 0.5, 0.75, 1.0), 5), ((0.2, 0.4, 0.7, 1.0), 3)


@dataclass(frozen=True)
class Line:
    """Points of a curve, and what they mean."""

    points: list[tuple[float, float]]
    told: str
    percent: bool = True


@dataclass(frozen=True)
class Outcome:
    """What a search has found: the best row, and what to do, not what."""

    row: int
    distance: float
    shown: str
    goals: str
    start: str
    advice: list[str]
    done: bool


@dataclass(frozen=True)
class Panel:
    """What is known after an event of the log.

    Parameters
    ----------
    seq
        The event.
    advice
        Whether to stop, and the estimate with its interval.
    line
        The learning curve, the finds, or the way to heaven.
    outcome
        Of a search.
    doubts
        Rows whose label is doubted, and what a model of the others says.
    """

    seq: int = -1
    advice: StopAdvice | None = None
    line: Line | None = None
    outcome: Outcome | None = None
    doubts: dict[int, str] = field(default_factory=dict[int, str])


class Panels:
    """Makes a new panel when there is something new, and leaves time for the questions.

    Parameters
    ----------
    desk
        Whose labelling is watched.
    turns
        Whether somebody waits for a question.
    """

    def __init__(self, desk: Desk, turns: Turns | None = None) -> None:
        self._desk, self._wake, self._ended = desk, Flag(), False
        self._turns = turns or Turns()
        self.latest = Panel()
        self._thread: Thread | None = None

    def wake(self) -> None:
        """There is something new."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = Thread(target=self._run, daemon=True, name="panel")
            self._thread.start()
        self._wake.set()

    def stop(self) -> None:
        """Make no more panels."""
        self._ended = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._ended:
            self._wake.wait()
            begun = monotonic()
            while self._wake.is_set() and not self._ended and monotonic() < begun + _LONGEST:
                self._wake.clear()
                self._wake.wait(_QUIET)
            self._wake.clear()
            if not self._ended:
                self.refresh()

    def refresh(self) -> Panel:
        """Make the panel of now."""
        desk = self._desk
        with desk.lock:
            seq, asking = desk.state.seq, desk.asking
            if seq == self.latest.seq:
                return self.latest
            labelling = asking.snapshot() if isinstance(asking, Classes) else None
            kappa = _least_kappa(desk)
        if labelling is not None:
            how = desk.task.how
            labelling.how = replace(how, learner=patient(how.learner, self._turns))
            made = _of_classes(labelling, seq, desk.task.sought, kappa)
        else:
            assert isinstance(asking, Goals)
            with desk.lock:
                made = _of_search(asking, seq)
        with desk.lock:
            desk.queues.doubts = made.doubts
            self.latest = made
        return made


def _least_kappa(desk: Desk) -> float | None:
    """How far those two people agree who agree least; None if nobody shares rows that differ."""
    kappas = [found.kappa for _, _, found in desk.state.agreements()]
    return min((kappa for kappa in kappas if not np.isnan(kappa)), default=None)


def _of_classes(labelling: Labelling, seq: int, sought: str | None, kappa: float | None) -> Panel:
    if not labelling.ready:
        return Panel(seq)
    try:
        advice = stop_advice(labelling, sought=sought, kappa=kappa)
    except SatsumaError:
        advice = None
    return Panel(seq, advice, _line(labelling, sought), doubts=_doubts(labelling))


def _line(labelling: Labelling, sought: str | None) -> Line | None:
    if sought is not None:
        found = np.cumsum(finds_of(labelling, sought).found)
        at = np.unique(np.linspace(0, len(found) - 1, min(_POINTS, len(found))).astype(int))
        points = [(float(each + 1), float(found[each])) for each in at]
        return Line(points, f"rows found that are “{sought}”", percent=False)
    rows = labelling.labelled
    codes = np.bincount(rows.column(labelling.target.name))
    if len(rows) < FEWEST or (codes[codes > 0] < 2).any():
        return None
    learner: Any = labelling.how.learner
    sizes, folds = _QUICK if learns_in_one_round(learner) else _SLOW
    try:
        curve = learning_curve({"model": learner}, rows, sizes=sizes, folds=folds)
    except SatsumaError:
        return None
    right = curve.scores("CA")["model"].tolist()
    points = list(zip(map(float, curve.sizes), right, strict=True))
    return Line(points, "right answers, by labels learned from")


def _doubts(labelling: Labelling) -> dict[int, str]:
    rows = labelling.labelled_rows
    if len(rows) < FEWEST:
        return {}
    learner: Any = labelling.how.learner
    try:
        found = suspicious(learner, labelling.labelled, folds=5)
    except SatsumaError:
        return {}
    doubted = zip(found.rows.tolist(), found.doubt.tolist(), found.guess, strict=True)
    return {int(rows[at]): guess for at, doubt, guess in doubted if doubt > DOUBTED}


def _of_search(asking: Goals, seq: int) -> Panel:
    search = asking.search()
    if search is None or len(search.rows) < 4:
        return Panel(seq)
    points = [(float(at + 1), float(each)) for at, each in enumerate(search.path)]
    line = Line(points, "how far the best row is from heaven", percent=False)
    table, filled = asking.task.table, asking.task.filled
    middle = int(search.order[len(search.order) // 2])
    advice = search.advise(search.labelled[middle])
    best = search.best
    outcome = Outcome(
        search.best_row,
        float(search.distances.min()),
        shown(table, search.best_row, filled, 200),
        ", ".join(f"{name} {best[name]:g}" for name in filled),
        f"row {search.rows[middle] + 1:,}, which is in the middle",
        str(advice).splitlines(),
        len(search.rows) - len(asking.known) >= asking.enough,
    )
    return Panel(seq, None, line, outcome)
