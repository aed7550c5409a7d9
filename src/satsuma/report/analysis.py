"""Analysis: a table, samples of its rows, and the comparison that several sections report on."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from satsuma.data.table import Table
from satsuma.engines.thread_pool import Progress
from satsuma.engines.timed_source import with_time_features
from satsuma.errors import DomainError, SatsumaError
from satsuma.evaluate.comparison import Comparison, compare
from satsuma.evaluate.recommendation import BASELINES
from satsuma.evaluate.request import SomeLearners
from satsuma.evaluate.suspected_leakage import Leaks, leaks_of, without
from satsuma.measures.association import Associations, associations
from satsuma.numerics.arrays import Array
from satsuma.report.findings import LEAKAGE, Finding, inspect_table
from satsuma.report.target_by_value import Aim

#: Rows that learners are compared on, at most, and cells: of more rows, some are drawn.
ROWS, CELLS, LEAST = 5_000, 500_000, 500

#: Rows that clusters and outliers are looked for among, at most.
NEAR = 4_000

#: Rows that contrast sets and associations are looked for in, at most.
APART = 20_000

#: Columns that are compared each with each, and shown one by one, at most.
ASSOCIATED = 200


@dataclass(frozen=True)
class Sample:
    """Rows of a table, and their numbers in it."""

    table: Table
    rows: Array
    of: int

    def __str__(self) -> str:
        """What was left out, as a sentence; empty where nothing was."""
        if len(self.rows) == self.of:
            return ""
        drawn = f"To be quick, {len(self.rows):,} rows were drawn at random from {self.of:,}"
        return f"{drawn}: all figures in this section are of these."

    def with_size(self, sentence: str) -> str:
        """A sentence for the summary, with the size of the sample where it is one."""
        if len(self.rows) == self.of:
            return sentence
        return f"{sentence} (Of a sample of {len(self.rows):,} rows.)"


@dataclass
class Analysis:
    """What the page is about.

    Parameters
    ----------
    table
        The rows.
    learners
        What to compare; what suits the table unless given.
    folds, seed
        The folds of the cross-validation, if their number is given, and the seed of everything
        random.
    progress
        Called with the number of steps of the comparison that are done, and of all of them.
    drawn_from
        How many rows the table was drawn from, where it is a sample.
    wording
        How a note or an error is worded, whose remedy is in Python.
    against
        Another table to compare this one with.
    limit
        Seconds that all learners together may take, where none is named.
    leaks
        Columns that are left out, as they may know the target; those that seem to unless given.
    """

    table: Table
    learners: SomeLearners | None
    folds: int | None
    seed: int
    progress: Progress
    drawn_from: int | None = None
    wording: Callable[[str], str] = str
    against: Table | None = None
    limit: float = 30.0
    leaks: Leaks | Iterable[str] | None = None

    @cached_property
    def learned_table(self) -> Table:
        """The table as learners get it: with features of its times."""
        return with_time_features(self.table, unlabelled=True)

    @cached_property
    def findings(self) -> list[Finding]:
        """What may be wrong with the table, the most urgent first."""
        found = inspect_table(self.table)
        return [
            each for each in found
            if self.leaks is None or each.kind not in LEAKAGE or each.column in self.left_out
        ]  # fmt: skip

    @cached_property
    def aim(self) -> Aim:
        """What values of a column are compared by."""
        return Aim.of(self.table)

    @cached_property
    def associated_rows(self) -> Sample:
        """The rows in which columns are compared, each with each."""
        names = list(self.table.domain.names)
        target = self.table.domain.target
        some = names[:ASSOCIATED]
        if target is not None and target.name not in some:
            some.append(target.name)
        return self.sample(APART, self.table.select(some))

    @cached_property
    def associations(self) -> Associations:
        """How strongly columns are associated, each with each."""
        return associations(self.associated_rows.table)

    def sample(self, most: int, table: Table | None = None) -> Sample:
        """So many rows at most, drawn at random; fewer where there are many columns."""
        table = self.learned_table if table is None else table
        n, columns = len(table), max(1, len(table.domain))
        most = min(most, max(LEAST, CELLS // columns))
        if n <= most:
            return Sample(table, np.arange(n), n)
        rng = np.random.default_rng([self.seed, n])
        rows = np.sort(rng.choice(n, most, replace=False))
        return Sample(table[rows], rows, n)

    @cached_property
    def left_out(self) -> dict[str, str]:
        """The attributes that may know the target, and why; none where there is no other."""
        if self.leaks is not None:
            return leaks_of(self.leaks, self.table)
        found = [each for each in self.findings if each.kind in LEAKAGE]
        left = len(self.learned_table.domain.attributes) - len(found)
        return {str(each.column): each.sentence for each in found} if left else {}

    @cached_property
    def compared_rows(self) -> Sample:
        """The rows that learners are compared on, without columns that seem to know the target."""
        found = self.sample(ROWS)
        return Sample(without(found.table, self.left_out), found.rows, found.of)

    @cached_property
    def _compared(self) -> Comparison | SatsumaError:
        if self.table.domain.target is None:
            return DomainError(
                "No column is the target. Name one, and learners are compared: "
                "table.with_roles(target=…)."
            )
        if (kind := self.table.domain.target.kind) in ("text", "time"):
            return DomainError(f"The target is {kind}, and no learner here predicts that.")
        try:
            return compare(
                self.sample(ROWS).table, self.learners, folds=self.folds, seed=self.seed,
                limit=self.limit, leaks=self.left_out, progress=self.progress,
            )  # fmt: skip
        except SatsumaError as error:
            return error

    @property
    def comparison(self) -> Comparison:
        """How learners compare; raises, each time it is used, where they cannot be compared."""
        if isinstance(self._compared, SatsumaError):
            raise self._compared
        return self._compared

    @property
    def has_comparison(self) -> bool:
        """Whether there is a comparison."""
        return isinstance(self._compared, Comparison)

    @property
    def chosen_learner(self) -> str:
        """The learner whose errors are shown: the one to take, or the best that is no baseline."""
        return self.comparison.beyond_baseline

    @property
    def readable_learner(self) -> str | None:
        """The learner whose model is shown: the chosen one, or the best one that can be read."""
        found = self.comparison
        return next(
            (
                name
                for name in (self.chosen_learner, *found.ranks)
                if found.learners[name].readable and _kind(found, name) not in BASELINES
            ),
            None,
        )

    @cached_property
    def distance_table(self) -> Table:
        """The table that distances are measured in: without text and weights."""
        aside = {
            v.name: "meta"
            for v in self.learned_table.domain
            if (v.kind == "text" and v.role == "x") or v.role == "weight"
        }
        return self.learned_table.with_roles(aside)


def _kind(found: Comparison, name: str) -> str:
    return type(found.learners[name]).__name__
