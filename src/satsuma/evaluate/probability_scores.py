"""Scores of probabilities: how well they order rows, and how near they are to the truth."""

import numpy as np
import numpy.typing as npt

from satsuma.folds import Folds, Strata
from satsuma.numerics.arrays import Floats


def auc(probabilities: Floats, truth: Strata, weights: Floats, target: int | None = None) -> float:
    """The area under the ROC curve: how probably a row of a class ranks above one of another.

    A tie counts half. With two classes it does not matter which is meant; with more, each is
    set against the rest, and the mean is weighted by how common they are. Classes that no row
    or every row has are left out; if none is left the area is NaN.

    Examples
    --------
    >>> probabilities = np.array([[0.9, 0.1], [0.4, 0.6], [0.3, 0.7]])
    >>> auc(probabilities, np.array([0, 1, 0]), np.ones(3))
    0.5
    """
    classes = range(probabilities.shape[1]) if target is None else [target]
    if target is None and len(classes) == 2:
        classes = [1]
    areas = [_area(probabilities[:, c], truth == c, weights) for c in classes]
    sizes = np.array([weights[truth == c].sum() for c in classes])
    known = ~np.isnan(areas)
    return (
        float(np.average(np.array(areas)[known], weights=sizes[known])) if known.any() else np.nan
    )


def _area(probability: Floats, positive: Strata, weights: Floats) -> float:
    order = np.argsort(probability)
    ranked = probability[order]
    yes, no = (np.where(positive, weights, 0.0)[order], np.where(positive, 0.0, weights)[order])
    if not (yes.any() and no.any()):
        return np.nan
    ties = np.flatnonzero(np.r_[True, ranked[1:] != ranked[:-1]])
    yes, no = np.add.reduceat(yes, ties), np.add.reduceat(no, ties)
    below = np.cumsum(no) - no / 2
    return float(yes @ below / (yes.sum() * no.sum()))


def placements(probabilities: Floats, truth: Strata, weights: Floats, parts: Folds) -> Floats:
    """What each row adds to the AUC, whose (weighted) mean they have (DeLong et al. 1988).

    A row is set against the rows of its part. NaN for the rows of a part that has no area.

    Examples
    --------
    >>> probabilities = np.array([[0.9, 0.1], [0.4, 0.6], [0.3, 0.7], [0.2, 0.8]])
    >>> placements(probabilities, np.array([0, 1, 0, 1]), np.ones(4), np.zeros(4, int)).tolist()
    [1.25, 0.25, 0.25, 1.25]
    """
    classes = [1] if probabilities.shape[1] == 2 else range(probabilities.shape[1])
    found, total = np.zeros(len(truth)), np.zeros(len(truth))
    for c in classes:
        each, size = (
            _placed(probabilities[:, c], truth == c, weights, parts),
            weights[truth == c].sum(),
        )
        found += size * np.nan_to_num(each)
        total += size * ~np.isnan(each)
    return np.where(total > 0, found / np.where(total > 0, total, 1), np.nan)


def _placed(probability: Floats, positive: Strata, weights: Floats, parts: Folds) -> Floats:
    """Each row's share of the rows of the other side that it is ordered rightly against, scaled."""
    order = np.lexsort((probability, parts))
    part, ranked = parts[order], probability[order]
    fresh = np.r_[True, part[1:] != part[:-1]]
    ties = np.flatnonzero(fresh | np.r_[True, ranked[1:] != ranked[:-1]])
    tie = np.repeat(np.arange(len(ties)), np.diff(np.r_[ties, len(order)]))
    one = np.cumsum(fresh) - 1
    sides: list[tuple[Floats, Floats]] = []
    for mine in (np.where(positive, weights, 0.0)[order], np.where(positive, 0.0, weights)[order]):
        whole = np.add.reduceat(mine, np.flatnonzero(fresh))
        here = np.add.reduceat(mine, ties)
        upto = (np.cumsum(here) - here / 2)[tie] - (np.cumsum(whole) - whole)[one]
        sides.append((upto, whole[one]))
    (yes_below, yes), (no_below, no) = sides
    is_yes, known = positive[order] > 0, (yes > 0) & (no > 0)
    right = np.where(is_yes, no_below, yes - yes_below)
    share = np.where(known, right / np.where(known, np.where(is_yes, no, yes), 1), np.nan)
    found = np.empty(len(order))
    found[order] = _scaled(share, is_yes, weights[order])
    return found


def _scaled(share: Floats, is_yes: npt.NDArray[np.bool_], weights: Floats) -> Floats:
    """Shares about the area, so far that each side counts for the rows that it has."""
    known = np.where(np.isnan(share), 0.0, weights)
    yes, no = float(known[is_yes].sum()), float(known[~is_yes].sum())
    if not (yes and no):
        return share
    area = float(np.nan_to_num(share)[is_yes] @ known[is_yes] / yes)
    return area + (share - area) * (yes + no) / np.where(is_yes, yes, no)


def brier(
    probabilities: Floats, truth: Strata, weights: Floats, target: int | None = None
) -> float:
    """The mean squared error of probabilities (Brier 1950).

    Summed over the classes; with two classes, or for one class against the rest, it is the
    error of one probability, from 0 to 1.

    Examples
    --------
    >>> brier(np.array([[0.75, 0.25]]), np.array([0]), np.ones(1))
    0.0625
    """
    return weighted_mean(squared_errors(probabilities, truth, target), weights)


def squared_errors(probabilities: Floats, truth: Strata, target: int | None = None) -> Floats:
    """What each row adds to the Brier score."""
    if target is None and probabilities.shape[1] == 2:
        target = 1
    if target is not None:
        return (probabilities[:, target] - (truth == target)) ** 2
    of_truth = _of_truth(probabilities, truth)
    rest = np.einsum("ij,ij->i", probabilities, probabilities) - of_truth**2
    return (1 - of_truth) ** 2 + np.maximum(rest, 0)


def log_loss(
    probabilities: Floats, truth: Strata, weights: Floats, target: int | None = None
) -> float:
    """The mean of minus the logarithm of what was thought of the truth.

    Probabilities are kept one rounding error (2.2e-16) away from 0, so the loss is finite.

    Examples
    --------
    >>> log_loss(np.array([[1.0, 0.0]]), np.array([0]), np.ones(1)) < 1e-9
    True
    """
    return weighted_mean(log_errors(probabilities, truth, target), weights)


def log_errors(probabilities: Floats, truth: Strata, target: int | None = None) -> Floats:
    """What each row adds to the log loss."""
    if target is None:
        of_truth = _of_truth(probabilities, truth)
    else:
        of_truth = np.where(truth == target, probabilities[:, target], 1 - probabilities[:, target])
    tiny = np.finfo(np.float64).eps
    return -np.log(np.clip(of_truth, tiny, 1 - tiny))


def _of_truth(probabilities: Floats, truth: Strata) -> Floats:
    return probabilities[np.arange(len(truth)), truth]


def weighted_mean(errors: Floats, weights: Floats) -> float:
    """The mean of what rows have, by their weights; NaN where nothing weighs anything."""
    total = weights.sum()
    return float(errors @ weights / total) if total else np.nan
