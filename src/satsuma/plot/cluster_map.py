"""Cluster map: rows in two dimensions (FastMap), in the colour of their cluster."""

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.lines import Line2D

from satsuma.learners.clusterer import Clusterer
from satsuma.measures.projection import fastmap
from satsuma.plot.descriptions import set_description, short, some
from satsuma.plot.plot_data import MOST_POINTS, drawn_as, rows_to_draw
from satsuma.plot.style import GREY, INK, canvas, colour, entitle, legend, legend_height, point_key

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from satsuma.data.table import Table
    from satsuma.learners.model import Model
    from satsuma.numerics.arrays import Array, Floats

#: Clusters that have a colour of their own; the others are grey.
_COLOURED = 8


def clusters(
    model: "Model", *, table: "Table | None" = None, seed: int = 0, ax: "Axes | None" = None
) -> "Axes":
    """Draw rows in two dimensions, so that those that are near each other stay so.

    Each axis goes from one row to one far from it (FastMap: Faloutsos and Lin 1995). The largest
    eight clusters have colours, and their numbers stand in their middle; the others are grey.

    Parameters
    ----------
    model
        Of `RP0`, or any other that says which cluster a row belongs to.
    table
        The rows to draw; those that the model keeps as a sample unless given. Of many, some that
        are evenly spaced.
    seed
        The seed of everything random.
    ax
        Where to draw; a new figure unless given.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import plot
    >>> ax = plot.clusters(satsuma.RP0(satsuma.load("iris"), M=30))
    >>> ax.get_title("left")
    '4 clusters by RP0'
    """
    model = drawn_as(model, Clusterer, "plot.clusters draws models of clusters")
    rows = rows_to_draw(model, table)
    shown = rows[np.linspace(0, len(rows) - 1, min(MOST_POINTS, len(rows))).astype(np.intp)]
    groups = model.clusters(shown)
    at = fastmap(rows, seed=seed).place(shown)
    sizes = np.bincount(groups, minlength=model.k)
    largest = [group for group in np.argsort(-sizes, kind="stable")[:_COLOURED] if sizes[group]]
    with canvas(ax, 6.4, max(4.2, legend_height(len(largest)))) as drawn:
        _points(drawn, at, groups, largest)
        named = [point_key(code, f"{group} ({sizes[group]})") for code, group in enumerate(largest)]
        legend(drawn, "cluster (rows)", named, _others(model.k - len(largest)))
        drawn.set_xlabel("first FastMap axis")
        drawn.set_ylabel("second FastMap axis")
        drawn.set_aspect("equal", adjustable="datalim")
        drawn.set_xticks([])
        drawn.set_yticks([])
        name = type(getattr(model, "learner", model)).__name__
        note = "" if len(shown) == len(rows) else f"{len(shown)} of {len(rows)} rows"
        entitle(drawn, f"{model.k} clusters by {short(name)}", note)
        return set_description(drawn, _description(model, name, sizes, largest))


def _points(ax: "Axes", at: "Floats", groups: "Array", largest: list[int]) -> None:
    size = 26 if len(at) <= 200 else 16
    rest = ~np.isin(groups, largest)
    ax.scatter(*at[rest].T, s=size, color=GREY, alpha=0.6, edgecolors="white", linewidths=0.4)
    for code, group in enumerate(largest):
        mine = at[groups == group]
        ax.scatter(
            *mine.T, s=size, color=colour(code), edgecolors="white", linewidths=0.5, zorder=3
        )
        x, y = np.median(mine, axis=0).tolist()
        ax.text(
            x, y, str(group), fontsize=8.5, fontweight="bold", color=INK, ha="center",
            va="center", zorder=4,
            bbox={"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": colour(code)},
        )  # fmt: skip


def _others(count: int) -> list[Line2D]:
    if not count:
        return []
    return [
        Line2D([], [], linestyle="", marker="o", markersize=6, color=GREY, alpha=0.6,
               markeredgecolor="white", label=f"{count} more")
    ]  # fmt: skip


def _description(model: Clusterer, name: str, sizes: "Array", largest: list[int]) -> str:
    told = some([f"cluster {group} with {sizes[group]} rows" for group in largest], 3)
    return (
        f"{int(sizes.sum())} rows in two dimensions, in the colours of {model.k} clusters "
        f"by {name}: "
        f"{told}."
    )
