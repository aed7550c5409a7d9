"""Row points: rows as a scatter of points, or as a rug of strokes, in the colour of their class."""

from typing import TYPE_CHECKING

import numpy as np

from satsuma.numerics.arrays import Array
from satsuma.plot.style import GREY, INK, colour, marker

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from satsuma.data.variable import Variable
    from satsuma.plot.axis_scales import Mesh
    from satsuma.plot.plot_data import Points

#: Multiples of these, without their whole parts, fill a square evenly (Roberts 2018).
_RATIOS = 0.7548776662466927, 0.5698402909980532


def scatter(ax: "Axes", mesh: "Mesh", points: "Points", wrong: Array | None = None) -> None:
    """Draw rows as points; those marked as wrong as crosses, over the others."""
    across = mesh.x.positions(points.rows, _RATIOS[0])
    up = mesh.y.positions(points.rows, _RATIOS[1])
    crossed = np.zeros(len(points), np.bool_) if wrong is None else wrong
    size = 26 if len(points) <= 200 else 16 if len(points) <= 500 else 10
    for code in np.unique(points.truth):
        fill = GREY if code < 0 else colour(code)
        mine = points.truth == code
        plain, cross = mine & ~crossed, mine & crossed
        ax.scatter(
            across[plain], up[plain], s=size, color=fill, marker=marker(max(int(code), 0)),
            edgecolors="white", linewidths=0.5, zorder=3,
        )  # fmt: skip
        ax.scatter(
            across[cross], up[cross], s=10 + 1.2 * size, color=fill, marker="X",
            edgecolors=INK, linewidths=0.8, zorder=4,
        )  # fmt: skip


def rug(ax: "Axes", points: "Points", variable: "Variable") -> None:
    """Draw a stroke for each row, just inside the axis, in the colour of its class."""
    numbers = points.rows.column(variable.name)
    for code in np.unique(points.truth):
        ax.plot(
            numbers[points.truth == code], np.full(int((points.truth == code).sum()), 0.012), "|",
            transform=ax.get_xaxis_transform(), color=GREY if code < 0 else colour(code),
            markersize=7, markeredgewidth=0.8, alpha=0.6, zorder=2,
        )  # fmt: skip
