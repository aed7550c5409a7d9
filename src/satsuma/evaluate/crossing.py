"""Crossing: every fold answered by models that were learned from the other folds."""

from collections.abc import Iterator, Mapping
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from satsuma.data.table import Table
from satsuma.evaluate import merging
from satsuma.evaluate.counting import Counting
from satsuma.evaluate.trial import Answers
from satsuma.folds import Folds, Rows, sorted_rows
from satsuma.learners import cross_fitting as asking
from satsuma.learners.learner import Learner, TallyLearner, learns_in_one_round
from satsuma.learners.model import Classifier, Model
from satsuma.learners.queries import fitted

if TYPE_CHECKING:
    from satsuma.data.columns import Array, Floats

Learners = Mapping[str, Learner]
Sharing = dict[str, TallyLearner[Any]]


def cross(
    learners: Learners, table: Table, folds: Folds, count: int, steps: Counting | None = None
) -> dict[str, Answers]:
    """What each learner says about the rows of each fold, having learned from the others.

    Learners of one round tally each fold once, and merge; others learn anew for every fold. A
    step is one fold of one learner.
    """
    steps = steps or Counting(len(learners) * count)
    answers: dict[str, Answers] = {}
    for together in sharing(learners):
        merge = _merged if count <= merging.AT_ONCE else _merged_at_once
        answers |= merge(together, table, folds, count)
        steps.add(len(together) * count)
    rest = {name: one for name, one in learners.items() if name not in answers}
    return answers | _refitted(rest, table, folds, count, steps)


def sharing(learners: Learners) -> Iterator[Sharing]:
    """Learners of one round, together where they have the same tally."""
    found: list[tuple[Any, Sharing]] = []
    for name, learner in learners.items():
        if not learns_in_one_round(learner):
            continue
        kind = merging.kind_of(learner)
        same = next((each for known, each in found if kind is not None and known == kind), None)
        if same is None:
            found.append((kind, {name: learner}))
        else:
            same[name] = learner
    return (each for _, each in found)


def _merged(sharing: Sharing, table: Table, folds: Folds, count: int) -> dict[str, Answers]:
    start = perf_counter()
    by_fold = merging.tallying(next(iter(sharing.values())))
    tallies = list(merging.training_tallies(by_fold, table, folds, count))
    shared = (perf_counter() - start) / len(sharing)
    answers: dict[str, Answers] = {}
    for name, learner in sharing.items():
        start = perf_counter()
        models = [learner.concluded(tally) for tally in tallies]
        said = asking.said_by_folds(models, table, folds)
        answers[name] = Answers(said, _later(models, table, folds), perf_counter() - start + shared)
    return answers


def _later(models: list[Model], table: Table, folds: Folds) -> Any:
    if not isinstance(models[0], Classifier):
        return None
    return partial(asking.chances_by_folds, cast("list[Classifier]", models), table, folds)


def _merged_at_once(sharing: Sharing, table: Table, folds: Folds, count: int) -> dict[str, Answers]:
    """The same for more folds than there should be models in memory."""
    by_fold = merging.tallying(next(iter(sharing.values())))
    filling = {name: Filling(table) for name in sharing}
    order, edges = sorted_rows(folds, count)
    start = perf_counter()
    tallies = merging.training_tallies(by_fold, table, folds, count)
    for low, high, tally in zip(edges, edges[1:], tallies, strict=False):
        for name, learner in sharing.items():
            filling[name].fill(learner.concluded(tally), order[low:high])
    seconds = (perf_counter() - start) / len(sharing)
    return {name: each.answers(seconds) for name, each in filling.items()}


def _refitted(
    learners: Learners, table: Table, folds: Folds, count: int, steps: Counting
) -> dict[str, Answers]:
    filling = {name: Filling(table) for name in learners}
    order, edges = sorted_rows(folds, count)
    outside = np.flatnonzero(folds < 0)

    def work(task: tuple[str, int]) -> float:
        start = perf_counter()
        name, fold = task
        low, high = edges[fold], edges[fold + 1]
        # Rows in no fold have no target, which some learners learn from, or weigh nothing.
        beside = outside if learners[name].takes.unlabelled else outside[:0]
        training = np.sort(np.r_[order[:low], order[high:], beside])
        filling[name].fill(learners[name](table[training]), order[low:high])
        steps.add()
        return perf_counter() - start

    tasks = [(name, fold) for name in learners for fold in range(count)]
    seconds = asking.over_threads(work, tasks)
    return {
        name: each.answers(sum(seconds[at * count : (at + 1) * count]))
        for at, (name, each) in enumerate(filling.items())
    }


class Filling:
    """The answers to all rows of a table, as models give them."""

    def __init__(self, table: Table) -> None:
        target = table.domain.target
        assert target is not None
        self.asked = asking.Asked(table)
        self.said: Array = np.full(len(table), np.nan)
        self.chances: Floats | None = None
        if target.kind == "sym":
            classes = len(target.values)
            self.said = np.zeros(len(table), asking.narrow(classes))
            self.chances = np.zeros((len(table), classes))

    def fill(self, model: Model, rows: Rows) -> None:
        """Ask a model about some rows."""
        batch = fitted(self.asked[rows], model.domain, model.unseen)
        if self.chances is None or not isinstance(model, Classifier):
            self.said[rows] = asking.said(model, batch)
            return
        found = model.probabilities(batch)
        self.chances[rows, : found.shape[1]] = found
        self.said[rows] = model.codes_given(found, batch)

    def answers(self, seconds: float) -> Answers:
        """What has been answered."""
        return Answers(self.said, self.chances, seconds)
