"""Unseen: what learners say of rows that they have not learned from, and what that is worth."""

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import Floats
from satsuma.data.table import Table
from satsuma.learners.ensembles.ensemble import on_threads
from satsuma.learners.learner import Learner, learns_in_one_round
from satsuma.learners.model import Classifier, Regressor
from satsuma.learners.queries import fitted

Folds = npt.NDArray[np.intp]


def said_by(model: Any, batch: Table) -> Floats:
    """What a model says of each row: probabilities by class, or a number in one column."""
    asked = fitted(batch, model.domain)
    if isinstance(model, Classifier):
        return model.probabilities(asked)
    return cast("Regressor", model).numbers(asked)[:, None]


def folds_of(rows: Table, folds: int, seed: int) -> Folds:
    """The fold of each row: shuffled, and dealt class by class."""
    target = rows.domain.target
    assert target is not None
    order = np.random.default_rng(seed).permutation(len(rows))
    if target.kind == "sym":
        order = order[np.argsort(rows.column(target.name)[order], kind="stable")]
    found = np.empty(len(rows), np.intp)
    found[order] = np.arange(len(rows)) % folds
    return found


def unseen_answers(learner: Learner, rows: Table, fold: Folds, folds: int) -> Floats:
    """What a learner says of each fold, having learned from the others."""
    mine = [np.flatnonzero(fold == at) for at in range(folds)]
    tallies: list[Any] = []
    if learns_in_one_round(learner):  # each fold is tallied once, and those of others are added
        tallies = on_threads(lambda at: learner.tally(rows[mine[at]]), folds)

    def answer(at: int) -> Floats:
        if learns_in_one_round(learner):
            model = learner.concluded(reduce(add, tallies[:at] + tallies[at + 1 :]))
        else:
            model = learner(rows[np.flatnonzero(fold != at)])
        return said_by(model, rows[mine[at]])

    answers = on_threads(answer, folds)
    found = np.empty((len(rows), answers[0].shape[1]))
    for at, each in enumerate(answers):
        found[mine[at]] = each
    return found


def least_error_shares(answers: Sequence[Floats], rows: Table) -> Floats:
    """Shares of at least 0 that sum to 1 and leave the least squared error (Breiman 1996)."""
    target = rows.domain.target
    assert target is not None
    truth = rows.column(target.name)
    wanted = np.eye(answers[0].shape[1])[truth] if target.kind == "sym" else truth[:, None]
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    scale = np.sqrt(weights / weights.sum())[:, None]
    errors = np.column_stack([((each - wanted) * scale).ravel() for each in answers])
    errors /= np.abs(errors).max() or 1.0
    from scipy import optimize

    # Of all multiples of some shares the error of the last row chooses one, and of all shares the
    # errors above it do: so the shares are those of the least error, whatever they sum to.
    system = np.vstack([np.linalg.qr(errors, mode="r"), np.ones(len(answers))])
    solve: Any = cast("Any", optimize).nnls
    found: Floats = solve(system, np.append(np.zeros(len(system) - 1), 1.0))[0]
    return found / found.sum()
