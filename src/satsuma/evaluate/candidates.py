"""Candidates: which learners to compare on some rows, and which would take too long."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from time import process_time
from typing import Any, ClassVar, NamedTuple

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.notes import note
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError
from satsuma.evaluate.request import known_rows
from satsuma.folds import even_order
from satsuma.kernels.threads import available, single_blas_thread, thread_limit
from satsuma.learners.learner import Learner
from satsuma.learners.model import Model
from satsuma.learners.queries import fitted
from satsuma.learners.takes import TakesBy
from satsuma.registry import LEARNERS
from satsuma.registry.costs import Size
from satsuma.registry.learners import Candidate

#: Seconds that a learner may take for all folds together.
LIMIT = 60.0

#: Rows that a learner is timed on: first few, and then more where that does not settle it.
PROBES = (500, 2_000)

#: A learner that cannot learn from as many rows in time is left out of a table that has them.
FEWEST_ROWS = 2_000

#: Of an estimate for a few rows, how much is too long even to measure it.
_HOPELESS = 4.0

#: Up to how many rows there are so many folds; above all of them there are three.
FOLDS = {20_000: 10, 50_000: 5}


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


@dataclass(kw_only=True, eq=False)
class SampleLearner(Learner):
    """A learner that learns from a sample of the rows it is given, drawn at random.

    Parameters
    ----------
    learner
        What learns.
    rows
        How many rows it learns from, at most.
    """

    learner: Learner
    rows: int = 0

    takes: ClassVar[Any] = TakesBy(lambda self: replace(self.learner.takes, rounds="rows"))

    def __call__(self, data: Any, *, weights: Any = None) -> Any:  # noqa: ARG002 - as of all
        """A model of the sample."""
        return self.learner(drawn(data, self.rows))

    def learn(self, data: Any) -> Model:
        """The same."""
        return self(data)


def drawn(table: Table, rows: int) -> Table:
    """So many rows whose target is known, or all; each class has its share of them."""
    known = known_rows(table, {})
    if int(known.used.sum()) <= rows:
        return table
    order = even_order(known.strata(stratified=True), np.random.default_rng(0))
    return table[np.sort(order[:rows])]


def usual_folds(rows: int) -> int:
    """How many folds tell enough: fewer of many rows, where each has rows to spare.

    Examples
    --------
    >>> usual_folds(150), usual_folds(30_000), usual_folds(1_000_000)
    (10, 5, 3)
    """
    return next((folds for most, folds in FOLDS.items() if rows <= most), 3)


def candidates(table: Table, folds: int, limit: float = LIMIT) -> Candidates:
    """The learners that fit a table, from the simplest on, as far as they can be waited for.

    Of many rows, each learner is timed on a few of them first.

    Examples
    --------
    >>> from satsuma import load
    >>> print(*candidates(load("voting"), 10).learners)
    Majority NaiveBayes AnDE Tree Rules Logistic ModelTree Additive LDA KNN Forest BoostedTrees \
Stacking
    >>> print(*candidates(load("housing"), 10).learners)
    Mean Ridge RegressionTree ModelTree Additive KNN Forest BoostedTrees Stacking
    """
    size, found = _size(table, folds), dict[str, Learner]()
    notes, slow, samples = list[str](), dict[str, float](), dict[str, int]()
    for candidate, learner in _suited(table.domain):
        if candidate.needs_numbers and not size.numbers:
            continue
        name = candidate.name or type(learner).__name__
        try:
            learner.check_data(table)
        except DomainError as error:
            notes.append(note("refused learner", learner=name, why=str(error)))
            continue
        seconds = _expected_seconds(candidate, learner, table, size, limit)
        rows = size.rows if seconds <= limit else _affordable(candidate, size, seconds, limit)
        if rows < FEWEST_ROWS <= size.rows or (rows < size.rows < FEWEST_ROWS):
            slow[name] = seconds
            continue
        found[name] = learner
        if rows < size.rows:
            samples[name] = rows
    told = {"limit": f"{limit:g}", "folds": folds}
    if slow:
        names = ", ".join(f"{name} ({_in_words(seconds)})" for name, seconds in slow.items())
        notes.append(note("slow learners", names=names, **told))
    if samples:
        names = ", ".join(f"{name} (from {rows:,})" for name, rows in samples.items())
        notes.append(note("sampled learners", names=names, **told))
    return Candidates(found, tuple(notes), samples)


def candidates_of_one_pass(domain: Domain) -> Candidates:
    """The learners for rows that are not in memory: those that take one pass for all folds."""
    width = _width(domain)
    found = {
        candidate.name or type(learner).__name__: learner
        for candidate, learner in _tried(domain, in_memory=False)
        if learner.takes.rounds == "one" and width <= candidate.widest
    }
    return Candidates(found, (note("one pass"),))


def _suited(domain: Domain) -> list[tuple[Candidate, Learner]]:
    """Those that are tried; where there is nothing but text, those that read it, if there are."""
    tried = list(_tried(domain))
    readers = [learner for _, learner in tried if learner.takes.kinds == ("text",)]
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
        if not in_memory and learner.takes.rounds != "one" and not record.compare.name:
            learner = record.fetch()(**_needed(parameters))
        yield record.compare, learner


def _needed(parameters: dict[str, object]) -> dict[str, object]:
    """The learners that another is made of; it has no defaults for them."""
    return {name: each for name, each in parameters.items() if name in ("learner", "learners")}


def _expected_seconds(
    candidate: Candidate, learner: Learner, table: Table, size: Size, limit: float
) -> float:
    """How long all folds would take: measured on a few rows, where it may be long at all."""
    guess = candidate.seconds(size)
    if guess < limit / 50 or (guess <= limit and size.rows < 2 * PROBES[0]):
        return guess
    if candidate.seconds(_with_rows(size, min(size.rows, PROBES[0]))) > _HOPELESS * limit:
        return guess  # even a few rows would take long
    found = guess
    for rows in PROBES:
        few = _with_rows(size, min(rows, size.rows))._replace(folds=1)
        found = _timed(learner, table, rows) * candidate.seconds(size) / candidate.seconds(few)
        if rows >= size.rows or not limit / _HOPELESS <= found <= _HOPELESS * limit:
            break
    return found


def _affordable(candidate: Candidate, size: Size, seconds: float, limit: float) -> int:
    """How many rows a learner can learn from in half of the time; the rest is for predicting."""
    rows, whole = size.rows, candidate.seconds(size)
    while rows > 1 and seconds * candidate.seconds(_with_rows(size, rows)) / whole > limit / 2:
        rows = int(rows * 0.9)
    digits = len(str(rows)) - 2
    return round(rows, -digits) if digits > 0 else rows


def _with_rows(size: Size, rows: int) -> Size:
    return size._replace(rows=rows, patterns=min(size.patterns, rows))


def _timed(learner: Learner, table: Table, rows: int) -> float:
    """Seconds that one fold of so many rows takes, on all processors together."""
    train = drawn(table, rows)
    test = train[: max(1, rows // 9)]
    with single_blas_thread(), thread_limit(1):
        start = process_time()
        model = learner(train)
        model(fitted(test, model.domain, model.unseen))
        return (process_time() - start) / available()


def _in_words(seconds: float) -> str:
    """About how long it is.

    Examples
    --------
    >>> [_in_words(seconds) for seconds in (90, 1000, 9000, 1e6)]
    ['about 2 minutes', 'about 17 minutes', 'about 2 hours', 'days']
    """
    for unit, name in ((60.0, "minutes"), (3600.0, "hours")):
        if seconds < 60 * unit:
            return f"about {max(2, round(seconds / unit))} {name}"
    return "days"


def _size(table: Table, folds: int) -> Size:
    known, target = table.domain.attributes, table.domain.target
    classes = 1 if _has_numbers(target) else max(2, len(target.values) if target else 2)
    columns = max(1, len(known))
    numbers = sum(v.kind == "num" for v in known)
    width, patterns = _width(table.domain), _patterns(table)
    return Size(len(table), columns, width, classes, folds, patterns, numbers)


def _width(domain: Domain) -> int:
    return max(1, sum(1 if v.kind == "num" else len(v.values) for v in domain.attributes))


def _patterns(table: Table) -> int:
    missing = [table.missing(v.name) for v in table.domain.attributes]
    missing = [each for each in missing if each.any()]
    if not missing:
        return 1
    return len(np.unique(np.packbits(np.column_stack(missing), axis=1), axis=0))
