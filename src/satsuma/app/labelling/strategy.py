"""Strategy: what a session asks for, classes or goals, and how far the answers have brought it."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Protocol

from satsuma.active.stopping_rule import StopAdvice
from satsuma.app.labelling.explanations import RowExplanation
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.learners.learner import Learner
from satsuma.learners.model import Model
from satsuma.numerics.arrays import Array


@dataclass(frozen=True)
class Curve:
    """Points of a curve, and what they mean."""

    points: list[tuple[float, float]]
    meaning: str
    percent: bool = True


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
    """

    seq: int = -1
    advice: StopAdvice | None = None
    curve: Curve | None = None
    outcome: Outcome | None = None
    doubts: dict[int, str] = field(default_factory=dict[int, str])


class Snapshot(Protocol):
    """A strategy as it was at one moment; later answers do not change it."""

    def panel(self, seq: int, kappa: float | None) -> Panel:
        """How far it had come after an event, where people agree by kappa."""
        ...


class Strategy(Protocol):
    """What is asked about the rows of a table, and what follows from the answers.

    A strategy knows nothing of people, of the log or of pages: it is given the label of each row,
    and says which row is worth the next question.
    """

    #: Rows whose answer was in the file.
    known: Collection[int]

    #: Whether people must agree on a row; otherwise the latest answer holds.
    consensus: bool

    #: The goals that are asked for; none where it is a class.
    goals: tuple[Variable, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The classes to choose among; none where it is goals."""
        ...

    @property
    def left(self) -> int:
        """How many rows have no answer."""
        ...

    def check(self, value: Any) -> None:
        """Refuse what is no answer."""
        ...

    def settle(self, row: int, value: Any) -> None:
        """Take in the label that a row has from now on; None where it has none any more."""
        ...

    def next(self, without: Collection[int]) -> int | None:
        """The row most worth asking about, if any is left."""
        ...

    def explain(self, row: int) -> RowExplanation:
        """Why a row is asked about."""
        ...

    def filled(self, rows: Array) -> Table:
        """Rows with the answers filled in."""
        ...

    def model(self) -> Model:
        """What was learned so far; refused while there is nothing to learn from."""
        ...

    def snapshot(self, patient: Callable[[Learner], Learner]) -> Snapshot:
        """The strategy as it is now, with learners that give way to whoever waits."""
        ...
