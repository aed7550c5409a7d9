"""Optimisation: the best rows over several goals, found with few labels (Bayesian optimisation)."""

from collections.abc import Callable, Sequence
from typing import Any

from satsuma.active.acquisition.bayesian_optimisation import AcquisitionFunction
from satsuma.active.oracle import Oracle
from satsuma.data.row import Row
from satsuma.data.table import Table
from satsuma.plan.optimiser import Optimiser
from satsuma.plan.search import Search


def optimise(
    table: Table,
    oracle: Oracle | Table | Callable[[Row], Any],
    *,
    budget: int = 30,
    start: int | Sequence[int] = 4,
    acquire: str | AcquisitionFunction = "alternate",
    feasible: Callable[[Row], bool] | None = None,
    spend: float | None = None,
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
        to be better than the best so far), ``alternate`` (these two in turn), ``exploit`` (seems
        best), ``explore`` (least known), ``adapt`` (from hope to exploit, as the budget goes),
        ``front`` (goals are weighed at random in turn, to find all of the Pareto front),
        ``random``; or an acquisition function of your own: of a `Surrogate`, the pool and the
        labelled rows, it returns a score for each row of the pool.
    feasible
        A function of a row (its goals are not there) that says whether it may be asked about.
    spend
        The most that all questions may cost, by the ``cost`` of the oracle.
    pool
        Of a larger table, so many rows are drawn at random, and the others are left aside.
    seed
        Of what is drawn at random.

    Notes
    -----
    This is Bayesian optimisation. The surrogate model is a Gaussian process over the distance to
    the ideal point, by the ranges of the goals known so far, averaged over lengths, noises, and
    numbers as they are, by ranks or by logarithms, by how probable each is. ``hope`` is a bound of
    confidence (Cox and John 1992), ``improve`` the expected improvement (Jones, Schonlau and Welch
    1998), ``front`` ParEGO (Knowles 2006). The certainty of an answer is not used. `Optimiser` does
    the same by `ask` and `tell`.

    Examples
    --------
    >>> from satsuma import Oracle, Table, optimise
    >>> rows = [(x, abs(x - 30), x % 2) for x in range(100)]
    >>> table = Table.of(rows, ["x", "Far-", "Odd+"], target=None, roles={"Far-": "-", "Odd+": "+"})
    >>> found = optimise(table, Oracle(table), budget=20, seed=2)
    >>> len(found.rows), found.best["Far-"] <= 2
    (20, True)
    """
    known = oracle if isinstance(oracle, Oracle) else Oracle(oracle)
    search = Optimiser(
        table,
        budget=budget,
        spend=spend,
        cost=known.cost,
        start=start,
        acquire=acquire,
        feasible=feasible,
        pool=pool,
        seed=seed,
    )
    while rows := search.ask():
        for row in rows:
            search.tell(row, known.ask(table[row]))
    return search.found
