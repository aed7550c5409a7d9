"""FoldedScatter: cross-products of rows in folds, which depend on what is in a row alone."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.tallies.base import Folds, State, Tally, checked_folds
from satsuma.tallies.content_hashes import training_hashes
from satsuma.tallies.target_tallies import TargetScatter

#: How many folds there are.
FOLDS = 10


class FoldedScatter(Tally):
    """A `TargetScatter` for each of ten folds.

    The fold of a row follows from its cells in the attributes and the target. So it is the same
    whatever batch the row comes in, and equal rows are in one fold.

    Parameters
    ----------
    parts
        The tallies of the folds.

    Examples
    --------
    >>> days = Table.of([(x, 2.0 * x) for x in range(100)], ["heat", "visitors"])
    >>> folded = FoldedScatter.of(days)
    >>> float(sum(part.held.class_weight[0] for part in folded.parts))
    100.0
    """

    def __init__(self, parts: Sequence[TargetScatter]) -> None:
        self.parts = tuple(parts)

    @property
    def domain(self) -> Domain:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The columns of the rows that were tallied."""
        return self.parts[0].domain

    @classmethod
    def schema_in(cls, domain: Domain) -> Schema:
        """That of each fold, which checks its own."""
        return TargetScatter.schema_in(domain)

    @classmethod
    def zero(cls, domain: Domain) -> Self:
        """The tally of no rows."""
        return cls([TargetScatter.zero(domain)] * FOLDS)

    @classmethod
    def of(cls, batch: Table) -> Self:
        """The tally of a batch of rows."""
        return cls(TargetScatter.by_fold(batch, folds_of(batch), FOLDS))

    @classmethod
    def by_fold(cls, batch: Table, folds: Folds, k: int) -> list[Self]:
        """The tallies of the rows of fold 0, 1, … k - 1 of others, in one pass."""
        outer = checked_folds(folds, len(batch), k).astype(np.int64)
        both = np.where(outer >= 0, outer * FOLDS + folds_of(batch), -1)
        found = TargetScatter.by_fold(batch, both, k * FOLDS)
        return [cls(found[at * FOLDS : (at + 1) * FOLDS]) for at in range(k)]

    def __add__(self, other: Any) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        return type(self)([a + b for a, b in zip(self.parts, other.parts, strict=True)])

    def state(self) -> State:
        """All there is to it, as arrays and what JSON can hold."""
        return {
            f"{at}/{name}": each
            for at, part in enumerate(self.parts)
            for name, each in part.state().items()
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """The tally whose `state` that is."""
        parts: list[dict[str, Any]] = [{} for _ in range(FOLDS)]
        for key, each in state.items():
            at, _, name = key.partition("/")
            parts[int(at)][name] = each
        return cls([TargetScatter.from_state(part) for part in parts])

    def close_to(self, other: Any, rel: float = 1e-9) -> bool:
        """Whether both say the same, but for rounding."""
        return type(other) is type(self) and all(
            a.close_to(b, rel) for a, b in zip(self.parts, other.parts, strict=True)
        )

    def __repr__(self) -> str:
        return f"FoldedScatter({', '.join(map(repr, self.parts))})"


def folds_of(batch: Table) -> Folds:
    """The fold of each row, which follows from what is in it."""
    return ((training_hashes(batch) >> np.uint64(32)) % np.uint64(FOLDS)).astype(np.int64)
