"""Stacking: the out-of-fold predictions of several learners are learned from in turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np

from satsuma.data.domain import Domain, distinct_names
from satsuma.data.fields import FloatArray, Instance, Many, Maybe
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ReadError, check_number, refuse
from satsuma.folds import deal_shuffled
from satsuma.kernels.threads import map_tasks
from satsuma.learners.cross_fitting import out_of_fold, prediction_matrix
from satsuma.learners.ensembles.ensemble import check_inside, summed_predictions
from satsuma.learners.learner import Learner
from satsuma.learners.model import Classifier, Model, Regressor
from satsuma.learners.takes import Takes, TakesBy, training_rows
from satsuma.numerics.arrays import Array, Floats


class _Stacked(Model):
    """Models side by side, and what their predictions are worth.

    Parameters
    ----------
    models
        One of each learner.
    outer
        The meta-model of their predictions; None where these are added up.
    shares
        What the predictions of each are multiplied by, where they are added up.
    """

    learner: Any

    schema: ClassVar[Schema] = Schema(
        "models",
        learner=Instance(lambda: Stacking),
        models=Many(Instance(Model), size="models"),
        outer=Maybe(Instance(Model)),
        shares=Maybe(FloatArray("models", low=0, sums_to_one=True)),
    )

    def check_state(self) -> None:
        """All models predict the same thing, and the outer one knows what the others say."""
        super().check_state()
        for model in self.models:
            self.check_inside(model)
        if len(self.models) != len(self.learner.learners):
            raise ReadError("there is not a model for each learner")
        if not self.models or (self.shares is None) == (self.outer is None):
            raise ReadError("answers are either added up or learned from")
        if self.outer is not None:
            self.check_inside(self.outer)
            width = max(1, len(self.target.values) - 1) * len(self.models)
            asked = self.outer.domain.attributes
            if len(asked) != width or any(v.kind != "num" for v in asked):
                raise ReadError("the outer model was learned from other answers")

    def __init__(self, models: Sequence[Model], outer: Model | None, shares: Floats | None) -> None:
        self.models, self.outer, self.shares = list(models), outer, shares

    def _stacked(self, batch: Table) -> Floats:
        """What the outer model predicts from the predictions, or these added up."""
        if self.shares is not None:
            shares, width = self.shares, len(self.target.values) or 1
            return summed_predictions(
                lambda at, part: shares[at] * prediction_matrix(self.models[at], part),
                len(self.models),
                batch,
                width,
            )
        assert self.outer is not None
        answers = map_tasks(lambda model: prediction_matrix(model, batch), self.models)
        variables = self.outer.domain.attributes
        return prediction_matrix(
            self.outer, Table(Domain(variables), _columns(answers), check=False)
        )

    def __str__(self) -> str:
        names = [repr(each) for each in self.learner.learners]
        if self.shares is None:
            told = [f"{self.target.name}, by what these say of it:"]
            return "\n".join([*told, *(f"  {name}" for name in names), "", str(self.outer)])
        told = [f"{self.target.name}, by what these say of it, in shares:"]
        pairs = zip(self.shares, names, strict=True)
        return "\n".join([*told, *(f"  {share:.3f}  {name}" for share, name in pairs)])


class StackingClassifier(_Stacked, Classifier):
    """Models of classes, and what their probabilities are worth."""

    def probabilities(self, batch: Table) -> Floats:
        """What follows from the probabilities that the models give."""
        found = self._stacked(batch)
        return found / found.sum(axis=1, keepdims=True)

    def chosen(self, probabilities: Floats) -> Array:
        """What the outer model chooses, or else the most probable class."""
        if isinstance(self.outer, Classifier):
            return self.outer.chosen(probabilities)
        return super().chosen(probabilities)


class StackingRegressor(_Stacked, Regressor):
    """Models of numbers, and what each is worth."""

    def numbers(self, batch: Table) -> Floats:
        """What follows from the numbers that the models give."""
        return self._stacked(batch)[:, 0]


def _columns(answers: Sequence[Floats]) -> list[Array]:
    """Predictions as columns. The probability of the first class follows from the others."""
    first = 1 if answers[0].shape[1] > 1 else 0
    return [
        np.ascontiguousarray(each[:, at]) for each in answers for at in range(first, each.shape[1])
    ]


def _listed(given: Any) -> list[Any]:
    """The learners of a list; none where it is something else."""
    return list(cast("Sequence[Any]", given)) if isinstance(given, list | tuple) else []


def _takes(learner: Any) -> Takes:
    outer, given = learner.learner, learner.learners
    known = [each.takes for each in _listed(given) if isinstance(each, Learner)]
    inside = [*known, outer.takes] if isinstance(outer, Learner) else known
    targets = {each.target for each in inside} - {"either"}
    return Takes(
        kinds=tuple(k for k in ("num", "sym", "text") if all(k in each.kinds for each in known)),
        target="classes" if "classes" in targets else "number" if targets else "either",
        missing=all(each.missing for each in known),
        weights=all(each.weights for each in inside),
    )


@dataclass(kw_only=True, eq=False)
class Stacking(Learner):
    """The out-of-fold predictions of several learners are learned from in turn (Wolpert 1992).

    Rows are dealt into folds, and each fold is predicted by models of the others. What comes of it
    are the columns that the last learner, the meta-learner, learns from: a probability for each
    class but the first, or a number. Then each learner learns from all rows. Missing cells are left
    to the learners.

    Parameters
    ----------
    learners
        A list of them, all of classes or all of numbers; it may stand first, without its name.
    learner
        The meta-learner, of their predictions. None: these are added up, each having a share; the
        shares have the least squared error (Breiman 1996), and can be read.
    folds
        How many there are; as many as there are rows, if these are fewer.
    seed
        Where chance starts from in dealing.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import KNN, LDA, Majority, Stacking
    >>> iris = satsuma.load("iris")
    >>> print(Stacking([LDA(), KNN(), Majority()])(iris))
    Species, by what these say of it, in shares:
      0.998  LDA(shrinkage=None)
      0.000  KNN(k=None, weights=None, p=2.0)
      0.002  Majority()
    """

    learners: Sequence[Learner]
    learner: Learner | None = None
    folds: int = 5
    seed: int = 0

    takes: ClassVar[Any] = TakesBy(_takes)

    def check(self) -> None:
        """Learners that predict the same sort of target, a number of folds and a seed."""
        among = _listed(self.learners)
        if not among:
            raise refuse(self, "learners", "a list of learners")
        for each in among:
            check_inside(self, "learners", each)
        if self.learner is not None:
            check_inside(self, "learner", self.learner)
            if "num" not in self.learner.takes.kinds:
                raise refuse(self, "learner", "a learner that takes numbers")
            among.append(self.learner)
        if {"classes", "number"} <= {each.takes.target for each in among}:
            raise refuse(self, "learners", "learners of classes, or learners of numbers")
        check_number(self, "folds", low=2, whole=True)
        check_number(self, "seed", low=0, whole=True)

    def learn(self, data: Table) -> StackingClassifier | StackingRegressor:
        """Out-of-fold predictions, what these are worth, and models of all rows."""
        rows = training_rows(data, type(self).__name__)
        if len(rows) < 2:
            raise DomainError(
                "Stacking needs two rows at least, of which each is answered by the other, and "
                "was given one sample. Give it more."
            )
        folds = min(int(self.folds), len(rows))
        dealt = deal_shuffled(rows, folds, self.seed)
        answers = [out_of_fold(each, rows, dealt, folds) for each in self.learners]
        models = [each(rows) for each in self.learners]
        kind = StackingClassifier if isinstance(models[0], Classifier) else StackingRegressor
        if self.learner is None:
            return kind(models, None, _least_error_shares(answers, rows))
        return kind(models, self.learner(self._told(answers, rows)), None)

    def _told(self, answers: Sequence[Floats], rows: Table) -> Table:
        """The answers as columns, beside the target and the weights."""
        beside = [v for v in (rows.domain.target, rows.domain.weight) if v is not None]
        values = beside[0].values[1:] or beside[0].values
        names = [
            f"{type(each).__name__}={value}" if value else type(each).__name__
            for each in self.learners
            for value in values or ("",)
        ]
        names = distinct_names([*(v.name for v in beside), *names])[0][len(beside) :]
        columns = [*_columns(answers), *(rows.column(v.name) for v in beside)]
        return Table(Domain([*map(Variable, names), *beside]), columns, check=False)


def _least_error_shares(answers: Sequence[Floats], rows: Table) -> Floats:
    """Shares of at least 0 that sum to 1 and leave the least squared error (Breiman 1996)."""
    target = rows.domain.target
    assert target is not None
    truth = rows.column(target.name)
    wanted = np.eye(answers[0].shape[1])[truth] if target.kind == "sym" else truth[:, None]
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    scale = np.sqrt(weights / weights.sum())[:, None]
    errors = np.column_stack([((each - wanted) * scale).ravel() for each in answers])
    errors /= np.abs(errors).max() or 1.0
    from scipy import optimize

    # Of all multiples of some shares the error of the last row chooses one, and of all shares the
    # errors above it do: so the shares are those of the least error, whatever they sum to.
    system = np.vstack([np.linalg.qr(errors, mode="r"), np.ones(len(answers))])
    solve: Any = cast("Any", optimize).nnls
    found: Floats = solve(system, np.append(np.zeros(len(system) - 1), 1.0))[0]
    return found / found.sum()
