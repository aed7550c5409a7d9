"""Discriminant axes: rows where LDA sees them, along the axes that part the classes."""

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Circle

from satsuma.errors import DomainError
from satsuma.learners.generative.discriminant_model import LDAModel
from satsuma.numerics.arrays import Floats
from satsuma.plot.descriptions import set_description, short
from satsuma.plot.plot_data import Points, drawn_as, points_of
from satsuma.plot.style import (
    GREY,
    INK,
    MOST_NAMED,
    canvas,
    colour,
    dash,
    entitle,
    legend,
    legend_height,
    line_key,
    marker,
    point_key,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from satsuma.data.table import Table
    from satsuma.learners.model import Model

#: The radius of a circle that holds 95 % of a class on two axes, whose variance is 1 on each.
_RADIUS = float(np.sqrt(-2 * np.log(0.05)))

#: Steps along a single axis.
_STEPS = 400


def discriminants(
    model: "Model", table: "Table | None" = None, *, ax: "Axes | None" = None
) -> "Axes":
    """Where rows are on the discriminant axes of LDA, the directions that part the classes most.

    With two axes or more, rows are points on the first two, and each class has its centre and a
    circle that holds 95 % of it, as the model believes. With one axis, as of two classes, each
    class has its density over a histogram of its rows.

    Parameters
    ----------
    model
        Of `LDA`.
    table
        The rows to draw; without it, a sample of those that the model was learned from.
    ax
        Where to draw; without it, on a new figure.

    Examples
    --------
    >>> import satsuma
    >>> satsuma.plot.discriminants(satsuma.LDA(satsuma.load("iris"))).get_xlabel()
    'first discriminant axis (99 %)'
    """
    asked = drawn_as(model, LDAModel, "plot.discriminants draws models of LDA")
    if not asked.axes:
        raise DomainError(
            "LDA has no discriminant axis here: there is one class alone, or no column in which "
            "the means of the classes differ. Learn from rows of two classes."
        )
    points = points_of(asked, table).thinned()
    at, centres = asked.project(points.rows), asked.projection().centres
    with canvas(ax, height=max(4.2, legend_height(len(asked.classes) + 1))) as axes:
        if at.shape[1] == 1:
            _densities(axes, asked, at[:, 0], centres[:, 0], points)
        else:
            _points(axes, asked, at[:, :2], centres[:, :2], points)
        axes.set_xlabel(_axis_label(asked, 0))
        which = "axis" if at.shape[1] == 1 else "axes"
        title = f"{short(asked.target.name)} on the discriminant {which} of LDA"
        entitle(axes, title, _note(asked))
    return set_description(axes, _description(asked, len(points)))


def _points(ax: "Axes", model: LDAModel, at: Floats, centres: Floats, points: Points) -> None:
    size = 26 if len(at) <= 200 else 16
    for code in np.unique(points.truth):
        mine = points.truth == code
        ax.scatter(
            *at[mine].T, s=size, color=GREY if code < 0 else colour(code), edgecolors="white",
            marker=marker(max(int(code), 0)), linewidths=0.5, zorder=3,
        )  # fmt: skip
    seen = np.flatnonzero(model.prior > 0).tolist()
    for code in seen:
        if len(seen) <= MOST_NAMED:
            ax.add_patch(
                Circle(tuple(centres[code]), _RADIUS, fill=False, color=colour(code),
                       linestyle=dash(code), linewidth=1.2)
            )  # fmt: skip
        ax.plot(
            *centres[code], marker="P", markersize=10, color=colour(code), markeredgecolor=INK,
            markeredgewidth=1.2, linestyle="", zorder=5,
        )  # fmt: skip
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_ylabel(_axis_label(model, 1))
    keys = [point_key(code, name) for code, name in enumerate(model.classes)]
    centre = Line2D([], [], linestyle="", marker="P", markersize=9, color="white",
                    markeredgecolor=INK, label="centre")  # fmt: skip
    legend(ax, model.target.name, keys, [centre])


def _densities(ax: "Axes", model: LDAModel, at: Floats, centres: Floats, points: Points) -> None:
    seen = np.flatnonzero(model.prior > 0).tolist()
    ends = np.concatenate((at, centres[seen] - 3, centres[seen] + 3))
    low, high = float(ends.min()), float(ends.max())
    steps, edges = np.linspace(low, high, _STEPS), np.linspace(low, high, 31)
    for code in seen:
        mine = points.truth == code
        if points.weight[mine].sum() > 0:
            heights, _ = np.histogram(at[mine], edges, density=True, weights=points.weight[mine])
            ax.stairs(heights, edges, fill=True, color=colour(code), alpha=0.22)
        bell = np.exp(-0.5 * (steps - centres[code]) ** 2) / np.sqrt(2 * np.pi)
        ax.plot(steps, bell, color=colour(code), linestyle=dash(code), linewidth=2)
        ax.plot(
            [centres[code]] * 2, [0, bell.max()], color=colour(code), linestyle=":", linewidth=1
        )
    for code in np.unique(points.truth):
        mine = at[points.truth == code]
        ax.plot(
            mine, np.full(len(mine), 0.012), "|", transform=ax.get_xaxis_transform(), alpha=0.6,
            color=GREY if code < 0 else colour(code), markersize=7, markeredgewidth=0.8, zorder=2,
        )  # fmt: skip
    ax.set_xlim(low, high)
    ax.set_ylim(0, None)
    ax.set_ylabel("density")
    legend(ax, model.target.name, [line_key(code, name) for code, name in enumerate(model.classes)])


def _axis_label(model: LDAModel, at: int) -> str:
    share = "" if len(model.axes) == 1 else f" ({100 * model.axes[at].share:.0f} %)"
    return f"{('first', 'second')[at]} discriminant axis{share}"


def _note(model: LDAModel) -> str:
    mostly = f"mostly {', '.join(_main(model, 0))}"
    if len(model.axes) == 1:
        return mostly
    return f"%: variance between classes; the first axis is {mostly}"


def _main(model: LDAModel, at: int) -> list[str]:
    """The features with the largest standardized coefficients, with their signs."""
    parts = model.axes[at].standardized
    names = sorted(parts, key=lambda name: -abs(parts[name]))[:3]
    return [f"{'+' if parts[name] > 0 else '-'} {short(name, 20)}" for name in names]


def _description(model: LDAModel, rows: int) -> str:
    count = len(model.axes)
    what = "the discriminant axis" if count == 1 else f"two of {count} discriminant axes"
    share = f" has {model.axes[0].share:.0%} of the variance between classes and"
    return (
        f"{rows} rows on {what} of LDA for {len(model.classes)} classes of {model.target.name}; "
        f"the first{'' if count == 1 else share} is mostly {', '.join(_main(model, 0))}."
    )
