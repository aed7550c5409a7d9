"""Semi-supervised learning: from rows without a label too, with a check of what it is worth."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from satsuma.active.semi_supervised_model import SemiSupervisedClassifier, Spread
from satsuma.data.table import Table
from satsuma.errors import check_number, refuse
from satsuma.folds import deal_shuffled
from satsuma.kernels.threads import map_tasks
from satsuma.learners.ensembles.ensemble import check_inside, takes_of_member
from satsuma.learners.learner import Learner
from satsuma.learners.queries import fitted
from satsuma.learners.takes import Takes, TakesBy, training_rows
from satsuma.numerics.arrays import Array, Codes, Floats


class Learned(NamedTuple):
    """A model of labels, known and spread, and the label of each row: -1 where it has none."""

    model: Any
    codes: Codes


def takes_unlabelled(learner: Any) -> Takes:
    """What the learner inside takes, and rows without a label."""
    return replace(takes_of_member(learner.learner), target="classes", unlabelled=True)


@dataclass(kw_only=True, eq=False)
class SemiSupervised(Learner):
    """A semi-supervised learner: it spreads labels to rows without one, for a learner of classes.

    What that is worth is found from known labels alone: they are dealt into folds, each fold is
    hidden in turn, and its rows are answered with and without spreading. The model is that of
    spread labels only where these get more right, by more than one standard error.
    """

    learner: Learner
    folds: int = 5
    seed: int = 0

    takes: ClassVar[Any] = TakesBy(takes_unlabelled)

    def look(self, rows: Table) -> Any:
        """What there is to be seen in rows whatever their labels; it is looked at once."""
        del rows

    @abstractmethod
    def spread(self, rows: Table, seen: Any) -> Learned:
        """Spread labels to the rows that have none, given what `look` saw, and learn from all."""

    def check(self) -> None:
        """A learner of classes, a number of folds and a seed."""
        check_inside(self, "learner", self.learner)
        if self.learner.takes.target == "number":
            raise refuse(self, "learner", "a learner of classes")
        check_number(self, "folds", low=2, whole=True)
        check_number(self, "seed", low=0, whole=True)

    def learn(self, data: Table) -> SemiSupervisedClassifier:
        """Spread labels, check it, and keep what was learned with them or without."""
        known = training_rows(data, type(self).__name__)
        rows = data if data.weights is None else data[np.flatnonzero(data.weights > 0)]
        bare = len(rows) - len(known)
        if not bare or len(known) < 2:
            return SemiSupervisedClassifier(self.learner(known), Spread(len(known), bare))
        seen = self.look(rows)
        checked = self._checked(rows, seen)
        learned = self.spread(rows, seen)
        spread = int((learned.codes >= 0).sum()) - len(known)
        told = Spread(len(known), bare, spread, len(known), *checked)
        return SemiSupervisedClassifier(learned.model if told.used else self.learner(known), told)

    def _checked(self, rows: Table, seen: Any) -> tuple[float, float, float, bool]:
        """What of labels held back was spread right, is right with spreading and without."""
        truth, weights = labels_of(rows), weights_or_ones(rows)
        known = np.flatnonzero(truth >= 0)
        folds = min(int(self.folds), len(known))
        fold = deal_shuffled(rows[known], folds, self.seed)

        def answers(at: int) -> tuple[Array, ...]:
            hidden = known[fold == at]
            codes = truth.copy()
            codes[hidden] = -1
            found = self.spread(with_labels(rows, codes), seen)
            plain = self.learner(rows[known[fold != at]])
            said = (_predicted(each, rows[hidden]) for each in (found.model, plain))
            return hidden, found.codes[hidden], *said

        told = map_tasks(answers, range(folds))
        hidden, spread, found, without = map(np.concatenate, zip(*told, strict=True))
        weights, truth = weights[hidden], truth[hidden]
        gain = 1.0 * (found == truth) - (without == truth)
        used = bool(weights @ gain > np.sqrt(weights @ gain**2))
        right = [_share(each == truth, weights) for each in (found, without)]
        some = spread >= 0
        return _share(spread[some] == truth[some], weights[some]), right[0], right[1], used


def labels_of(rows: Table) -> Codes:
    """The class of each row as a code; -1 where it has none."""
    target = rows.domain.target
    assert target is not None
    return rows.column(target.name)


def weights_or_ones(rows: Table) -> Floats:
    """What each row weighs."""
    return np.ones(len(rows)) if rows.weights is None else rows.weights


def with_labels(rows: Table, codes: Array) -> Table:
    """The same rows with other labels; no other column is copied.

    Examples
    --------
    >>> table = Table.of([(1, "a"), (2, "b")], ["n", "s"])
    >>> with_labels(table, np.array([1, -1]))[0]
    Row(n=1, s='b')
    """
    target = rows.domain.target
    assert target is not None
    columns = list(rows.columns)
    columns[rows.domain.index(target.name)] = codes.astype(np.int32, copy=False)
    return Table(rows.domain, columns, name=rows.name, check=False)


def _predicted(model: Any, batch: Table) -> Codes:
    return model.codes(fitted(batch, model.domain, model.unseen))


def _share(which: Array, weights: Floats) -> float:
    return float(np.average(which, weights=weights)) if len(which) else float("nan")
