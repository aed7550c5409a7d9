"""Validation: learners tested on rows that they have not learned from."""

from typing import Any

import numpy as np

from satsuma.data.identifiers import doubts
from satsuma.data.table import Table
from satsuma.engines import Source
from satsuma.engines.thread_pool import Progress
from satsuma.errors import ParameterError
from satsuma.evaluate.counting import Counting
from satsuma.evaluate.crossing import Learners, cross
from satsuma.evaluate.folds import Folds, Rows, deal, deal_groups, even_order
from satsuma.evaluate.request import (
    Known,
    SomeLearners,
    check_share,
    check_whole,
    enough,
    groups_of,
    known,
    named,
)
from satsuma.evaluate.results import Results
from satsuma.evaluate.streaming import cross_source
from satsuma.evaluate.testing import tested
from satsuma.evaluate.trial import Trial


def cross_validate(
    learners: SomeLearners,
    table: Table | Source,
    *,
    folds: int = 10,
    stratified: bool = True,
    seed: int = 0,
    repeats: int = 1,
    groups: Any = None,
    progress: Progress | None = None,
) -> Results:
    """Deal rows into folds; test each fold with what was learned from the others.

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
        many for each fold as they take to learn once; all are asked in one more. A few bytes
        for each row are kept: what is true, and what was said.
    folds
        How many there are.
    stratified
        Whether each class is spread evenly over the folds; a target of numbers never is, nor
        are the rows of a source.
    seed
        Where chance starts from; the same seed gives the same folds.
    repeats
        How often to deal anew and do it all again.
    groups
        Rows of one group stay in one fold: the name of a column, or a value for each row.
    progress
        Called with the number of steps that are done and of all steps; a step is one fold of one
        learner. It may be called from any thread, one call at a time.

    Examples
    --------
    >>> from satsuma import Majority, load
    >>> results = cross_validate(Majority(), load("iris"), folds=5, seed=1)
    >>> len(results.by_fold("CA")["Majority"])
    5
    """
    count = check_whole("cross_validate", "folds", folds, 2)
    repeats = check_whole("cross_validate", "repeats", repeats, 1)
    rng = np.random.default_rng(check_whole("cross_validate", "seed", seed, 0))
    chosen = named(learners)
    times = "" if repeats == 1 else f", {repeats} times"
    what = f"{count}-fold cross-validation{times}"
    steps = Counting(len(chosen) * count * repeats, progress)
    if not isinstance(table, Table):
        _refuse_groups(groups)
        seeds = rng.integers(0, 2**63, repeats).tolist() if repeats > 1 else [seed]
        each = [cross_source(chosen, table, count, one, steps) for one in seeds]
        return Results(list(chosen), each, what)
    rows = known(table, chosen)
    strata = rows.strata(stratified)
    together = None if groups is None else groups_of(groups, table)
    trials: list[Trial] = []
    for _ in range(repeats):
        dealt = (
            deal(strata, count, rng)
            if together is None
            else deal_groups(together, strata, count, rng)
        )
        trial = _trial(rows, dealt, count, 1 / (count - 1))
        trial.groups = together
        trial.answers = cross(chosen, table, dealt, count, steps)
        trials.append(trial)
    return Results(list(chosen), trials, what, doubts(table))


def _refuse_groups(groups: Any) -> None:
    if groups is not None:
        raise ParameterError(
            "groups= goes with a table: rows of a source are dealt by their places. "
            "Take a sample that fits: source.sample(n)."
        )


def leave_one_out(learners: SomeLearners, table: Table) -> Results:
    """Test each row with what was learned from all others.

    The rows are scored together, as one part: a single row has no AUC.

    Examples
    --------
    >>> from satsuma import Majority, load
    >>> leave_one_out(Majority(), load("iris")).scores("CA")
    {'Majority': 0.0}
    """
    chosen = named(learners)
    rows = known(table, chosen)
    count = enough(rows, "leave_one_out")
    each: Folds = np.full(len(table), -1, np.int32)
    each[rows.used] = np.arange(count)
    whole: Folds = np.where(rows.used, 0, -1).astype(np.int16)
    trial = _trial(rows, whole, 1, count / (count - 1))
    trial.answers = cross(chosen, table, each, count)
    return Results(list(chosen), [trial], "leave one out", doubts(table))


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
    >>> from satsuma import Majority, load
    >>> print(hold_out(Majority(), load("iris"), share=0.8).what)
    120 rows learned from, 30 tested
    """
    share = check_share("hold_out", "share", share)
    repeats = check_whole("hold_out", "repeats", repeats, 1)
    rng = np.random.default_rng(check_whole("hold_out", "seed", seed, 0))
    chosen = named(learners)
    rows = known(table, chosen)
    strata, there, cut = rows.strata(stratified), enough(rows, "hold_out"), 0
    unused = np.flatnonzero(~rows.used)
    trials: list[Trial] = []
    for _ in range(repeats):
        order = even_order(strata, rng)
        cut = min(max(round(share * len(order)), 1), len(order) - 1)
        training = np.sort(np.r_[order[:cut], unused])
        trials.append(_split(chosen, table, training, np.sort(order[cut:])))
    times = "" if repeats == 1 else f", {repeats} times"
    what = f"{cut:,} rows learned from, {there - cut:,} tested{times}"
    return Results(list(chosen), trials, what, doubts(table))


def _split(chosen: Learners, table: Table, training: Rows, testing: Rows) -> Trial:
    return tested(chosen, table[training], table[testing])


def test_on(learners: SomeLearners, train: Table, test: Table) -> Results:
    """Learn from one table, and test on another.

    Columns are found by name. A class that is in the test table only can never be predicted.

    Examples
    --------
    >>> from satsuma import Majority, load
    >>> iris = load("iris")
    >>> test_on(Majority(), iris[:60], iris[60:100]).scores("CA")
    {'Majority': 0.0}
    """
    chosen = named(learners)
    known(train, chosen)
    trial = tested(chosen, train, test)
    what = f"{len(train):,} rows learned from, {len(test):,} tested"
    return Results(list(chosen), [trial], what, doubts(train))


#: Its name looks like a test to pytest.
test_on.__test__ = False  # type: ignore[attr-defined]


def _trial(rows: Known, parts: Folds, count: int, ratio: float) -> Trial:
    return Trial(rows.target, rows.truth, rows.weights, parts, count, ratio)
