"""Class probabilities along a column: conditional distributions, or partial dependence."""

from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.numerics.arrays import Floats
from satsuma.plot.axis_scales import Scale, left_out, rug, scale_of
from satsuma.plot.descriptions import set_description, short, some
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

    from satsuma.data.table import Table
    from satsuma.learners.model import Classifier, Model

#: Steps along a column of numbers.
_STEPS = 120

#: Rows that probabilities are averaged over.
_ROWS = 200


def class_probabilities(
    model: "Model", column: str, *, table: "Table | None" = None, ax: "Axes | None" = None
) -> "Axes":
    """The probability of each class along a column: lines for numbers, bars for symbols.

    If the model has the probability of classes given this column alone (its
    `conditional_distributions`), that is drawn. Otherwise the column is set to each value in turn
    in all rows, and the probabilities are averaged over them (partial dependence, Friedman 2001).
    The title says which it is.

    Parameters
    ----------
    model
        Any model that predicts classes.
    column
        The column, of numbers or of symbols.
    table
        The rows to average over and to take the range from; without it, a sample of those that
        the model was learned from.
    ax
        Where to draw; without it, on a new figure.

    Examples
    --------
    >>> import satsuma
    >>> model = satsuma.NaiveBayes(satsuma.load("titanic"))
    >>> satsuma.plot.class_probabilities(model, "status").get_ylabel()
    'status'
    """
    asked, variable = classifier(model), attribute(classifier(model), column)
    points = points_of(asked, table)
    known_of(points, variable)
    scale = scale_of(points, variable, _STEPS, margin=0)
    told: Any = getattr(asked, "conditional_distributions", {})
    if column in told:
        probabilities, note = told[column].over(scale.cells), "given this column alone"
    else:
        probabilities = _averaged(asked, scale, points.thinned(_ROWS))
        note = "partial dependence, averaged over rows"
    with canvas(ax, height=_height(asked, scale)) as axes:
        if scale.is_symbolic:
            _bars(axes, asked, scale, probabilities)
        else:
            _lines(axes, asked, scale, probabilities, points)
        title = f"Probability of {short(asked.target.name)} by {short(column)} in {name_of(asked)}"
        entitle(axes, title, "; ".join(filter(None, (note, left_out(variable)))))
    return set_description(axes, _description(asked, scale, probabilities, note))


def _averaged(model: "Classifier", scale: Scale, points: Points) -> Floats:
    """Cells by classes: the mean of the probabilities over the rows, with that cell in all."""
    rows, steps, name = points.rows, len(scale.cells), scale.variable.name
    cells = {v.name: np.tile(rows.column(v.name), steps) for v in model.domain.attributes}
    cells[name] = np.repeat(scale.cells, len(rows))
    found = model.probabilities(batch_of(model, steps * len(rows), cells))
    weight = points.weight if points.weight.any() else None
    return np.average(found.reshape(steps, len(rows), -1), axis=1, weights=weight)


def _height(model: "Classifier", scale: Scale) -> float:
    bars = 1.5 + 0.36 * len(scale.cells)
    return max(bars, legend_height(len(model.classes))) if scale.is_symbolic else 4.2


def _lines(
    ax: "Axes", model: "Classifier", scale: Scale, probabilities: Floats, points: Points
) -> None:
    for code in range(len(model.classes)):
        ax.plot(
            scale.cells, probabilities[:, code], color=colour(code), linestyle=dash(code),
            linewidth=2, clip_on=False, zorder=3,
        )  # fmt: skip
    rug(ax, points.thinned(), scale.variable)
    scale.label(ax, "x")
    ax.set_ylim(0, 1)
    ax.set_ylabel("probability")
    legend(ax, model.target.name, [line_key(code, name) for code, name in enumerate(model.classes)])


def _bars(ax: "Axes", model: "Classifier", scale: Scale, probabilities: Floats) -> None:
    """A bar for each value, parted by the probabilities of the classes."""
    start, at = np.zeros(len(scale.cells)), np.arange(len(scale.cells))
    for code in range(len(model.classes)):
        share = probabilities[:, code]
        ax.barh(at, share, 0.78, start, color=colour(code), edgecolor="white", linewidth=0.6)
        for bar in at[share >= 0.08]:
            middle = float(start[bar] + share[bar] / 2)
            ax.text(
                middle, bar, f"{share[bar]:.2f}", ha="center", va="center", fontsize="small",
                color=_readable(code),
            )  # fmt: skip
        start = start + share
    scale.label(ax, "y")
    ax.set_xlim(0, 1)
    ax.set_xlabel("probability")
    ax.spines["left"].set_visible(False)
    keys = [patch_key(code, name) for code, name in enumerate(model.classes)]
    legend(ax, model.target.name, keys)


def _readable(code: int) -> str:
    """White on dark colours, black on bright ones."""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(colour(code))
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.5 else "black"


def _description(model: "Classifier", scale: Scale, probabilities: Floats, note: str) -> str:
    names, variable = model.classes, scale.variable
    likely = [names[int(code)] for code in probabilities.argmax(axis=1)]
    if scale.is_symbolic:
        told = zip(scale.values, likely, probabilities.max(axis=1).tolist(), strict=True)
        most = some([f"{cell}: {name} {probability:.2f}" for cell, name, probability in told])
    else:
        turns = [0, *(np.flatnonzero(np.diff(probabilities.argmax(axis=1))) + 1).tolist()]
        most = some([f"{likely[at]} from {scale.cells[at]:.3g}" for at in turns])
    return (
        f"Probability of each {model.target.name} by {variable.name} in {name_of(model)}, {note}. "
        f"Most probable: {most}."
    )
