"""Hold-out: learners tested on rows that were set apart, or on another table."""

from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, cast

import numpy as np

from satsuma.data.columns import remap
from satsuma.data.identifiers import doubts
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.engines import check_rows
from satsuma.errors import DomainError, NoSuchColumn
from satsuma.evaluate.request import (
    Learners,
    SomeLearners,
    check_share,
    check_two_rows,
    check_whole,
    known_rows,
    learners_by_name,
    with_features,
)
from satsuma.evaluate.results import Results
from satsuma.evaluate.trial import Predictions, Trial
from satsuma.folds import even_order
from satsuma.kernels.threads import map_tasks, single_blas_thread
from satsuma.learners.cross_fitting import narrow, predictions
from satsuma.learners.learner import Learner, TallyLearner
from satsuma.learners.model import Classifier, Model
from satsuma.learners.predictions import codes_of, probabilities_of
from satsuma.learners.queries import fitted
from satsuma.numerics.arrays import Array, Codes, Floats

if TYPE_CHECKING:
    from satsuma.folds import Folds


def hold_out(
    learners: SomeLearners,
    table: Table,
    *,
    share: float = 0.7,
    stratified: bool = True,
    seed: int = 0,
    repeats: int = 1,
) -> Results:
    """Learn from a share of the rows, drawn at random, and test on the rest.

    Parameters
    ----------
    learners
        One, a list, or a dict by name.
    table
        The rows.
    share
        Of the rows that is learned from.
    stratified
        Whether each class has that share.
    seed
        Where chance starts from.
    repeats
        How often to draw anew and do it all again.

    Examples
    --------
    >>> from satsuma import Majority, hold_out, load
    >>> print(hold_out(Majority(), load("iris"), share=0.8).what)
    120 rows learned from, 30 tested
    """
    share = check_share("hold_out", "share", share)
    repeats = check_whole("hold_out", "repeats", repeats, 1)
    rng = np.random.default_rng(check_whole("hold_out", "seed", seed, 0))
    chosen = learners_by_name(learners)
    table = with_features(table, chosen)
    rows = known_rows(table, chosen)
    strata, there, cut = rows.strata(stratified), check_two_rows(rows, "hold_out"), 0
    unused = np.flatnonzero(~rows.used)
    trials: list[Trial] = []
    for _ in range(repeats):
        order = even_order(strata, rng)
        cut = min(max(round(share * len(order)), 1), len(order) - 1)
        training = np.sort(np.r_[order[:cut], unused])
        trials.append(_trial(chosen, table[training], table[np.sort(order[cut:])]))
    times = "" if repeats == 1 else f", {repeats} times"
    what = f"{cut:,} rows learned from, {there - cut:,} tested{times}"
    return Results(list(chosen), trials, what, doubts(table))


def test_on(learners: SomeLearners, train: Table, test: Table) -> Results:
    """Learn from one table, and test on another.

    Columns are found by name. A class that is in the test table only can never be predicted.

    Examples
    --------
    >>> from satsuma import Majority, load, test_on
    >>> iris = load("iris")
    >>> test_on(Majority(), iris[:60], iris[60:100]).scores("CA")
    {'Majority': 0.0}
    """
    chosen = learners_by_name(learners)
    check_rows("Learners are tested on", test, sources=False)
    train = with_features(train, chosen)
    known_rows(train, chosen)
    trial = _trial(chosen, train, test)
    what = f"{len(train):,} rows learned from, {len(test):,} tested"
    return Results(list(chosen), [trial], what, doubts(train))


#: Its name looks like a test to pytest.
test_on.__test__ = False  # type: ignore[attr-defined]


def _trial(learners: Learners, train: Table, test: Table) -> Trial:
    """What learners predict for a table, having learned from another."""
    aim = train.domain.target
    assert aim is not None
    test = _aimed(test, aim)
    rows = known_rows(test, {})
    if not rows.used.any():
        raise DomainError(
            f"There is no row to test on: none has a target {aim.name!r} and a weight above 0."
        )
    target, truth = _unified(aim, rows.target, rows.truth)
    parts: Folds = np.where(rows.used, 0, -1).astype(np.int16)
    training = train[known_rows(train, {}).used]
    ratio = int(rows.used.sum()) / max(len(training), 1)
    trial = Trial(target, truth, rows.weights, parts, 1, ratio)

    def predicted(one: Learner) -> Predictions:
        rows = train if one.takes.unlabelled else training
        return _predictions(one, rows, test, len(target.values))

    with single_blas_thread():
        each = map_tasks(predicted, learners.values())
    trial.predictions = dict(zip(learners, each, strict=True))
    return trial


def _predictions(learner: Learner, train: Table, test: Table, classes: int) -> Predictions:
    start = perf_counter()
    model: Model = learner(train)
    batch = fitted(test, model.domain, model.unseen)
    if not isinstance(model, Classifier):
        return Predictions(predictions(model, batch), perf_counter() - start)
    compute = partial(_probabilities, model, batch, classes)
    codes: Array
    if isinstance(learner, TallyLearner) or type(model).codes is not Classifier.codes:
        codes = codes_of(model, batch)
    else:
        probabilities = compute()
        codes, compute = model.chosen(probabilities), partial(np.asarray, probabilities)
    codes = codes.astype(narrow(classes), copy=False)
    return Predictions(codes, perf_counter() - start, compute)


def _probabilities(model: Classifier, batch: Table, classes: int) -> Floats:
    """Rows by classes; zeros for classes that were not known in learning."""
    found = probabilities_of(model, batch)
    more = classes - found.shape[1]
    return np.pad(found, ((0, 0), (0, more))) if more else found


def _aimed(test: Table, target: Variable) -> Table:
    """The test table, with the column that was learned to be predicted as its target."""
    if target.name not in test.domain:
        raise NoSuchColumn(target.name, test.domain.names)
    found = test.domain[target.name]
    if found.kind != target.kind:
        raise DomainError(
            f"The target {target.name!r} was learned as {target.kind!r}, but in the test table it "
            f"is {found.kind!r}. Use table.with_kinds({{{target.name!r}: {target.kind!r}}})."
        )
    return test if found.role == "target" else test.with_roles(target=target.name)


def _unified(learned: Variable, found: Variable, truth: Array) -> tuple[Variable, Array]:
    """The target with the classes of both tables, and the truth in its codes."""
    if learned.kind != "sym" or learned.values == found.values:
        return learned, truth
    values = tuple(dict.fromkeys((*learned.values, *found.values)))
    both = Variable(learned.name, "sym", values, "target")
    return both, remap(cast("Codes", truth), found.values, both.code)
