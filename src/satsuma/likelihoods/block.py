"""Block: a way to learn what some columns say about the class."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from satsuma.data.columns import Floats
from satsuma.data.table import Table
from satsuma.likelihoods.evidence import Evidence
from satsuma.tallies.base import Tally


class AnyBlock(ABC):  # noqa: B024 - what is abstract is in its children
    """What some columns say about the class, before it is learned: parameters, and no more.

    A block of your own is a dataclass (``@dataclass(kw_only=True, frozen=True)``) whose fields are
    its parameters, and a `Block` or, where the rows themselves are needed, a `RowsBlock`. Anything
    with the same methods serves as well; but a model can be saved only if its blocks and their
    evidence are of these classes.
    """

    #: Kinds of the columns that it takes.
    kinds: ClassVar[tuple[str, ...]] = ("num", "sym")

    #: The names of its columns; None for all of its kinds that no other block names.
    columns: tuple[str, ...] | None = None

    #: Whether it refuses an infinite number by itself, in learning and in predicting.
    finds_infinite: ClassVar[bool] = False

    def check(self) -> None:  # noqa: B027 - there need not be anything to check
        """Raise a `ParameterError` if a parameter has a value that it cannot have."""


class Block(AnyBlock):
    """A block that learns from a tally: from anything that can be reduced in batches.

    The batches that it is given hold its own columns, the target and the weights.
    """

    #: What makes the tally, where `tally` is no more than its `of`; see `TallyLearner.tally_kind`.
    tally_kind: ClassVar[Any] = None

    def tally(self, batch: Table) -> Tally:
        """All that is to be known of a batch of rows."""
        return self.tally_kind.of(batch)

    @abstractmethod
    def conclude(self, tally: Any) -> Evidence:
        """What the columns say, as it follows from a tally."""


class PriorBlock(Block):
    """A block whose evidence depends on how probable the classes are before anything is seen."""

    @abstractmethod
    def conclude(self, tally: Any, prior: Floats | None = None) -> Evidence:
        """What the columns say; the prior is the share of each class, unless given."""


class RowsBlock(AnyBlock):
    """A block that must have all rows in memory."""

    @abstractmethod
    def learn(self, table: Table) -> Evidence:
        """What the columns say: those of the table but its target and its weights."""
