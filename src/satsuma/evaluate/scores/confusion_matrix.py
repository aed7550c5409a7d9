"""Scores that follow from a confusion matrix: what was said, for what was true."""

from collections.abc import Callable

import numpy as np

from satsuma.data.columns import Floats

#: A score of a matrix of truth by prediction, for one class or (None) for all.
OfConfusion = Callable[[Floats, int | None], float]


def accuracy(matrix: Floats, target: int | None = None) -> float:
    """The share of right answers; of a class, taking all others as one.

    Examples
    --------
    >>> accuracy(np.array([[8.0, 2.0], [1.0, 9.0]]))
    0.85
    """
    total = float(matrix.sum())
    if target is None:
        return _over(float(np.trace(matrix)), total)
    wrong = matrix[target].sum() + matrix[:, target].sum() - 2 * matrix[target, target]
    return _over(total - float(wrong), total)


def precision(matrix: Floats, target: int | None = None) -> float:
    """The share of right ones among those called so; 0 where none was."""
    return _averaged(matrix, target, np.diag(matrix), matrix.sum(axis=0))


def recall(matrix: Floats, target: int | None = None) -> float:
    """The share of those that are so which were called so."""
    return _averaged(matrix, target, np.diag(matrix), matrix.sum(axis=1))


def f1(matrix: Floats, target: int | None = None) -> float:
    """The harmonic mean of precision and recall."""
    both = matrix.sum(axis=0) + matrix.sum(axis=1)
    return _averaged(matrix, target, 2 * np.diag(matrix), both)


def matthews(matrix: Floats, target: int | None = None) -> float:
    """The correlation of truth and prediction (Matthews 1975; several classes: Gorodkin 2004)."""
    matrix = _one_or_all(matrix, target)
    true, said, total = matrix.sum(axis=1), matrix.sum(axis=0), matrix.sum()
    if not total:
        return np.nan
    shared = np.trace(matrix) * total - true @ said
    spread = (total**2 - said @ said) * (total**2 - true @ true)
    return float(shared / np.sqrt(spread)) if spread > 0 else 0.0


def kappa(matrix: Floats, target: int | None = None) -> float:
    """Agreement beyond what chance would give (Cohen 1960)."""
    matrix = _one_or_all(matrix, target)
    total = matrix.sum()
    expected = _over(float(matrix.sum(axis=1) @ matrix.sum(axis=0)), float(total**2))
    return _over(accuracy(matrix) - expected, 1 - expected)


def _averaged(matrix: Floats, target: int | None, right: Floats, of: Floats) -> float:
    """A share for each class: that of the target, or the mean over the classes that occur."""
    if not matrix.sum():
        return np.nan
    shares: Floats = np.divide(right, of, out=np.zeros(len(of)), where=of > 0)
    if target is not None:
        return float(shares[target])
    return float(shares[matrix.sum(axis=0) + matrix.sum(axis=1) > 0].mean())


def _one_or_all(matrix: Floats, target: int | None) -> Floats:
    if target is None:
        return matrix
    hit, row, column = matrix[target, target], matrix[target].sum(), matrix[:, target].sum()
    return np.array([[hit, row - hit], [column - hit, matrix.sum() - row - column + hit]])


def _over(part: float, whole: float) -> float:
    return part / whole if whole else np.nan
