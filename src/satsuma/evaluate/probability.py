"""Scores of probabilities: how well they order rows, and how far they can be believed."""

from collections.abc import Callable

import numpy as np

from satsuma.data.columns import Floats
from satsuma.evaluate.folds import Strata

#: A score of probabilities, given the true classes and the weights; for one class or for all.
OfProbabilities = Callable[[Floats, Strata, Floats, int | None], float]

#: Bins of confidence in the calibration error.
BINS = 10


def auc(chances: Floats, truth: Strata, weights: Floats, target: int | None = None) -> float:
    """The chance that a row of a class is held more likely to be of it than a row of another.

    A tie counts half. With two classes it does not matter which is meant; with more, each is
    set against the rest, and the mean is weighted by how common they are. Classes that no row
    or every row has are left out; if none is left the area is NaN.

    Examples
    --------
    >>> chances = np.array([[0.9, 0.1], [0.4, 0.6], [0.3, 0.7]])
    >>> auc(chances, np.array([0, 1, 0]), np.ones(3))
    0.5
    """
    classes = range(chances.shape[1]) if target is None else [target]
    if target is None and len(classes) == 2:
        classes = [1]
    areas = [_area(chances[:, c], truth == c, weights) for c in classes]
    sizes = np.array([weights[truth == c].sum() for c in classes])
    known = ~np.isnan(areas)
    return (
        float(np.average(np.array(areas)[known], weights=sizes[known])) if known.any() else np.nan
    )


def _area(chance: Floats, positive: Strata, weights: Floats) -> float:
    order = np.argsort(chance)
    ranked = chance[order]
    yes, no = (np.where(positive, weights, 0.0)[order], np.where(positive, 0.0, weights)[order])
    if not (yes.any() and no.any()):
        return np.nan
    ties = np.flatnonzero(np.r_[True, ranked[1:] != ranked[:-1]])
    yes, no = np.add.reduceat(yes, ties), np.add.reduceat(no, ties)
    below = np.cumsum(no) - no / 2
    return float(yes @ below / (yes.sum() * no.sum()))


def brier(chances: Floats, truth: Strata, weights: Floats, target: int | None = None) -> float:
    """The mean squared error of probabilities (Brier 1950).

    Summed over the classes; with two classes, or for one class against the rest, it is the
    error of one probability, from 0 to 1.

    Examples
    --------
    >>> brier(np.array([[0.75, 0.25]]), np.array([0]), np.ones(1))
    0.0625
    """
    return _mean(squared_errors(chances, truth, target), weights)


def squared_errors(chances: Floats, truth: Strata, target: int | None = None) -> Floats:
    """What each row adds to the Brier score."""
    if target is None and chances.shape[1] == 2:
        target = 1
    if target is not None:
        return (chances[:, target] - (truth == target)) ** 2
    of_truth = _of_truth(chances, truth)
    rest = np.einsum("ij,ij->i", chances, chances) - of_truth**2
    return (1 - of_truth) ** 2 + np.maximum(rest, 0)


def log_loss(chances: Floats, truth: Strata, weights: Floats, target: int | None = None) -> float:
    """The mean of minus the logarithm of what was thought of the truth.

    Probabilities are kept one rounding error (2.2e-16) away from 0, so the loss is finite.

    Examples
    --------
    >>> log_loss(np.array([[1.0, 0.0]]), np.array([0]), np.ones(1)) < 1e-9
    True
    """
    return _mean(log_errors(chances, truth, target), weights)


def log_errors(chances: Floats, truth: Strata, target: int | None = None) -> Floats:
    """What each row adds to the log loss."""
    if target is None:
        of_truth = _of_truth(chances, truth)
    else:
        of_truth = np.where(truth == target, chances[:, target], 1 - chances[:, target])
    tiny = np.finfo(np.float64).eps
    return -np.log(np.clip(of_truth, tiny, 1 - tiny))


def calibration_error(
    chances: Floats, truth: Strata, weights: Floats, target: int | None = None
) -> float:
    """The mean distance of what is thought from what is so, over 10 equal bins of probability.

    This is the expected calibration error (Guo et al. 2017) of the most probable class, or of
    the probability of one class where one is named.

    Examples
    --------
    >>> round(calibration_error(np.array([[0.9, 0.1]]), np.array([0]), np.ones(1)), 9)
    0.1
    """
    thought = chances.max(axis=1) if target is None else chances[:, target]
    right = truth == (chances.argmax(axis=1) if target is None else target)
    bins = np.clip(np.ceil(thought * BINS).astype(np.intp) - 1, 0, BINS - 1)
    gaps = np.bincount(bins, weights=weights * (thought - right), minlength=BINS)
    total = weights.sum()
    return float(np.abs(gaps).sum() / total) if total else np.nan


def _of_truth(chances: Floats, truth: Strata) -> Floats:
    return chances[np.arange(len(truth)), truth]


def _mean(errors: Floats, weights: Floats) -> float:
    total = weights.sum()
    return float(errors @ weights / total) if total else np.nan
