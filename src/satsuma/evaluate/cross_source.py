"""Cross-validation of a source, whose rows are not all in memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any, Protocol, cast

import numpy as np

from satsuma.data.columns import Array, Floats
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError
from satsuma.evaluate.request import Learners, Steps, known_rows
from satsuma.evaluate.trial import Predictions, Trial
from satsuma.folds import Folds, deal_places, others
from satsuma.learners.cross_fitting import (
    fold_tallies,
    predictions_by_fold,
    probabilities_by_fold,
    sharing,
)
from satsuma.learners.model import Classifier, Model


class Placed(Protocol):
    """A source that can say where in it a batch is."""

    @property
    def domain(self) -> Domain:
        """The columns of every batch."""
        ...

    def reduce_at(self, tally: Callable[[Table, int], Any]) -> Any:
        """The tallies of all batches, each given the number of its first row."""
        ...


@dataclass
class _Joined:
    """Arrays of batches, one behind the other. Two of them add up to one."""

    pieces: list[tuple[Array, ...]]

    def __add__(self, later: "_Joined") -> "_Joined":
        return _Joined(self.pieces + later.pieces)

    def arrays(self) -> list[Array]:
        """The whole arrays."""
        return [np.concatenate(each) for each in zip(*self.pieces, strict=True)]


@dataclass
class _Several:
    """Several values that add up, each by itself."""

    each: Sequence[Any]

    def __add__(self, later: "_Several") -> "_Several":
        return _Several([a + b for a, b in zip(self.each, later.each, strict=True)])


@dataclass(frozen=True)
class Dealing:
    """Rows dealt to folds by their places in a source.

    Parameters
    ----------
    count
        How many folds there are.
    seed
        Where chance starts from.
    """

    count: int
    seed: int

    def folds(self, batch: Table, first: int, rows: Any = None) -> Folds:
        """The fold of each row of a batch; -1 for a row that counts nowhere."""
        used = known_rows(batch, {}).used if rows is None else rows.used
        dealt = deal_places(first, len(batch), self.count, self.seed)
        return np.where(used, dealt, -1).astype(np.int16)


@dataclass
class Others:
    """A source without the rows of one fold."""

    source: Placed
    dealing: Dealing
    fold: int

    @property
    def domain(self) -> Domain:
        """The columns of every batch."""
        return self.source.domain

    def reduce(self, tally: Callable[[Table], Any]) -> Any:
        """The tallies of what is left of each batch."""
        dealing, fold = self.dealing, self.fold

        def masked(batch: Table, first: int) -> Any:
            folds = dealing.folds(batch, first)
            return tally(batch[np.flatnonzero((folds >= 0) & (folds != fold))])

        return self.source.reduce_at(masked)


def cross_source(learners: Learners, source: Any, count: int, seed: int, steps: Steps) -> Trial:
    """What learners predict for the rows of each fold, having learned from the others."""
    if not hasattr(source, "reduce_at"):
        raise ParameterError(
            f"cross_validate takes a table, or a source made by satsuma.scan, not a "
            f"{type(source).__name__}."
        )
    dealing = Dealing(count, seed)
    truth, weights, parts, models, seconds = _learned(learners, source, dealing, steps)
    target = source.domain.target
    trial = Trial(target, truth, weights, parts, count, 1 / (count - 1))
    start = perf_counter()
    predict = partial(_predictions, dealing, list(models.values()))
    predicted: list[Array] = source.reduce_at(predict).arrays()
    shared = (perf_counter() - start) / len(models)
    for at, (name, each) in enumerate(models.items()):
        classes = isinstance(each[0], Classifier)
        compute = partial(_probabilities, source, dealing, each) if classes else None
        trial.predictions[name] = Predictions(predicted[at], seconds[name] + shared, compute)
    return trial


def _learned(
    learners: Learners, source: Placed, dealing: Dealing, steps: Steps
) -> tuple[Array, Floats | None, Folds, dict[str, list[Model]], dict[str, float]]:
    """What is true of the rows, and for each learner a model for each fold."""
    for learner in learners.values():
        learner.check_data(cast("Any", source))
    groups = sharing(learners)
    firsts = [next(iter(group.values())) for group in groups]

    def tally(batch: Table, first: int) -> _Several:
        rows = known_rows(batch, {})
        folds = dealing.folds(batch, first, rows)
        weights = np.ones(0) if rows.weights is None else rows.weights
        truth = _Joined([(rows.truth, folds, weights)])
        by_fold = [fold_tallies(each, batch, folds, dealing.count) for each in firsts]
        return _Several([truth, *(_Several(each) for each in by_fold)])

    start = perf_counter()
    found: _Several = source.reduce_at(tally)
    truth, folds, weights = found.each[0].arrays()
    _check_enough(folds, dealing.count)
    shared = (perf_counter() - start) / max(1, sum(map(len, groups)))
    models, seconds = dict[str, list[Model]](), dict[str, float]()
    for group, parts in zip(groups, found.each[1:], strict=True):
        tallies = list(others(parts.each))
        for name, learner in group.items():
            start = perf_counter()
            models[name] = [learner.concluded(each) for each in tallies]
            seconds[name] = perf_counter() - start + shared
            steps.add(dealing.count)
    for name, learner in learners.items():
        if name not in models:
            start = perf_counter()
            models[name] = []
            for fold in range(dealing.count):
                models[name].append(learner(Others(source, dealing, fold)))
                steps.add()
            seconds[name] = perf_counter() - start
    in_order = {name: models[name] for name in learners}
    return truth, weights if len(weights) else None, folds, in_order, seconds


def _check_enough(folds: Folds, count: int) -> None:
    empty = count - len(np.unique(folds[folds >= 0]))
    if empty:
        raise DomainError(
            f"{empty} of {count} folds have no row with a known target and a weight above 0. "
            f"Use fewer folds."
        )


def _predictions(dealing: Dealing, models: list[list[Model]], batch: Table, first: int) -> _Joined:
    folds = dealing.folds(batch, first)
    return _Joined([tuple(predictions_by_fold(each, batch, folds) for each in models)])


def _probabilities(source: Placed, dealing: Dealing, models: list[Model]) -> Floats:
    of = cast("list[Classifier]", models)

    def predict(batch: Table, first: int) -> _Joined:
        return _Joined([(probabilities_by_fold(of, batch, dealing.folds(batch, first)),)])

    return source.reduce_at(predict).arrays()[0]
