"""Ranking: which learners cannot be told apart, once chance has been allowed for."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from satsuma.data.columns import Floats
from satsuma.errors import SatsumaError
from satsuma.evaluate.paired_tests import Difference, adjusted, by_group, corrected_p, difference
from satsuma.evaluate.scores.score import Score
from satsuma.evaluate.trial import Trial


def grouped(
    order: list[str], chances: dict[tuple[str, str], float], alpha: float
) -> dict[str, int]:
    """Ranks from 1: whoever cannot be told from the first of a group is in it.

    Examples
    --------
    >>> grouped(["a", "b", "c"], {("a", "b"): 0.5, ("a", "c"): 0.01, ("b", "c"): 0.2}, 0.05)
    {'a': 1, 'b': 1, 'c': 2}
    """
    ranks: dict[str, int] = {}
    first, rank = "", 0
    for name in order:
        if not rank or chances[first, name] < alpha:
            first, rank = name, rank + 1
        ranks[name] = rank
    return ranks


def losses(trials: Sequence[Trial], score: Score, learner: str) -> list[Floats]:
    """What each tested row adds to a score of a learner, trial by trial; more is better."""
    each = [trial.losses(learner, score) for trial in trials]
    return each if score.rising else [-one for one in each]


def of_rows(trials: Sequence[Trial], first: list[Floats], second: list[Floats]) -> Difference:
    """By how much the first of two learners is better, by what single rows add to a score."""
    values, weights = list[Floats](), list[Floats]()
    for trial, one, other in zip(trials, first, second, strict=True):
        known, weight = one - other, trial.tested_weights
        if trial.tested_groups is not None:
            known, weight = by_group(known, weight, trial.tested_groups)
        values.append(known)
        weights.append(weight)
    equal = trials[0].weights is None and trials[0].groups is None
    weighing = None if equal else np.concatenate(weights)
    return difference(np.concatenate(values), weighing, trials[0].learned)


def compared(
    trials: Sequence[Trial], score: Score, order: list[str], folds: dict[str, Floats]
) -> dict[tuple[str, str], float]:
    """How probable each difference of two learners is if there is none; the better one first."""
    trial, pairs = trials[0], list(combinations(order, 2))
    if score.each is not None:
        each = {name: losses(trials, score, name) for name in order if pairs}
        chances = {(a, b): of_rows(trials, each[a], each[b]).p for a, b in pairs}
    elif len(trials) * trial.count > 1:
        chances = {(a, b): corrected_p(folds[a] - folds[b], trial.ratio) for a, b in pairs}
    elif pairs:
        raise SatsumaError(
            f"{score.name} cannot rank learners that were tested once. Use cross_validate, or rank "
            f"by CA, AUC, Brier, log loss, MAE or RMSE."
        )
    else:
        chances = {}
    return adjusted(chances)
