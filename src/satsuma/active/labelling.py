"""Labelling: rows, the labels known so far, and a model that learns after every one."""

from collections.abc import Collection
from typing import Any, Protocol, cast

import numpy as np

from satsuma.active.oracle import Answer
from satsuma.data.domain import Domain, free_name
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.engines.timed_source import with_time_features
from satsuma.errors import DomainError, SatsumaError
from satsuma.learners.learner import Learner, learns_in_one_round
from satsuma.learners.model import Model
from satsuma.numerics.arrays import Array, Floats, Indices


class LabellingStrategy(Protocol):
    """What a labelling needs to know of how it is done; see `Active`."""

    learner: Learner

    def first(self, table: Table) -> Indices:
        """The rows to ask about before anything is known, in order."""
        ...

    def scores(self, model: Model, pool: Table, labelled: Table) -> Floats:
        """How much each row is worth asking about."""
        ...

    def shuffle(self, rows: int) -> Indices:
        """The order in which rows of equal worth are asked about."""
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
        self._first = [int(at) for at in how.first(table) if self._open[at]]
        self._tally: Any = None
        self._model: Model | None = None
        known = self.labelled_rows
        #: Rows that nobody had to find: with a label from the start, or named to begin with.
        self.given = frozenset([*known.tolist(), *_named_rows(how)])
        if learns_in_one_round(how.learner) and len(known):
            self._tally = how.learner.tally(self._rows(known))

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
        part = self._table[rows]
        columns = [
            self.labels[rows] if v.name == self.target.name else column
            for v, column in zip(part.domain, part.columns, strict=True)
        ]
        variables = [self.target if v.name == self.target.name else v for v in part.domain]
        certain = self.certainty[rows]
        if (certain < 1).any():
            weight = part.domain.weight
            if weight is None:
                name = free_name("certainty", list(part.domain.names))
                variables.append(Variable(name, "num", role="weight"))
                columns.append(certain)
            else:
                at = part.domain.index(weight.name)
                columns[at] = columns[at] * certain
        return Table(Domain(variables), columns, name=part.name, check=False)

    def tell(self, row: int, answer: Answer | Any) -> None:
        """Take an answer about a row; None for "don't know". A second answer replaces the first."""
        said = answer if isinstance(answer, Answer) else Answer(answer)
        self._check(row)
        again = not self._open[row] and row not in self.unknown
        self._open[row] = False
        if not said.known:
            self.unknown.append(row)
            return
        self.labels[row] = self._code(said.value)
        self.certainty[row] = said.certainty
        self.order.append(row)
        self._model = None
        self._count(row, again)

    def forget(self, row: int) -> None:
        """Take back what was said of a row: it has no label, and is asked about again.

        Examples
        --------
        >>> from satsuma import NaiveBayes
        >>> from satsuma.active.active_learning import Active
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
        self.labels[row] = np.nan if self.target.kind == "num" else -1
        self.certainty[row] = 1.0
        self._model = self._tally = None
        if learns_in_one_round(self.how.learner) and len(self.labelled_rows):
            self._tally = self.how.learner.tally(self.labelled)

    def _check(self, row: int) -> None:
        if not 0 <= row < len(self._table):
            raise DomainError(f"There is no row {row}: the table has {len(self._table)} rows.")

    def _count(self, row: int, again: bool) -> None:
        learner = self.how.learner
        if not learns_in_one_round(learner):
            return
        if again:  # what the row said before is in the tally: all labelled rows are counted anew
            self._tally = learner.tally(self.labelled)
            return
        one = learner.tally(self._rows(np.array([row])))
        self._tally = one if self._tally is None else self._tally + one

    def _code(self, value: Any) -> Any:
        if self.target.kind == "num":
            return float(value)
        name = str(value)
        if name not in self.target.codes:
            values = (*self.target.values, name)
            self.target = Variable(self.target.name, "sym", values, self.target.role)
        return self.target.code(name)

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
        if without:
            free = free.copy()
            free[list(without)] = False
        waiting = [at for at in self._first if free[at]][:n]
        if waiting:
            return waiting
        left = np.flatnonzero(free)
        if not self.ready:  # nothing to compare: the rest in any order
            return left[np.argsort(self._tie[left])][:n].tolist()
        scores = self.how.scores(self.model, self._table, self.labelled)
        best = _greatest(scores[left], self._tie[left], n)
        return left[best].tolist()


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
