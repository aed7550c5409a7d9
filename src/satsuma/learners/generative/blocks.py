"""Blocks: which block of a learner takes which columns, and what follows from that."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import DomainError, NoSuchColumn, ParameterError
from satsuma.learners.generative.model import refuse_infinite_cells
from satsuma.learners.predictions import redefines
from satsuma.learners.takes import Takes
from satsuma.numerics.arrays import DTYPES
from satsuma.tallies.base import Folds, Tally, TallyKind, checked_folds
from satsuma.tallies.by_class import ByClass
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.composite import Composite
from satsuma.tallies.moments import Moments
from satsuma.tallies.row_sample import RowSample
from satsuma.tallies.scatter import Scatter


@dataclass(frozen=True)
class BlockColumns:
    """A block, and the columns that it is to take.

    Parameters
    ----------
    block
        Anything with `conclude` and a `tally_kind` or a `tally`, or with `learn`; see `Block`.
    columns
        Their names; None for all of some kinds that no other block takes.
    kinds
        The kinds.
    """

    block: Any
    columns: tuple[str, ...] | None
    kinds: tuple[str, ...]

    @classmethod
    def of(cls, block: Any, learner: object, parameter: str) -> "BlockColumns":
        """A block and the columns that it names; what is no block is refused as a parameter."""
        tallies = hasattr(block, "tally") or hasattr(block, "tally_kind")
        right = hasattr(block, "learn") or (tallies and hasattr(block, "conclude"))
        if isinstance(block, type) or not right:
            made = f" Call it first: {block.__name__}()." if isinstance(block, type) else ""
            raise ParameterError(
                f"The '{parameter}' parameter of {type(learner).__name__} must be of blocks, as "
                f"Gaussian() and Categorical() are. Got {block!r} instead.{made}"
            )
        columns = getattr(block, "columns", None)
        if isinstance(columns, str):
            columns = (columns,)
        named = None if columns is None else tuple(columns)
        return cls(block, named, tuple(getattr(block, "kinds", ("num", "sym"))))

    @property
    def by_rows(self) -> bool:
        """Whether the block must have the rows themselves."""
        return not hasattr(self.block, "conclude")

    @cached_property
    def tally_kind(self) -> TallyKind:
        """What makes its tallies: the kind that its block declares, or else the block's `tally`."""
        kind = getattr(self.block, "tally_kind", None)
        if kind is None or redefines(self.block, "tally", "tally_kind"):
            return TallyMethod(self.block)
        return kind

    def within(self, batch: Table) -> Table:
        """The rows with its columns alone, the target and the weights."""
        domain, columns = batch.domain, self.columns or ()
        always = [v.name for v in (domain.target, domain.weight) if v is not None]
        if len(columns) + len(always) == len(domain):
            return batch
        wanted = {*columns, *always}
        return batch.select([name for name in domain.names if name in wanted])


@dataclass(frozen=True)
class TallyMethod:
    """The tallies of a block that declares no `tally_kind` but has a `tally`, as a kind."""

    block: Any

    def zero(self, domain: Domain) -> Tally:
        """The tally of no rows."""
        return self.of(_no_rows(domain))

    def of(self, batch: Table) -> Tally:
        """The tally of a batch of rows."""
        return self.block.tally(batch)

    def by_fold(self, batch: Table, folds: Folds, k: int) -> list[Tally]:
        """The tallies of the rows of fold 0, 1, … k - 1, one after the other."""
        folds = checked_folds(folds, len(batch), k)
        return [self.of(batch[np.flatnonzero(folds == fold)]) for fold in range(k)]


class _SampledRows:
    """A block of no columns: some of the rows, for calibration and for blocks that ask for them."""

    tally_kind = RowSample


class _ClassWeights:
    """A block of no columns: what each class weighs."""

    tally_kind = ClassCounts


_CLASSES = BlockColumns(_ClassWeights(), (), ())
_SAMPLE = BlockColumns(_SampledRows(), None, ())


class _Assigned(NamedTuple):
    """The blocks with the columns of one domain, and those of them that are tallied."""

    domain: Domain
    blocks: tuple[BlockColumns, ...]
    tallied: tuple[BlockColumns, ...]


class Assignment:
    """Which block takes which columns, and all that follows before a row is seen.

    It is what makes the tallies of its learner (a `TallyKind`): a `Composite` of one part for each
    block that is not of rows, one more of the classes alone where no other knows what each class
    weighs, and a sample of the rows where there is to be one. Two are equal if they make the same
    tallies, whatever is concluded from them.

    Parameters
    ----------
    blocks
        The blocks, and the columns that each is to take; these need not be known yet.
    rounds
        How many rounds it takes where all blocks learn from tallies.
    sampled
        Whether a sample of the rows is to be kept, as its last part.

    Examples
    --------
    >>> from satsuma import Categorical, Gaussian
    >>> days = Table.of([(30, "hot", "no"), (20, "mild", "yes")], ["heat", "temp", "play"])
    >>> given = [BlockColumns.of(each, None, "") for each in (Gaussian(), Categorical())]
    >>> [each.columns for each in Assignment(given).within(days.domain)]
    [('heat',), ('temp',)]
    """

    def __init__(
        self, blocks: Sequence[BlockColumns], rounds: str = "one", *, sampled: bool = False
    ) -> None:
        self.blocks, self.rounds = tuple(blocks), rounds
        self.sampled = sampled
        self.takes = _takes(self.blocks, rounds)
        self.finds_infinite = all(
            getattr(each.block, "finds_infinite", False) or "num" not in each.kinds
            for each in self.blocks
        )
        made = (each.block if each.by_rows else each.tally_kind for each in self.blocks)
        columns = ((each.columns, each.kinds) for each in self.blocks)
        self._key = (self.sampled, tuple(columns), tuple(made))
        self._last: _Assigned | None = None  # batches of a stream share their domain

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Assignment) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key[:2])  # a block need not have a hash

    def unsampled(self) -> "Assignment":
        """The same, without a sample of the rows."""
        return Assignment(self.blocks, self.rounds) if self.sampled else self

    def check(self) -> None:
        """Raise a `ParameterError` if a parameter of a block has a value that it cannot have."""
        for each in self.blocks:
            if hasattr(each.block, "check"):
                each.block.check()

    def check_columns(self, domain: Domain) -> None:
        """Raise a `DomainError` if a column has no block, or a block more than it takes."""
        classes = 0 if domain.target is None else len(domain.target.values)
        for each in self.within(domain):
            check = getattr(each.block, "check_columns", None)
            if check is not None:
                check([domain[name] for name in each.columns or ()], classes)

    def within(self, domain: Domain) -> tuple[BlockColumns, ...]:
        """Each block that takes an attribute of a domain, with the names of those it takes."""
        return self._assigned(domain).blocks

    def _assigned(self, domain: Domain) -> _Assigned:
        last = self._last
        if last is None or last.domain is not domain:
            blocks = tuple(assign(self.blocks, domain))
            tallied = [each for each in blocks if not each.by_rows]
            if not any(_is_by_class(each.tally_kind) for each in tallied):
                tallied.append(_CLASSES)
            if self.sampled:
                tallied.append(_SAMPLE)
            last = self._last = _Assigned(domain, blocks, tuple(tallied))
        return last

    def zero(self, domain: Domain) -> Composite:
        """The tally of no rows."""
        return self.of(_no_rows(domain))

    def of(self, batch: Table) -> Composite:
        """The tally of a batch of rows; an infinite number that shows in it is refused."""
        tallied = self._assigned(batch.domain).tallied
        parts = [each.tally_kind.of(_part_of(each, batch)) for each in tallied]
        _refuse_infinite(batch, tallied, parts)
        return Composite(batch.domain, parts)

    def by_fold(self, batch: Table, folds: Folds, k: int) -> list[Composite]:
        """The tallies of the rows of fold 0, 1, … k - 1."""
        tallied = self._assigned(batch.domain).tallied
        parts = [each.tally_kind.by_fold(_part_of(each, batch), folds, k) for each in tallied]
        folded = cast("list[tuple[Tally, ...]]", list(zip(*parts, strict=True)))
        for one in folded:
            _refuse_infinite(batch, tallied, one)
        return [Composite(batch.domain, one) for one in folded]


def _refuse_infinite(batch: Table, tallied: Sequence[BlockColumns], parts: Sequence[Tally]) -> None:
    """Raise if an infinite number of a batch shows in its tallies."""
    for each, part in zip(tallied, parts, strict=True):
        if isinstance(part, Moments | Scatter) and not part.is_finite():
            refuse_infinite_cells(each.within(batch))


def _part_of(each: BlockColumns, batch: Table) -> Table:
    return batch if each is _SAMPLE else each.within(batch)


def assign(blocks: Sequence[BlockColumns], domain: Domain) -> list[BlockColumns]:
    """Each block with the attributes of a domain that it takes: one at least, and each just once.

    Blocks that name columns come first; what is left goes to the first block that takes its kind.

    Examples
    --------
    >>> from satsuma import Variable
    >>> domain = Domain([Variable("age"), Variable("sex", "sym", ("f", "m"))])
    >>> given = [BlockColumns(1, None, ("num", "sym")), BlockColumns(2, ("age",), ("num",))]
    >>> [(each.block, each.columns) for each in assign(given, domain)]
    [(1, ('sex',)), (2, ('age',))]
    """
    taken: dict[str, BlockColumns] = {}
    for each in blocks:
        for name in each.columns or ():
            _check_name(each, name, domain, taken)
            taken[name] = each
    for each in blocks:
        if each.columns is None:
            free = [v for v in domain.attributes if v.name not in taken and v.kind in each.kinds]
            taken |= {v.name: each for v in free}
    if left := [v for v in domain.attributes if v.name not in taken]:
        raise DomainError(
            f"No block takes column {left[0].name!r}, which is of kind {left[0].kind!r}. Add a "
            f"block for it, or give it another role: "
            f"table.with_roles({{{left[0].name!r}: 'meta'}})."
        )
    found = [
        BlockColumns(
            each.block, tuple(v.name for v in domain.attributes if taken[v.name] is each), ()
        )
        for each in blocks
    ]
    return [each for each in found if each.columns]


def _check_name(
    asking: BlockColumns, name: str, domain: Domain, taken: dict[str, BlockColumns]
) -> None:
    known = {v.name: v for v in domain.attributes}
    if name not in known:
        raise NoSuchColumn(name, known)
    if name in taken:
        raise DomainError(
            f"Two blocks take column {name!r}: {taken[name].block!r} and {asking.block!r}. "
            f"Name it in one of them."
        )
    if known[name].kind not in asking.kinds:
        raise DomainError(
            f"{asking.block!r} takes columns of kind {' or '.join(map(repr, asking.kinds))}, but "
            f"{name!r} is {known[name].kind!r}. Give it another block."
        )


def _takes(blocks: Sequence[BlockColumns], rounds: str) -> Takes:
    kinds = [kind for kind in ("num", "sym", "text") if any(kind in each.kinds for each in blocks)]
    if any(each.by_rows for each in blocks):
        return Takes(kinds=tuple(kinds), rounds="rows")
    return Takes(kinds=tuple(kinds), rounds="many" if rounds == "many" else "one")


def _is_by_class(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, ByClass)


def _no_rows(domain: Domain) -> Table:
    none = [np.zeros(0, DTYPES[variable.kind]) for variable in domain]
    return Table(domain, none, check=False)
