"""Cross-validation: learners tested on folds of rows that they have not learned from."""

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any, TypeVar, cast

import numpy as np

from satsuma.data.identifiers import doubts
from satsuma.data.table import Table
from satsuma.data.weights import with_weights
from satsuma.engines import Source
from satsuma.engines.thread_pool import Progress
from satsuma.errors import ParameterError
from satsuma.evaluate.cross_source import cross_source
from satsuma.evaluate.fold_plans import FoldPlan, FoldRequest
from satsuma.evaluate.request import (
    KnownRows,
    Learners,
    SomeLearners,
    Steps,
    check_two_rows,
    known_rows,
    learners_by_name,
    with_features,
)
from satsuma.evaluate.results import Results
from satsuma.evaluate.sample_learner import SampleLearner, drawn_from
from satsuma.evaluate.trial import Predictions, Trial
from satsuma.folds import Folds, merged_at_once, sorted_rows
from satsuma.kernels.threads import map_tasks, single_blas_thread
from satsuma.learners.cross_fitting import (
    AttributeRows,
    Sharing,
    narrow,
    predictions,
    predictions_by_fold,
    probabilities_by_fold,
    sharing,
    tallies_of_others,
)
from satsuma.learners.left_out import left_out
from satsuma.learners.model import Classifier, Model
from satsuma.learners.predictions import probabilities_of
from satsuma.learners.queries import fitted
from satsuma.numerics.arrays import Array, Floats, Indices

T = TypeVar("T")
S = TypeVar("S")


def cross_validate(
    learners: SomeLearners,
    table: Table | Source,
    *,
    folds: Any = 10,
    stratified: bool = True,
    seed: int = 0,
    repeats: int = 1,
    groups: Any = None,
    time: Any = None,
    window: int | None = None,
    weights: Any = None,
    progress: Progress | None = None,
) -> Results:
    """Deal rows into folds; test each fold with what was learned from the others (k-fold).

    Learners of one round tally each fold once and merge the tallies of the others, which gives
    exactly what learning anew would give; learners with the same tally share it, and the time
    that it takes. Rows with a missing target, and those of weight 0, are left out; only learners
    that learn from rows without a target are given those beside all others.

    Parameters
    ----------
    learners
        One, a list, or a dict by name.
    table
        The rows: a table, or a source made by `scan`. Rows of a source are dealt to folds by a hash
        of their places. Learners of one round then take one pass over it to learn, others as
        many for each fold as they take to learn once; all predict in one more. A few bytes
        for each row are kept: what is true, and what is predicted.
    folds
        How many there are; or folds of your own: the name of a column, a fold for each row (a row
        with none, or -1, is never tested), a splitter of scikit-learn, or pairs of rows to learn
        from and rows to test.
    stratified
        Whether each class is spread evenly over the folds; a target of numbers never is, nor
        are the rows of a source.
    seed
        Where chance starts from; the same seed gives the same folds.
    repeats
        How often to deal anew and do it all again.
    groups
        Rows of one group stay in one fold: the name of a column, or a value for each row. Nothing
        is learned from that column, nor from one of `folds`.
    time
        The order of rows in time: the name of a column of times or numbers, or a value for each
        row. Rows are cut into one stretch more than there are folds, and each but the first is
        tested with what was learned from those before it.
    window
        With `time`: how many stretches before it a stretch is learned from (a rolling window); all
        unless given (an expanding window).
    weights
        What the rows of a table weigh, in learning and in scores: a number for each, or the name of
        a column. A table with a column of that role needs none.
    progress
        Called with the number of steps that are done and of all steps; a step is one fold of one
        learner. It may be called from any thread, one call at a time.

    Examples
    --------
    >>> from satsuma import Majority, cross_validate, load
    >>> results = cross_validate(Majority(), load("iris"), folds=5, seed=1)
    >>> len(results.by_fold("CA")["Majority"])
    5
    """
    chosen = learners_by_name(learners)
    asked = FoldRequest(folds, stratified, repeats, groups, time, window, seed)
    asked.check()
    if not isinstance(table, Table):
        _refuse_by_row(asked, weights)
        return _of_source(chosen, table, asked, progress)
    table = table if weights is None else with_weights(table, weights)
    given, table = table, asked.set_aside(with_features(table, chosen))
    rows = known_rows(table, chosen)
    plans, what = asked.plans(given, rows)
    together = asked.groups_of(given)
    steps = Steps(len(chosen) * sum(plan.count for plan in plans), progress)
    trials: list[Trial] = []
    for plan in plans:
        trial = _trial(rows, plan.parts, plan.count, plan.ratio)
        trial.groups = together
        trial.predictions = cross(chosen, table, plan, steps)
        trials.append(trial)
    return Results(list(chosen), trials, what, doubts(table))


def _of_source(
    learners: Learners, source: Source, asked: FoldRequest, progress: Progress | None
) -> Results:
    count, repeats, rng = asked.folds, asked.repeats, np.random.default_rng(asked.seed)
    steps = Steps(len(learners) * count * repeats, progress)
    seeds = rng.integers(0, 2**63, repeats).tolist() if repeats > 1 else [asked.seed]
    each = [cross_source(learners, source, count, one, steps) for one in seeds]
    times = "" if repeats == 1 else f", {repeats} times"
    return Results(list(learners), each, f"{count}-fold cross-validation{times}")


def _refuse_by_row(asked: FoldRequest, weights: Any) -> None:
    if not asked.dealt or asked.groups is not None:
        raise ParameterError(
            "groups=, time= and folds of your own go with a table: rows of a source are dealt by "
            "their places. Take a sample that fits: source.sample(n)."
        )
    if weights is not None:
        raise ParameterError(
            "weights= goes with a table. A source has a column of weights: "
            "satsuma.scan(…, roles={'w': 'weight'})."
        )


def leave_one_out(learners: SomeLearners, table: Table) -> Results:
    """Test each row with what was learned from all others.

    The rows are scored together, as one part: a single row has no AUC.

    Notes
    -----
    Of more than 256 rows, generative learners (`NaiveBayes`, `LDA`, `QDA`), `Ridge` and `KNN` learn
    once, from all of them; each row is then predicted by what they have tallied without it. What
    they choose by all rows stays as it is: the temperature of probabilities, where numbers are cut,
    and of `KNN` the units of numbers and what is not given of `k`, `weights` and `m`. A row without
    which too few digits would be right is learned without, and so is each row where that cannot be
    done: with densities by kernels, with missing cells or shrinkage in `LDA` and `QDA`, and with
    informative missing values in `Ridge`. So it is in `cross_validate` with as many folds as rows.

    Examples
    --------
    >>> from satsuma import Majority, leave_one_out, load
    >>> leave_one_out(Majority(), load("iris")).scores("CA")
    {'Majority': 0.0}
    """
    chosen = learners_by_name(learners)
    table = with_features(table, chosen)
    rows = known_rows(table, chosen)
    count = check_two_rows(rows, "leave_one_out")
    each: Folds = np.full(len(table), -1, np.int32)
    each[rows.used] = np.arange(count)
    whole: Folds = np.where(rows.used, 0, -1).astype(np.int16)
    trial = _trial(rows, whole, 1, count / (count - 1))
    trial.predictions = cross(chosen, table, FoldPlan(each, count))
    return Results(list(chosen), [trial], "leave one out", doubts(table))


def _trial(rows: KnownRows, parts: Folds, count: int, ratio: float) -> Trial:
    return Trial(rows.target, rows.truth, rows.weights, parts, count, ratio)


def cross(
    learners: Learners, table: Table, plan: FoldPlan, steps: Steps | None = None
) -> dict[str, Predictions]:
    """What each learner predicts for the rows of each part, having learned from others.

    Where these are the rows of all other parts, learners of one round tally each part once, and
    merge; others learn anew for every part. A step is one part of one learner.
    """
    count = plan.count
    steps = steps or Steps(len(learners) * count)
    merge = _merged if merged_at_once(count) else _merged_in_turn
    found = _left_out(learners, table, plan)
    steps.add(len(found) * count)
    rest = {name: one for name, one in learners.items() if name not in found}
    for together in sharing(rest, table.domain) if plan.training is None else ():
        found |= merge(together, table, plan.parts, count)
        steps.add(len(together) * count)
    rest = {name: one for name, one in learners.items() if name not in found}
    return found | _refitted(rest, table, plan, steps) if rest else found


def _left_out(learners: Learners, table: Table, plan: FoldPlan) -> dict[str, Predictions]:
    """Those that know what all other rows say of each row, where so many are left out alone."""
    tested = np.flatnonzero(plan.parts >= 0)
    found: dict[str, Predictions] = {}
    if merged_at_once(plan.count) or plan.training is not None or len(tested) != plan.count:
        return found
    rows = table[tested]
    for name, learner in learners.items():
        start = perf_counter()
        if (each := left_out(learner, rows)) is not None:
            filling = Filling(table)
            filling.put(each.model, tested, each.found)
            found[name] = filling.predictions(perf_counter() - start)
    return found


def _merged(together: Sharing, table: Table, folds: Folds, count: int) -> dict[str, Predictions]:
    start = perf_counter()
    tallies = list(tallies_of_others(next(iter(together.values())), table, folds, count))
    shared = (perf_counter() - start) / len(together)
    found: dict[str, Predictions] = {}
    for name, learner in together.items():
        start = perf_counter()
        models = [learner.concluded(tally) for tally in tallies]
        predicted = predictions_by_fold(models, table, folds)
        seconds = perf_counter() - start + shared
        found[name] = Predictions(predicted, seconds, _when_needed(models, table, folds))
    return found


def _when_needed(models: list[Model], table: Table, folds: Folds) -> Callable[[], Floats] | None:
    if not isinstance(models[0], Classifier):
        return None
    return partial(probabilities_by_fold, cast("list[Classifier]", models), table, folds)


def _merged_in_turn(
    together: Sharing, table: Table, folds: Folds, count: int
) -> dict[str, Predictions]:
    """The same for more folds than there should be models in memory."""
    filling = {name: Filling(table) for name in together}
    order, edges = sorted_rows(folds, count)
    start = perf_counter()
    tallies = tallies_of_others(next(iter(together.values())), table, folds, count)
    for low, high, tally in zip(edges, edges[1:], tallies, strict=False):
        for name, learner in together.items():
            filling[name].fill(learner.concluded(tally), order[low:high])
    seconds = (perf_counter() - start) / len(together)
    return {name: each.predictions(seconds) for name, each in filling.items()}


def _refitted(
    learners: Learners, table: Table, plan: FoldPlan, steps: Steps
) -> dict[str, Predictions]:
    filling, count = {name: Filling(table) for name in learners}, plan.count
    order, edges = sorted_rows(plan.parts, count)
    # Rows in no fold have no target, which some learners learn from, or weigh nothing.
    outside = np.flatnonzero(~known_rows(table, {}).used)

    def work(task: tuple[str, int]) -> float:
        start = perf_counter()
        name, fold = task
        low, high = edges[fold], edges[fold + 1]
        beside = outside if learners[name].takes.unlabelled else outside[:0]
        known = np.r_[order[:low], order[high:]] if plan.training is None else plan.training[fold]
        training, one = np.sort(np.r_[known, beside]), learners[name]
        if isinstance(one, SampleLearner):
            training = drawn_from(table, training, one.rows)
        filling[name].fill(one(table[training]), order[low:high])
        steps.add()
        return perf_counter() - start

    # Those that take long are named last as a rule. If they come first, no thread is idle at last.
    tasks = [(name, fold) for name in reversed(list(learners)) for fold in range(count)]
    with single_blas_thread():
        each = dict(zip(tasks, map_tasks(work, tasks), strict=True))
    spent = {name: sum(each[name, fold] for fold in range(count)) for name in learners}
    return {name: one.predictions(spent[name]) for name, one in filling.items()}


class Filling:
    """The predictions for all rows of a table, filled in as models give them."""

    def __init__(self, table: Table) -> None:
        target = table.domain.target
        assert target is not None
        self.attributes = AttributeRows(table)
        self.predicted: Array = np.full(len(table), np.nan)
        self.probabilities: Floats | None = None
        if target.kind == "sym":
            classes = len(target.values)
            self.predicted = np.zeros(len(table), narrow(classes))
            self.probabilities = np.zeros((len(table), classes))

    def fill(self, model: Model, rows: Indices) -> None:
        """Have a model predict some rows."""
        batch = fitted(self.attributes[rows], model.domain, model.unseen)
        if self.probabilities is None or not isinstance(model, Classifier):
            self.put(model, rows, predictions(model, batch))
        else:
            self.put(model, rows, probabilities_of(model, batch))

    def put(self, model: Model, rows: Indices, found: Array) -> None:
        """Put what a model predicts of some rows in their places."""
        if self.probabilities is None or not isinstance(model, Classifier):
            self.predicted[rows] = found
            return
        batch = fitted(self.attributes[rows], model.domain, model.unseen)
        self.probabilities[rows, : found.shape[1]] = found
        self.predicted[rows] = model.codes_given(found, batch)

    def predictions(self, seconds: float) -> Predictions:
        """What has been filled in."""
        known = self.probabilities
        return Predictions(
            self.predicted, seconds, None if known is None else partial(np.asarray, known)
        )
