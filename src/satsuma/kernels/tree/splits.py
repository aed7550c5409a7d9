"""Scores of divisions: what it is worth to divide a node, from counts by column, bin and class.

Cells are an array (bins, channels): for classes the weight of each, for numbers the weight and the
weighted sum. The last bin of a column is for rows in which it is missing. What is here defines
what the compiled kernel does.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from satsuma.numerics.arrays import Codes, Floats, Indices
from satsuma.numerics.sums import row_sums, x_log_x

#: How a column can divide rows. `EITHER` tries a branch for each value, then two sets of values.
THRESHOLD, MULTIWAY, SUBSET, EITHER = range(4)

#: The measures of classes, and the one of numbers.
GAIN_RATIO, GAIN, GINI, VARIANCE, PLAIN_RATIO = range(5)

#: Scores nearer to each other than this, on the scale of a row, are a tie: the first one wins.
TIE = 1e-10

#: How much of their variance normal numbers lose when they are cut in the middle.
HALF_NORMAL = 2 / np.pi

#: Weights that are less than a bound by so little reach it.
SLACK = 1e-9


class Rules(NamedTuple):
    """When and how nodes are divided.

    Parameters
    ----------
    measure
        One of `GAIN_RATIO`, `GAIN`, `GINI`, `VARIANCE`, `PLAIN_RATIO`.
    min_leaf
        What a branch must weigh; of several branches, two of them.
    min_split
        What a node must weigh to be divided.
    max_depth
        Divisions from the root to a leaf.
    critical
        By degrees of freedom, what the chi-square statistic of a division must exceed.
    copies
        How many rows are as one: 2 where they are drawn with replacement, for then the mean of so
        many is as uncertain as that of half as many.
    random
        Whether one division is drawn for each column, and the best of these is taken.
    every
        Whether thresholds between all values are compared, and not between bins alone.
    """

    measure: int
    min_leaf: float
    min_split: float
    max_depth: int
    critical: Floats | None = None
    copies: float = 1.0
    random: bool = False
    every: bool = False


class Split(NamedTuple):
    """A division: which column, how, and the branch of each bin (-1 for one without rows).

    `known` is what the rows of each branch come to, and `bins` the two bins between which the
    threshold lies.
    """

    column: int
    form: int
    branch: Codes
    known: Floats
    bins: tuple[int, int] = (-1, -1)


def weights_of(cells: Floats, measure: int) -> Floats:
    """What cells weigh."""
    return cells[..., 0] if measure == VARIANCE else row_sums(cells)


def disorder(cells: Floats, measure: int, mean: float = 0.0) -> Floats:
    """How mixed cells are, times their weight; for numbers, less what is the same for all.

    Examples
    --------
    >>> disorder(np.array([[2.0, 2.0], [4.0, 0.0]]), GAIN).tolist()
    [4.0, 0.0]
    """
    weight = weights_of(cells, measure)
    safe = np.where(weight > 0, weight, 1.0)
    if measure == VARIANCE:
        away = cells[..., 1] - weight * mean
        return -away * away / safe
    if measure == GINI:
        return weight - row_sums(cells * cells) / safe
    return x_log_x(weight) - row_sums(x_log_x(cells))


def first_best(scores: Floats, tie: float) -> int:
    """Where the greatest score is; the first of several that tie."""
    return int(np.argmax(scores >= scores.max() - tie))


def best_split(
    cells: Floats, levels: Codes, forms: Codes, rules: Rules, tie: float
) -> Split | None:
    """The best division of a node; None if there is none.

    Parameters
    ----------
    cells
        (columns, bins, channels).
    levels
        The bins of each column, without that of the missing.
    forms
        How each column can divide.
    rules
        What makes one better than another.
    tie
        The scale of a node's disorder: its weight, or for numbers its sum of squares.

    Examples
    --------
    >>> rules = Rules(GAIN, 1, 2, 9)
    >>> two = np.array([[[3.0, 0.0], [0.0, 3.0], [0.0, 0.0]]])
    >>> best_split(two, np.array([2]), np.array([THRESHOLD]), rules, 6.0).known.tolist()
    [[3.0, 0.0], [0.0, 3.0]]
    """
    found: list[tuple[float, Split]] = []
    for column, (each, count, form) in enumerate(zip(cells, levels, forms, strict=True)):
        bins = each[:count]
        known = float(weights_of(bins, rules.measure).sum())
        if not known > 0:
            continue
        before = len(found)
        if form == THRESHOLD:
            found += _threshold(column, bins, rules, tie)
        if form in (MULTIWAY, EITHER):
            found += _multiway(column, bins, rules)
        if form in (SUBSET, EITHER):
            found += _subset(column, bins, rules, tie)
        scale = tie * known / (known + float(weights_of(each[count], rules.measure)))
        found = [*found[:before], *(_sober(*one, bins, scale, rules) for one in found[before:])]
    return best_found(found, float(weights_of(cells[:1], rules.measure).sum()), rules, tie)


def best_found(
    found: Sequence[tuple[float, Split]], total: float, rules: Rules, tie: float
) -> Split | None:
    """The best of divisions with what they gain, at a node that weighs so much."""
    found = [one for one in found if one[0] > -np.inf]
    if not found:
        return None
    gains = np.array([gain for gain, _ in found])
    if rules.measure not in (GAIN_RATIO, PLAIN_RATIO):
        return found[first_best(gains, TIE * tie)][1]
    ratios = np.array([gain / _split_information(split, total) for gain, split in found])
    if rules.measure == GAIN_RATIO:
        # Quinlan 1986: the best ratio among those that gain at least as much as the average.
        ratios[gains < gains.mean() - TIE * tie] = -np.inf
    return found[first_best(ratios, TIE)][1]


def _sober(
    gain: float, split: Split, bins: Floats, scale: float, rules: Rules
) -> tuple[float, Split]:
    """What a division of numbers by many values is worth, if each takes a degree of freedom.

    A column in which every row has a value of its own gains all there is to gain and says nothing:
    so what is left unexplained is multiplied as in the adjusted R². From what two sets of values
    gain of classes, that is taken off which they gain by chance; a branch for each value gains what
    it gains, and so do two values.
    """
    weight = weights_of(bins, rules.measure)
    values, known = int((weight > 0).sum()), float(weight.sum())
    if values <= 2 or split.form == THRESHOLD:
        return gain, split
    if rules.measure != VARIANCE:
        return (gain - by_chance(bins, rules) if split.form == SUBSET else gain), split
    if not known > values:
        return -np.inf, split
    return scale - (scale - gain) * (known - 2) / (known - values), split


def by_chance(bins: Floats, rules: Rules) -> float:
    """What two sets of values gain where values and classes have nothing to do with each other.

    The shares of a class in values of n rows vary as 1 / n by chance. Of that variance, two sets
    keep 2 / pi where shares are as normal numbers, and all where each row has its own value; what
    is in between is interpolated. What a column of two values gains by chance is not counted.

    Parameters
    ----------
    bins
        (values, classes).
    rules
        The measure, and how many rows are as one.

    Examples
    --------
    >>> rules = Rules(GAIN, 1, 2, 9)
    >>> by_chance(np.eye(2)[[0, 1, 0, 1]], rules), by_chance(np.full((4, 2), 50.0), rules)
    (3.0, 1.561...)
    """
    weight, classes = bins.sum(axis=1), bins.sum(axis=0)
    n = float(weight.sum())
    scale = float((2 * classes * (n - classes) / n).max()) if rules.measure == GINI else n
    roots = float(np.sqrt(weight).sum())
    part = min(rules.copies * roots * roots / n / n, 1.0)
    return scale * max(part * (HALF_NORMAL + (1 - HALF_NORMAL) * part) - 1 / n, 0.0)


def _split_information(split: Split, total: float) -> float:
    """The entropy of the branches, times the weight; the missing are a branch of their own."""
    parts = split.known.sum(axis=-1)
    lost = np.maximum(total - parts.sum(), 0.0)
    return float(x_log_x(np.array(total)) - x_log_x(parts).sum() - x_log_x(lost))


def gains_of_cuts(left: Floats, known: Floats, rules: Rules) -> Floats:
    """What each cut gains, by what is left of it; -inf where a side would be too light."""
    measure = rules.measure
    mean = float(known[1] / known[0]) if measure == VARIANCE else 0.0
    right = known - left
    gain = disorder(known, measure, mean) - disorder(left, measure, mean)
    gain = gain - disorder(right, measure, mean)
    below, above = weights_of(left, measure), weights_of(right, measure)
    enough = (below > 0) & (above > 0)
    enough &= (below + SLACK >= rules.min_leaf) & (above + SLACK >= rules.min_leaf)
    return np.where(enough, gain, -np.inf)


def _worth(gains: Floats, left: Floats, known: Floats, rules: Rules) -> Floats:
    """What cuts are chosen by: what they gain, or the plain ratio of it."""
    if rules.measure != PLAIN_RATIO:
        return gains
    below, total = left.sum(axis=-1), known.sum()
    told = x_log_x(total) - x_log_x(below) - x_log_x(np.maximum(total - below, 0.0))
    return np.where(gains > -np.inf, gains / np.where(told > 0, told, 1.0), -np.inf)


def _scale(rules: Rules, tie: float) -> float:
    """What ties of cuts are measured by."""
    return TIE if rules.measure == PLAIN_RATIO else TIE * tie


def _threshold(column: int, bins: Floats, rules: Rules, tie: float) -> list[tuple[float, Split]]:
    known = bins.sum(axis=0)
    present = weights_of(bins, rules.measure) > 0
    below = bins.cumsum(axis=0)
    gains = gains_of_cuts(below, known, rules)
    gains[~present] = -np.inf
    if not gains.max() > -np.inf:
        return []
    low = first_best(_worth(gains, below, known, rules), _scale(rules, tie))
    high = low + 1 + int(np.argmax(present[low + 1 :]))
    left = bins[: low + 1].sum(axis=0)
    branch = (np.arange(len(bins)) > low).astype(np.int32)
    split = Split(column, THRESHOLD, branch, np.stack([left, known - left]), (low, high))
    return [(float(gains[low]), split)]


def _multiway(column: int, bins: Floats, rules: Rules) -> list[tuple[float, Split]]:
    weight = weights_of(bins, rules.measure)
    present = weight > 0
    if (present & (weight + SLACK >= rules.min_leaf)).sum() < 2:
        return []
    if weight.sum() + SLACK < rules.min_leaf * present.sum():
        return []
    known = bins.sum(axis=0)
    mean = float(known[1] / known[0]) if rules.measure == VARIANCE else 0.0
    inside = disorder(bins, rules.measure, mean).sum()
    gain = float(disorder(known, rules.measure, mean) - inside)
    branch = np.where(present, np.cumsum(present) - 1, -1).astype(np.int32)
    return [(gain, Split(column, MULTIWAY, branch, bins[present]))]


def _subset(column: int, bins: Floats, rules: Rules, tie: float) -> list[tuple[float, Split]]:
    """Two sets of values, cut where they are in order of a class, or of the mean.

    With two classes and with numbers this finds the best of all (Breiman et al. 1984).
    """
    weight = weights_of(bins, rules.measure)
    values = np.flatnonzero(weight > 0)
    if len(values) < 2:
        return []
    known = bins.sum(axis=0)
    tried: list[tuple[Indices, Floats, Floats]] = []
    for channel in _orders(bins.shape[1], rules.measure):
        order = values[np.argsort(bins[values, channel] / weight[values], kind="stable")]
        below = bins[order].cumsum(axis=0)[:-1]
        gains = gains_of_cuts(below, known, rules)
        tried.append((order, gains, _worth(gains, below, known, rules)))
    best = [worth.max() for _, _, worth in tried]
    if not max(best) > -np.inf:
        return []
    order, gains, worth = tried[first_best(np.array(best), _scale(rules, tie))]
    cut = first_best(worth, _scale(rules, tie))
    branch = np.full(len(bins), -1, np.int32)
    branch[order] = 1
    branch[order[: cut + 1]] = 0
    left = bins[order[: cut + 1]].cumsum(axis=0)[-1]
    sides = np.stack([left, known - left])
    if branch[values[0]]:  # the first value is always in the first branch
        branch[values] = 1 - branch[values]
        sides = sides[::-1]
    return [(float(gains[cut]), Split(column, SUBSET, branch, sides))]


def _orders(channels: int, measure: int) -> range:
    if measure == VARIANCE or channels == 2:
        return range(1, 2)
    return range(channels)


def refine(
    values: Floats, cells: Floats, below: Floats, known: Floats, *, rules: Rules, tie: float
) -> tuple[float, Floats]:
    """The best cut between sorted, distinct values, and what lies on its two sides.

    Parameters
    ----------
    values, cells
        Of the two bins on either side of the cut that is refined.
    below, known
        What the bins before these come to, and all bins.
    rules, tie
        As for `best_split`.

    Examples
    --------
    >>> cells = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    >>> refine(
    ...     np.array([1.0, 2.0, 4.0]),
    ...     cells,
    ...     np.zeros(2),
    ...     cells.sum(axis=0),
    ...     rules=Rules(GAIN, 1, 2, 9),
    ...     tie=3.0,
    ... )[0]
    1.5
    """
    left = below + cells.cumsum(axis=0)[:-1]
    worth = _worth(gains_of_cuts(left, known, rules), left, known, rules)
    at = first_best(worth, _scale(rules, tie))
    return between(values[at], values[at + 1]), np.stack([left[at], known - left[at]])


def between(low: float, high: float) -> float:
    """Half way between two numbers; at least the first, and less than the second.

    Examples
    --------
    >>> between(1.0, 2.0), between(0.0, 5e-324)
    (1.5, 0.0)
    """
    middle = float(low * 0.5 + high * 0.5)
    return middle if low <= middle < high else float(low)


def significant(known: Floats, rules: Rules) -> bool:
    """Whether branches differ in their classes by more than chance would have it."""
    if rules.critical is None:
        return True
    seen = known[:, known.sum(axis=0) > 0]
    freedom = (seen.shape[0] - 1) * (seen.shape[1] - 1)
    return freedom > 0 and chi_square(seen) > float(rules.critical[freedom])


def chi_square(table: Floats) -> float:
    """Pearson's statistic of a table without empty rows and columns.

    Examples
    --------
    >>> chi_square(np.array([[2.0, 0.0], [0.0, 2.0]]))
    4.0
    """
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return float(((table - expected) ** 2 / expected).sum())
