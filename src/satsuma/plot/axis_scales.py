"""Axis scales: a column as an axis of a plot, and rows as points or strokes along it."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes

from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.learners.model import Classifier
from satsuma.numerics.arrays import Array, Codes, Floats
from satsuma.plot.descriptions import short
from satsuma.plot.plot_data import Points, batch_of, span_of
from satsuma.plot.style import GREY, INK, colour, marker

#: Values of a symbolic column that are shown: the most frequent ones.
MOST_VALUES = 20

#: Share of the room of a symbol over which its points are spread.
_SPREAD = 0.76

#: Multiples of these, without their whole parts, fill a square evenly (Roberts 2018).
_RATIOS = 0.7548776662466927, 0.5698402909980532


@dataclass(frozen=True)
class Scale:
    """A column as an axis: its cells from one end to the other, and where the ends are.

    Numbers stand where they are; the symbols that are shown stand at 0, 1, 2 and so on.
    """

    variable: Variable
    cells: Array
    low: float
    high: float

    @property
    def is_symbolic(self) -> bool:
        """Whether the column holds symbols."""
        return self.variable.kind == "sym"

    @property
    def values(self) -> list[str]:
        """The symbols that are shown."""
        return [self.variable.values[int(code)] for code in self.cells.tolist()]

    def positions(self, rows: Table, ratio: float) -> Floats:
        """Where rows stand on this axis, NaN where they do not.

        Rows of one symbol are spread over its room, by multiples of the ratio without their
        whole part, which leaves neither gaps nor heaps.
        """
        column = rows.column(self.variable.name)
        if not self.is_symbolic:
            return np.asarray(column, np.float64)
        at = np.full(len(self.variable.values) + 1, np.nan)  # a code of -1 finds the last
        at[self.cells] = np.arange(len(self.cells))
        spread = ((np.arange(len(rows), dtype=np.float64) * ratio) % 1 - 0.5) * _SPREAD
        return np.asarray(at[column] + spread, np.float64)

    def label(self, ax: Axes, which: Literal["x", "y"]) -> None:
        """Write the name of the column, and its values where they are symbols."""
        # Symbols are listed from the top down, as they are read.
        ends = self.ends[::-1] if which == "y" and self.is_symbolic else self.ends
        ax.set(**{f"{which}label": short(self.variable.name, 60), f"{which}lim": ends})
        if not self.is_symbolic:
            return
        names = [short(value, 20) for value in self.values]
        axis: Any = ax.xaxis if which == "x" else ax.yaxis
        axis.set_ticks(range(len(names)), names)
        ax.tick_params(axis=which, length=0)
        if which == "x" and sum(map(len, names)) > 50:
            ax.tick_params(axis="x", labelrotation=90 if len(names) > 8 else 30)

    @property
    def ends(self) -> tuple[float, float]:
        """Where the axis begins and ends."""
        return self.low, self.high


def scale_of(points: Points, variable: Variable, steps: int, margin: float = 0.04) -> Scale:
    """The axis of a column, with so many steps where it holds numbers."""
    if variable.kind == "sym":
        codes = shown_codes(points, variable)
        return Scale(variable, codes, -0.5, len(codes) - 0.5)
    low, high = span_of(points, variable, margin)
    half = (high - low) / steps / 2
    return Scale(variable, np.linspace(low + half, high - half, steps), low, high)


def shown_codes(points: Points, variable: Variable) -> Codes:
    """The values of a symbolic column that are shown, in their own order."""
    codes: Codes = points.rows.column(variable.name)
    counts = np.bincount(codes[codes >= 0], minlength=len(variable.values))
    return np.sort(np.argsort(-counts, kind="stable")[:MOST_VALUES]).astype(np.int32)


def left_out(variable: Variable) -> str:
    """That not all values are shown, for a note."""
    more = len(variable.values) - MOST_VALUES
    return f"the {MOST_VALUES} most frequent of {len(variable.values)} values" if more > 0 else ""


@dataclass(frozen=True)
class Mesh:
    """Two columns as the axes of a plot, and all pairs of their cells."""

    x: Scale
    y: Scale

    @property
    def shape(self) -> tuple[int, int]:
        """Steps from bottom to top, and from left to right."""
        return len(self.y.cells), len(self.x.cells)

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, bottom, top."""
        return *self.x.ends, *self.y.ends

    def batch(self, model: Classifier, cells: dict[str, Any]) -> Table:
        """A row for each pair, from left to right and then up; other columns as said."""
        across, up = np.meshgrid(self.x.cells, self.y.cells)
        both = {self.x.variable.name: across.ravel(), self.y.variable.name: up.ravel()}
        return batch_of(model, across.size, {**cells, **both})

    def label(self, ax: Axes) -> None:
        """Write the names of both columns."""
        self.x.label(ax, "x")
        self.y.label(ax, "y")


def scatter(ax: Axes, mesh: Mesh, points: Points, wrong: Array | None = None) -> None:
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


def rug(ax: Axes, points: Points, variable: "Variable") -> None:
    """Draw a stroke for each row, just inside the axis, in the colour of its class."""
    numbers = points.rows.column(variable.name)
    for code in np.unique(points.truth):
        ax.plot(
            numbers[points.truth == code], np.full(int((points.truth == code).sum()), 0.012), "|",
            transform=ax.get_xaxis_transform(), color=GREY if code < 0 else colour(code),
            markersize=7, markeredgewidth=0.8, alpha=0.6, zorder=2,
        )  # fmt: skip
