"""The confusion matrix: how often each class is taken for which; and the scores that follow."""

from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Floats

if TYPE_CHECKING:
    import pandas as pd


class ConfusionMatrix:
    """Weights of rows, by what is true and what is predicted.

    Parameters
    ----------
    target
        What was predicted.
    weights
        (classes, classes): rows are what is true, columns what is predicted.

    Examples
    --------
    >>> play = Variable("play", "sym", ("no", "yes"), "target")
    >>> found = ConfusionMatrix(play, np.array([[8.0, 2.0], [1.0, 9.5]]))
    >>> found["no", "yes"]
    2.0
    >>> found
    play   no  yes
    no      8    2
    yes     1  9.5
    """

    def __init__(self, target: Variable, weights: Floats) -> None:
        self.target, self.weights = target, weights

    def __getitem__(self, pair: tuple[str, str]) -> float:
        """The weight of the rows of a class for which a class is predicted."""
        true, predicted = pair
        return float(self.weights[self.target.code(true), self.target.code(predicted)])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.weights, dtype, copy=copy)

    def cells(self) -> list[list[str]]:
        """The head and a line for each class, as it is printed."""
        lines = [
            [value, *(f"{weight:.6g}" for weight in weights)]
            for value, weights in zip(self.target.values, self.weights.tolist(), strict=True)
        ]
        return [[self.target.name, *self.target.values], *lines]

    def to_pandas(self) -> "pd.DataFrame":
        """A data frame: what is true by what is predicted."""
        import pandas as pd

        values = list(self.target.values)
        true, predicted = pd.Index(values, name="truth"), pd.Index(values, name="predicted")
        return pd.DataFrame(self.weights, true, predicted)

    def __repr__(self) -> str:
        from satsuma.evaluate.show import aligned

        return "\n".join(aligned(self.cells()))

    def _repr_html_(self) -> str:
        from satsuma.evaluate.show import grid_html

        return grid_html(f"{self.target.name}: what is true by what is predicted", self.cells())


def accuracy(matrix: Floats, target: int | None = None) -> float:
    """The share of right predictions; of a class, taking all others as one.

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
    true, predicted, total = matrix.sum(axis=1), matrix.sum(axis=0), matrix.sum()
    if not total:
        return np.nan
    shared = np.trace(matrix) * total - true @ predicted
    spread = (total**2 - predicted @ predicted) * (total**2 - true @ true)
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
