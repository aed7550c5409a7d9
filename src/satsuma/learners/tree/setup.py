"""Setup: what is settled before a tree grows, and the rows that it grows from."""

from typing import NamedTuple

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import DomainError
from satsuma.kernels.tree import Rules
from satsuma.learners.tree.asked_columns import AskedColumns, asked_columns
from satsuma.learners.tree.binning import held_share, target_numbers
from satsuma.learners.tree.structure import SQUARES, SUM, WEIGHT
from satsuma.measures.informative_missing import informative_columns
from satsuma.numerics.arrays import Array, Codes, Floats
from satsuma.tallies.content_hashes import training_hashes
from satsuma.tallies.target_where_missing import TargetWhereMissing

#: Bins of a column where nothing else is said and there are many rows; so many different rows are
#: few (50,000, and what the estimate of their number may be off by).
BINS, FEW_ROWS = 255, 52_000


class Setup(NamedTuple):
    """What is settled before the first row is seen.

    Parameters
    ----------
    domain
        The columns.
    learner
        Its name, for errors.
    rules
        When and how nodes are divided.
    forms
        How each attribute can divide.
    classes
        How many there are; 0 for a number.
    bins
        The most that a column of numbers is cut into; None for all of its values where there are
        few rows.
    held_out
        The share of rows that is kept for pruning.
    missing
        Whether missing cells tell something: ``auto``, ``ignore`` or ``informative``.
    fold
        Which of several parts of the rows, as large as `held_out`, is kept.
    asked
        What nodes can ask for, once it is known whose missing cells tell something.
    values
        How many different values each of that has in the sample, once that is known.
    """

    domain: Domain
    learner: str
    rules: Rules
    forms: Codes
    classes: int
    bins: int | None
    held_out: float
    missing: str = "ignore"
    fold: int = 0
    asked: AskedColumns | None = None
    values: tuple[int, ...] = ()

    def decided(self, tally: TargetWhereMissing | None) -> "Setup":
        """The setup in which it is known whose missing cells tell something."""
        found = () if tally is None else informative_columns(tally, self.missing)
        if not found:
            return self
        asked = asked_columns(self.domain, found)
        return self._replace(domain=asked.domain, forms=self.forms[asked.source], asked=asked)

    def binned(self, distinct: float) -> "Setup":
        """The setup in which it is known what thresholds are compared, by how many rows differ."""
        every = self.bins is None and distinct <= FEW_ROWS
        return self._replace(bins=self.bins or BINS, rules=self.rules._replace(every=every))

    @property
    def informative(self) -> tuple[str, ...]:
        """The names of the columns whose missing cells tell something."""
        return () if self.asked is None else self.asked.informative

    def scale(self, stats: Floats) -> float:
        """What ties at a node are measured by: its weight, or its sum of squares."""
        if self.classes:
            return float(stats.sum())
        weight = stats[WEIGHT]
        return float(max(stats[SQUARES] - stats[SUM] ** 2 / weight, 0.0)) if weight > 0 else 0.0

    @property
    def channels(self) -> int:
        """Cells of a bin: the classes, or weight and sum."""
        return self.classes or 2


class Rows(NamedTuple):
    """The rows of a batch that are learned from."""

    batch: Table
    target: Array
    weights: Floats | None

    def weighed(self, rows: Array, shares: Floats) -> Floats:
        """What parts of rows weigh."""
        return shares if self.weights is None else shares * self.weights[rows]


def rows_of(setup: Setup, batch: Table, *, held: bool = False) -> tuple[Rows, Array]:
    """The rows with a target and a weight, and their hashes; or those held out for pruning."""
    hashes = training_hashes(batch)
    variable, weights = batch.domain.target, batch.weights
    assert variable is not None
    keep = ~batch.missing(variable.name)
    if weights is not None:
        keep &= weights > 0
    if setup.held_out:
        share, low = held_share(hashes), setup.fold * setup.held_out
        keep &= ((share >= low) & (share < low + setup.held_out)) == held
    if not keep.all():
        at = np.flatnonzero(keep)
        batch, hashes, weights = batch[at], hashes[at], None if weights is None else weights[at]
    target = target_of(setup, batch)
    if setup.asked is not None:
        batch = setup.asked.table(batch)
    return Rows(batch, target, weights), hashes


def target_of(setup: Setup, batch: Table) -> Array:
    """The target of each row: a code of its class, or a number."""
    variable = batch.domain.target
    assert variable is not None
    return batch.column(variable.name) if setup.classes else target_numbers(batch)


def where_missing(setup: Setup, rows: Table) -> TargetWhereMissing | None:
    """The target where columns are missing, if that is to be known of the rows learned from."""
    return None if setup.missing == "ignore" else TargetWhereMissing.of(rows)


def nothing_to_learn_from(learner: str) -> DomainError:
    """The error for rows none of which has both a target and a weight."""
    return DomainError(
        f"{learner} was given no row of a known target whose weight is not zero. "
        f"Give some rows a target and a weight."
    )
