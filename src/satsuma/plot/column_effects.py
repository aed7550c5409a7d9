"""Column effects: how important columns are, and what is predicted along one of them."""

from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.errors import ParameterError
from satsuma.evaluate.importances import Importances
from satsuma.evaluate.partial_dependence import PartialDependence, partial_dependence
from satsuma.learners.estimator.api import model_of
from satsuma.plot.descriptions import set_description, short, some
from satsuma.plot.plot_data import drawn_as
from satsuma.plot.style import GREY, INK, canvas, colour, entitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from satsuma.data.table import Table
    from satsuma.learners.learner import Learner
    from satsuma.learners.model import Model

#: Bars that are drawn, and lines of single rows.
_BARS, _LINES = 25, 60


def importances(found: Importances, *, ax: "Axes | None" = None) -> "Axes":
    """Draw how much worse a model predicts without each column, with the spread over trials.

    Parameters
    ----------
    found
        Of `satsuma.importances`.
    ax
        Where to draw; without it, on a new figure.

    Examples
    --------
    >>> import satsuma
    >>> iris = satsuma.load("iris")
    >>> found = satsuma.importances(satsuma.NaiveBayes(iris[::2]), iris[1::2])
    >>> satsuma.plot.importances(found).get_xlabel()
    'log loss is worse by'
    """
    told = drawn_as(found, Importances, "plot.importances draws what satsuma.importances gives")
    names = list(told)[:_BARS]
    if not names:
        raise ParameterError("There is no column whose importance could be drawn.")
    spread = told.spread
    with canvas(ax, height=1.2 + 0.28 * len(names)) as axes:
        places = np.arange(len(names))
        widths = [told[name] for name in names]
        axes.barh(places, widths, height=0.7, color=colour(0), alpha=0.85)
        ends = [(told[name] - spread[name], told[name] + spread[name]) for name in names]
        axes.hlines(places, *zip(*ends, strict=True), color=INK, linewidth=1.2)
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.set_yticks(places, [short(name) for name in names])
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.set_xlabel(f"{told.measure} is worse by")
        more = len(told) - len(names)
        rest = f"; {more} less important columns are not shown" if more else ""
        entitle(axes, "Importance of columns", f"{told.how}; lines: ± one standard deviation{rest}")
    best = [f"{name} ({told[name]:.3g})" for name in names[:4]]
    return set_description(
        axes, f"Importance of {len(names)} columns, by how much worse {told.measure} is: "
        f"{some(best, 4)}.",
    )  # fmt: skip


def effect(
    model: "Model | Learner",
    column: str,
    table: "Table | None" = None,
    *,
    value: str | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw what a model predicts along a column: partial dependence, and lines of single rows.

    Each thin line is a row, whose cell in the column is set to one value after the other
    (individual conditional expectation, ICE); the thick line is their mean (partial dependence).
    Where thin lines are not parallel, the effect of the column depends on other columns.

    Parameters
    ----------
    model
        What predicts classes or a number: a model, or a learner that was fitted.
    column
        A column of numbers or symbols that it was learned from.
    table
        The rows; those that the model keeps as a sample unless given.
    value
        The class whose probability is drawn; of two, the second unless given.
    ax
        Where to draw; without it, on a new figure.

    Examples
    --------
    >>> import satsuma
    >>> model = satsuma.Forest(satsuma.load("housing"), trees=5)
    >>> satsuma.plot.effect(model, "RM").get_ylabel()
    'MEDV'
    """
    used: Any = model_of(model)
    found = partial_dependence(used, column, table, value)
    is_class = bool(used.target.values)
    ylabel = (
        f"P({short(used.target.name)} = {short(found.of)})" if is_class else short(found.of, 60)
    )
    with canvas(ax) as axes:
        (_symbols if found.labels else _numbers)(axes, found)
        axes.set(xlabel=short(column, 60), ylabel=ylabel)
        note = f"thick: mean of {len(found.lines):,} rows; thin: single rows"
        entitle(axes, f"Effect of {short(column)} in {type(used.learner).__name__}", note)
    return set_description(axes, _told(found, ylabel))


def _shown(found: PartialDependence) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    places = np.linspace(0, len(found.lines) - 1, min(_LINES, len(found.lines))).round()
    return found.lines[places.astype(np.intp)]


def _numbers(axes: "Axes", found: PartialDependence) -> None:
    """Lines along numbers, and where the rows are."""
    if len(found.grid) == 1:
        axes.plot(np.repeat(found.grid, len(_shown(found))), _shown(found)[:, 0], ".", color=GREY)
        axes.plot(found.grid, found.mean, "o", color=colour(0), markersize=8)
        return
    axes.plot(found.grid, _shown(found).T, color=GREY, linewidth=0.7, alpha=0.35)
    axes.plot(found.grid, found.mean, color=colour(0), linewidth=2.8)
    known = found.cells[~np.isnan(found.cells)]
    axes.plot(
        known, np.full(len(known), 0.012), "|", transform=axes.get_xaxis_transform(), color=INK,
        markersize=6, markeredgewidth=0.7, alpha=0.5,
    )  # fmt: skip


def _symbols(axes: "Axes", found: PartialDependence) -> None:
    """A place for each value, with a point for each row and a bar at their mean."""
    places = np.arange(len(found.grid))
    lines = _shown(found)
    apart = np.linspace(-0.22, 0.22, len(lines))[:, None]
    axes.plot((places + apart).T, lines.T, color=GREY, linewidth=0.5, alpha=0.18)
    axes.plot(places + apart, lines, ".", color=GREY, markersize=4, alpha=0.5)
    axes.hlines(found.mean, places - 0.32, places + 0.32, color=colour(0), linewidth=3.2)
    counts = [int((found.cells == code).sum()) for code in found.grid]
    names = [f"{short(n, 16)}\n({c})" for n, c in zip(found.labels, counts, strict=True)]
    many = len(names) > 6
    axes.set_xticks(places, names, rotation=45 if many else 0, ha="right" if many else "center")


def _told(found: PartialDependence, what: str) -> str:
    low, high = int(found.mean.argmin()), int(found.mean.argmax())
    names = found.labels or [f"{each:.4g}" for each in found.grid]
    return (
        f"Effect of {found.variable.name} on {what}: on average {found.mean[low]:.3g} at "
        f"{names[low]}, and {found.mean[high]:.3g} at {names[high]}."
    )
