"""Checked: a source whose rows are checked as they come, without a pass for that alone."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.engines import Source, is_source
from satsuma.errors import DomainError
from satsuma.learners.takes import check_batch, no_rows, no_target

if TYPE_CHECKING:
    from satsuma.learners.learner import Learner


def refuse_source(learner: "Learner") -> None:
    """Raise if a learner must have all rows in memory."""
    if learner.takes.rounds in ("rows", None):
        raise DomainError(
            f"{type(learner).__name__} must have all rows in memory. "
            f"Take a sample that fits: source.sample(n)."
        )


@dataclass
class _Heard:
    """A tally, and what is known of its rows. Two of them add up to one."""

    tally: Any
    rows: bool
    target: bool

    def __add__(self, later: "_Heard") -> "_Heard":
        return _Heard(
            self.tally + later.tally, self.rows or later.rows, self.target or later.target
        )


@dataclass
class _Columns:
    """Columns without rows, to be checked like a source."""

    domain: Domain

    def reduce(self, tally: Callable[[Table], Any]) -> Any:
        raise NotImplementedError


@dataclass
class _Guard:
    """Tallies batches that a learner can learn from. It goes along to where the batches are."""

    learner: "Learner"
    tally: Callable[[Table], Any]
    fine: Domain | None = None  # the columns that were found right last

    def checked(self, batch: Table) -> Table:
        """The batch, if it can be learned from."""
        if batch.domain is not self.fine:
            self.learner.check_data(_Columns(batch.domain))
            self.fine = batch.domain
        check_batch(self.learner.takes, type(self.learner).__name__, batch)
        return batch

    def __call__(self, batch: Table) -> _Heard:
        self.checked(batch)
        target = batch.domain.target
        known = target is None or not batch.missing(target.name).all()
        return _Heard(self.tally(batch), len(batch) > 0, known)


class Checked:
    """A source of which a learner looks at every batch before it is tallied.

    The columns of a source may be known only when all its rows were seen. So they are checked where
    they are seen, and an error counts only if they prove to be what they seemed.

    Parameters
    ----------
    learner
        Who learns.
    source
        From what.
    """

    def __init__(self, learner: "Learner", source: Source) -> None:
        self.learner, self.source = learner, source

    @classmethod
    def of(cls, learner: "Learner", source: Any) -> "Checked":
        """A source that is checked for this learner, if it is not already."""
        if isinstance(source, cls) and type(source.learner) is type(learner):
            return source
        learner.check()
        if not is_source(source):
            learner.check_data(source)  # which says why it cannot be learned from
        refuse_source(learner)
        return cls(learner, source)

    @property
    def domain(self) -> Domain:
        """The columns of every batch."""
        found = self.source.domain
        self.learner.check_data(_Columns(found))
        return found

    @property
    def batches(self) -> Iterator[Table]:
        """All batches in their order, where the source has them."""
        given: Any = cast("Any", self.source).batches
        each = cast("Iterable[Table]", given() if callable(given) else given)
        return map(_Guard(self.learner, len).checked, each)

    def reduce(self, tally: Callable[[Table], Any]) -> Any:
        """The tallies of all batches, added up in a fixed order."""
        takes, name = self.learner.takes, type(self.learner).__name__
        found: _Heard = self.source.reduce(_Guard(self.learner, tally))
        if not found.rows:
            raise no_rows(name)
        target = self.source.domain.target
        if not found.target and takes.target != "nothing" and target is not None:
            raise no_target(name, target.name)
        return found.tally
