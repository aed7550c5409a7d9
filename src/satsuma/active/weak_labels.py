"""Weak labels: what rules of thumb say of rows together, and how good each of them is."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.active.labelled_table import class_target, labelled_table, with_class
from satsuma.active.latent_classes import ConfusionTally, concluded, expected, latent_classes
from satsuma.active.weak_rules import WeakRule
from satsuma.active.weak_summary import WeakLabels
from satsuma.data.domain import free_name
from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError, check_number, described
from satsuma.numerics.arrays import Floats

Votes = npt.NDArray[np.intp]

#: The most rounds of expectation and maximization, and the change at which they end.
_ROUNDS, _TOLERANCE = 500, 1e-6


def weak_labels(
    table: Table,
    rules: Iterable[WeakRule],
    *,
    sure: float = 0.9,
    accuracy: float = 0.75,
    m: float = 2.0,
) -> WeakLabels:
    """Labels from rules of thumb that vote: those that are probable enough, by all rules together.

    Each rule has a probability of every vote, and of abstaining, given the true class. These and
    the classes of the rows are found in turn, from the votes and from known labels (Dawid and Skene
    1979; abstaining is an answer too, as a word that means yes never votes no). That rules err
    apart from each other is taken for granted: of two that say the same, leave out one. With few
    rules, how good they are does not follow from their votes: three are the fewest for two classes,
    five for three or four (Allman, Matias and Rhodes 2009), rules of equal votes counting once.
    Then it comes from known labels, and from the accuracy that is assumed beforehand.

    Parameters
    ----------
    table
        The rows. Those that have a label keep it, and tell how good rules are.
    rules
        What votes.
    sure
        How probable a class must be to become a label. A row that no rule votes on gets none.
    accuracy
        The share of its votes that a rule is assumed to be right on, beforehand.
    m
        How many votes of each rule this assumption weighs as much as.

    Examples
    --------
    >>> from satsuma import Table, WeakRule, weak_labels
    >>> notes = ["free prize", "you won a prize", "meeting at nine", "lunch", "free lunch"]
    >>> table = Table.of(
    ...     [(each, None) for each in notes],
    ...     ["note", "sort"],
    ...     kinds={"note": "text", "sort": "sym"},
    ... )
    >>> rules = [WeakRule("free", "spam"), WeakRule("prize", "spam"), WeakRule("meeting", "ham")]
    >>> found = weak_labels(table, rules, sure=0.8)
    >>> found.coverage, found.conflicts
    (0.8, 0.0)
    """
    given: Any = type("weak_labels", (SimpleNamespace,), {})(sure=sure, accuracy=accuracy, m=m)
    check_number(given, "sure", low=0.5, high=1)
    check_number(given, "accuracy", low=0.01, high=0.99)
    check_number(given, "m", low=1e-3)
    target = class_target(table, "weak_labels")
    names, said = _said(rules, table)
    for label in (label for each in said for label in each):
        target = target if label is None else with_class(target, label)
    n = len(target.values)
    if n < 2:
        raise DomainError(
            "weak_labels needs two classes or more. Add a rule that means another class, or a row "
            "whose label is another."
        )
    votes = np.array([[n if v is None else target.code(v) for v in each] for each in said]).T
    labels = table.column(target.name).copy()
    known = {int(row): int(labels[row]) for row in np.flatnonzero(labels >= 0)}
    prior = np.stack([_prior(column, n, accuracy, m) for column in votes.T])
    shares, confusion = concluded(_tally(votes, known, n), prior, m)
    identified = _distinct(votes) >= 2 * int(np.ceil(np.log2(n))) + 1
    truth = expected(votes, shares, confusion)
    if identified:
        truth = latent_classes(
            votes, truth, known, prior, m=m, rounds=_ROUNDS, tolerance=_TOLERANCE
        ).probabilities
    for row, code in known.items():
        truth[row] = np.arange(n) == code
    found, best = truth.max(axis=1), truth.argmax(axis=1)
    new = (labels < 0) & (votes < n).any(axis=1) & (found >= sure)
    labels[new] = best[new]
    made = labelled_table(table, target, labels, np.where(new, found, 1.0))
    return WeakLabels(
        made, names, target.values, votes, truth, int(new.sum()), tuple(known), identified, accuracy
    )


def _said(rules: Any, table: Table) -> tuple[tuple[str, ...], list[list[str | None]]]:
    """The names of rules, each another one, and their votes."""
    listed: list[Any] = list(rules) if hasattr(rules, "__iter__") else [rules]
    for each in listed:
        if not isinstance(each, WeakRule):
            raise ParameterError(
                f"A rule of weak_labels must be a WeakRule(word or function, class). "
                f"Got {described(each)} instead."
            )
    if not listed:
        raise ParameterError("weak_labels needs rules: WeakRule(word or function, class).")
    names = list[str]()
    for each in listed:
        names.append(free_name(each.title, names))
    return tuple(names), [each.votes(table) for each in listed]


def _prior(votes: Votes, n: int, accuracy: float, m: float) -> Floats:
    """Classes by answers of a rule, in imaginary rows of which it votes on m."""
    counts = np.bincount(votes, minlength=n + 1)
    total, answers = counts[:n].sum(), np.zeros((n, n + 1))
    if not total:
        answers[:, n] = m
        return answers
    for vote in np.flatnonzero(counts[:n]):
        right = np.full(n, (1 - accuracy) / (n - 1))
        right[vote] = accuracy
        answers[:, vote] = m * n * right * counts[vote] / total
    rows = max(m * len(votes) / total, answers.sum(axis=1).max())
    answers[:, n] = rows - answers.sum(axis=1)
    return answers


def _tally(votes: Votes, known: dict[int, int], n: int) -> ConfusionTally:
    """What rules vote for where the class is known."""
    rows, codes = np.array(list(known), np.intp), np.array(list(known.values()), np.intp)
    return ConfusionTally.of(votes[rows], np.eye(n)[codes], n + 1)


def _distinct(votes: Votes) -> int:
    """How many rules vote, those that always say the same counting once."""
    told = np.unique(votes, axis=1)
    return int((told != told[:1]).any(axis=0).sum()) if len(votes) else 0
