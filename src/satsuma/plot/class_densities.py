"""Density: the distribution of one column, in each class or in all rows of a table."""

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.lines import Line2D

from satsuma.data.table import Table
from satsuma.numerics.arrays import Array, Floats
from satsuma.plot.axis_scales import Scale, left_out, rug, scale_of
from satsuma.plot.column_density import column_density
from satsuma.plot.descriptions import set_description, short, some
from satsuma.plot.model_densities import density_of, no_density
from satsuma.plot.plot_data import (
    Points,
    attribute,
    batch_of,
    classifier,
    known_of,
    name_of,
    points_of,
)
from satsuma.plot.style import (
    INK,
    canvas,
    colour,
    dash,
    entitle,
    legend,
    legend_height,
    line_key,
    patch_key,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from satsuma.learners.model import Classifier, Model

#: Steps along a column of numbers.
_STEPS = 400

#: Classes whose histograms can be told apart when they overlap.
_HISTOGRAMS = 4


def density(
    model: "Model | Table", column: str, *, table: "Table | None" = None, ax: "Axes | None" = None
) -> "Axes":
    """The distribution of a column in each class: as the model believes, and as it is in the rows.

    Numbers have a curve for each class, over histograms of the rows (of up to four classes) and
    strokes along the axis; symbols have bars, with a stroke at the share in the rows.

    In place of a model there may be a table, with or without a target: then it is the distribution
    in all of its rows, a kernel density estimate over a histogram, or bars of shares.

    Parameters
    ----------
    model
        A model with the likelihood of values in a class: one that has `log_evidence`. Or a table.
    column
        The column, of numbers or of symbols.
    table
        The rows to draw; without it, a sample of those that the model was learned from.
    ax
        Where to draw; without it, on a new figure.

    Examples
    --------
    >>> import satsuma
    >>> model = satsuma.NaiveBayes(satsuma.load("iris"))
    >>> satsuma.plot.density(model, "Petal.Length").get_ylabel()
    'density'
    >>> satsuma.plot.density(satsuma.load("housing"), "MEDV").get_title("left")
    'Distribution of MEDV'
    """
    if isinstance(model, Table):
        return column_density(model, column, ax)
    asked, variable = classifier(model), attribute(classifier(model), column)
    points = points_of(asked, table)
    known_of(points, variable)
    scale = scale_of(points, variable, _STEPS, margin=0.12)
    found = _heights(asked, scale)
    with canvas(ax, height=_height(asked, scale)) as axes:
        if scale.is_symbolic:
            _bars(axes, asked, scale, found, points)
        else:
            _curves(axes, asked, scale, found, points)
        title = f"Distribution of {short(column)} by {short(asked.target.name)} in {name_of(asked)}"
        entitle(axes, title, left_out(variable))
    return set_description(axes, _description(asked, scale, found))


def _heights(model: "Classifier", scale: Scale) -> Floats:
    """Cells by classes: the density of each number, or the probability of each symbol."""
    name, values = scale.variable.name, len(scale.variable.values)
    cells = np.arange(values) if scale.is_symbolic else scale.cells
    batch = batch_of(model, len(cells), {name: cells})
    found = np.exp(density_of(model, batch, f"a value of {name!r}"))
    if not scale.is_symbolic:
        return found
    # A model that takes symbols for numbers has densities of them, which are no probabilities.
    if (found.sum(axis=0) > 1 + 1e-6).all():
        raise no_density(model, f"a value of {name!r}")
    return found[scale.cells]


def _height(model: "Classifier", scale: Scale) -> float:
    if not scale.is_symbolic:
        return 4.2
    bars = len(scale.cells) * len(model.classes)
    return max(min(1.4 + 0.2 * bars, 4.0 + 0.05 * bars, 12), legend_height(len(model.classes) + 1))


def _curves(ax: "Axes", model: "Classifier", scale: Scale, found: Floats, points: Points) -> None:
    numbers: Floats = points.rows.column(scale.variable.name)
    highest = _histograms(ax, model, numbers, points)
    for code in range(len(model.classes)):
        ax.plot(scale.cells, found[:, code], color=colour(code), linestyle=dash(code), linewidth=2)
    rug(ax, points.thinned(), scale.variable)
    scale.label(ax, "x")
    # The curve of a class that hardly varies would leave nothing to see of the others.
    top = max(min(float(found.max()), 5 * highest), highest)
    ax.set_ylim(0, 1.05 * top if top > 0 else None)
    ax.set_ylabel("density")
    legend(ax, model.target.name, [line_key(code, name) for code, name in enumerate(model.classes)])


def _histograms(ax: "Axes", model: "Classifier", numbers: Floats, points: Points) -> float:
    """Draw the histogram of each class, if there are few; the greatest height of all."""
    known = ~np.isnan(numbers)
    edges = np.linspace(float(numbers[known].min()), float(numbers[known].max()), 21)
    if edges[0] == edges[-1]:
        return 0.0
    highest = 0.0
    for code in range(len(model.classes)):
        mine = known & (points.truth == code)
        if not points.weight[mine].sum() > 0:
            continue
        heights, _ = np.histogram(numbers[mine], edges, density=True, weights=points.weight[mine])
        highest = max(highest, float(heights.max()))
        if len(model.classes) <= _HISTOGRAMS:
            ax.stairs(heights, edges, fill=True, color=colour(code), alpha=0.22)
    return highest


def _bars(ax: "Axes", model: "Classifier", scale: Scale, found: Floats, points: Points) -> None:
    """For each value, a bar for each class, and the share found in the rows as a stroke."""
    classes, at = len(model.classes), np.arange(len(scale.cells))
    width = 0.8 / classes
    # The height of a bar in points, of which 72 are an inch.
    thick = min(72 * 0.75 * _height(model, scale) / len(at) * width, 14.0)
    codes = points.rows.column(scale.variable.name)
    for code in range(classes):
        place = at + (code - (classes - 1) / 2) * width
        ax.barh(place, found[:, code], width, color=colour(code), edgecolor="white", linewidth=0.5)
        ax.plot(
            _shares(codes, points, code, scale), place, linestyle="", marker="|", color=INK,
            markersize=thick, markeredgewidth=1.5,
        )  # fmt: skip
    scale.label(ax, "y")
    ax.set_xlim(0, None)
    ax.set_xlabel("probability in the class")
    ax.spines["left"].set_visible(False)
    keys = [patch_key(code, name) for code, name in enumerate(model.classes)]
    stroke = Line2D([], [], linestyle="", marker="|", color=INK, markersize=10, label="in the rows")
    legend(ax, model.target.name, keys, [stroke] if (points.truth >= 0).any() else ())


def _shares(codes: Array, points: Points, code: int, scale: Scale) -> Floats:
    """The share of each value among the rows of a class where it is known."""
    mine = (points.truth == code) & (codes >= 0)
    weights = np.bincount(codes[mine], points.weight[mine], len(scale.variable.values))
    total = weights.sum()
    return weights[scale.cells] / total if total > 0 else np.full(len(scale.cells), np.nan)


def _description(model: "Classifier", scale: Scale, found: Floats) -> str:
    peaks: list[str] = []
    for code, name in enumerate(model.classes):
        at = int(found[:, code].argmax())
        told = scale.values[at] if scale.is_symbolic else f"{scale.cells[at]:.3g}"
        peaks.append(f"{name} at {told}")
    return (
        f"Distribution of {scale.variable.name} in each {model.target.name} in {name_of(model)}; "
        f"the most probable values: {some(peaks)}."
    )
