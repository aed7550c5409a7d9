"""Labelling: rows, the labels known so far, and a model that learns after every one."""

from collections.abc import Collection
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from satsuma.active.audit import AuditPlan, Draw, when_slow
from satsuma.active.batches import diverse_batch, followers, per_cost
from satsuma.active.labelled_table import labelled_table, with_class
from satsuma.active.oracle import Answer
from satsuma.data.table import Table
from satsuma.engines.timed_source import with_time_features
from satsuma.errors import DomainError, SatsumaError
from satsuma.learners.learner import Learner, learns_in_one_round
from satsuma.learners.model import Model
from satsuma.numerics.arrays import Array, Floats, Indices

#: Ways to choose rows that are not after a class.
_UNSEEKING = ("uncertain", "committee", "dense", "expected error", "explore")


class LabellingStrategy(Protocol):
    """What a labelling needs to know of how it is done; see `Active`."""

    learner: Learner

    def audits(self, seeking: bool) -> float:
        """The share of questions that are audits, where a class is sought or not."""
        ...

    def first(self, table: Table) -> Indices:
        """The rows to ask about before anything is known, in order."""
        ...

    def scores(self, model: Model, pool: Table, labelled: Table) -> Floats:
        """How much each row is worth asking about."""
        ...

    def shuffle(self, rows: int) -> Indices:
        """The order in which rows of equal worth are asked about."""
        ...

    def audit_order(self, rows: int) -> Indices:
        """The order in which rows are audited: at random, and whatever their worth."""
        ...


class Labelling:
    """A table that is being labelled: `ask` says which rows are next, `tell` takes an answer.

    Rows whose target is known already are labelled. A learner of one round adds each answer to its
    tally; others learn anew, when their model is asked for, from the labelled rows, or from all if
    they take rows without a label.

    Parameters
    ----------
    table
        The rows; their target is missing where it is not known.
    how
        The learner, and how rows are chosen.
    """

    def __init__(self, table: Table, how: LabellingStrategy) -> None:
        target = table.domain.target
        if target is None:
            raise DomainError(
                "Labelling needs a target, and no column has that role. "
                "Name one: table.with_roles(target=…)."
            )
        table = with_time_features(table, how.learner.takes.kinds, unlabelled=True)
        self._table, self.how, self.target = table, how, target
        self.labels: Array = table.column(target.name).copy()
        self.certainty = np.ones(len(table))
        #: The rows that were labelled here, in order.
        self.order: list[int] = []
        #: Rows about which the answer was "don't know".
        self.unknown: list[int] = []
        self._open = table.missing(target.name)
        self._tie = np.argsort(how.shuffle(len(table)))
        self._queue = how.audit_order(len(table))
        #: Those of the rows last asked about that were drawn at random.
        self.drawn: frozenset[int] = frozenset()
        self._first = [int(at) for at in how.first(table) if self._open[at]]
        self._tally: Any = None
        self._model: Model | None = None
        #: What each question costs, if that is to be weighed.
        self.costs: Floats | None = None
        known = self.labelled_rows
        #: Rows that are never asked about, by the equal one whose label they share.
        self._followers = _sharing(table, how, known)
        self._open[self.followers] = False
        #: Rows that nobody had to find: with a label from the start, or named to begin with.
        self.given = frozenset([*known.tolist(), *_named_rows(how), *self.followers])
        if learns_in_one_round(how.learner, table.domain) and len(known):
            self._tally = how.learner.tally(self._rows(known))

    @property
    def followers(self) -> list[int]:
        """Rows that share the label of an equal one, and are not asked about."""
        return [int(row) for rows in self._followers.values() for row in rows]

    @property
    def labelled_rows(self) -> Indices:
        """The numbers of the rows that have a label."""
        missing = np.isnan(self.labels) if self.target.kind == "num" else self.labels < 0
        return np.flatnonzero(~missing)

    @property
    def labelled(self) -> Table:
        """The rows that have a label, with it, and with a weight where some answers were unsure."""
        return self._rows(self.labelled_rows)

    @property
    def table(self) -> Table:
        """All rows, with the labels known so far."""
        return self._rows(np.arange(len(self._table)))

    def _rows(self, rows: Indices) -> Table:
        return labelled_table(
            self._table[rows], self.target, self.labels[rows], self.certainty[rows]
        )

    def tell(self, row: int, answer: Answer | Any) -> None:
        """Take an answer about a row; None for "don't know". A second answer replaces the first."""
        said = answer if isinstance(answer, Answer) else Answer(answer)
        self._check(row)
        again = not self._open[row] and row not in self.unknown
        label = self._code(said.value) if said.known else None
        self._open[row] = False
        if label is None:
            self.unknown.append(row)
            return
        rows = [row, *self._followers.get(row, ())]
        self.labels[rows] = label
        self.certainty[rows] = said.certainty
        self.order.append(row)
        self._model = None
        self._count(np.array(rows, np.intp), again)

    def forget(self, row: int) -> None:
        """Take back what was said of a row: it has no label, and is asked about again.

        Examples
        --------
        >>> from satsuma import Active, NaiveBayes
        >>> table = Table.of([(1, "a"), (2, "b"), (3, None)], ["x", "y"])
        >>> labelling = Active(learner=NaiveBayes()).begin(table)
        >>> labelling.tell(2, "b")
        >>> labelling.forget(2)
        >>> labelling.ask(), labelling.order
        ([2], [])
        """
        self._check(row)
        self._open[row] = True
        self.unknown = [each for each in self.unknown if each != row]
        self.order = [each for each in self.order if each != row]
        if row not in self.labelled_rows:
            return
        rows = [row, *self._followers.get(row, ())]
        self.labels[rows] = np.nan if self.target.kind == "num" else -1
        self.certainty[rows] = 1.0
        self._model = self._tally = None
        if learns_in_one_round(self.how.learner, self._table.domain) and len(self.labelled_rows):
            self._tally = self.how.learner.tally(self.labelled)

    def _check(self, row: int) -> None:
        if not 0 <= row < len(self._table):
            raise DomainError(f"There is no row {row}: the table has {len(self._table)} rows.")

    def _count(self, rows: Indices, again: bool) -> None:
        learner = self.how.learner
        if not learns_in_one_round(learner, self._table.domain):
            return
        if again:  # what the row said before is in the tally: all labelled rows are counted anew
            self._tally = learner.tally(self.labelled)
            return
        one = learner.tally(self._rows(rows))
        self._tally = one if self._tally is None else self._tally + one

    def _code(self, value: Any) -> Any:
        if self.target.kind == "num":
            return self._number(value)
        self.target = with_class(self.target, value)
        return self.target.code(str(value))

    def _number(self, value: Any) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = np.nan
        if not np.isfinite(number):
            raise DomainError(
                f"{self.target.name!r} is a number, and the answer was {value!r}. If it is not "
                f"known, answer None."
            )
        return number

    @property
    def ready(self) -> bool:
        """Whether there is enough to learn from: a label, or two different classes."""
        known = self.labels[self.labelled_rows]
        return len(known) > 0 and (self.target.kind == "num" or len(np.unique(known)) > 1)

    @property
    def model(self) -> Model:
        """What is learned from the labels known so far."""
        if not len(self.labelled_rows):
            raise SatsumaError("Nothing is labelled yet, so there is no model.")
        if self._model is None:
            learner: Any = self.how.learner
            if self._tally is not None:
                self._model = cast("Model", learner.concluded(self._tally))
            else:
                rows = self.table if learner.takes.unlabelled else self.labelled
                self._model = cast("Model", learner(rows))
        return self._model

    def ask(self, n: int = 1, *, without: Collection[int] = ()) -> list[int]:
        """The rows most worth asking about; fewer than n, or none, where no others are left.

        Parameters
        ----------
        n
            How many.
        without
            Rows that are not to be asked about now, as others have them in hand.
        """
        free = self._open
        if len(without):
            free = free.copy()
            free[list(without)] = False
        self.drawn = frozenset()
        waiting = [at for at in self._first if free[at]][:n]
        if waiting:
            return waiting
        if not self.ready:  # nothing to compare: the rest in any order
            left = np.flatnonzero(free)
            return left[np.argsort(self._tie[left])][:n].tolist()
        drawn = self._audited_next(free, n)
        self.drawn = frozenset(drawn)
        left = np.flatnonzero(free)
        left = left[~np.isin(left, drawn)] if drawn else left
        if len(drawn) == n or not len(left):
            return drawn
        scores = self.how.scores(self.model, self._table, self.labelled)
        scores = scores if self.costs is None else per_cost(scores, self.costs)
        wanted = n - len(drawn)
        if wanted > 1 and getattr(self.how, "diverse", False):
            left = left[np.argsort(self._tie[left])]
            batch = diverse_batch(self.model, self._table, left, scores[left], wanted)
            return [*drawn, *batch.tolist()]
        best = _greatest(scores[left], self._tie[left], wanted)
        return [*drawn, *left[best].tolist()]

    @property
    def sought(self) -> str | None:
        """The class that rows are searched for, if they are searched for one."""
        if not self.ready or self.target.kind == "num":
            return None
        acquire = getattr(self.how, "acquire", None)
        named: str | None = getattr(self.how.learner, "sought", None)
        if acquire not in _UNSEEKING and getattr(self.how, "sought", None) is not None:
            named = getattr(self.how, "sought", None)
        if named is not None or acquire in _UNSEEKING:
            return named  # without a name, the last class is nobody's choice
        found: str | None = getattr(self.model, "sought", None)
        if found is None and acquire == "certain":
            values, counts = np.unique(self.labels[self.labelled_rows], return_counts=True)
            found = self.target.values[int(values[np.argmin(counts)])]
        return found

    @property
    def answered(self) -> list[int]:
        """The rows that got a label here, in order and each once, without those that were given."""
        return [row for row in dict.fromkeys(self.order) if row not in self.given]

    @property
    def audited(self) -> list[Draw]:
        """The labels that were audits: of rows drawn at random among those without a label."""
        sought = self.sought
        plan, rows = AuditPlan(self.how.audits(sought is not None), self._queue), self.answered
        return plan.draws(rows, self._wanted(rows, sought), self.given.union(self.unknown))

    def _wanted(self, rows: list[int], sought: str | None) -> npt.NDArray[np.bool_]:
        """Whether audits were wanted before each of some labels, and before the next."""
        if sought is None:
            return np.ones(len(rows) + 1, np.bool_)
        return when_slow(self.labels[np.array(rows, np.intp)] == self.target.code(sought))

    def _audited_next(self, free: npt.NDArray[np.bool_], n: int) -> list[int]:
        """The audits that are due among the next questions."""
        sought = self.sought
        plan, rows = AuditPlan(self.how.audits(sought is not None), self._queue), self.answered
        wanted = self._wanted(rows, sought) if plan.share else np.zeros(1, np.bool_)
        if not wanted[-1]:
            return []
        draws = len(plan.draws(rows, wanted, self.given.union(self.unknown)))
        found, free = list[int](), free.copy()
        while len(found) < n and plan.due(wanted, draws + len(found)):
            row = plan.next(free)
            if row is None:
                break
            free[row] = False
            found.append(row)
            wanted = np.append(wanted, wanted[-1])
        return found


def _sharing(table: Table, how: LabellingStrategy, known: Indices) -> dict[int, Indices]:
    """Rows that share the label of an earlier one; of rows with a label, each keeps its own."""
    target = table.domain.target
    if target is None or not getattr(how, "share", False):
        return {}
    found, have = followers(table, target.name), set(known.tolist())
    return {row: rows for row, rows in found.items() if not have.intersection([row, *rows])}


def _named_rows(how: LabellingStrategy) -> list[int]:
    start: Any = getattr(how, "start", 0)
    if isinstance(start, int):
        return []
    return [int(row) for row in start if not isinstance(row, str)]


def _greatest(scores: Floats, tie: Indices, n: int) -> Indices:
    """Where the n greatest scores are; those that tie go by another number."""
    if n >= len(scores):
        return np.lexsort((tie, -scores))
    least = scores.max() if n == 1 else np.partition(scores, len(scores) - n)[len(scores) - n]
    among = np.flatnonzero(scores >= least)
    return among[np.lexsort((tie[among], -scores[among]))][:n]
