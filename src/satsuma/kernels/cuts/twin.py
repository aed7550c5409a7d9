"""Where to cut numbers, and whether intervals or Gaussians are less wrong: the definition.

Logarithms and powers are those of the C library, so that the kernel gives the same bits.
"""

from math import exp, log, log2
from typing import NamedTuple

import numpy as np

from satsuma.numerics.arrays import Codes, Floats, Integers


class Column(NamedTuple):
    """The known numbers of one column in order, each held out in a fold.

    Parameters
    ----------
    value, label, fold, weight
        Of each row: its number, its class, the fold in which it is held out, what it weighs.
    mean, scale, base
        (folds, classes): the Gaussians of the rows of all other folds. A number x has the score
        ``base - ((x - mean) * scale) ** 2``, the logarithm of the prior included.
    class_weight
        (folds + 1, classes): what the classes weigh in all other folds, and in all; negative where
        nothing is left to learn from.
    m
        The weight of the prior of an interval.
    least
        The least probability that a loss is reckoned with.
    table
        x log2 x of 0, 1, … where all weights are whole numbers, else empty.
    """

    value: Floats
    label: Codes
    fold: Codes
    weight: Floats
    mean: Floats
    scale: Floats
    base: Floats
    class_weight: Floats
    m: float
    least: float
    table: Floats


class Compared(NamedTuple):
    """The log losses of Gaussians and of intervals on rows that were held out.

    `cuts` and `counts` (intervals, classes) are those without each fold, and at last those of all.
    """

    bell: float
    cut: float
    cuts: list[Floats]
    counts: list[Floats]


def best_cut(upto: Floats, lo: int, hi: int, table: Floats) -> int:
    """Where to cut numbers so that least entropy is left, the first of several places; -1 for none.

    Parameters
    ----------
    upto
        (numbers + 1, classes): what the numbers before each place weigh.
    lo, hi
        The first of the numbers that are cut, and the one behind the last.
    table
        x log2 x of 0, 1, … where all weights are whole numbers, else empty.
    """
    if hi - lo < 2:
        return -1
    here, total = upto[lo + 1 : hi], upto[hi] - upto[lo]
    left, right = here - upto[lo], upto[hi] - here
    # Differences of running sums that are no whole numbers may be off by a rounding error.
    right = np.where(right > 1e-12 * total, right, 0.0)
    return lo + 1 + int((_information(left, table) + _information(right, table)).argmin())


def mdl_cuts(upto: Floats, table: Floats) -> Integers:
    """The places of all cuts that pay for themselves, in order (Fayyad and Irani 1993).

    Parameters
    ----------
    upto, table
        As in `best_cut`.
    """
    found: list[int] = []
    waiting = [(0, len(upto) - 1)]
    while waiting:
        lo, hi = waiting.pop()
        at = best_cut(upto, lo, hi, table)
        if at >= 0 and _pays(upto[at] - upto[lo], upto[hi] - upto[lo], table):
            found.append(at)
            waiting += [(lo, at), (at, hi)]
    return np.array(sorted(found), np.int64)


def compare(column: Column) -> Compared:
    """Which says more of rows that were not learned from: a Gaussian in each class, or intervals.

    Parameters
    ----------
    column
        The rows.
    """
    cut, cuts, counts = 0.0, list[Floats](), list[Floats]()
    folds = len(column.mean)
    for fold in range(folds + 1):
        value, upto = _learned_from(column, fold)
        at = mdl_cuts(upto, column.table)
        ends = np.concatenate(([0], at, [len(value)])).astype(np.intp)
        cuts.append(halfway(value[at - 1], value[at]))
        counts.append(upto[ends[1:]] - upto[ends[:-1]])
        if fold < folds and column.class_weight[fold, 0] >= 0:
            cut += _cut_loss(column, fold, cuts[-1], counts[-1])
    return Compared(_bell_loss(column), cut, cuts, counts)


def halfway(left: Floats, right: Floats) -> Floats:
    """Halfway between numbers, but never on the greater one, which lies above the cut."""
    middle = left / 2 + right / 2
    return np.where((middle >= left) & (middle < right), middle, left)


def _information(weight: Floats, table: Floats) -> Floats:
    """The entropy of each row of weights, in bits, times what the row weighs."""
    all_of, sum_of = np.zeros(len(weight)), np.zeros(len(weight))
    for each in weight.T:  # class by class, as the loops in C add
        all_of += each
        sum_of += _logged(each, table)
    return _logged(all_of, table) - sum_of


def _logged(x: Floats, table: Floats) -> Floats:
    """Each number times its logarithm to base 2, and 0 for 0."""
    if len(table):
        return table[x.astype(np.intp)]
    return np.array([each * log2(each) if each > 0 else 0.0 for each in x.tolist()], np.float64)


def _sum(numbers: Floats) -> float:
    """The sum, one after the other, as the loops in C add."""
    return float(np.cumsum(numbers)[-1])


def _pays(left: Floats, total: Floats, table: Floats) -> bool:
    """Whether a cut tells more than its description takes."""
    right = np.where(total - left > 1e-12 * total, total - left, 0.0)
    parts = np.stack([total, left, right])
    n, n1, n2 = (_sum(each) for each in parts)
    if not n > 1 or not (n1 > 0 and n2 > 0):  # a side that weighs no more than rounding
        return False
    before, one, two = _information(parts, table).tolist()
    k, k1, k2 = (parts > 0).sum(axis=1).tolist()
    told = k * log2(3.0) + log2(1.0 - 2.0 * 3.0**-k)  # log2(3^k - 2), for any number of classes
    delta = told - (k * before / n - k1 * one / n1 - k2 * two / n2)
    return (before - one - two) / n > (log2(n - 1.0) + delta) / n


def _learned_from(column: Column, fold: int) -> tuple[Floats, Floats]:
    """The distinct numbers of all rows but those of a fold, and what those up to each weigh."""
    some = np.flatnonzero(column.fold != fold)
    value, label, weight = column.value[some], column.label[some], column.weight[some]
    first = np.concatenate(([True], value[1:] != value[:-1]))[: len(value)]
    upto = np.zeros((int(first.sum()) + 1, column.mean.shape[1]))
    last = np.append(np.flatnonzero(first)[1:], len(value)) if len(value) else first
    for code in range(upto.shape[1]):
        running = np.cumsum(np.where(label == code, weight, 0.0))
        upto[1:, code] = running[last - 1] if len(value) else 0.0
    return value[first], upto


def _bell_loss(column: Column) -> float:
    """The log loss of all rows by Gaussians of the others."""
    loss = 0.0
    for value, label, fold, weight in zip(*(each.tolist() for each in column[:4]), strict=True):
        if not column.class_weight[fold, 0] >= 0:
            continue
        away = (value - column.mean[fold]) * column.scale[fold]
        score = (column.base[fold] - away * away).tolist()
        top, right = max(score), 0.0
        if top > -np.inf:
            odds = np.array([exp(each - top) for each in score], np.float64)
            right = float(odds[label]) / _sum(odds)
        loss -= weight * log(max(right, column.least))
    return loss


def _cut_loss(column: Column, fold: int, cuts: Floats, counts: Floats) -> float:
    """The log loss of the rows of a fold by the intervals of the others."""
    total, parts = column.class_weight[fold], len(counts)
    share = (counts + column.m / parts) / (total + column.m) if parts > 1 else np.ones_like(counts)
    odds = np.where(total > 0, share * (total / _sum(total)), 0.0)
    rows = np.flatnonzero(column.fold == fold)
    where = np.searchsorted(cuts, column.value[rows], "left")
    held = np.zeros(counts.shape)
    np.add.at(held, (where, column.label[rows]), column.weight[rows])
    loss = 0.0
    for at in range(parts):
        here, all_of = 0.0, _sum(odds[at])
        for code in np.flatnonzero(held[at] > 0).tolist():
            right = float(odds[at, code]) / all_of
            here -= float(held[at, code]) * log(max(right, column.least))
        loss += here
    return loss
