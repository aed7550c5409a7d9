"""BlocksKind: the tallies of several blocks, side by side."""

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.learners.generative.claims import Claim, settled
from satsuma.learners.generative.model import refuse_infinite_cells
from satsuma.tallies.base import Folds, Tally
from satsuma.tallies.by_class import ByClass
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.grouping import checked_folds
from satsuma.tallies.moments import Moments
from satsuma.tallies.together import Together

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


def _has_infinite(moments: Moments) -> bool:
    if isfinite(moments.mean.sum()):  # no value is infinite where the mean of its column is not
        return False
    return bool((moments.hi == np.inf).any() or (moments.lo == -np.inf).any())
