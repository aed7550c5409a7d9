"""Hunt: a search that is under way, and the goals it has been told."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from satsuma.active.acquisition.optimisation import Acquire
from satsuma.active.oracle import Answer, Oracle
from satsuma.data.columns import Array, Floats
from satsuma.data.table import Table
from satsuma.errors import DomainError, NoSuchColumn, ParameterError
from satsuma.measures.distance import Distance
from satsuma.measures.heaven import disty
from satsuma.plan.surrogate import believed


class Hunt:
    """A search that is under way; rows are numbered as in the pool."""

    def __init__(self, table: Table, oracle: Oracle, budget: int, pool: Array) -> None:
        self.table, self.oracle, self.pool = table, oracle, pool
        self.budget = min(budget, len(pool))
        goals = {goal.name for goal in table.domain.goals}
        # Goals that nobody has told are not there to be looked at, not even by mistake.
        self.rows = table.select([n for n in table.domain.names if n not in goals])[pool]
        self.distance = Distance.of(self.rows)
        self.cells = self.distance.cells(self.rows)
        self.asked: list[int] = []
        self.labelled: list[int] = []
        self.goals: dict[str, list[float]] = {goal.name: [] for goal in table.domain.goals}
        self.away = np.empty((self.budget, len(pool)))

    @property
    def questions_left(self) -> int:
        """How many rows may still be asked about."""
        return self.budget - len(self.asked)

    def from_row(self, at: int) -> Floats:
        """How far each row of the pool is from one of them."""
        number, symbol = self.cells
        return self.distance.matrix((number[[at]], symbol[[at]]), self.cells)[0]

    def first(self, start: int | Sequence[int], rng: np.random.Generator) -> list[int]:
        """The rows to begin with: those given, or half at random and half far from these."""
        if not isinstance(start, int | np.integer):
            return list(range(len(start)))  # the pool begins with them
        many = min(int(start), self.budget)
        chosen = list(range((many + 1) // 2))  # the pool is in random order
        near = np.min([self.from_row(at) for at in chosen], axis=0) ** 2
        while len(chosen) < many:
            near[chosen] = 0.0
            total = float(near.sum())
            if total > 0:
                at = int(rng.choice(len(near), p=near / total))
            else:  # all others are like one that was chosen
                at = next(at for at in range(len(near)) if at not in chosen)
            chosen.append(at)
            near = np.minimum(near, self.from_row(at) ** 2)
        return chosen

    def ask(self, at: int) -> None:
        """Ask about a row; if nothing is known of it, it stays without a label."""
        self.asked.append(at)
        answer = self.oracle.ask(self.table[int(self.pool[at])])
        told = goals_of(answer, tuple(self.goals))
        if all(np.isnan(value) for value in told.values()):
            return
        self.away[len(self.labelled)] = self.from_row(at)
        self.labelled.append(at)
        for name, value in told.items():
            self.goals[name].append(value)

    def told(self) -> Table:
        """The labelled rows with the goals that were told."""
        rows = self.table[self.pool[self.labelled]]
        columns = [
            np.array(self.goals[v.name]) if v.name in self.goals else rows.column(v.name)
            for v in rows.domain
        ]
        return Table(rows.domain, columns, name=rows.name)

    def next(self, choose: Acquire | None, rng: np.random.Generator) -> int:
        """The row that promises most; of equals, the first, in the random order of the pool."""
        if choose is None or not self.labelled:
            left = np.setdiff1d(np.arange(len(self.pool)), self.asked)
            return int(rng.choice(left))
        told = self.told()
        away = self.away[: len(self.labelled)]
        share = self.questions_left / self.budget
        beliefs = believed(away, self.labelled, disty(told)(told), share)
        scores = np.array(choose(beliefs, self.rows, told), np.float64)
        if scores.shape != (len(self.pool),) or np.isnan(scores).any():
            raise ParameterError(
                f"acquire= must return a number for each of the {len(self.pool)} rows of the pool."
            )
        scores[self.asked] = -np.inf
        return int(np.argmax(scores))


def drawn(rows: int, start: int | Sequence[int], most: int, rng: np.random.Generator) -> Array:
    """The rows to search among, in random order; those that are given come first."""
    order = rng.permutation(rows)
    if isinstance(start, int | np.integer):
        return order[:most]
    given = np.array(start, np.intp)
    return np.concatenate([given, order[~np.isin(order, given)]])[: max(most, len(given))]


def goals_of(answer: Answer, names: tuple[str, ...]) -> dict[str, float]:
    """A number for each goal; NaN where it is not known."""
    value: Any = answer.value
    if value is None:
        return dict.fromkeys(names, np.nan)
    if not isinstance(value, Mapping):
        if len(names) > 1:
            raise DomainError(
                f"An oracle must tell the goals {', '.join(map(repr, names))} by name, in a dict. "
                f"Got {value!r} instead. A table that answers must have goals and no target."
            )
        value = dict.fromkeys(names, value)
    told = cast("Mapping[str, Any]", value)
    if unknown := [name for name in told if name not in names]:
        raise NoSuchColumn(unknown[0], names)
    made = {name: np.nan if told.get(name) is None else told[name] for name in names}
    try:
        numbers = {name: float(each) for name, each in made.items()}
    except (TypeError, ValueError):
        raise DomainError(f"Goals are numbers. The oracle answered {value!r}.") from None
    if any(np.isinf(each) for each in numbers.values()):
        raise DomainError(f"Goals must be finite numbers. The oracle answered {value!r}.")
    return numbers
