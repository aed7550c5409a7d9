"""Paired tests: whether one learner is better than another, on the rows both were tested on."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, cast

import numpy as np

from satsuma.errors import SatsumaError
from satsuma.evaluate.scores import Score
from satsuma.evaluate.trial import Trial
from satsuma.numerics.arrays import Array, Floats


@dataclass(frozen=True)
class Difference:
    """By how much one is better than another: an estimate, and how far it may be off.

    Parameters
    ----------
    mean
        The estimate.
    error
        Its standard error.
    freedom
        Degrees of freedom of Student's distribution.

    Examples
    --------
    >>> found = Difference(0.02, 0.01, 99)
    >>> round(found.p, 3), [round(end, 3) for end in found.interval()]
    (0.048, [0.0, 0.04])
    """

    mean: float
    error: float
    freedom: float

    @property
    def p(self) -> float:
        """How probable a difference as large as this is, if there is none (two sides)."""
        from scipy.special import stdtr

        if not self.freedom > 0:
            return 1.0
        if self.error <= 1e-12 * abs(self.mean):  # the same everywhere
            return 0.0 if self.mean else 1.0
        return float(2 * stdtr(self.freedom, -abs(self.mean / self.error)))

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Where the difference lies with a certain confidence."""
        from scipy.special import stdtrit

        if not self.freedom > 0:
            return -np.inf, np.inf
        reach = float(stdtrit(self.freedom, (1 + level) / 2)) * self.error
        return self.mean - reach, self.mean + reach

    def probability_above(self, margin: float = 0.0) -> float:
        """How probable it is that the difference is above a margin.

        This is a Bayesian statement: the difference has Student's distribution about the estimate,
        as where nothing is known of it beforehand (Corani and Benavoli 2015).

        Examples
        --------
        >>> round(Difference(0.02, 0.01, 99).probability_above(0.01), 2)
        0.84
        """
        from scipy.special import stdtr

        if not self.freedom > 0:
            return 0.5
        if self.error <= 1e-12 * abs(self.mean):
            return float(self.mean > margin)
        return float(stdtr(self.freedom, (self.mean - margin) / self.error))

    def times(self, factor: float) -> "Difference":
        """The same in other units."""
        return Difference(self.mean * factor, self.error * abs(factor), self.freedom)


def difference(values: Floats, weights: Floats | None, learned: float) -> Difference:
    """The mean of differences of single rows, with the error of a corrected paired t-test.

    The variance of the mean is corrected for training rows that models share (Nadeau and Bengio
    2003): 1 / rows tested + 1 / rows learned from stands in the place of 1 / rows tested. So it
    hardly hangs on the number of folds. The degrees of freedom are those of the variance, by its
    own variance (Satterthwaite 1946): few where it hangs on few rows.

    Parameters
    ----------
    values
        A difference for each row that was tested; NaN for one that is not to count.
    weights
        What each row weighs, if they differ.
    learned
        How many rows a model was learned from; infinite for the plain paired t-test.

    Examples
    --------
    >>> found = difference(np.array([0.1, 0.3, 0.2, 0.2]), np.ones(4), learned=12)
    >>> round(found.mean, 3), round(found.error, 4), round(found.p, 4)
    (0.2, 0.0471, 0.024)
    """
    unknown = np.isnan(values)
    if weights is not None or unknown.any():
        used = ~unknown if weights is None else ~unknown & (weights > 0)
        values, weights = values[used], None if weights is None else weights[used]
    n = len(values)
    if n < 2:
        return Difference(float(values.sum()), np.inf, 0.0)
    share = 1.0 if weights is None else weights * (n / weights.sum())
    mean = float((values * share).mean())
    squares = ((values - mean) * share) ** 2
    total = float(squares.sum())
    apart = float(squares @ squares) - total**2 / n
    error = np.sqrt((1 / n + 1 / learned) * total / (n - 1))
    freedom = min(n - 1.0, 2 * total**2 / apart) if apart > 1e-12 * total**2 else n - 1.0
    return Difference(mean, float(error), freedom)


def apart(one: Floats, other: Floats) -> Floats:
    """Differences, without those that come of rounding.

    Examples
    --------
    >>> apart(np.array([0.3, 0.5]), np.array([0.1 + 0.2, 0.25])).tolist()
    [0.0, 0.25]
    """
    found = one - other
    return np.where(np.abs(found) <= 1e-12 * np.maximum(np.abs(one), np.abs(other)), 0.0, found)


def by_group(values: Floats, weights: Floats, groups: Array) -> tuple[Floats, Floats]:
    """The mean and the weight of each group, whose rows are not independent of each other.

    Examples
    --------
    >>> by_group(np.array([1.0, 3.0, 5.0]), np.ones(3), np.array([4, 4, 0]))
    (array([5., 2.]), array([1., 2.]))
    """
    _, code = np.unique(groups, return_inverse=True)
    known = np.where(np.isnan(values), 0.0, weights)
    weight, total = np.zeros(code.max() + 1), np.zeros(code.max() + 1)
    np.add.at(weight, code, known)
    np.add.at(total, code, known * np.nan_to_num(values))
    return total / np.where(weight > 0, weight, 1), weight


def corrected_p(differences: Floats, ratio: float) -> float:
    """How probable differences as large as these are, if there is none (two sides).

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
    known = differences[~np.isnan(differences)]
    n = len(known)
    if n < 2:
        return 1.0
    error = np.sqrt((1 / n + ratio) * known.var(ddof=1))
    return Difference(float(known.mean()), float(error), n - 1).p


def adjusted_p_values(p_values: dict[tuple[str, str], float]) -> dict[tuple[str, str], float]:
    """The p-values of many comparisons, made larger so that all hold at once (Holm 1979).

    Examples
    --------
    >>> adjusted_p_values({("a", "b"): 0.01, ("a", "c"): 0.03, ("b", "c"): 0.04})
    {('a', 'b'): 0.03, ('a', 'c'): 0.06, ('b', 'c'): 0.06}
    """
    found: dict[tuple[str, str], float] = {}
    largest = 0.0
    for done, pair in enumerate(sorted(p_values, key=p_values.__getitem__)):
        largest = min(1.0, max(largest, p_values[pair] * (len(p_values) - done)))
        found[pair] = largest
    return found


def losses(trials: Sequence[Trial], score: Score, learner: str) -> list[Floats]:
    """What each tested row adds to a score of a learner, trial by trial; more is better."""
    each = [trial.losses(learner, score) for trial in trials]
    return each if score.rising else [-one for one in each]


def row_difference(
    trials: Sequence[Trial], first: list[Floats], second: list[Floats]
) -> Difference:
    """By how much the first of two learners is better, by what single rows add to a score.

    A row that was tested in several repeats counts once, by its mean.
    """
    known = [apart(one, other) for one, other in zip(first, second, strict=True)]
    values, weights = rows_once(trials, known)
    return difference(values, weights, trials[0].learned)


def score_difference(
    trials: Sequence[Trial], score: Score, first: list[Floats], second: list[Floats]
) -> Difference:
    """By how much the first of two learners is better, in the units of the score.

    Of RMSE the ratio is tested, on the scale of logarithms: squared errors have heavy tails, and a
    few rows that nobody gets right would hide that all others are right.
    """
    if score.name != "RMSE":
        return row_difference(trials, first, second)
    return _ratio_difference(trials, [-each for each in first], [-each for each in second])


def _ratio_difference(
    trials: Sequence[Trial], first: list[Floats], second: list[Floats]
) -> Difference:
    """The difference of two roots of mean squares, with the error of the logarithm of the ratio."""
    values, weights = zip(*(rows_once(trials, each) for each in (first, second)), strict=True)
    one, other = (
        float(np.average(each[known], weights=None if weight is None else weight[known]))
        for each, weight, known in zip(values, weights, map(_counted, values, weights), strict=True)
    )
    mean = np.sqrt(other) - np.sqrt(one)
    if not (one > 0 and other > 0):
        found = difference(values[1] - values[0], weights[0], trials[0].learned)
        return found.times(1 / ((np.sqrt(one) + np.sqrt(other)) or 1.0))
    found = difference(values[1] / other - values[0] / one, weights[0], trials[0].learned)
    ratio = np.log(other / one)
    scale = np.sqrt(one) / 2 if abs(ratio) < 1e-9 else mean / ratio
    return Difference(float(mean), found.error * float(scale), found.freedom)


def _counted(values: Floats, weights: Floats | None) -> Any:
    return ~np.isnan(values) if weights is None else ~np.isnan(values) & (weights > 0)


def rows_once(trials: Sequence[Trial], values: Sequence[Floats]) -> tuple[Floats, Floats | None]:
    """What each row has, or each group of rows, and what it weighs: the mean over the repeats."""
    trial = trials[0]
    if len(trials) > 1 and all(each.truth is trial.truth for each in trials):
        values = [_mean_by_row(trials, values)]
        weights = [np.ones(len(trial.truth)) if trial.weights is None else trial.weights]
        groups = None if trial.groups is None else [trial.groups]
    else:
        weights = [each.tested_weights for each in trials]
        groups = None if trial.groups is None else [each.tested_groups for each in trials]
    joined = np.concatenate(values)
    if groups is not None:
        return by_group(joined, np.concatenate(weights), np.concatenate(cast("Any", groups)))
    return joined, None if trial.weights is None else np.concatenate(weights)


def _mean_by_row(trials: Sequence[Trial], values: Sequence[Floats]) -> Floats:
    """The mean of each row over the trials in which it was tested; NaN if in none."""
    size = len(trials[0].truth)
    total, times = np.zeros(size), np.zeros(size)
    for trial, each in zip(trials, values, strict=True):
        tested, known = trial.parts >= 0, ~np.isnan(each)
        total[tested] += np.where(known, each, 0.0)
        times[tested] += known
    return np.where(times > 0, total / np.maximum(times, 1), np.nan)


def pairwise_p_values(
    trials: Sequence[Trial], score: Score, order: list[str], folds: dict[str, Floats]
) -> dict[tuple[str, str], float]:
    """How probable each difference of two learners is if there is none; the better one first."""
    trial, pairs = trials[0], list(combinations(order, 2))
    if score.each is not None:
        each = {name: losses(trials, score, name) for name in order if pairs}
        p_values = {(a, b): score_difference(trials, score, each[a], each[b]).p for a, b in pairs}
    elif len(trials) * trial.count > 1:
        p_values = {(a, b): corrected_p(apart(folds[a], folds[b]), trial.ratio) for a, b in pairs}
    elif pairs:
        raise SatsumaError(
            f"{score.name} cannot rank learners that were tested once. Use cross_validate, or rank "
            f"by another score."
        )
    else:
        p_values = {}
    return adjusted_p_values(p_values)


def ranks_by(
    order: list[str], p_values: dict[tuple[str, str], float], alpha: float
) -> dict[str, int]:
    """Ranks from 1: whoever cannot be told from the first of a rank has it too.

    Examples
    --------
    >>> ranks_by(["a", "b", "c"], {("a", "b"): 0.5, ("a", "c"): 0.01, ("b", "c"): 0.2}, 0.05)
    {'a': 1, 'b': 1, 'c': 2}
    """
    ranks: dict[str, int] = {}
    first, rank = "", 0
    for name in order:
        if not rank or p_values[first, name] < alpha:
            first, rank = name, rank + 1
        ranks[name] = rank
    return ranks
