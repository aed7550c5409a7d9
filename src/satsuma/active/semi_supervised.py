"""Semi-supervised learning: from rows without a label too, with a check of what it is worth."""

from abc import abstractmethod
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from satsuma.active.semi_supervised_model import (
    NumberSpread,
    SemiSupervisedClassifier,
    SemiSupervisedRegressor,
    Spread,
)
from satsuma.data.table import Table
from satsuma.errors import check_number, refuse
from satsuma.folds import deal_shuffled
from satsuma.kernels.threads import map_tasks
from satsuma.learners.ensembles.ensemble import check_inside, takes_of_member
from satsuma.learners.learner import Learner
from satsuma.learners.model import Regressor
from satsuma.learners.queries import fitted
from satsuma.learners.takes import Takes, TakesBy, training_rows
from satsuma.numerics.arrays import Array, Bools, Floats


class Learned(NamedTuple):
    """A model of labels, known and spread, and the label of each row; -1 or NaN for none."""

    model: Any
    codes: Array


def takes_unlabelled(learner: Any) -> Takes:
    """What the learner inside takes, and rows without a label."""
    return replace(takes_of_member(learner.learner), target="classes", unlabelled=True)


@dataclass(kw_only=True, eq=False)
class SemiSupervised(Learner):
    """A semi-supervised learner: it spreads labels to rows without one, for a learner of classes.

    What that is worth is found from known labels alone: they are dealt into folds, each fold is
    hidden in turn, and its rows are answered with and without spreading. The model is that of
    spread labels only where these get more right, or have smaller squared errors, by more than one
    standard error.
    """

    learner: Learner
    folds: int = 5
    seed: int = 0

    takes: ClassVar[Any] = TakesBy(takes_unlabelled)

    #: Whether labels may be numbers.
    of_numbers: ClassVar[bool] = False

    def look(self, rows: Table) -> Any:
        """What there is to be seen in rows whatever their labels; it is looked at once."""
        del rows

    @abstractmethod
    def spread(self, rows: Table, seen: Any) -> Learned:
        """Spread labels to the rows that have none, given what `look` saw, and learn from all."""

    def check(self) -> None:
        """A learner of classes, a number of folds and a seed."""
        check_inside(self, "learner", self.learner)
        if self.learner.takes.target == "number" and not self.of_numbers:
            raise refuse(self, "learner", "a learner of classes")
        check_number(self, "folds", low=2, whole=True)
        check_number(self, "seed", low=0, whole=True)

    def learn(self, data: Table) -> SemiSupervisedClassifier | SemiSupervisedRegressor:
        """Spread labels, check it, and keep what was learned with them or without."""
        known = training_rows(data, type(self).__name__)
        rows = data if data.weights is None else data[np.flatnonzero(data.weights > 0)]
        bare = len(rows) - len(known)
        numeric = labels_of(rows).dtype.kind == "f"
        if not bare or len(known) < 2:
            return _wrapped(self.learner(known), Spread(len(known), bare), numeric)
        seen = self.look(rows)
        checked = self._checked(rows, seen)
        learned = self.spread(rows, seen)
        spread = int(has_label(learned.codes).sum()) - len(known)
        told = Spread(len(known), bare, spread, len(known), *checked)
        return _wrapped(learned.model if told.used else self.learner(known), told, numeric)

    def _checked(self, rows: Table, seen: Any) -> tuple[float, float, float, bool]:
        """How good labels held back are as spread, with spreading and without; whether it pays."""
        truth, weights = labels_of(rows), weights_or_ones(rows)
        known = np.flatnonzero(has_label(truth))
        nothing = np.nan if truth.dtype.kind == "f" else -1
        folds = min(int(self.folds), len(known))
        fold = deal_shuffled(rows[known], folds, self.seed)

        def answers(at: int) -> tuple[Array, ...]:
            hidden = known[fold == at]
            codes = truth.copy()
            codes[hidden] = nothing
            found = self.spread(with_labels(rows, codes), seen)
            plain = self.learner(rows[known[fold != at]])
            said = (_predicted(each, rows[hidden]) for each in (found.model, plain))
            return hidden, found.codes[hidden], *said

        told = map_tasks(answers, range(folds))
        hidden, spread, found, without = map(np.concatenate, zip(*told, strict=True))
        weights, truth = weights[hidden], truth[hidden]
        some = has_label(spread)
        if truth.dtype.kind == "f":
            gain = (without - truth) ** 2 - (found - truth) ** 2
            used = bool(weights @ gain > np.sqrt(weights @ gain**2))
            pairs = ((spread[some], some), (found, some | ~some), (without, some | ~some))
            errors = [_rmse(each - truth[at], weights[at]) for each, at in pairs]
            return errors[0], errors[1], errors[2], used
        gain = 1.0 * (found == truth) - (without == truth)
        used = bool(weights @ gain > np.sqrt(weights @ gain**2))
        right = [_share(each == truth, weights) for each in (found, without)]
        return _share(spread[some] == truth[some], weights[some]), right[0], right[1], used


def labels_of(rows: Table) -> Array:
    """The class of each row as a code, -1 where it has none; or its number, or NaN."""
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
    kind = np.float64 if target.kind == "num" else np.int32
    columns[rows.domain.index(target.name)] = codes.astype(kind, copy=False)
    return Table(rows.domain, columns, name=rows.name, check=False)


def has_label(labels: Array) -> Bools:
    """Which rows have a label: a code that is not below 0, or a number."""
    return ~np.isnan(labels) if labels.dtype.kind == "f" else labels >= 0


def _wrapped(
    model: Any, told: Spread, numeric: bool
) -> SemiSupervisedClassifier | SemiSupervisedRegressor:
    if numeric:
        return SemiSupervisedRegressor(model, NumberSpread(**asdict(told)))
    return SemiSupervisedClassifier(model, told)


def _predicted(model: Any, batch: Table) -> Array:
    if isinstance(model, Regressor):
        return model.numbers(fitted(batch, model.domain))
    return model.codes(fitted(batch, model.domain, model.unseen))


def _rmse(off: Floats, weights: Floats) -> float:
    return float(np.sqrt(np.average(off**2, weights=weights))) if len(off) else float("nan")


def _share(which: Array, weights: Floats) -> float:
    return float(np.average(which, weights=weights)) if len(which) else float("nan")
