"""The confusion matrix: how often each class is taken for which."""

from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.result_frame import ResultFrame
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Floats

if TYPE_CHECKING:
    import pandas as pd


class ConfusionMatrix(ResultFrame):
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
        from satsuma.evaluate.results_display import aligned

        return "\n".join(aligned(self.cells()))

    def _repr_html_(self) -> str:
        from satsuma.evaluate.results_display import grid_html

        return grid_html(f"{self.target.name}: what is true by what is predicted", self.cells())
