"""Optimiser: a search that is asked for rows and told their goals, and can go on later."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from satsuma.active.acquisition.bayesian_optimisation import (
    ACQUISITION_FUNCTIONS,
    AcquisitionFunction,
    Surrogate,
    improve,
)
from satsuma.active.oracle import Answer, Oracle
from satsuma.data.row import Row
from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError, ReadError, hint
from satsuma.numerics.arrays import Floats
from satsuma.plan.pareto import goal_losses
from satsuma.plan.search import Search
from satsuma.plan.search_state import Distances, SearchState, draw_pool, ideal_distances

#: Acquisition functions by name, and those that are more than one.
NAMES = (*ACQUISITION_FUNCTIONS, "front", "random")

#: What the sum of all losses counts beside the greatest (Knowles 2006).
_ALL_GOALS = 0.05

#: Settings that are saved.
_SAVED = ("budget", "spend", "start", "acquire", "pool", "seed")


class Optimiser:
    """Bayesian optimisation by `ask` and `tell`: for trials that are made elsewhere, or at once.

    Parameters
    ----------
    table
        Some of its columns are goals. See `space` for rows that are not in a table.
    budget
        The most questions.
    spend
        The most that all questions may cost; None for as much as the budget allows.
    cost
        Of one question: a number, or a function of the row. Where it differs, the expected
        improvement per cost decides (Snoek, Larochelle and Adams 2012).
    start
        How many rows to begin with, or which.
    acquire
        As in `optimise`.
    feasible
        A function of a row (its goals are not there) that says whether it may be asked about.
    pool
        Of a larger table, so many rows are drawn at random.
    seed
        Of what is drawn at random.

    Examples
    --------
    >>> from satsuma import Optimiser, Table
    >>> table = Table.of(
    ...     [(x, None) for x in range(50)],
    ...     ["x", "Far-"],
    ...     target=None,
    ...     kinds={"Far-": "num"},
    ...     roles={"Far-": "-"},
    ... )
    >>> search = Optimiser(table, budget=15, feasible=lambda row: row["x"] != 30)
    >>> while rows := search.ask(3):
    ...     for row in rows:
    ...         search.tell(row, abs(row - 30))
    >>> search.found.best["x"] in (29, 31)
    True
    """

    def __init__(
        self,
        table: Table,
        *,
        budget: int = 30,
        spend: float | None = None,
        cost: float | Callable[[Row], float] = 1.0,
        start: int | Sequence[int] = 4,
        acquire: str | AcquisitionFunction = "alternate",
        feasible: Callable[[Row], bool] | None = None,
        pool: int = 4096,
        seed: int = 0,
    ) -> None:
        check_search(table, budget, start, acquire, pool)
        if spend is not None and not spend > 0:
            raise ParameterError(f"spend must be above 0. Got {spend!r}.")
        self.table, self.budget, self.spend, self.seed = table, budget, spend, seed
        self.start, self.acquire, self.pool = start, acquire, pool
        rng = np.random.default_rng(seed)
        goals = {goal.name for goal in table.domain.goals}
        self._bare = table.select([n for n in table.domain.names if n not in goals])
        allowed = None if feasible is None else self._allowed(feasible)
        drawn = draw_pool(len(table), start, pool, rng, allowed)
        if not len(drawn):
            raise DomainError("No row is feasible.")
        self.state = SearchState(table, Oracle(lambda _: None), budget, drawn)
        self._at = {int(row): at for at, row in enumerate(drawn)}
        self._first = self.state.first(start, rng)
        self._costs = self._known_costs(cost)
        self.spent = 0.0
        #: Rows that were asked about, and not told yet.
        self.in_hand: list[int] = []
        self._told: list[tuple[int, dict[str, float] | None, bool]] = []

    def _allowed(self, feasible: Callable[[Row], bool]) -> Callable[[int], bool]:
        return lambda row: bool(feasible(self._bare[row]))

    def _known_costs(self, cost: float | Callable[[Row], float]) -> Floats:
        pool = self.state.pool
        if callable(cost):
            costs = np.array([float(cost(self._bare[int(row)])) for row in pool])
        else:
            costs = np.full(len(pool), float(cost))
        if not (costs > 0).all():
            raise ParameterError("The cost of a question must be above 0.")
        return costs

    def ask(self, n: int = 1) -> list[int]:
        """The rows of the table to try next; fewer, or none, where the budget ends.

        Rows of a batch are unlike each other: each is chosen as if those before it, and all others
        that are in hand, had turned out as expected.
        """
        found: list[int] = []
        for _ in range(n):
            at = self._next()
            if at is None:
                break
            self.in_hand.append(int(self.state.pool[at]))
            found.append(self.in_hand[-1])
        return found

    def _next(self) -> int | None:
        in_hand = [self._at[row] for row in self.in_hand]
        gone = {*self.state.asked, *in_hand}
        if len(gone) >= self.state.budget:
            return None
        dear = np.zeros(len(self._costs), np.bool_)
        if self.spend is not None:
            left = self.spend - self.spent - float(self._costs[in_hand].sum())
            dear = self._costs > left * (1 + 1e-12)
        if all(dear[at] or at in gone for at in range(len(dear))):
            return None
        waiting = next((at for at in self._first if at not in gone and not dear[at]), None)
        if waiting is not None:
            return waiting
        rng = np.random.default_rng([self.seed, len(gone)])
        away = [*in_hand, *(int(at) for at in np.flatnonzero(dear) if int(at) not in gone)]
        return self.state.next(
            self._acquisition(), rng, in_hand=in_hand, distances=self._distances(rng), without=away
        )

    def _acquisition(self) -> AcquisitionFunction | None:
        if np.ptp(self._costs) > 0 and self.acquire != "random":
            return self._improve_per_cost
        if isinstance(self.acquire, str):
            return ACQUISITION_FUNCTIONS.get("hope" if self.acquire == "front" else self.acquire)
        return self.acquire

    def _improve_per_cost(self, model: Surrogate, pool: Table, labelled: Table) -> Floats:
        return improve(model, pool, labelled) / self._costs

    def _distances(self, rng: np.random.Generator) -> Distances:
        """To the ideal point; or, for the front, goals by weights drawn anew (Knowles 2006)."""
        if self.acquire != "front":
            return ideal_distances
        weights = rng.dirichlet(np.ones(len(self.table.domain.goals)))

        def weighed(rows: Table) -> Floats:
            losses = weights * goal_losses(rows)
            return losses.max(axis=1) + _ALL_GOALS * losses.sum(axis=1)

        return weighed

    def tell(self, row: int, goals: Any = None, *, failed: bool = False) -> None:
        """Take in the goals of a row of the table.

        Parameters
        ----------
        row
            One that was asked about, or any other of the pool.
        goals
            A number by name, or one number if there is one goal; None if nothing is known.
        failed
            The trial has failed. Rows like it are avoided, as if it were the worst so far.
        """
        at = self._at.get(int(row))
        if at is None:
            raise DomainError(f"Row {row} is not among those that are searched.")
        if at in self.state.asked:
            raise DomainError(f"The goals of row {row} were given before.")
        answer = goals if isinstance(goals, Answer) else Answer(goals)
        self.state.tell(at, answer, failed=failed)
        self.spent += float(self._costs[at])
        self.in_hand = [each for each in self.in_hand if each != row]
        known = at in self.state.labelled
        told = {name: each[-1] for name, each in self.state.goals.items()} if known else None
        self._told.append((int(row), told, failed))

    @property
    def found(self) -> Search:
        """What was found so far."""
        state = self.state
        if not state.labelled:
            raise DomainError(
                f"The goals of none of {len(state.asked)} rows are known: there is nothing to "
                f"choose from."
            )
        rows = [int(state.pool[at]) for at in state.labelled]
        return Search(self.table, rows, state.labelled_rows(), len(state.asked))

    def to_json(self) -> str:
        """The search as it is, to go on with later; a function is not saved, but given again.

        Examples
        --------
        >>> from satsuma import Optimiser, Table
        >>> table = Table.of(
        ...     [(x, None) for x in range(9)],
        ...     ["x", "Far-"],
        ...     target=None,
        ...     kinds={"Far-": "num"},
        ...     roles={"Far-": "-"},
        ... )
        >>> search = Optimiser(table, seed=3)
        >>> (row,) = search.ask()
        >>> search.tell(row, 1.5)
        >>> later = Optimiser.from_json(search.to_json(), table)
        >>> later.ask() == search.ask(), later.spent
        (True, 1.0)
        """
        if not isinstance(self.acquire, str):
            raise ParameterError("A search by a function of your own cannot be saved.")
        settings = {name: getattr(self, name) for name in _SAVED}
        if not isinstance(self.start, int | np.integer):
            settings["start"] = [int(row) for row in self.start]
        goals = [goal.name for goal in self.table.domain.goals]
        told = [
            [row, known and {k: None if np.isnan(v) else v for k, v in known.items()}, failed]
            for row, known, failed in self._told
        ]
        kept = {"rows": len(self.table), "goals": goals, "told": told, "in_hand": self.in_hand}
        return json.dumps({"satsuma": "search", "settings": settings, **kept})

    @classmethod
    def from_json(
        cls,
        text: str,
        table: Table,
        *,
        cost: float | Callable[[Row], float] = 1.0,
        feasible: Callable[[Row], bool] | None = None,
    ) -> "Optimiser":
        """The search that was saved: the same rows, told again in the same order.

        Parameters
        ----------
        text
            What `to_json` gave.
        table, cost, feasible
            As they were.
        """
        try:
            kept = cast("Mapping[str, Any]", json.loads(text))
            settings, told, goals = kept["settings"], kept["told"], kept["goals"]
            rows, in_hand = kept["rows"], kept["in_hand"]
        except (ValueError, KeyError, TypeError):
            raise ReadError("This is not a search that was saved by Optimiser.to_json.") from None
        if rows != len(table) or goals != [goal.name for goal in table.domain.goals]:
            raise DomainError(
                f"The search was among {rows} rows with the goals {', '.join(goals)}. This table "
                f"is another one."
            )
        made = cls(table, **settings, cost=cost, feasible=feasible)
        for row, known, failed in told:
            made.tell(row, known, failed=failed)
        made.in_hand = [int(row) for row in in_hand]
        return made


def check_search(
    table: Table,
    budget: int,
    start: int | Sequence[int],
    acquire: str | AcquisitionFunction,
    pool: int,
) -> None:
    """Refuse a table without goals or rows, and settings that cannot be."""
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
    if isinstance(acquire, str) and acquire not in NAMES:
        raise ParameterError(
            f"acquire must be a function or a name. Got {acquire!r}. {hint(acquire, list(NAMES))}"
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
