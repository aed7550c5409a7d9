"""Stopping: after how many rounds more trees no longer help rows that they have not seen."""

from typing import NamedTuple

import numpy as np

from satsuma.kernels.boost import TreeOf
from satsuma.learners.boosted_trees.booster import Booster, Settings, folds_of, held_out
from satsuma.learners.boosted_trees.objective import Objective
from satsuma.learners.boosted_trees.training_rows import Training
from satsuma.numerics.arrays import Array


class Stop(NamedTuple):
    """When to stop.

    Parameters
    ----------
    most
        Rounds, at most.
    patience
        Rounds without any gain after which there is no more hope; 0 to go on to the end.
    folds
        Into how many parts rows are cut, each of which is held out once, to find the number of
        rounds for all rows; 0 to hold out some rows for good.
    held_out
        The share of these.
    dealt
        Whether of equal rows some are held out and others not, where few rows are different.
    again
        Whether all rows are learned from once the number of rounds is known.
    """

    most: int
    patience: int
    folds: int
    held_out: float
    dealt: bool
    again: bool


class Progress:
    """The losses of rounds so far, and whether there is hope."""

    def __init__(self, first: int, patience: int) -> None:
        self.losses, self.best, self.patience = [first], 0, patience

    def add(self, loss: int) -> bool:
        """Whether to go on after a round with this loss."""
        self.losses.append(loss)
        if loss < self.losses[self.best]:
            self.best = len(self.losses) - 1
        return len(self.losses) - 1 - self.best < self.patience


def boosted(
    training: Training, objective: Objective, settings: Settings, stop: Stop
) -> list[TreeOf]:
    """The trees of all rounds, one for each score and round."""
    every = np.arange(len(training.target), dtype=np.uint32)
    if not objective.scores:
        return []
    if not stop.patience:
        return _rounds(Booster(training, objective, settings, every), stop.most)
    if stop.folds:
        most = _cross_validated(training, objective, settings, stop)
        return _rounds(Booster(training, objective, settings, every), most)
    if stop.dealt:
        held = folds_of(training.hashes, max(2, round(1 / stop.held_out))) == 0
    else:
        held = held_out(training.hashes, stop.held_out)
    if not held.any() or held.all():
        return _rounds(Booster(training, objective, settings, every), stop.most)
    booster = Booster(training, objective, settings, every[~held])
    tested = np.flatnonzero(held)
    progress, trees = Progress(booster.lost(tested), stop.patience), list[TreeOf]()
    for _ in range(stop.most):
        trees += booster.step()
        if not progress.add(booster.lost(tested)):
            break
    if stop.again:
        return _rounds(Booster(training, objective, settings, every), progress.best)
    return trees[: progress.best * objective.scores]


def _rounds(booster: Booster, most: int) -> list[TreeOf]:
    return [tree for _ in range(most) for tree in booster.step()]


def _cross_validated(
    training: Training, objective: Objective, settings: Settings, stop: Stop
) -> int:
    """The number of rounds whose models of all folds but one are best on the one."""
    fold = folds_of(training.hashes, stop.folds)
    boosters = list[tuple[Booster, Array]]()
    for each in range(stop.folds):
        learned = np.flatnonzero(fold != each).astype(np.uint32)
        if 0 < len(learned) < len(fold):
            one = Booster(training, objective, settings, learned)
            boosters.append((one, np.flatnonzero(fold == each)))
    if not boosters:
        return stop.most
    progress = Progress(sum(one.lost(tested) for one, tested in boosters), stop.patience)
    for _ in range(stop.most):
        for one, _tested in boosters:
            one.step()
        if not progress.add(sum(one.lost(tested) for one, tested in boosters)):
            break
    return progress.best
