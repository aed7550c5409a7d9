"""Curve: results for growing numbers of rows learned from."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.data.columns import Floats
from satsuma.evaluate.results import Results

if TYPE_CHECKING:
    import pandas as pd


class Curve:
    """Results for growing numbers of rows learned from.

    Parameters
    ----------
    sizes
        How many rows were learned from.
    results
        One for each size.
    """

    def __init__(self, sizes: Sequence[int], results: Sequence[Results]) -> None:
        self.sizes, self.results = tuple(sizes), tuple(results)

    def scores(self, score: str = "", *, target: str | None = None) -> dict[str, Floats]:
        """A score of each learner for each size: the mean over folds."""
        found = [each.scores(score, target=target) for each in self.results]
        return {name: np.array([one[name] for one in found]) for name in found[0]}

    def to_pandas(self, score: str = "") -> "pd.DataFrame":
        """A row for each size, a column for each learner."""
        import pandas as pd

        return pd.DataFrame(self.scores(score), pd.Index(self.sizes, name="rows"))

    def plot(self, score: str = "", ax: Any = None) -> Any:
        """Draw the scores against the sizes on a matplotlib Axes, which is returned."""
        from satsuma.evaluate.figures import draw_curve

        return draw_curve(self, score, ax)

    def __repr__(self) -> str:
        from satsuma.evaluate.show import show_curve

        return show_curve(self)

    def _repr_html_(self) -> str:
        from satsuma.evaluate.show import show_curve_html

        return show_curve_html(self)
