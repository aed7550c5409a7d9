"""Claims: which block speaks for which columns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, NoSuchColumn, ParameterError
from satsuma.learners.generative.model import refuse_infinite_cells
from satsuma.learners.overrides import redefines
from satsuma.learners.takes import Takes
from satsuma.tallies.base import Folds, Tally
from satsuma.tallies.by_class import ByClass
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.composite import Together
from satsuma.tallies.groups import checked_folds
from satsuma.tallies.moments import Moments


@dataclass(frozen=True)
class Claim:
    """A block, and the columns that it is to speak for.

    Parameters
    ----------
    block
        Anything with `tally` and `conclude`, or with `learn`; see `Block`.
    columns
        Their names; None for all of some kinds that nothing else claims.
    kinds
        The kinds.
    """

    block: Any
    columns: tuple[str, ...] | None
    kinds: tuple[str, ...]

    @property
    def by_rows(self) -> bool:
        """Whether the block must have the rows themselves."""
        return not hasattr(self.block, "conclude")

    @property
    def makes_tallies(self) -> Any:
        """What makes its tallies, as far as that is known: equal for equal tallies."""
        return self.tally_kind or self.block

    @property
    def tally_kind(self) -> Any:
        """The kind that its block names, unless the block's class has a newer `tally`."""
        newer = redefines(self.block, "tally", "tally_kind")
        return None if newer else getattr(self.block, "tally_kind", None)

    def within(self, batch: Table) -> Table:
        """The columns of a settled claim, the target and the weights."""
        always, columns = _always(batch.domain), self.columns or ()
        if len(columns) + len(always) == len(batch.domain):
            return batch
        wanted = {*columns, *always}
        return batch.select([name for name in batch.domain.names if name in wanted])


def _always(domain: Domain) -> list[str]:
    return [v.name for v in (domain.target, domain.weight) if v is not None]


def claim(block: Any, learner: object, parameter: str) -> Claim:
    """The claim of a block, once it is sure that it is one; else the parameter is to blame."""
    right = hasattr(block, "learn") or (hasattr(block, "tally") and hasattr(block, "conclude"))
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
    return Claim(block, named, tuple(getattr(block, "kinds", ("num", "sym"))))


def settled(claims: Sequence[Claim], domain: Domain) -> list[Claim]:
    """Who speaks for which attribute of a domain: each for one at least, and for each just one.

    Claims by name come first; what is left goes to the first claim that takes its kind.

    Examples
    --------
    >>> domain = Domain([Variable("age"), Variable("sex", "sym", ("f", "m"))])
    >>> given = [Claim("block", None, ("num", "sym")), Claim("other", ("age",), ("num",))]
    >>> [(each.block, each.columns) for each in settled(given, domain)]
    [('block', ('sex',)), ('other', ('age',))]
    """
    taken: dict[str, Claim] = {}
    for each in claims:
        for name in each.columns or ():
            _check_name(each, name, domain, taken)
            taken[name] = each
    for each in claims:
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
        Claim(each.block, tuple(v.name for v in domain.attributes if taken[v.name] is each), ())
        for each in claims
    ]
    return [each for each in found if each.columns]


def _check_name(claim: Claim, name: str, domain: Domain, taken: dict[str, Claim]) -> None:
    known = {v.name: v for v in domain.attributes}
    if name not in known:
        raise NoSuchColumn(name, known)
    if name in taken:
        raise DomainError(
            f"Two blocks take column {name!r}: {taken[name].block!r} and {claim.block!r}. "
            f"Name it in one of them."
        )
    if known[name].kind not in claim.kinds:
        raise _wrong_kind(claim, known[name])


def _wrong_kind(claim: Claim, variable: Variable) -> DomainError:
    return DomainError(
        f"{claim.block!r} takes columns of kind {' or '.join(map(repr, claim.kinds))}, but "
        f"{variable.name!r} is {variable.kind!r}. Give it another block."
    )


_DTYPES = {"num": np.float64, "sym": np.int32, "text": np.object_}


class BlocksKind:
    """The tally `Together` of one part for each claim that is not of rows.

    There is one part more, of the classes alone, where no other knows what each class weighs.
    Two kinds are equal if they make the same tallies, whatever is concluded from them.

    Parameters
    ----------
    claims
        Of blocks, for columns that need not be known yet.
    """

    def __init__(self, claims: Sequence[Claim]) -> None:
        self.claims = tuple(claims)
        self._settled: tuple[Domain, list[Claim]] | None = None
        self._key = tuple((each.makes_tallies, each.columns, each.kinds) for each in self.claims)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BlocksKind) and self._key == other._key

    def __hash__(self) -> int:
        return hash(tuple(each[1:] for each in self._key))

    def settled(self, domain: Domain) -> list[Claim]:
        """The claims that make a part each, with their columns; the last ones are remembered."""
        last = self._settled
        if last is None or last[0] is not domain:
            last = self._settled = domain, self._parts(domain)
        return last[1]

    def _parts(self, domain: Domain) -> list[Claim]:
        found = [each for each in settled(self.claims, domain) if not each.by_rows]
        if not any(_is_by_class(each.makes_tallies) for each in found):
            found.append(Claim(_Classes(), (), ()))
        return found

    def zero(self, domain: Domain) -> Together:
        """The tally of no rows."""
        none = [np.zeros(0, _DTYPES[variable.kind]) for variable in domain]
        return self.of(Table(domain, none, check=False))

    def of(self, batch: Table) -> Together:
        """The tally of a batch of rows."""
        parts = [each.block.tally(each.within(batch)) for each in self.settled(batch.domain)]
        for part in parts:
            if isinstance(part, Moments) and _has_infinite(part):
                refuse_infinite_cells(batch)
        return Together(batch.domain, parts)

    def by_fold(self, batch: Table, folds: Folds, k: int) -> list[Together]:
        """The tallies of the rows of fold 0, 1, … k - 1."""
        parts = [
            _tallying(each)(each.within(batch), folds, k) for each in self.settled(batch.domain)
        ]
        return [
            Together(batch.domain, one)
            for one in cast("list[tuple[Tally, ...]]", list(zip(*parts, strict=True)))
        ]


class _Classes:
    """What each class weighs, without any column."""

    tally_kind = ClassCounts

    def tally(self, batch: Table) -> ClassCounts:
        return ClassCounts.of(batch)


def _is_by_class(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, ByClass)


def _tallying(claim: Claim) -> Callable[[Table, Folds, int], Sequence[Tally]]:
    if claim.tally_kind is not None:
        return claim.tally_kind.by_fold

    def one_by_one(batch: Table, folds: Folds, k: int) -> list[Tally]:
        folds = checked_folds(folds, len(batch), k)
        return [claim.block.tally(batch[np.flatnonzero(folds == fold)]) for fold in range(k)]

    return one_by_one


class Recipe:
    """What is the same for all batches of a stream, worked out once.

    Parameters
    ----------
    claims
        The blocks, and the columns that each is to speak for.
    rounds
        How many rounds it takes where all blocks learn from tallies.
    """

    def __init__(self, claims: Sequence[Claim], rounds: str) -> None:
        self.claims = tuple(claims)
        self.tally_kind = BlocksKind(self.claims)
        self.takes = _takes(self.claims, rounds)
        self.finds_infinite = all(
            getattr(each.block, "finds_infinite", False) or "num" not in each.kinds
            for each in self.claims
        )
        self._settled: tuple[Domain, list[Claim]] | None = None

    def settled(self, domain: Domain) -> list[Claim]:
        """Who speaks for which attribute of a domain; known already if it was the last one."""
        last = self._settled
        if last is None or last[0] is not domain:
            last = self._settled = domain, settled(self.claims, domain)
        return last[1]


def _takes(claims: Sequence[Claim], rounds: str) -> Takes:
    kinds = [kind for kind in ("num", "sym", "text") if any(kind in c.kinds for c in claims)]
    if any(each.by_rows for each in claims):
        return Takes(kinds=tuple(kinds), rounds="rows")
    return Takes(kinds=tuple(kinds), rounds="many" if rounds == "many" else "one")


def _has_infinite(moments: Moments) -> bool:
    if isfinite(moments.mean.sum()):  # no value is infinite where the mean of its column is not
        return False
    return bool((moments.hi == np.inf).any() or (moments.lo == -np.inf).any())
