"""Passes over all parts of a source, under a plan that may prove wrong."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from satsuma.data.column_plan import ColumnPlan
from satsuma.data.parts import Part
from satsuma.data.profile import Profile
from satsuma.data.table import Table
from satsuma.engines.merge_tree import MergeTree, plus
from satsuma.engines.thread_pool import (
    Item,
    Progress,
    Stop,
    WorkerPool,
    map_ordered,
    single_threaded,
)
from satsuma.errors import ReadError


@dataclass(frozen=True)
class Facts:
    """A part in numbers: rows, lines, and where its first record started and its last one ended."""

    rows: int = 0
    lines: int = 0
    edges: tuple[int, int] | None = None


@dataclass
class Outcome:
    """What came out of some parts. Two of them add up to one.

    Parameters
    ----------
    profile
        What was found.
    tally
        Of the rows; None if there are none, or if the tally is not wanted any more.
    error
        The first that was raised in tallying.
    fits
        Whether all was as the plan has it.
    facts
        Of each part, by its number.
    """

    profile: Profile = field(default_factory=Profile)
    tally: Any = None
    error: Exception | None = None
    fits: bool = True
    facts: dict[int, Facts] = field(default_factory=dict[int, Facts])

    def __add__(self, later: "Outcome") -> "Outcome":
        profile = Profile()
        profile.join(self.profile)
        profile.join(later.profile)
        fits, error = self.fits and later.fits, self.error or later.error
        # What the plan was wrong for is not added up: it may not even fit together.
        tally = plus(self.tally, later.tally) if fits and error is None else None
        return Outcome(profile, tally, error, fits, {**self.facts, **later.facts})


@dataclass(frozen=True)
class Profiling:
    """The profile of a part, and the tally of its rows as long as the plan is right for them."""

    plan: ColumnPlan
    tally: Callable[[Table], Any] | None

    def __call__(self, item: Item, stop: Stop) -> Outcome:
        """What comes out of one part."""
        made, reading = Outcome(), item.part.read(self.plan)
        for raw in reading:
            stop.check()
            made.profile.add(raw, self.plan.domain, item.at, words=not self.plan.settled)
            made.fits = made.profile.fits(self.plan.domain)
            if self.tally is None or made.error or not raw.rows or not made.fits:
                continue
            try:
                made.tally = plus(made.tally, self.tally(self.plan.table(raw, item.part.place)))
            except Exception as error:  # noqa: BLE001 - it is raised if the plan was right
                made.error = error
        made.facts[item.at] = Facts(made.profile.rows, made.profile.lines, reading.edges)
        return made


class Pass:
    """One pass over all parts under a plan that may prove wrong.

    Rows are tallied as long as nothing is wrong with the plan. What goes wrong in tallying may be
    the fault of the plan, so that it counts only once the plan has proved right.
    """

    def __init__(
        self, parts: Sequence[Part], plan: ColumnPlan, tally: Callable[[Table], Any] | None
    ) -> None:
        self.parts, self.plan, self.tally = list(parts), plan, tally
        self.profile, self.tree = Profile(), MergeTree[Any]()
        self.error: Exception | None = None
        self.rows: list[int] = []
        self.lines: list[int] = []  # of the file, before each part
        self._ends: dict[str, int] = {}
        self._passed: dict[str, int] = {}

    def run(self, threads: int, progress: Progress | None) -> None:
        """Go over all parts with threads of this process."""
        outcomes = map_ordered(single_threaded(self._work), self._items(), threads, progress)
        with closing(outcomes):
            for at, outcome in enumerate(outcomes):
                self._take(at, self._in_place(at, outcome))

    def _work(self, item: Item, stop: Stop) -> Outcome:
        return Profiling(self.plan, self.tally)(item, stop)

    def _items(self) -> list[Item]:
        return [Item(at, part) for at, part in enumerate(self.parts)]

    def _in_place(self, at: int, outcome: Outcome) -> Outcome:
        """The outcome of the part as it is, should the start of it have been guessed wrong."""
        part, edges = self.parts[at], outcome.facts[at].edges
        if edges is None:
            return outcome
        end = self._ends.get(part.file)
        if end is not None and end != edges[0]:
            outcome = single_threaded(self._work)(Item(at, part.between(end)), Stop())
            edges = outcome.facts[at].edges
            assert edges is not None
        self.parts[at] = part.between(*edges)
        self._ends[part.file] = edges[1]
        return outcome

    def _take(self, at: int, outcome: Outcome) -> None:
        self._count(at, outcome.facts[at])
        self.profile.join(outcome.profile)
        self._check_refused()
        self.error = self.error or outcome.error
        if self.error or not self.profile.fits(self.plan.domain):
            self.tally, self.tree = None, MergeTree()  # what is still to come is only profiled
        else:
            self.tree.add(outcome.tally)

    def _count(self, at: int, facts: Facts) -> None:
        file = self.parts[at].file
        self.lines.append(self._passed.get(file, self.parts[at].header_lines))
        self._passed[file] = self.lines[at] + facts.lines
        self.rows.append(facts.rows)

    def _check_refused(self) -> None:
        if self.profile.refused:
            at, line, what, remedy = self.profile.refused
            file = self.parts[at].file
            raise ReadError(what, file=file, line=self.lines[at] + line, remedy=remedy)

    def run_elsewhere(self, pool: WorkerPool, progress: Progress | None) -> None:
        """Go over all parts with workers elsewhere, who send one outcome for all of them."""
        work = Profiling(self.plan, self.tally)
        found: Outcome = pool.total(work, self._items(), progress) or Outcome()
        if self._moved(pool, found):
            found = pool.total(work, self._items(), progress) or Outcome()
        for at in range(len(self.parts)):
            self._count(at, found.facts.get(at, Facts()))
        self.profile, self.error = found.profile, found.error
        self._check_refused()
        self.tree.add(found.tally)

    def _moved(self, pool: WorkerPool, found: Outcome) -> bool:
        """Whether the start of a part was guessed wrong; after this all are known."""
        moved = False
        for at, part in enumerate(self.parts):
            edges, end = found.facts.get(at, Facts()).edges, self._ends.get(part.file)
            if edges is None:
                continue
            if end is not None and end != edges[0]:
                moved, item = True, Item(at, part.between(end))
                again: Outcome = pool.total(Profiling(self.plan, None), [item], None)
                edges = again.facts[at].edges
                assert edges is not None
            self.parts[at] = part.between(*edges)
            self._ends[part.file] = edges[1]
        return moved

    def where(self, part: int, line: int) -> tuple[str, int | None]:
        """The file and the line to name in a message."""
        found = self.parts[part]
        if found.lined:
            return found.file, self.lines[part] + line
        return f"{found.place}, row {line}", None
