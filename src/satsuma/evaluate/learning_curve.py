"""Growing: learners tested after every so many rows."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from operator import add
from time import perf_counter
from typing import Any

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import ParameterError
from satsuma.evaluate.crossing import Filling
from satsuma.evaluate.curve import Curve
from satsuma.evaluate.merging import tallying
from satsuma.evaluate.request import SomeLearners, check_whole, is_whole, known, named
from satsuma.evaluate.results import Results
from satsuma.evaluate.trial import Answers, Trial
from satsuma.folds import Folds, Strata, deal, even_order
from satsuma.learners.cross_fitting import over_threads
from satsuma.learners.learner import Learner, learns_in_one_round
from satsuma.learners.model import Model


def learning_curve(
    learners: SomeLearners,
    table: Table,
    *,
    sizes: Sequence[float] = (0.1, 0.25, 0.5, 0.75, 1.0),
    folds: int = 10,
    stratified: bool = True,
    seed: int = 0,
) -> Curve:
    """Cross-validate with a growing part of the rows that could be learned from.

    In each fold, the rows of a smaller size are among those of a larger one.

    Parameters
    ----------
    learners
        One, a list, or a dict by name.
    table
        The rows.
    sizes
        Whole numbers of rows, or shares of those that there are to learn from in each fold.
    folds, stratified, seed
        As in `cross_validate`.

    Examples
    --------
    >>> from satsuma import Majority, load
    >>> learning_curve(Majority(), load("iris"), sizes=[10, 0.5, 1.0], folds=5).sizes
    (10, 60, 120)
    """
    count = check_whole("learning_curve", "folds", folds, 2)
    rng = np.random.default_rng(check_whole("learning_curve", "seed", seed, 0))
    chosen = named(learners)
    rows = known(table, chosen)
    strata = rows.strata(stratified)
    dealt = deal(strata, count, rng)
    most = int(rows.used.sum()) - -(-int(rows.used.sum()) // count)
    steps = _steps(sizes, most)
    starts = [_first_steps(strata, dealt, fold, steps, rng) for fold in range(count)]
    trials = [
        Trial(rows.target, rows.truth, rows.weights, dealt, count, (most / step) / (count - 1))
        for step in steps
    ]
    for name, learner in chosen.items():
        for trial, found in zip(trials, _grown(learner, table, dealt, starts, steps), strict=True):
            trial.answers[name] = found
    results = [
        Results(list(chosen), [trial], f"{count}-fold cross-validation, {step:,} rows learned from")
        for step, trial in zip(steps, trials, strict=True)
    ]
    return Curve(steps, results)


def _steps(sizes: Sequence[float], most: int) -> list[int]:
    """Numbers of rows, in order; shares are of the most that there is."""
    given: list[Any] = list(sizes)
    for size in given:
        if not (is_whole(size) or isinstance(size, float)) or not 0 < size <= most:
            raise ParameterError(
                f"The 'sizes' parameter of learning_curve must be whole numbers of rows, from 1 to "
                f"{most:,}, or shares above 0 and up to 1.0. Got {size!r} instead."
            )
    steps = {int(size) if is_whole(size) else max(1, round(_share(size) * most)) for size in given}
    if not steps:
        raise ParameterError("The 'sizes' parameter of learning_curve must not be empty.")
    return sorted(steps)


def _share(size: float) -> float:
    if size > 1:
        raise ParameterError(
            f"The 'sizes' parameter of learning_curve has {size!r}, which is neither a share nor a "
            f"whole number of rows."
        )
    return size


def _first_steps(
    strata: Strata, dealt: Folds, fold: int, steps: Sequence[int], rng: np.random.Generator
) -> Folds:
    """The first step at which each row is learned from when a fold is tested; -1 for none."""
    order = even_order(np.where(dealt == fold, -1, strata), rng)
    first: Folds = np.full(len(strata), -1, np.int16)
    for step, (low, high) in enumerate(pairwise([0, *steps])):
        first[order[low:high]] = step
    return first


def _grown(
    learner: Learner, table: Table, dealt: Folds, starts: Sequence[Folds], steps: Sequence[int]
) -> list[Answers]:
    """What a learner says after each step."""
    filling = [Filling(table) for _ in steps]

    def work(fold: int) -> list[float]:
        tested, seconds, begun = np.flatnonzero(dealt == fold), list[float](), perf_counter()
        models = _models(learner, table, starts[fold], len(steps))
        for fill, model in zip(filling, models, strict=True):
            fill.fill(model, tested)
            seconds.append(perf_counter() - begun)
            begun = perf_counter()
        return seconds

    spent = np.sum(over_threads(work, range(len(starts))), axis=0)
    return [fill.answers(float(each)) for fill, each in zip(filling, spent, strict=True)]


def _models(learner: Learner, table: Table, first: Folds, steps: int) -> Iterator[Model]:
    """A model after each step; the tallies of the steps add up."""
    if learns_in_one_round(learner):
        tallies: Iterator[Any] = accumulate(tallying(learner)(table, first, steps), add)
        return map(learner.concluded, tallies)
    return (learner(table[(first >= 0) & (first <= step)]) for step in range(steps))
