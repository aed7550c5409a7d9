"""SearchState: what a search knows, and which row of its pool it asks about next."""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, cast

import numpy as np

from satsuma.active.acquisition.bayesian_optimisation import AcquisitionFunction, Surrogate
from satsuma.active.oracle import Answer, Oracle
from satsuma.data.table import Table
from satsuma.engines.timed_source import with_time_features
from satsuma.errors import DomainError, NoSuchColumn, ParameterError
from satsuma.measures.ideal_point import distance_to_ideal
from satsuma.numerics.arrays import Array, Floats
from satsuma.plan.surrogate import Likeness, fit_surrogate

#: How far labelled rows are from what is wanted, by their goals.
Distances = Callable[[Table], Floats]


def ideal_distances(rows: Table) -> Floats:
    """How far rows are from the ideal point, by their own ranges."""
    return distance_to_ideal(rows)(rows)


class SearchState:
    """A search that is under way; rows are numbered as in the pool.

    Parameters
    ----------
    table
        All rows; goals are not looked at.
    oracle
        Who knows the goals.
    budget
        The most questions.
    pool
        The rows of the table to search among.
    """

    def __init__(self, table: Table, oracle: Oracle, budget: int, pool: Array) -> None:
        self.table, self.oracle, self.pool = table, oracle, pool
        self.budget = min(budget, len(pool))
        goals = {goal.name for goal in table.domain.goals}
        # Goals that nobody has told are not there to be looked at, not even by mistake.
        known = table.select([n for n in table.domain.names if n not in goals])
        self.rows = with_time_features(known, unlabelled=True)[pool]
        self.likeness = Likeness(self.rows)
        self._place: dict[int, int] = {}
        self.asked: list[int] = []
        self.labelled: list[int] = []
        self.failed: list[int] = []
        self.goals: dict[str, list[float]] = {goal.name: [] for goal in table.domain.goals}

    @property
    def questions_left(self) -> int:
        """How many rows may still be asked about."""
        return self.budget - len(self.asked)

    def places(self, rows: Sequence[int]) -> list[int]:
        """Where it is kept how alike rows are to all; rows that are new are looked at."""
        for at in rows:
            if at not in self._place:
                self._place[at] = len(self._place)
                self.likeness.add(at)
        return [self._place[at] for at in rows]

    def distances(self, rows: Sequence[int]) -> Floats:
        """How far rows are from all of the pool."""
        return self.likeness.distances(self.places(rows))

    def first(self, start: int | Sequence[int], rng: np.random.Generator) -> list[int]:
        """The rows to begin with: those given, or half at random and half far from these."""
        if not isinstance(start, int | np.integer):
            return list(range(len(start)))  # the pool begins with them
        many = min(int(start), self.budget)
        chosen = list(range((many + 1) // 2))  # the pool is in random order
        near = self.distances(chosen).min(axis=0) ** 2
        while len(chosen) < many:
            near[chosen] = 0.0
            total = float(near.sum())
            if total > 0:
                at = int(rng.choice(len(near), p=near / total))
            else:  # all others are like one that was chosen
                at = next(at for at in range(len(near)) if at not in chosen)
            chosen.append(at)
            near = np.minimum(near, self.distances([at])[0] ** 2)
        return chosen

    def ask(self, at: int) -> None:
        """Ask the oracle about a row; if nothing is known of it, it stays without a label."""
        self.tell(at, self.oracle.ask(self.table[int(self.pool[at])]))

    def tell(self, at: int, answer: Answer, *, failed: bool = False) -> None:
        """Take in what was answered about a row."""
        told = goal_numbers(answer, tuple(self.goals))
        self.asked.append(at)
        if failed:
            self.failed.append(at)
        if failed or all(np.isnan(value) for value in told.values()):
            return
        self.labelled.append(at)
        for name, value in told.items():
            self.goals[name].append(value)

    def labelled_rows(self) -> Table:
        """The labelled rows with the goals that were told."""
        rows = self.table[self.pool[self.labelled]]
        columns = [
            np.array(self.goals[v.name]) if v.name in self.goals else rows.column(v.name)
            for v in rows.domain
        ]
        return Table(rows.domain, columns, name=rows.name)

    def surrogate(
        self,
        left: float = 0.0,
        *,
        in_hand: Sequence[int] = (),
        distances: Distances = ideal_distances,
    ) -> Surrogate:
        """What may be expected of all rows, given those that are labelled.

        A trial that failed counts as the worst that was told. Rows that somebody has in hand are
        taken to be as they are expected to be (Ginsbourger, Le Riche and Carraro 2010), so that
        rows of one batch are unlike each other.
        """
        known = distances(self.labelled_rows())
        known = np.append(known, np.full(len(self.failed), known.max()))
        rows = [*self.labelled, *self.failed]
        made = fit_surrogate(self.likeness.correlations(self.places(rows)), rows, known, left)
        if not in_hand:
            return made
        known = np.append(known, made.mean[list(in_hand)])
        rows = [*rows, *in_hand]
        return fit_surrogate(self.likeness.correlations(self.places(rows)), rows, known, left)

    def next(
        self,
        choose: AcquisitionFunction | None,
        rng: np.random.Generator,
        *,
        in_hand: Sequence[int] = (),
        distances: Distances = ideal_distances,
        without: Sequence[int] = (),
    ) -> int:
        """The row that promises most; of equals, the first, in the random order of the pool.

        Parameters
        ----------
        choose
            The acquisition function; None for any row.
        rng
            What draws any row.
        in_hand
            Rows that were asked about, and not told yet.
        distances
            How good labelled rows are.
        without
            Rows that are not for asking.
        """
        gone = [*self.asked, *in_hand, *without]
        if choose is None or not self.labelled:
            return int(rng.choice(np.setdiff1d(np.arange(len(self.pool)), gone)))
        share = self.questions_left / self.budget
        surrogate = self.surrogate(share, in_hand=in_hand, distances=distances)
        scores = np.array(choose(surrogate, self.rows, self.labelled_rows()), np.float64)
        if scores.shape != (len(self.pool),) or np.isnan(scores).any():
            raise ParameterError(
                f"acquire= must return a number for each of the {len(self.pool)} rows of the pool."
            )
        scores[gone] = -np.inf
        return int(np.argmax(scores))


def draw_pool(
    rows: int,
    start: int | Sequence[int],
    most: int,
    rng: np.random.Generator,
    allowed: Callable[[int], bool] | None = None,
) -> Array:
    """The rows to search among, in random order; those that are given come first."""
    order = rng.permutation(rows)
    if allowed is not None:
        kept = (at for at in order.tolist() if allowed(at))
        order = np.fromiter(islice(kept, most), np.intp)
    if isinstance(start, int | np.integer):
        return order[:most]
    given = np.array(start, np.intp)
    return np.concatenate([given, order[~np.isin(order, given)]])[: max(most, len(given))]


def goal_numbers(answer: Answer, names: tuple[str, ...]) -> dict[str, float]:
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
