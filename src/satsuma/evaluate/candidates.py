"""Candidates: which learners to compare on some rows, and which would take too long."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.notes import note
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.engines.thread_pool import Progress
from satsuma.errors import DomainError, ParameterError
from satsuma.evaluate.recommendation import BASELINES, class_name
from satsuma.evaluate.request import Steps
from satsuma.evaluate.sample_learner import SampleLearner
from satsuma.evaluate.time_budget import Parting, Timing, in_words, measured, shared_out
from satsuma.kernels.threads import map_tasks
from satsuma.learners.learner import Learner
from satsuma.registry import LEARNERS
from satsuma.registry.costs import Size
from satsuma.registry.learners import Candidate, record_of

#: Seconds that all learners together may take.
LIMIT = 60.0

#: A learner that cannot learn in time from so many rows, or from half of fewer, is left out.
FEWEST_ROWS = 1_000

#: Of the limit: if all learners would take no longer, as far as is known, none is timed.
_SURELY = 0.5

#: Up to how many rows there are so many folds; above all of them there are three.
FOLDS = {2_000: 10, 50_000: 5}

#: Rows from which on there are no folds, and how many of them are tested.
MANY, TESTED = 200_000, 100_000


class Candidates(NamedTuple):
    """Learners by name, why others are not among them, and which learn from a sample of rows."""

    learners: dict[str, Learner]
    notes: tuple[str, ...] = ()
    samples: Mapping[str, int] = {}

    def tested(self) -> dict[str, Learner]:
        """The learners as they are tested: those that would take long, on a sample of the rows."""
        return {
            name: SampleLearner(learner=each, rows=self.samples[name])
            if name in self.samples
            else each
            for name, each in self.learners.items()
        }


def usual_folds(rows: int) -> int:
    """How many folds tell enough: fewer of many rows, where each has rows to spare.

    Examples
    --------
    >>> usual_folds(150), usual_folds(30_000), usual_folds(100_000)
    (10, 5, 3)
    """
    return next((folds for most, folds in FOLDS.items() if rows <= most), 3)


def parting_of(rows: int, folds: int) -> Parting:
    """How often is learned from how many rows; with a single fold, some rows are held out.

    Examples
    --------
    >>> parting_of(30_000, 3), parting_of(1_000_000, 1)
    (Parting(parts=3, learned=20000, tested=30000), \
Parting(parts=1, learned=900000, tested=100000))
    """
    if folds == 1:
        tested = min(TESTED, rows // 2)
        return Parting(1, rows - tested, tested)
    return Parting(folds, rows - rows // folds, rows)


def expected_seconds(name: str, table: Table, folds: int) -> float:
    """About how long one of the usual learners takes to be cross-validated, by what is known of it.

    Examples
    --------
    >>> from satsuma import load
    >>> expected_seconds("Forest", load("iris"), 10) < 1
    True
    """
    candidate, size = record_of(name).compare, _size(table)
    if candidate is None:
        raise ParameterError(f"{name} is not one of the usual learners: how long it takes is open.")
    parting = parting_of(size.rows, folds)
    return parting.parts * _growth(candidate, size)(parting.learned)


def candidates(
    table: Table, folds: int, limit: float = LIMIT, progress: Progress | None = None
) -> Candidates:
    """The learners that fit a table, from the simplest on, as far as they can be waited for.

    Of many rows, each learner is timed on a few of them first.

    Parameters
    ----------
    table
        The rows.
    folds
        How many there will be; 1 where some rows are held out.
    limit
        Seconds that all of them together may take.
    progress
        Called with the number of learners that were timed, and of all.

    Examples
    --------
    >>> from satsuma import load
    >>> print(*candidates(load("voting"), 10).learners)
    Majority NaiveBayes AnDE Tree Rules Logistic ModelTree Additive LDA KNN Forest BoostedTrees \
Stacking
    >>> print(*candidates(load("housing"), 10).learners)
    Mean Ridge RegressionTree ModelTree Additive KNN Forest BoostedTrees Stacking
    """
    size, found, notes = _size(table), dict[str, tuple[Candidate, Learner]](), list[str]()
    for candidate, learner in _suited(table.domain):
        if candidate.needs_numbers and not size.numbers:
            continue
        name = candidate.name or type(learner).__name__
        try:
            learner.check_data(table)
        except DomainError as error:
            notes.append(note("refused learner", learner=name, why=str(error)))
            continue
        found[name] = candidate, learner
    parting = parting_of(size.rows, folds)
    timings = _timings(found, table, parting, limit, progress=progress)
    expected = {name: each.seconds(parting) for name, each in timings.items()}
    allowed = shared_out(expected, limit)
    slow, samples = list[str](), dict[str, int]()
    for name, seconds in expected.items():
        if seconds <= allowed[name] or class_name(found[name][1]) in BASELINES:
            continue
        rows = timings[name].affordable(parting, allowed[name])
        if rows < min(FEWEST_ROWS, parting.learned // 2):
            slow.append(name)
        elif rows < parting.learned:
            samples[name] = rows
    told = {"limit": f"{limit:g}"}
    if slow:
        names = ", ".join(f"{name} ({in_words(expected[name])})" for name in slow)
        notes.append(note("slow learners", names=names, **told))
    if samples:
        names = ", ".join(
            f"{name} (from {rows:,}; {in_words(expected[name])} for all)"
            for name, rows in samples.items()
        )
        notes.append(note("sampled learners", names=names, **told))
    kept = {name: learner for name, (_, learner) in found.items() if name not in slow}
    return Candidates(kept, tuple(notes), samples)


def _timings(
    found: Mapping[str, tuple[Candidate, Learner]],
    table: Table,
    parting: Parting,
    limit: float,
    *,
    progress: Progress | None,
) -> dict[str, Timing]:
    """How long each takes: as far as is known beforehand where that is little, else measured."""
    size = _size(table)
    growths = {name: _growth(candidate, size) for name, (candidate, _) in found.items()}
    guesses = [parting.parts * growth(parting.learned) for growth in growths.values()]
    if sum(guesses) <= _SURELY * limit:
        return {name: Timing(growth) for name, growth in growths.items()}
    steps = Steps(len(found), progress)

    def timing(name: str) -> Timing:
        made = measured(found[name][1], table, growths[name], parting, limit)
        steps.add()
        return made

    return dict(zip(found, map_tasks(timing, found), strict=True))


def _growth(candidate: Candidate, size: Size) -> Callable[[int], float]:
    """Seconds by rows, for learning once, as far as they are known beforehand."""
    return lambda rows: candidate.seconds(
        size._replace(rows=rows, patterns=min(size.patterns, rows))
    )


def candidates_of_one_pass(domain: Domain) -> Candidates:
    """The learners for rows that are not in memory: those that take one pass for all folds."""
    width = _width(domain)
    found = {
        candidate.name or type(learner).__name__: learner
        for candidate, learner in _tried(domain, in_memory=False)
        if learner.in_one_round(domain) and width <= candidate.widest
    }
    return Candidates(found, (note("one pass"),))


def _suited(domain: Domain) -> list[tuple[Candidate, Learner]]:
    """Those that are tried; where there is nothing but text, those that read it, if there are."""
    tried = list(_tried(domain))
    readers = [
        learner
        for _, learner in tried
        if "text" in learner.takes.kinds and class_name(learner) not in BASELINES
    ]
    if readers and {v.kind for v in domain.attributes} == {"text"}:
        return [each for each in tried if "text" in each[1].takes.kinds]
    return [each for each in tried if each[1] not in readers]


def _has_numbers(target: Variable | None) -> bool:
    return target is not None and target.kind == "num"


def _tried(domain: Domain, *, in_memory: bool = True) -> Iterator[tuple[Candidate, Learner]]:
    """The learners of such a target that are tried unasked; with their defaults on a source."""
    target = "numbers" if _has_numbers(domain.target) else "classes"
    for record in LEARNERS:
        if record.compare is None or not record.is_tried_for(target):
            continue
        given = record.compare.parameters.items()
        parameters = {name: each(target) if callable(each) else each for name, each in given}
        learner = record.fetch()(**parameters)
        if not in_memory and not learner.in_one_round(domain) and not record.compare.name:
            learner = record.fetch()(**_needed(parameters))
        yield record.compare, learner


def _needed(parameters: dict[str, object]) -> dict[str, object]:
    """The learners that another is made of; it has no defaults for them."""
    return {name: each for name, each in parameters.items() if name in ("learner", "learners")}


def _size(table: Table) -> Size:
    known, target = table.domain.attributes, table.domain.target
    classes = 1 if _has_numbers(target) else max(2, len(target.values) if target else 2)
    columns = max(1, len(known))
    numbers = sum(v.kind == "num" for v in known)
    width, patterns = _width(table.domain), _patterns(table)
    return Size(len(table), columns, width, classes, 1, patterns, numbers)


def _width(domain: Domain) -> int:
    return max(1, sum(1 if v.kind == "num" else len(v.values) for v in domain.attributes))


def _patterns(table: Table) -> int:
    missing = [table.missing(v.name) for v in table.domain.attributes]
    missing = [each for each in missing if each.any()]
    if not missing:
        return 1
    return len(np.unique(np.packbits(np.column_stack(missing), axis=1), axis=0))
