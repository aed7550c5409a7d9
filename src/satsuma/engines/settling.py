"""Settling: one pass over all parts that finds kinds and values, and tallies on the way."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from satsuma.data.delimited.reader import infinite, not_a_number
from satsuma.data.parts.look import Look, replanned, settled
from satsuma.data.parts.plan import Part, Plan, Raw, changed
from satsuma.data.table import Table
from satsuma.engines.merging import Tree
from satsuma.engines.ordered import Progress, Stop, ordered
from satsuma.errors import ReadError
from satsuma.kernels.threads import limited

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


@dataclass
class _Outcome:
    """What came out of a part."""

    look: Look = field(default_factory=Look)
    tally: Any = None
    error: Exception | None = None
    edges: tuple[int, int] | None = None


class Pass:
    """One pass over all parts under a plan that may prove wrong.

    Rows are tallied as long as nothing is wrong with the plan. What goes wrong in tallying may be
    the fault of the plan, so that it counts only once the plan has proved right.
    """

    def __init__(
        self, parts: Sequence[Part], plan: Plan, tally: Callable[[Table], Any] | None
    ) -> None:
        self.parts, self.plan, self.tally = list(parts), plan, tally
        self.look, self.tree = Look(), Tree[Any]()
        self.error: Exception | None = None
        self.rows: list[int] = []
        self.lines: list[int] = []  # of the file, before each part
        self._ends: dict[str, int] = {}
        self._passed: dict[str, int] = {}

    def run(self, threads: int, progress: Progress | None) -> None:
        """Go over all parts."""
        outcomes = ordered(self._work, range(len(self.parts)), threads, progress)
        with closing(outcomes):
            for at, outcome in enumerate(outcomes):
                self._take(at, self._in_place(at, outcome))

    def _work(self, at: int, stop: Stop) -> _Outcome:
        with limited(1):
            return self._read(self.parts[at], at, stop)

    def _read(self, part: Part, at: int, stop: Stop) -> _Outcome:
        made, reading = _Outcome(), part.read(self.plan)
        for raw in reading:
            stop.check()
            made.look.hear(raw, self.plan, at)
            if self.tally is None or made.error or not raw.rows or not made.look.fits(self.plan):
                continue
            try:
                tally = self.tally(self.plan.table(raw, part.place))
                made.tally = tally if made.tally is None else made.tally + tally
            except Exception as error:  # noqa: BLE001 - it is raised if the plan was right
                made.error = error
        made.edges = reading.edges
        return made

    def _in_place(self, at: int, outcome: _Outcome) -> _Outcome:
        """The outcome of the part as it is, should the start of it have been guessed wrong."""
        part = self.parts[at]
        if outcome.edges is None:
            return outcome
        end = self._ends.get(part.file)
        if end is not None and end != outcome.edges[0]:
            with limited(1):
                outcome = self._read(part.between(end), at, Stop())
        assert outcome.edges is not None
        self.parts[at] = part.between(*outcome.edges)
        self._ends[part.file] = outcome.edges[1]
        return outcome

    def _take(self, at: int, outcome: _Outcome) -> None:
        file, found = self.parts[at].file, outcome.look
        self.lines.append(self._passed.get(file, self._header(at)))
        self._passed[file] = self.lines[at] + found.lines
        self.rows.append(found.rows)
        self.look.join(found)
        if found.refused:
            _, line, what, remedy = found.refused
            raise ReadError(what, file=file, line=self.lines[at] + line, remedy=remedy)
        self.error = self.error or outcome.error
        if self.error or not self.look.fits(self.plan):
            self.tally, self.tree = None, Tree()  # what is still to come is only looked at
        elif outcome.tally is not None:
            self.tree.add(outcome.tally)

    def _header(self, at: int) -> int:
        text: Any = getattr(self.parts[at], "text", None)
        return 0 if text is None else text.layout.lines

    def replanned(self) -> Plan:
        """The plan as it should have been; an error where the source cannot be read so."""
        for name, (at, line, cell) in self.look.failed.items():
            if name in self.plan.strict:
                raise not_a_number(name, cell, *self._where(at, line))
        plan = replanned(self.plan, self.look)
        for name, (at, line, cell) in self.look.infinite.items():
            if plan.domain[name].kind == "num":
                raise infinite(name, cell, *self._where(at, line))
        return plan

    def _where(self, at: int, line: int) -> tuple[str, int | None]:
        """The file and the line to name in a message."""
        part = self.parts[at]
        if part.lined:
            return part.file, self.lines[at] + line
        return f"{part.place}, row {line}", None

    def settled(self) -> Settled:
        """What is known now that the plan has proved right."""
        starts = [0, *np.cumsum(self.rows).tolist()]
        return Settled(settled(self.plan, self.look), self.parts, starts, self.look, self.lines)


def settle(
    parts: Sequence[Part],
    plan: Plan,
    tally: Callable[[Table], Any] | None,
    threads: int,
    progress: Progress | None,
) -> tuple[Settled, Any]:
    """What is settled of a source, and the tally of all rows, if one is asked for.

    One pass is enough where the first guess at the columns was right.
    """
    while True:
        run = Pass(parts, plan, tally)
        run.run(threads, progress)
        better = run.replanned()
        if better == plan:
            break
        parts, plan = run.parts, better
    if run.error is not None:
        raise run.error
    found: Settled = run.settled()
    total = cast("Any", run.tree.total())
    if tally is not None and total is None:
        total = tally(no_rows(found.plan))
    return found, total


def over(
    found: Settled, make: At, threads: int, progress: Progress | None = None
) -> Generator[Any]:
    """What is made of the batches of each part, added up; in the order of the parts."""

    def work(at: int, stop: Stop) -> Any:
        total: Any = None
        with limited(1):
            for table, first in batches(found, at):
                stop.check()
                made = make(table, first)
                total = made if total is None else total + made
        return total

    return ordered(work, range(len(found.parts)), threads, progress)


def batches(found: Settled, at: int) -> Iterator[tuple[Table, int]]:
    """The batches of a part, and the number of the first row of each."""
    part, first = found.parts[at], found.starts[at]
    for raw in part.read(found.plan):
        _check_same(raw, part, found.lines[at])
        if raw.rows:
            yield found.plan.table(raw, part.place), first
            first += raw.rows
    if first != found.starts[at + 1]:
        raise changed(part.place, "there are more or fewer rows than there were")


def _check_same(raw: Raw, part: Part, lines: int) -> None:
    if raw.refused:
        line, what, remedy = raw.refused
        raise ReadError(what, file=part.file, line=lines + line, remedy=remedy)
    if not raw.fits:
        raise changed(part.place, "a column holds what was not there")
