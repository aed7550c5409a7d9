"""Optimisation: the best rows over several goals, found with few labels (Bayesian optimisation)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from satsuma.active.acquisition.bayesian_optimisation import (
    ACQUISITION_FUNCTIONS,
    AcquisitionFunction,
)
from satsuma.active.oracle import Answer, Oracle
from satsuma.data.row import Row
from satsuma.data.table import Table
from satsuma.engines.timed_source import with_time_features
from satsuma.errors import DomainError, NoSuchColumn, ParameterError, hint
from satsuma.measures.distance import Distance
from satsuma.measures.ideal_point import distance_to_ideal
from satsuma.numerics.arrays import Array, Floats
from satsuma.plan.search import Search
from satsuma.plan.surrogate import fit_surrogate


def optimise(
    table: Table,
    oracle: Oracle | Table | Callable[[Row], Any],
    *,
    budget: int = 30,
    start: int | Sequence[int] = 4,
    acquire: str | AcquisitionFunction = "hope",
    pool: int = 4096,
    seed: int = 0,
) -> Search:
    """Search for the row that is best over several goals, asking about as few rows as can be.

    A few rows are asked about to begin with: half of them at random, half far from those. From then
    on, how far all others are from the ideal point is predicted by a surrogate model, and the row
    is asked about that the acquisition function scores highest. Rows are alike by their attributes;
    a missing cell may be as far away as can be.

    Parameters
    ----------
    table
        Some of its columns are goals, ``+`` or ``-``. Of a row that has not been asked about, they
        are not looked at, and may be missing.
    oracle
        Who knows the goals: a dict by name, or a number if there is one goal alone. A table or a
        function is made an `Oracle`.
    budget
        The most questions, those at the start and those without an answer included.
    start
        How many rows to begin with, or which.
    acquire
        Which row is asked about next: ``hope`` (may be best), ``improve`` (by what it is expected
        to be better than the best so far), ``exploit`` (seems best), ``explore`` (least known),
        ``adapt`` (from hope to exploit, as the budget goes), ``random``; or an acquisition function
        of your own: of a `Surrogate`, the pool and the labelled rows, it returns a score for each
        row of the pool.
    pool
        Of a larger table, so many rows are drawn at random, and the others are left aside.
    seed
        Of what is drawn at random.

    Notes
    -----
    This is Bayesian optimisation. The surrogate model is a Gaussian process over the distance to
    the ideal point, by the ranges of the goals known so far, averaged over lengths and noises by
    how probable they are. ``hope`` is a bound of confidence (Cox and John 1992), ``improve`` the
    expected improvement (Jones, Schonlau and Welch 1998). The certainty of an answer is not used.

    Examples
    --------
    >>> rows = [(x, abs(x - 30), x % 2) for x in range(100)]
    >>> table = Table.of(rows, ["x", "Far-", "Odd+"], target=None, roles={"Far-": "-", "Odd+": "+"})
    >>> found = optimise(table, Oracle(table), budget=20, seed=2)
    >>> len(found.rows), found.best["Far-"] <= 2
    (20, True)
    """
    _check(table, budget, start, acquire, pool)
    rng = np.random.default_rng(seed)
    known = oracle if isinstance(oracle, Oracle) else Oracle(oracle)
    state = SearchState(table, known, budget, draw_pool(len(table), start, pool, rng))
    for at in state.first(start, rng):
        state.ask(at)
    choose = ACQUISITION_FUNCTIONS.get(acquire) if isinstance(acquire, str) else acquire
    while state.questions_left:
        state.ask(state.next(choose, rng))
    if not state.labelled:
        raise DomainError(
            f"The oracle knew the goals of none of {budget} rows: there is nothing to choose from."
        )
    rows = [int(state.pool[at]) for at in state.labelled]
    return Search(table, rows, state.labelled_rows(), len(state.asked))


def _check(
    table: Table,
    budget: int,
    start: int | Sequence[int],
    acquire: str | AcquisitionFunction,
    pool: int,
) -> None:
    if not table.domain.goals:
        raise DomainError(
            "There is nothing to optimise without goals. Say which columns are to be large or "
            "small: table.with_roles({'Mpg': '+', 'Lbs': '-'})."
        )
    if not len(table):
        raise DomainError("There is nothing to choose from: the table has no rows.")
    for name, value in (("budget", budget), ("pool", pool)):
        if not _is_count(value):
            raise ParameterError(f"{name} must be a whole number of at least 1. Got {value!r}.")
    if isinstance(acquire, str) and acquire not in (*ACQUISITION_FUNCTIONS, "random"):
        raise ParameterError(
            f"acquire must be a function or a name. Got {acquire!r}. "
            f"{hint(acquire, [*ACQUISITION_FUNCTIONS, 'random'])}"
        )
    _check_start(table, budget, start)


def _check_start(table: Table, budget: int, start: int | Sequence[int]) -> None:
    if isinstance(start, int | np.integer):
        if not _is_count(start):
            raise ParameterError(f"start must be at least 1, or be rows. Got {start!r}.")
        return
    given = [int(at) for at in start]
    if not given or len(set(given)) < len(given) or len(given) > budget:
        raise ParameterError(
            f"start must name at least one row, none twice, and no more than the budget of "
            f"{budget}. Got {given!r}."
        )
    if beyond := [at for at in given if not 0 <= at < len(table)]:
        raise ParameterError(f"There is no row {beyond[0]}: the table has {len(table)} rows.")


def _is_count(value: object) -> bool:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return whole and cast("int", value) >= 1


class SearchState:
    """A search that is under way; rows are numbered as in the pool."""

    def __init__(self, table: Table, oracle: Oracle, budget: int, pool: Array) -> None:
        self.table, self.oracle, self.pool = table, oracle, pool
        self.budget = min(budget, len(pool))
        goals = {goal.name for goal in table.domain.goals}
        # Goals that nobody has told are not there to be looked at, not even by mistake.
        known = table.select([n for n in table.domain.names if n not in goals])
        self.rows = with_time_features(known, unlabelled=True)[pool]
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
        told = goal_numbers(answer, tuple(self.goals))
        if all(np.isnan(value) for value in told.values()):
            return
        self.away[len(self.labelled)] = self.from_row(at)
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

    def next(self, choose: AcquisitionFunction | None, rng: np.random.Generator) -> int:
        """The row that promises most; of equals, the first, in the random order of the pool."""
        if choose is None or not self.labelled:
            left = np.setdiff1d(np.arange(len(self.pool)), self.asked)
            return int(rng.choice(left))
        told = self.labelled_rows()
        away = self.away[: len(self.labelled)]
        share = self.questions_left / self.budget
        surrogate = fit_surrogate(away, self.labelled, distance_to_ideal(told)(told), share)
        scores = np.array(choose(surrogate, self.rows, told), np.float64)
        if scores.shape != (len(self.pool),) or np.isnan(scores).any():
            raise ParameterError(
                f"acquire= must return a number for each of the {len(self.pool)} rows of the pool."
            )
        scores[self.asked] = -np.inf
        return int(np.argmax(scores))


def draw_pool(rows: int, start: int | Sequence[int], most: int, rng: np.random.Generator) -> Array:
    """The rows to search among, in random order; those that are given come first."""
    order = rng.permutation(rows)
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
