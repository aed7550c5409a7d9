"""Costs: about how many seconds the learners that `compare` tries take for all folds together."""

from typing import NamedTuple

#: Steps of its inner loop that each sort of learner takes in a second; measured on two cores.
_TREES, _LINEAR, _NORMAL, _NEAR, _PAIRS, _INVERSES = 1e8, 4e9, 6e8, 4e9, 4e8, 3e10

#: Seconds that a boosted tree takes however few the rows, and cells that it is done with in one.
_TREE, _CELLS = 2e-4, 4e8

#: Trees of a forest.
_FOREST = 100

#: Intervals that a column of numbers is cut into, about.
_INTERVALS = 5

#: How often a stack has each of its learners learn: for five folds inside, and for all rows.
_STACKED = 6


class Size(NamedTuple):
    """What the cost of learning depends on."""

    rows: int
    columns: int
    #: Columns after one-hot encoding: numbers, and values of symbols.
    width: int
    #: How many classes there are; 1 where numbers are predicted.
    classes: int
    folds: int
    #: In how many ways cells are missing.
    patterns: int
    #: Columns of numbers.
    numbers: int = 0


def instant(size: Size) -> float:  # noqa: ARG001 - as the others
    """No time to speak of: one tally of all rows."""
    return 0


def one_tree(size: Size) -> float:
    """A tree for each fold."""
    deep = max(1, size.rows.bit_length())
    return 4 * size.folds * size.rows * size.columns * deep / _TREES


def rule_list(size: Size) -> float:
    """A tree for each rule, of which there are the more, the more rows there are."""
    return one_tree(size) * max(1, size.rows**0.5 / 2)


def forest(size: Size) -> float:
    """Trees that look at some of the columns each."""
    return _FOREST * one_tree(size) / size.columns**0.5


def least_squares(size: Size) -> float:
    """Normal equations, solved once for each fold."""
    return (size.rows * size.width**2 + size.folds * size.width**3) / _LINEAR


def model_tree(size: Size) -> float:
    """Cross-products by column and bin, and two models for each cut of each node."""
    wide = min(size.width, 40) + 2
    nodes = min(100, size.rows / 20)
    steps = size.columns * wide**2 * (14 * size.rows + 40 * nodes * wide)
    return size.folds * steps / _NORMAL


def newton(size: Size) -> float:
    """About eight of Newton's steps for each fold, or a hundred of L-BFGS, which look at less."""
    wide = size.width * (size.classes - 1)
    if wide <= 256:
        return 8 * size.folds * (size.rows * wide**2 + wide**3) / _LINEAR
    return 100 * size.folds * 16 * (size.rows + 64) * (wide + size.width) / _LINEAR


def newton_on_intervals(size: Size) -> float:
    """The same, where every number is cut into intervals."""
    return newton(size._replace(width=size.width + (_INTERVALS - 1) * size.numbers))


def pair_counts(size: Size) -> float:
    """Counts of every two columns, and of every two values for each class and fold."""
    wide = size.width + (_INTERVALS - 1) * size.numbers
    return (size.rows * size.columns**2 + size.folds * size.classes * wide**2) / _PAIRS


def stack(size: Size) -> float:
    """A linear model, a tree, neighbours and a smaller forest, several times over."""
    tree = model_tree(size) if size.classes == 1 else newton(size) + one_tree(size)
    return _STACKED * (tree + all_pairs(size) * size.folds + forest(size) / 2)


def additive(size: Size) -> float:
    """Passes over each two columns, and matrices of all coefficients that are inverted."""
    points = min(size.numbers * min(size.rows, 40), 640)
    coefficients = points + size.width - size.numbers + 16 * min(size.columns, 16)
    many = size.classes > 2
    rounds, scores = (40, size.classes) if many else (10, 1)
    inverses = rounds * (2 if many else 4) * (coefficients**3 / _INVERSES + 5e-4)
    passes = rounds * size.rows * size.columns**2 / _PAIRS
    return size.folds * scores * (passes + inverses)


def covariances(size: Size) -> float:
    """Covariances, and one decomposition for each way in which cells are missing."""
    return (size.rows * size.width**2 + size.folds * size.patterns * size.width**3) / _NORMAL


def all_pairs(size: Size) -> float:
    """Every row beside every other."""
    return size.rows**2 * size.columns / _NEAR


def boosting(size: Size) -> float:
    """Trees one after the other; of few rows, six times: for five folds inside, and for all."""
    few = size.rows <= 10_000
    scores = size.classes if size.classes > 2 else 1
    trees = scores * (6 * 200 if few else 300)
    return size.folds * trees * (_TREE + 2 * size.rows * size.columns / _CELLS)
