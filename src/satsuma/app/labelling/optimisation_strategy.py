"""Optimisation strategy: asks for the goals of the row that may be the best."""

from collections.abc import Callable, Collection
from typing import Any, cast

import numpy as np

from satsuma.active.acquisition.bayesian_optimisation import hope
from satsuma.active.oracle import Oracle
from satsuma.app.labelling.panels import SearchSnapshot
from satsuma.app.labelling.strategy import Neighbour, RowExplanation
from satsuma.app.labelling.task import Task
from satsuma.app.refusal import Refusal
from satsuma.data.row import Row
from satsuma.data.summary import short_row
from satsuma.data.table import Table
from satsuma.learners.learner import Learner
from satsuma.learners.model import Model
from satsuma.numerics.arrays import Array
from satsuma.plan.search import Search
from satsuma.plan.search_state import SearchState, draw_pool

#: Rows of a large table among which the best is looked for, and rows to begin with.
POOL, START = 4096, 8

#: The most answers; what is known of so many rows is kept at hand.
MOST = 1000

#: Answers after which the search has done what may be expected of it.
BUDGET = 30


class OptimisationStrategy:
    """Asks for goals, as `optimise` asks an oracle; see `Strategy`.

    Parameters
    ----------
    task
        The table and its goals. Rows whose goals are all known need not be asked about.
    """

    consensus = False
    names: tuple[str, ...] = ()
    followers: Collection[int] = ()

    def __init__(self, task: Task) -> None:
        self._task, self.goals = task, task.table.domain.goals
        missing = [task.table.missing(goal.name) for goal in self.goals]
        known = np.flatnonzero(~np.any(missing, axis=0))[: MOST // 2].tolist()
        self.known: Collection[int] = set(known)
        self._values: dict[int, dict[str, float]] = {row: self._cells(row) for row in known}
        rng = np.random.default_rng(0)
        start: Any = known or min(START, len(task.table))
        self._pool = draw_pool(len(task.table), start, POOL, rng)
        self._at = {int(row): at for at, row in enumerate(self._pool)}
        self._state = self._new_state()
        self._first = [] if known else self._state.first(start, rng)
        for row in known:
            self._state.ask(self._at[row])

    def _cells(self, row: int) -> dict[str, float]:
        return {goal.name: float(self._task.table.column(goal.name)[row]) for goal in self.goals}

    def _new_state(self) -> SearchState:
        oracle = Oracle(self._answer)
        return SearchState(self._task.table, oracle, min(MOST, len(self._pool)), self._pool)

    def _answer(self, row: Row) -> dict[str, float]:
        return self._values[row.index]

    @property
    def left(self) -> int:
        """How many rows have not been asked about."""
        return len(self._task.table) - len(self._values)

    def check(self, value: Any) -> None:
        """Refuse what is not a number for each goal."""
        given = cast("Any", value) if isinstance(value, dict) else ()
        if set(given) != set(self._task.filled):
            raise Refusal(422, f"A number is needed for each of {', '.join(self._task.filled)}.")

    def settle(self, row: int, value: Any) -> None:
        """Take in the goals of a row; None where they are unknown (again)."""
        again = row in self._values
        self._values.pop(row, None)
        if value is None and row in self.known:
            value = self._cells(row)
        if value is not None:
            self._values[row] = {goal.name: float(value[goal.name]) for goal in self.goals}
        if not again:
            if row in self._at:
                self._state.ask(self._at[row])
            return
        self._state = self._new_state()  # the same answers in the same order, but for this one
        for each in self._values:
            self._state.ask(self._at[each])

    def next(self, without: Collection[int]) -> int | None:
        """The row that may be best."""
        state = self._state
        gone = {*state.asked, *(self._at[row] for row in without if row in self._at)}
        if len(gone) >= len(self._pool) or not state.questions_left:
            return None
        waiting = next((at for at in self._first if at not in gone), None)
        if waiting is None:
            if state.labelled:
                waiting = state.next(hope, np.random.default_rng(0), without=sorted(gone))
            else:
                waiting = next(at for at in range(len(self._pool)) if at not in gone)
        return int(self._pool[waiting])

    def truth(self, row: int) -> Any:
        """The goals of a row that were in the file."""
        return self._cells(row) if row in self.known else None

    def is_audit(self, row: int) -> bool:  # noqa: ARG002 - a search draws none
        """No row is drawn at random."""
        return False

    def filled(self, rows: Array) -> Table:
        """Rows with their goals."""
        part = self._task.table[rows]
        goals = {goal.name for goal in self.goals}
        columns = [
            np.array([self._values.get(int(row), {}).get(v.name, np.nan) for row in rows])
            if v.name in goals
            else column
            for v, column in zip(part.domain, part.columns, strict=True)
        ]
        return Table(part.domain, columns, name=part.name, check=False)

    def search(self) -> Search | None:
        """What was found so far; None while nothing is known."""
        state = self._state
        if not state.labelled:
            return None
        rows = [int(self._pool[at]) for at in state.labelled]
        return Search(self._task.table, rows, state.labelled_rows(), len(state.asked))

    def model(self) -> Model:
        """The tree that says why the best rows are best."""
        search = self.search()
        if search is None:
            raise Refusal(409, "There is no model before the first answer.")
        return search.tree

    # Why a row is asked about

    def explain(self, row: int) -> RowExplanation:
        """Why a row is asked about: how good it may be, by the rows like it."""
        state, at = self._state, self._at.get(row)
        if at is None or len(state.labelled) < 2 or at in self._first:
            return RowExplanation("One of the rows to begin with: some any, some far from these.")
        away, surrogate = state.distances(state.labelled), state.surrogate()
        mean, sd = float(surrogate.mean[at]), float(surrogate.sd[at])
        first = "This row may be the best"
        if mean - 2 * sd >= surrogate.best:
            first = "No row is likely to be better than the best so far; this one comes nearest"
        words = (
            f"{first}: its predicted distance from the ideal point is {mean:.2f} ± {sd:.2f}, and "
            f"the best so far is {surrogate.best:.2f} away. (0 is best in every goal.)"
        )
        order = np.argsort(away[:, at], kind="stable")[:3]
        near = [self._neighbour(int(each), float(away[each, at])) for each in order]
        return RowExplanation(words, neighbours=near)

    def _neighbour(self, place: int, away: float) -> Neighbour:
        row = int(self._pool[self._state.labelled[place]])
        goals = ", ".join(f"{name} {value:g}" for name, value in self._values[row].items())
        return Neighbour(row, goals, 1 - away, short_row(self._task.table[row], self._task.filled))

    def snapshot(self, patient: Callable[[Learner], Learner]) -> SearchSnapshot:  # noqa: ARG002 - a tree of few rows is through at once
        """The search as it is now."""
        enough = min(BUDGET, len(self._pool) - len(self.known))
        return SearchSnapshot(self._task, self.search(), len(self.known), enough)
