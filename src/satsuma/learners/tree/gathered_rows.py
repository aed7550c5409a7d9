"""Rows of a source, gathered in memory: batches that add up."""

from dataclasses import dataclass

from satsuma.data.domain import Domain
from satsuma.data.parts import stacked
from satsuma.data.table import Table
from satsuma.errors import DomainError

#: Bytes that rows may take.
ROOM = 2 << 30


@dataclass(frozen=True)
class GatheredRows:
    """The rows of some batches. Two of them add up to one.

    Parameters
    ----------
    learner
        Whose rows they are, for errors.
    batches
        In their order.
    """

    learner: str
    batches: tuple[Table, ...]

    def __add__(self, other: "GatheredRows") -> "GatheredRows":
        both = GatheredRows(self.learner, self.batches + other.batches)
        if sum(column.nbytes for batch in both.batches for column in batch.columns) > ROOM:
            raise DomainError(
                f"{self.learner} gathers the rows of a source, and these take more than "
                f"{ROOM / 2**30:g} GB. Take a sample that fits: source.sample(n), or BoostedTrees, "
                f"which goes over the rows again and again."
            )
        return both

    def table(self, domain: Domain) -> Table:
        """All rows."""
        return stacked(self.batches, domain)


@dataclass(frozen=True)
class Gathering:
    """Where learning from gathered rows has come to."""

    domain: Domain
    rows: GatheredRows | None = None

    @property
    def done(self) -> bool:
        """Whether all rows are there."""
        return self.rows is not None
