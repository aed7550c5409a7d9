"""Candidates: which learners to compare on some rows, and which would take too long."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.notes import note
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError
from satsuma.learners.learner import Learner
from satsuma.registry import LEARNERS
from satsuma.registry.costs import Size
from satsuma.registry.learners import Candidate

#: Seconds that a learner may take for all folds together, as far as can be told beforehand.
MOST = 20.0


class Candidates(NamedTuple):
    """Learners by name, and why others are not among them."""

    learners: dict[str, Learner]
    notes: tuple[str, ...]


def candidates(table: Table, folds: int) -> Candidates:
    """The learners that fit a table, from the simplest on, as far as they can be waited for.

    Examples
    --------
    >>> from satsuma import load
    >>> print(*candidates(load("voting"), 10).learners)
    Majority NaiveBayes Tree Rules Logistic ModelTree Additive LDA KNN Forest BoostedTrees
    >>> list(candidates(load("housing"), 10).learners)
    ['Mean', 'Ridge', 'RegressionTree', 'ModelTree', 'Additive', 'KNN', 'Forest', 'BoostedTrees']
    """
    size = _size(table, folds)
    found, notes, slow = dict[str, Learner](), list[str](), list[str]()
    for candidate, learner in _suited(table.domain, size):
        name = type(learner).__name__
        try:
            learner.check_data(table)
        except DomainError as error:
            notes.append(note("refused learner", learner=name, why=str(error)))
            continue
        if candidate.seconds(size) > MOST:
            slow.append(name)
        else:
            found[name] = learner
    if slow:
        notes.append(note("slow learners", rows=f"{len(table):,}", names=", ".join(slow)))
    return Candidates(found, tuple(notes))


def candidates_of_one_pass(domain: Domain) -> Candidates:
    """The learners for rows that are not in memory: those that take one pass for all folds."""
    width = _width(domain)
    found = {
        type(learner).__name__: learner
        for candidate, learner in _tried(domain, Size(0, 0, width, 0, 0, 0))
        if learner.takes.rounds == "one" and width <= candidate.widest
    }
    return Candidates(found, (note("one pass"),))


def _suited(domain: Domain, size: Size) -> list[tuple[Candidate, Learner]]:
    """Those that are tried; where there is nothing but text, those that read it, if there are."""
    tried = list(_tried(domain, size))
    readers = [learner for _, learner in tried if learner.takes.kinds == ("text",)]
    if readers and {v.kind for v in domain.attributes} == {"text"}:
        return [each for each in tried if "text" in each[1].takes.kinds]
    return [each for each in tried if each[1] not in readers]


def _has_numbers(target: Variable | None) -> bool:
    return target is not None and target.kind == "num"


def _tried(domain: Domain, size: Size) -> Iterator[tuple[Candidate, Learner]]:
    """The learners of such a target that are tried unasked."""
    target = "numbers" if _has_numbers(domain.target) else "classes"
    for record in LEARNERS:
        if record.compare is not None and record.is_tried_for(target):
            given = record.compare.parameters.items()
            parameters = {name: each(size) if callable(each) else each for name, each in given}
            yield record.compare, record.fetch()(**parameters)


def _size(table: Table, folds: int) -> Size:
    known, target = table.domain.attributes, table.domain.target
    classes = max(2, len(target.values)) if target is not None else 2
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
