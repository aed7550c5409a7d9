"""Source index: what is known of a source once all parts were passed; passing them again."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from satsuma.data.cell_errors import changed
from satsuma.data.column_plan import ColumnPlan, Resolved, resolve
from satsuma.data.identifiers import FEWEST, LOOKED_AT, counts_rows, symbols_name_rows
from satsuma.data.parts import Part, stacked
from satsuma.data.profile import Raw, Words
from satsuma.data.table import Table
from satsuma.engines.merge_tree import plus
from satsuma.engines.passes import Pass
from satsuma.engines.thread_pool import Item, Progress, Stop, ThreadPool, WorkerPool
from satsuma.errors import ReadError
from satsuma.numerics.arrays import DTYPES

#: What is made of a batch, given the number of its first row in the source.
At = Callable[[Table, int], Any]


def no_rows(plan: ColumnPlan) -> Table:
    """A table of the columns of a plan, without rows."""
    return Table(plan.domain, [np.zeros(0, DTYPES[v.kind]) for v in plan.domain], check=False)


@dataclass
class SourceIndex:
    """A source of which everything is known but the rows.

    Parameters
    ----------
    plan
        Every column, every value.
    parts
        With their edges.
    starts
        The number of the first row of each part, and the number of all rows.
    lines
        Lines of the file that are before each part.
    found
        The plan, the last pass, and what the passes before it found wrong.
    """

    plan: ColumnPlan
    parts: list[Part]
    starts: list[int]
    lines: list[int]
    found: Resolved[Pass]

    def place(self, part: int, line: int) -> str:
        """How to call a line in a note."""
        return f"{self.parts[part].file}, line {self.lines[part] + line}"

    def keys(self) -> Iterator[str]:
        """The attributes that name rows: symbols by all rows, numbers by the first of them."""
        if self.starts[-1] < FEWEST:
            return
        words, first = self.found.last.profile.words, self._first_rows()
        for variable in self.plan.domain.attributes:
            name, said = variable.name, words.get(variable.name, Words())
            symbols = variable.kind == "sym" and symbols_name_rows(said.values, said.known)
            if symbols or (variable.kind == "num" and counts_rows(first.column(name))):
                yield name

    def _first_rows(self) -> Table:
        taken, rows = list[Table](), 0
        for item in self.items():
            for table, _ in batches(self.plan, item):
                taken.append(table[: LOOKED_AT - rows])
                rows += len(taken[-1])
                if rows >= LOOKED_AT:
                    return stacked(taken, self.plan.domain)
        return stacked(taken, self.plan.domain)

    def items(self) -> list[Item]:
        """The parts, each with what is known of it."""
        ends = zip(self.parts, self.starts[:-1], self.starts[1:], self.lines, strict=True)
        return [Item(at, *each) for at, each in enumerate(ends)]


def index_source(
    parts: Sequence[Part],
    plan: ColumnPlan,
    tally: Callable[[Table], Any] | None,
    pool: WorkerPool,
    progress: Progress | None,
) -> tuple[SourceIndex, Any]:
    """The index of a source, and the tally of all rows, if one is asked for.

    One pass is enough where the first guess at the columns was right.
    """

    def run(plan: ColumnPlan) -> Pass:
        nonlocal parts
        made = Pass(parts, plan, tally)
        if isinstance(pool, ThreadPool):
            made.run(pool.threads, progress)
        else:
            made.run_elsewhere(pool, progress)
        parts = made.parts
        return made

    found = resolve(plan, run)
    last = found.last
    if last.error is not None:
        raise last.error
    starts = [0, *np.cumsum(last.rows).tolist()]
    index = SourceIndex(found.plan, last.parts, starts, last.lines, found)
    total = cast("Any", last.tree.total())
    if tally is not None and total is None:
        total = tally(no_rows(index.plan))
    return index, total


@dataclass(frozen=True)
class Over:
    """What is made of the batches of a part, added up."""

    plan: ColumnPlan
    make: At

    def __call__(self, item: Item, stop: Stop) -> Any:
        """The sum for one part; None if it has no rows."""
        total: Any = None
        for table, first in batches(self.plan, item):
            stop.check()
            total = plus(total, self.make(table, first))
        return total


def batches(plan: ColumnPlan, item: Item) -> Iterator[tuple[Table, int]]:
    """The batches of a part, and the number of the first row of each."""
    part, first = item.part, item.first
    for raw in part.read(plan):
        _check_same(raw, item)
        if raw.rows:
            yield plan.table(raw, part.place), first
            first += raw.rows
    if first != item.end:
        raise changed(part.place, "there are more or fewer rows than there were")


def _check_same(raw: Raw, item: Item) -> None:
    if raw.refused:
        line, what, remedy = raw.refused
        raise ReadError(what, file=item.part.file, line=item.lines + line, remedy=remedy)
    if not raw.fits:
        raise changed(item.part.place, "a column holds what was not there")
