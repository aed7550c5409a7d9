"""Active: active learning, which asks for the labels it needs."""

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any

import numpy as np

from satsuma.active.acquisition.query_strategies import QUERY_STRATEGIES, QueryStrategy
from satsuma.active.batches import check_costs
from satsuma.active.cold_start import diverse_rows, keyword_rows
from satsuma.active.labelling import Labelling
from satsuma.active.oracle import Oracle
from satsuma.data.table import Table
from satsuma.errors import ParameterError, check_number, refuse
from satsuma.learners.learner import Learner
from satsuma.learners.model import Model
from satsuma.numerics.arrays import Floats, Indices

#: Rows that are asked about before anything is known, unless said otherwise.
START = 4

#: The share of questions that are audits where a class is sought, unless said otherwise.
AUDITED = 0.1


@dataclass(kw_only=True, eq=False)
class Active:
    """Active learning: after every label, ask for the one most worth having next.

    Parameters
    ----------
    learner
        What learns. One of a single round (as `NaiveBayes`) takes each answer into its tally;
        nothing is learned anew.
    acquire
        The query strategy, by name (``uncertain``, ``committee``, ``exploit``, ``explore``,
        ``adapt``, ``dense``, ``expected error``, ``certain``, ``random``; for numbers, ``diverse``,
        ``greedy`` and ``model change``, too) or a function ``(model, pool, labelled)`` that gives a
        score for each row of the pool.
    start
        What is asked about first: as many rows, each from another cluster and unlike the others; a
        list of row numbers; or words to look for.
    batch
        Questions between one choice and the next.
    diverse
        Whether the rows of a batch are to be unlike each other, or are those with the greatest
        scores, whatever they have in common; see `diverse_batch`.
    share
        Whether rows that are equal in every other column share one label: the first of them is
        asked about, and the others are not. Rows with a label to begin with keep it.
    budget
        The most questions, those of the start included.
    spend
        The most that all questions may cost; see `Oracle`. Where rows cost differently, the one
        that is worth most for what it costs comes next.
    seed
        Where chance starts from.
    sought
        The class to be found, for ``certain``, ``exploit`` and ``adapt``; the rarest among the
        labels unless given.
    audit
        The share of questions that are about a row drawn at random, so that `stop_advice` can
        prove something. Unless given, 0.1 where a class is sought, and none otherwise. Where a
        class is sought, only while the latest 50 labels have brought none of it, after ten.

    Examples
    --------
    >>> from satsuma import Active, NaiveBayes, Oracle, load
    >>> from satsuma.active.active_learning import hide_labels
    >>> voting = load("voting")
    >>> done = Active(learner=NaiveBayes(), budget=20)(hide_labels(voting), Oracle(voting))
    >>> len(done.order)
    20
    >>> bool((done.model(voting) == voting["party"]).mean() > 0.8)
    True
    """

    learner: Learner
    acquire: str | QueryStrategy = "uncertain"
    start: int | Sequence[int] | Sequence[str] = START
    batch: int = 1
    diverse: bool = True
    share: bool = False
    budget: int = 100
    spend: float | None = None
    seed: int = 0
    sought: str | None = None
    audit: float | None = None

    def check(self) -> None:
        """A learner, a query strategy, and whole numbers."""
        given: Any = self.learner
        if not isinstance(given, Learner) or given.takes.target == "nothing":
            raise refuse(self, "learner", "a learner that predicts, as NaiveBayes()")
        if isinstance(self.acquire, str) and self.acquire not in QUERY_STRATEGIES:
            raise refuse(self, "acquire", f"one of {', '.join(QUERY_STRATEGIES)}, or a function")
        check_number(self, "batch", low=1, whole=True)
        check_number(self, "budget", low=1, whole=True)
        check_number(self, "seed", low=0, whole=True)
        if self.spend is not None:
            check_number(self, "spend", low=0)
        if isinstance(self.start, int):
            check_number(self, "start", low=0, whole=True)
        if self.audit is not None:
            check_number(self, "audit", low=0, high=1)

    def begin(self, table: Table) -> Labelling:
        """Rows to be labelled: those without a target are asked about."""
        self.check()
        return Labelling(table, self)

    def __call__(self, table: Table, oracle: Oracle) -> Labelling:
        """Ask until the budget is spent or no row is left."""
        labelling = self.begin(table)
        costs = oracle.costs(table)
        if costs.size and np.ptp(costs) > 0:
            labelling.costs = check_costs(costs)
        questions, most = 0, np.inf if self.spend is None else self.spend
        while questions < self.budget:
            dear = np.flatnonzero(oracle.spent + costs > most) if np.isfinite(most) else ()
            asked = labelling.ask(min(self.batch, self.budget - questions), without=dear)
            for row in asked:
                if oracle.spent + costs[row] <= most:
                    labelling.tell(row, oracle.ask(table[row]))
            if not asked:
                break
            questions += len(asked)
        return labelling

    def first(self, table: Table) -> Indices:
        """The rows to ask about before anything is known, in order."""
        if isinstance(self.start, int):
            return diverse_rows(table, min(self.start, self.budget), self.seed)
        given = list(self.start)
        words = [each for each in given if isinstance(each, str)]
        if words:
            return keyword_rows(table, words, min(START, self.budget))
        rows = np.array(given, np.intp)
        if len(rows) and (rows.min() < 0 or rows.max() >= len(table)):
            raise ParameterError(
                f"The 'start' parameter names row {int(rows.max())}, and there are {len(table)}."
            )
        return rows

    def scores(self, model: Model, pool: Table, labelled: Table) -> Floats:
        """How much each row is worth asking about."""
        function = QUERY_STRATEGIES[self.acquire] if isinstance(self.acquire, str) else self.acquire
        more: dict[str, Any] = {"budget": self.budget, "seed": self.seed, "sought": self.sought}
        taken = signature(function).parameters
        found = function(
            model, pool, labelled, **{name: each for name, each in more.items() if name in taken}
        )
        scores = np.asarray(found, np.float64)
        if scores.shape != (len(pool),):
            raise ParameterError(
                f"The 'acquire' function must give a score for each of the {len(pool)} rows. "
                f"It gave an array of shape {scores.shape}."
            )
        if len(scores) and np.isnan(scores.max()):
            scores = np.where(np.isnan(scores), -np.inf, scores)
        return scores

    def shuffle(self, rows: int) -> Indices:
        """The order in which rows of equal worth are asked about."""
        return np.random.default_rng(self.seed).permutation(rows).astype(np.intp)

    def audits(self, seeking: bool) -> float:
        """The share of questions that are audits, where a class is sought or not."""
        return (AUDITED if seeking else 0.0) if self.audit is None else self.audit

    def audit_order(self, rows: int) -> Indices:
        """The order in which rows are audited; it has nothing to do with that of `shuffle`."""
        return np.random.default_rng([self.seed, 1]).permutation(rows).astype(np.intp)


def hide_labels(table: Table) -> Table:
    """The same rows without their labels; what the classes are is still known.

    Examples
    --------
    >>> table = Table.of([(1, "a"), (2, "b")], ["x", "y"])
    >>> hide_labels(table)["y"].tolist(), hide_labels(table).domain["y"].values
    ([None, None], ('a', 'b'))
    """
    target = table.domain.target
    if target is None:
        raise ParameterError(
            "There is no target to be hidden. Name one: table.with_roles(target=…)."
        )
    nothing: Any = np.nan if target.kind == "num" else np.int32(-1)
    columns = [
        np.full_like(column, nothing) if v.name == target.name else column
        for v, column in zip(table.domain, table.columns, strict=True)
    ]
    return Table(table.domain, columns, name=table.name, notes=table.notes, check=False)
