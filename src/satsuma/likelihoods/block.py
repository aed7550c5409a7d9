"""Block: a way to learn what some columns say about the class."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from satsuma.data.table import Table
from satsuma.likelihoods.evidence import Evidence
from satsuma.tallies.base import Tally


class Block(ABC):
    """What some columns say about the class, before it is learned: parameters, and no more.

    A block of your own is a dataclass (``@dataclass(kw_only=True, frozen=True)``) whose fields are
    its parameters. The batches that it is given hold its own columns, the target and the weights.
    Anything with `tally` and `conclude` serves as well, and so does anything with a method
    ``learn(table)`` that returns the evidence, where the rows themselves are needed.
    """

    #: Kinds of the columns that it takes.
    kinds: ClassVar[tuple[str, ...]] = ("num", "sym")

    #: What makes the tally, where `tally` is no more than its `of`; see `TallyLearner.tally_kind`.
    tally_kind: ClassVar[Any] = None

    #: The names of its columns; None for all of its kinds that no other block names.
    columns: tuple[str, ...] | None = None

    def check(self) -> None:  # noqa: B027 - there need not be anything to check
        """Raise a `ParameterError` if a parameter has a value that it cannot have."""

    def tally(self, batch: Table) -> Tally:
        """All that is to be known of a batch of rows."""
        return self.tally_kind.of(batch)

    @abstractmethod
    def conclude(self, tally: Any) -> Evidence:
        """What the columns say, as it follows from a tally."""
