"""Ranking: which learners cannot be told apart, once chance has been allowed for."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from satsuma.data.columns import Floats
from satsuma.errors import SatsumaError
from satsuma.evaluate.scores import Score
from satsuma.evaluate.trial import Trial


def corrected_p(differences: Floats, ratio: float) -> float:
    """How likely differences as large as these are, if there is none (two sides).

    The paired t-test with the variance corrected for training sets that overlap (Nadeau and
    Bengio 2003): 1/n + test rows / training rows stands in the place of 1/n.

    Parameters
    ----------
    differences
        Of two learners' scores, one for each part that was tested.
    ratio
        Rows tested for each row learned from; 0 for the plain paired t-test.

    Examples
    --------
    >>> round(corrected_p(np.array([0.01, 0.03, 0.02, 0.02]), 1 / 3), 4)
    0.0491
    """
    from scipy.special import stdtr

    known = differences[~np.isnan(differences)]
    if len(known) < 2:
        return 1.0
    mean, spread = float(known.mean()), float(known.var(ddof=1))
    if spread <= (1e-12 * mean) ** 2:  # the same everywhere
        return 0.0 if mean else 1.0
    t = mean / np.sqrt((1 / len(known) + ratio) * spread)
    return float(2 * stdtr(len(known) - 1, -abs(t)))


def rows_p(differences: Floats, weights: Floats) -> float:
    """The same for differences of single rows, which may have weights: a paired t-test.

    It allows for the choice of the rows that were tested, not of those learned from.
    """
    used = weights > 0
    if used.sum() < 2:
        return 1.0
    mean = float(np.average(differences, weights=weights))
    # Differences of the weighted mean, spread as those of single rows are.
    around = (differences - mean) * weights * (used.sum() / weights.sum())
    return corrected_p((mean + around)[used], 0.0)


def adjusted(chances: dict[tuple[str, str], float]) -> dict[tuple[str, str], float]:
    """Chances of many comparisons, made larger so that all hold at once (Holm 1979).

    Examples
    --------
    >>> adjusted({("a", "b"): 0.01, ("a", "c"): 0.03, ("b", "c"): 0.04})
    {('a', 'b'): 0.03, ('a', 'c'): 0.06, ('b', 'c'): 0.06}
    """
    found: dict[tuple[str, str], float] = {}
    largest = 0.0
    for done, pair in enumerate(sorted(chances, key=chances.__getitem__)):
        largest = min(1.0, max(largest, chances[pair] * (len(chances) - done)))
        found[pair] = largest
    return found


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


def compared(
    trials: Sequence[Trial], score: Score, order: list[str], folds: dict[str, Floats]
) -> dict[tuple[str, str], float]:
    """How likely each difference of two learners is if there is none; the better one first."""
    trial, pairs = trials[0], list(combinations(order, 2))
    if len(trials) * trial.count > 1:
        chances = {(a, b): corrected_p(folds[a] - folds[b], trial.ratio) for a, b in pairs}
    elif score.each is None and pairs:
        raise SatsumaError(
            f"{score.name} cannot rank learners that were tested once. Use cross_validate, or rank "
            f"by CA, Brier, log loss, MAE or RMSE."
        )
    else:
        losses = {name: trial.losses(name, score) for name in order if pairs}
        weights = trial.tested_weights
        chances = {(a, b): rows_p(losses[a] - losses[b], weights) for a, b in pairs}
    return adjusted(chances)
