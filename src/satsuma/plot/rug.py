"""Rug: the numbers of a column as small strokes along its axis."""

from typing import TYPE_CHECKING

import numpy as np

from satsuma.plot.style import GREY, colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from satsuma.data.variable import Variable
    from satsuma.plot.plot_data import Points


def rug(ax: "Axes", points: "Points", variable: "Variable") -> None:
    """Draw a stroke for each row, just inside the axis, in the colour of its class."""
    numbers = points.rows.column(variable.name)
    for code in np.unique(points.truth):
        ax.plot(
            numbers[points.truth == code], np.full(int((points.truth == code).sum()), 0.012), "|",
            transform=ax.get_xaxis_transform(), color=GREY if code < 0 else colour(code),
            markersize=7, markeredgewidth=0.8, alpha=0.6, zorder=2,
        )  # fmt: skip
