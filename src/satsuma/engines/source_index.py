"""Settling: what is known of a source once all its parts were passed, and passing them again."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from satsuma.data.column_plan import Part, Plan, Raw, changed
from satsuma.data.profile import Look, settled
from satsuma.data.table import Table
from satsuma.engines.merge_tree import plus
from satsuma.engines.passes import Pass
from satsuma.engines.thread_pool import Crew, Item, Progress, Stop, Threads
from satsuma.errors import ReadError

#: What is made of a batch, given the number of its first row in the source.
At = Callable[[Table, int], Any]

DTYPES = {"num": np.float64, "sym": np.int32, "text": np.object_}


def no_rows(plan: Plan) -> Table:
    """A table of the columns of a plan, without rows."""
    return Table(plan.domain, [np.zeros(0, DTYPES[v.kind]) for v in plan.domain], check=False)


@dataclass
class Settled:
    """A source of which everything is known but the rows.

    Parameters
    ----------
    plan
        Every column, every value.
    parts
        With their edges.
    starts
        The number of the first row of each part, and the number of all rows.
    look
        What was found on the way.
    lines
        Lines of the file that are before each part.
    """

    plan: Plan
    parts: list[Part]
    starts: list[int]
    look: Look
    lines: list[int]

    def items(self) -> list[Item]:
        """The parts, each with what is known of it."""
        ends = zip(self.parts, self.starts[:-1], self.starts[1:], self.lines, strict=True)
        return [Item(at, *each) for at, each in enumerate(ends)]


def settle(
    parts: Sequence[Part],
    plan: Plan,
    tally: Callable[[Table], Any] | None,
    crew: Crew,
    progress: Progress | None,
) -> tuple[Settled, Any]:
    """What is settled of a source, and the tally of all rows, if one is asked for.

    One pass is enough where the first guess at the columns was right.
    """
    while True:
        run = Pass(parts, plan, tally)
        if isinstance(crew, Threads):
            run.run(crew.threads, progress)
        else:
            run.run_elsewhere(crew, progress)
        better = run.replanned()
        if better == plan:
            break
        parts, plan = run.parts, better
    if run.error is not None:
        raise run.error
    starts = [0, *np.cumsum(run.rows).tolist()]
    found = Settled(settled(plan, run.look), run.parts, starts, run.look, run.lines)
    total = cast("Any", run.tree.total())
    if tally is not None and total is None:
        total = tally(no_rows(found.plan))
    return found, total


@dataclass(frozen=True)
class Over:
    """What is made of the batches of a part, added up."""

    plan: Plan
    make: At

    def __call__(self, item: Item, stop: Stop) -> Any:
        """The sum for one part; None if it has no rows."""
        total: Any = None
        for table, first in batches(self.plan, item):
            stop.check()
            total = plus(total, self.make(table, first))
        return total


def batches(plan: Plan, item: Item) -> Iterator[tuple[Table, int]]:
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
