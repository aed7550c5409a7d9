"""Optimise: the best rows over several goals, found with few labels."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from satsuma.active.acquisition.optimisation import ACQUIRE, Acquire
from satsuma.active.oracle import Oracle
from satsuma.data.row import Row
from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError, hint
from satsuma.plan.hunt import Hunt, drawn
from satsuma.plan.search import Search


def optimise(
    table: Table,
    oracle: Oracle | Table | Callable[[Row], Any],
    *,
    budget: int = 30,
    start: int | Sequence[int] = 4,
    acquire: str | Acquire = "hope",
    pool: int = 4096,
    seed: int = 0,
) -> Search:
    """Search for the row that is best over several goals, asking about as few rows as can be.

    A few rows are asked about to begin with: half of them at random, half far from those. From then
    on, how far all others are from heaven is guessed, and the row is asked about that promises
    most. Rows are alike by their attributes; a missing cell may be as far away as can be.

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
        ``adapt`` (from hope to exploit, as the budget goes), ``random``; or a function of what is
        believed (`Guesses`), the pool and the labelled rows that returns a score for each row of
        the pool.
    pool
        Of a larger table, so many rows are drawn at random, and the others are left aside.
    seed
        Of what is drawn at random.

    Notes
    -----
    Beliefs are those of a Gaussian process over the distance to heaven, by the ranges of the goals
    told so far, averaged over lengths and noises by how probable they are. ``hope`` is a bound of
    confidence (Cox and John 1992), ``improve`` the expected improvement (Jones, Schonlau and Welch
    1998). The certainty of an answer is not used.

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
    hunt = Hunt(table, known, budget, drawn(len(table), start, pool, rng))
    for at in hunt.first(start, rng):
        hunt.ask(at)
    choose = ACQUIRE.get(acquire) if isinstance(acquire, str) else acquire
    while hunt.questions_left:
        hunt.ask(hunt.next(choose, rng))
    if not hunt.labelled:
        raise DomainError(
            f"The oracle knew the goals of none of {budget} rows: there is nothing to choose from."
        )
    rows = [int(hunt.pool[at]) for at in hunt.labelled]
    return Search(table, rows, hunt.told(), len(hunt.asked))


def _check(
    table: Table, budget: int, start: int | Sequence[int], acquire: str | Acquire, pool: int
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
    if isinstance(acquire, str) and acquire not in (*ACQUIRE, "random"):
        raise ParameterError(
            f"acquire must be a function or a name. Got {acquire!r}. "
            f"{hint(acquire, [*ACQUIRE, 'random'])}"
        )
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
