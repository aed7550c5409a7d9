"""Learning curve: how good learners are, the more rows they learn from."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from operator import add
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.errors import ParameterError
from satsuma.evaluate.cross_validation import Filling
from satsuma.evaluate.request import (
    SomeLearners,
    check_whole,
    is_whole,
    known_rows,
    learners_by_name,
    with_features,
)
from satsuma.evaluate.results import Results
from satsuma.evaluate.results_display import NAME, aligned, grid_html, new_axes, number
from satsuma.evaluate.trial import Predictions, Trial
from satsuma.folds import Folds, Strata, deal, even_order
from satsuma.kernels.threads import map_tasks, single_blas_thread
from satsuma.learners.cross_fitting import fold_tallies
from satsuma.learners.learner import Learner, learns_in_one_round
from satsuma.learners.model import Model
from satsuma.numerics.arrays import Floats

if TYPE_CHECKING:
    import pandas as pd


class LearningCurve:
    """Results for growing numbers of rows learned from.

    Parameters
    ----------
    sizes
        How many rows were learned from.
    results
        One for each size.
    """

    def __init__(self, sizes: Sequence[int], results: Sequence[Results]) -> None:
        self.sizes, self.results = tuple(sizes), tuple(results)

    def scores(self, score: str = "", *, target: str | None = None) -> dict[str, Floats]:
        """A score of each learner for each size: the mean over folds."""
        found = [each.scores(score, target=target) for each in self.results]
        return {name: np.array([one[name] for one in found]) for name in found[0]}

    def to_pandas(self, score: str = "") -> "pd.DataFrame":
        """A row for each size, a column for each learner."""
        import pandas as pd

        return pd.DataFrame(self.scores(score), pd.Index(self.sizes, name="rows"))

    def plot(self, score: str = "", ax: Any = None) -> Any:
        """Draw the scores against the sizes on a matplotlib Axes, which is returned."""
        axes = new_axes() if ax is None else ax
        for name, means in self.scores(score).items():
            axes.plot(self.sizes, means, "o-", label=name)
        axes.set_xlabel("rows learned from")
        axes.set_ylabel(self.results[0].score_name(score))
        axes.legend()
        return axes

    def __repr__(self) -> str:
        return "\n".join([self._title(), "", *aligned(self._cells())])

    def _repr_html_(self) -> str:
        return grid_html(self._title(), self._cells())

    def _title(self) -> str:
        first = self.results[0]
        return f"{first.target.name}: {first.score_name()}, the more rows are learned from"

    def _cells(self) -> list[list[str]]:
        found = self.scores()
        lines = [["rows", *(cut(name, NAME) for name in found)]]
        for at, size in enumerate(self.sizes):
            lines.append([f"{size:,}", *(number(float(means[at])) for means in found.values())])
        return lines


def learning_curve(
    learners: SomeLearners,
    table: Table,
    *,
    sizes: Sequence[float] = (0.1, 0.25, 0.5, 0.75, 1.0),
    folds: int = 10,
    stratified: bool = True,
    seed: int = 0,
) -> LearningCurve:
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
    >>> from satsuma import Majority, learning_curve, load
    >>> learning_curve(Majority(), load("iris"), sizes=[10, 0.5, 1.0], folds=5).sizes
    (10, 60, 120)
    """
    count = check_whole("learning_curve", "folds", folds, 2)
    rng = np.random.default_rng(check_whole("learning_curve", "seed", seed, 0))
    chosen = learners_by_name(learners)
    table = with_features(table, chosen)
    rows = known_rows(table, chosen)
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
            trial.predictions[name] = found
    results = [
        Results(list(chosen), [trial], f"{count}-fold cross-validation, {step:,} rows learned from")
        for step, trial in zip(steps, trials, strict=True)
    ]
    return LearningCurve(steps, results)


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
) -> list[Predictions]:
    """What a learner predicts after each step."""
    filling = [Filling(table) for _ in steps]

    def work(fold: int) -> list[float]:
        tested, seconds, begun = np.flatnonzero(dealt == fold), list[float](), perf_counter()
        models = _models(learner, table, starts[fold], len(steps))
        for fill, model in zip(filling, models, strict=True):
            fill.fill(model, tested)
            seconds.append(perf_counter() - begun)
            begun = perf_counter()
        return seconds

    with single_blas_thread():
        spent = np.sum(map_tasks(work, range(len(starts))), axis=0)
    return [fill.predictions(float(each)) for fill, each in zip(filling, spent, strict=True)]


def _models(learner: Learner, table: Table, first: Folds, steps: int) -> Iterator[Model]:
    """A model after each step; the tallies of the steps add up."""
    if learns_in_one_round(learner, table.domain):
        tallies: Iterator[Any] = accumulate(fold_tallies(learner, table, first, steps), add)
        return map(learner.concluded, tallies)
    return (learner(table[(first >= 0) & (first <= step)]) for step in range(steps))
