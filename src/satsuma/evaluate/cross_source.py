"""Cross-validation of a source, whose rows are not all in memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any, Protocol, cast

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError
from satsuma.evaluate.request import KnownRows, Learners, Steps, known_rows, with_features
from satsuma.evaluate.trial import Predictions, Trial
from satsuma.folds import Folds, deal_places, others
from satsuma.learners.cross_fitting import (
    fold_tallies,
    predictions_by_fold,
    probabilities_by_fold,
    sharing,
)
from satsuma.learners.learner import TallyLearner
from satsuma.learners.model import Classifier, Model
from satsuma.numerics.arrays import Array, Floats

#: What is done with a batch: its rows, what is known of them, and the fold of each.
OfBatch = Callable[[Table, KnownRows, Folds], Any]


class PlacedSource(Protocol):
    """A source that knows the place of each batch in it."""

    @property
    def domain(self) -> Domain:
        """The columns of every batch."""
        ...

    def reduce_at(self, tally: Callable[[Table, int], Any]) -> Any:
        """The tallies of all batches, each given the number of its first row."""
        ...


@dataclass(frozen=True)
class SourceFolds:
    """A source whose rows are dealt to folds by their places.

    Parameters
    ----------
    source
        The rows.
    count
        How many folds there are.
    seed
        Where chance starts from.
    """

    source: PlacedSource
    count: int
    seed: int

    def reduce(self, tally: OfBatch) -> Any:
        """The tallies of all batches; the fold of a row that does not count is -1."""
        # Functions go to the workers of a cluster, and should not take the source with them.
        count, seed = self.count, self.seed

        def dealt(batch: Table, first: int) -> Any:
            rows = known_rows(batch, {})
            folds = np.where(rows.used, deal_places(first, len(batch), count, seed), -1)
            return tally(batch, rows, folds.astype(np.int16))

        return self.source.reduce_at(dealt)


@dataclass(frozen=True)
class TrainingSource:
    """A source without the rows of one fold, to learn from."""

    folds: SourceFolds
    fold: int

    @property
    def domain(self) -> Domain:
        """The columns of every batch."""
        return self.folds.source.domain

    def reduce(self, tally: Callable[[Table], Any]) -> Any:
        """The tallies of what is left of each batch."""
        fold = self.fold

        def masked(batch: Table, _: KnownRows, folds: Folds) -> Any:
            return tally(batch[np.flatnonzero((folds >= 0) & (folds != fold))])

        return self.folds.reduce(masked)


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


def cross_source(learners: Learners, source: Any, count: int, seed: int, steps: Steps) -> Trial:
    """What learners predict for the rows of each fold, having learned from the others.

    Learners of one round tally all folds in one pass, and merge; others learn anew for every
    fold. All models predict in one more pass.
    """
    if not hasattr(source, "reduce_at"):
        raise ParameterError(
            f"cross_validate takes a table, or a source made by satsuma.scan, not a "
            f"{type(source).__name__}."
        )
    if source.domain.times:
        source = with_features(source, learners)
    for learner in learners.values():
        learner.check_data(source)
    folds = SourceFolds(source, count, seed)
    trial, learned = _merged(learners, folds, steps)
    for name, learner in learners.items():
        if name not in learned:
            learned[name] = _refitted(learner, folds, steps)
    _predict(trial, folds, {name: learned[name] for name in learners})
    return trial


#: Models, one for each fold, and the seconds that it took to learn them.
_Learned = tuple[list[Model], float]


def _merged(
    learners: Learners, folds: SourceFolds, steps: Steps
) -> tuple[Trial, dict[str, _Learned]]:
    """What is true of all rows, and the models of learners of one round."""
    start, groups = perf_counter(), sharing(learners, folds.source.domain)
    tally = partial(_truth_and_tallies, [next(iter(group.values())) for group in groups])
    truth, *by_fold = folds.reduce(partial(tally, folds.count)).each
    trial = _trial(folds, *truth.arrays())
    shared = (perf_counter() - start) / max(1, sum(map(len, groups)))
    learned: dict[str, _Learned] = {}
    for group, parts in zip(groups, by_fold, strict=True):
        tallies = list(others(parts.each))
        for name, learner in group.items():
            start = perf_counter()
            models = [learner.concluded(each) for each in tallies]
            learned[name] = models, perf_counter() - start + shared
            steps.add(folds.count)
    return trial, learned


def _truth_and_tallies(
    learners: Sequence[TallyLearner[Any]], count: int, batch: Table, rows: KnownRows, folds: Folds
) -> _Several:
    weights = np.ones(0) if rows.weights is None else rows.weights
    tallies = [_Several(fold_tallies(each, batch, folds, count)) for each in learners]
    return _Several([_Joined([(rows.truth, folds, weights)]), *tallies])


def _trial(folds: SourceFolds, truth: Array, parts: Folds, weights: Floats) -> Trial:
    target, count = folds.source.domain.target, folds.count
    empty = count - len(np.unique(parts[parts >= 0]))
    if empty:
        raise DomainError(
            f"{empty} of {count} folds have no row with a known target and a weight above 0. "
            f"Use fewer folds."
        )
    assert target is not None
    weighing = weights if len(weights) else None
    return Trial(target, truth, weighing, parts, count, 1 / (count - 1))


def _refitted(learner: Any, folds: SourceFolds, steps: Steps) -> _Learned:
    start, models = perf_counter(), list[Model]()
    for fold in range(folds.count):
        models.append(learner(TrainingSource(folds, fold)))
        steps.add()
    return models, perf_counter() - start


def _predict(trial: Trial, folds: SourceFolds, learned: dict[str, _Learned]) -> None:
    start = perf_counter()
    predict = partial(_predictions, [models for models, _ in learned.values()])
    predicted: list[Array] = folds.reduce(predict).arrays()
    shared = (perf_counter() - start) / len(learned)
    for each, (name, (models, seconds)) in zip(predicted, learned.items(), strict=True):
        compute = None
        if isinstance(models[0], Classifier):
            compute = partial(_probabilities, folds, cast("list[Classifier]", models))
        trial.predictions[name] = Predictions(each, seconds + shared, compute)


def _predictions(models: list[list[Model]], batch: Table, _: KnownRows, folds: Folds) -> _Joined:
    return _Joined([tuple(predictions_by_fold(each, batch, folds) for each in models)])


def _probabilities(folds: SourceFolds, models: list[Classifier]) -> Floats:
    def predict(batch: Table, _: KnownRows, each: Folds) -> _Joined:
        return _Joined([(probabilities_by_fold(models, batch, each),)])

    return folds.reduce(predict).arrays()[0]
