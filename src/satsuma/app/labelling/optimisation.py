"""Goals: the questions of a table whose best row is looked for."""

from collections.abc import Collection
from functools import partial
from typing import Any

import numpy as np

from satsuma.active.acquisition.optimisation import hope
from satsuma.active.oracle import Oracle
from satsuma.app.labelling.explanations import Near, Reasons, shown
from satsuma.app.labelling.task import Task
from satsuma.data.row import Row
from satsuma.data.table import Table
from satsuma.numerics.arrays import Floats
from satsuma.plan.optimisation import SearchState, draw_pool
from satsuma.plan.search import Search
from satsuma.plan.surrogate import Surrogate, fit_surrogate

#: Rows of a large table among which the best is looked for, and rows to begin with.
POOL, START = 4096, 8

#: The most answers; what is known of so many rows is kept at hand.
MOST = 1000

#: Answers after which the search has done what may be expected of it.
BUDGET = 30


class Goals:
    """A search for the best row that asks people, as `optimise` asks an oracle.

    Parameters
    ----------
    task
        The table and its goals. Rows whose goals are all known need not be asked about.
    """

    names: tuple[str, ...] = ()

    def __init__(self, task: Task) -> None:
        self.task, self.goals = task, task.table.domain.goals
        missing = [task.table.missing(goal.name) for goal in self.goals]
        known = np.flatnonzero(~np.any(missing, axis=0))[: MOST // 2].tolist()
        self._told: dict[int, dict[str, float]] = {row: self._cells(row) for row in known}
        #: Rows whose goals were in the file.
        self.known = set(known)
        rng = np.random.default_rng(0)
        start: Any = known or min(START, len(task.table))
        self._pool = draw_pool(len(task.table), start, POOL, rng)
        self._at = {int(row): at for at, row in enumerate(self._pool)}
        self._hunt = self._begun()
        self._first = [] if known else self._hunt.first(start, rng)
        for row in known:
            self._hunt.ask(self._at[row])

    def _cells(self, row: int) -> dict[str, float]:
        return {goal.name: float(self.task.table.column(goal.name)[row]) for goal in self.goals}

    def _begun(self) -> SearchState:
        oracle = Oracle(self._answer)
        return SearchState(self.task.table, oracle, min(MOST, len(self._pool)), self._pool)

    def _answer(self, row: Row) -> dict[str, float]:
        return self._told[row.index]

    @property
    def left(self) -> int:
        """How many rows have not been asked about."""
        return len(self.task.table) - len(self._told)

    @property
    def enough(self) -> int:
        """How many answers the search is planned for, what was known aside."""
        return min(BUDGET, len(self._pool) - len(self.known))

    def settle(self, row: int, value: Any) -> None:
        """Take in the goals of a row; None where they are unknown (again)."""
        again = row in self._told
        self._told.pop(row, None)
        if value is None and row in self.known:
            value = self._cells(row)
        if value is not None:
            self._told[row] = {goal.name: float(value[goal.name]) for goal in self.goals}
        if not again:
            if row in self._at:
                self._hunt.ask(self._at[row])
            return
        self._hunt = self._begun()  # the same answers in the same order, but for this one
        for each in self._told:
            self._hunt.ask(self._at[each])

    def told(self, row: int) -> dict[str, float]:
        """The goals of a row; none where they are not known."""
        return self._told.get(row, {})

    def next(self, without: Collection[int]) -> int | None:
        """The row that may be best."""
        hunt = self._hunt
        gone = {*hunt.asked, *(self._at[row] for row in without if row in self._at)}
        if len(gone) >= len(self._pool) or not hunt.questions_left:
            return None
        waiting = next((at for at in self._first if at not in gone), None)
        if waiting is None:
            away = sorted(gone)
            if hunt.labelled:
                waiting = hunt.next(partial(_hope_among, away), np.random.default_rng(0))
            else:
                waiting = next(at for at in range(len(self._pool)) if at not in gone)
        return int(self._pool[waiting])

    def reasons(self, row: int) -> Reasons:
        """Why a row is asked about."""
        hunt, at = self._hunt, self._at.get(row)
        if at is None or len(hunt.labelled) < 2 or at in self._first:
            return Reasons("One of the rows to begin with: some any, some far from these.")
        told = hunt.labelled_rows()
        search = Search(self.task.table, [0] * len(told), told, len(told))
        away = hunt.away[: len(hunt.labelled)]
        guess = fit_surrogate(away, hunt.labelled, search.distances, 0.0)
        mean, sd = float(guess.mean[at]), float(guess.sd[at])
        first = "This row may be the best"
        if mean - 2 * sd >= guess.best:
            first = "No row is likely to be better than the best so far; this one comes nearest"
        words = (
            f"{first}: it is expected {mean:.2f} from heaven, give or take {sd:.2f}, and the best "
            f"so far is {guess.best:.2f} away. (0 is best in every goal.)"
        )
        order = np.argsort(away[:, at], kind="stable")[:3]
        near = [self._near(int(each), float(away[each, at])) for each in order]
        return Reasons(words, near=near)

    def _near(self, place: int, away: float) -> Near:
        row = int(self._pool[self._hunt.labelled[place]])
        goals = ", ".join(f"{name} {value:g}" for name, value in self._told[row].items())
        return Near(row, goals, 1 - away, shown(self.task.table, row, self.task.filled))

    def search(self) -> Search | None:
        """What was found so far; None while nothing is known."""
        hunt = self._hunt
        if not hunt.labelled:
            return None
        rows = [int(self._pool[at]) for at in hunt.labelled]
        return Search(self.task.table, rows, hunt.labelled_rows(), len(hunt.asked))


def _hope_among(away: list[int], model: Surrogate, pool: Table, labelled: Table) -> Floats:
    """What a row may be at best; those that somebody has in hand are not for asking."""
    scores = hope(model, pool, labelled)
    scores[away] = -np.inf
    return scores
