"""Strategy: what a session asks for, classes or goals, and how far the answers have brought it."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Protocol

from satsuma.app.labelling.panels import Panel
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.learners.learner import Learner
from satsuma.learners.model import Model
from satsuma.numerics.arrays import Array


@dataclass(frozen=True)
class ClassProbability:
    """A class, and its probability by the model."""

    name: str
    probability: float


@dataclass(frozen=True)
class Driver:
    """A word or a cell that speaks for a class.

    Parameters
    ----------
    what
        The word, or the column and its cell.
    speaks_for
        The class.
    how
        How much more probable it makes the class, and which range is usual.
    """

    what: str
    speaks_for: str
    how: str


@dataclass(frozen=True)
class Neighbour:
    """A labelled row that is like this one."""

    row: int
    label: str
    alike: float
    shown: str


@dataclass(frozen=True)
class RowExplanation:
    """Why a row is asked about.

    Parameters
    ----------
    summary
        In a sentence or two.
    prediction
        The most probable classes.
    drivers
        The words or cells that speak loudest for or against the first of them.
    neighbours
        Labelled rows that are most like it.
    remark
        That no word or cell speaks, in a sentence.
    """

    summary: str
    prediction: list[ClassProbability] = field(default_factory=list[ClassProbability])
    drivers: list[Driver] = field(default_factory=list[Driver])
    neighbours: list[Neighbour] = field(default_factory=list[Neighbour])
    remark: str = ""


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

    #: Rows that share the label of an equal one, by number.
    followers: Collection[int]

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

    def truth(self, row: int) -> Any:
        """The answer about a row that was in the file; None if there was none."""
        ...

    def is_audit(self, row: int) -> bool:
        """Whether the row that `next` gave was drawn at random."""
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
