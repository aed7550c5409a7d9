"""Likelihood contours: the likelihood of each class over two columns."""

from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.numerics.arrays import Floats
from satsuma.plot.axis_scales import scatter
from satsuma.plot.decision_regions import fixed_note, mesh_of
from satsuma.plot.descriptions import set_description
from satsuma.plot.model_densities import density_of, has_density
from satsuma.plot.plot_data import Points, attribute, classifier, fixed_cells, name_of, points_of
from satsuma.plot.style import canvas, colour, dash, entitle, legend, point_key

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from satsuma.data.table import Table
    from satsuma.learners.model import Classifier, Model
    from satsuma.plot.axis_scales import Mesh

#: Steps along each column.
_STEPS = 160

#: Shares of a class that are inside its contours.
_INSIDE = (0.95, 0.75, 0.5, 0.25)

#: Probabilities that contours are drawn at, where there is no density.
_PROBABILITIES = (0.5, 0.75, 0.95)


def likelihoods(
    model: "Model", *, x: str, y: str, table: "Table | None" = None, ax: "Axes | None" = None
) -> "Axes":
    """The likelihood of each class over two columns, as contours over the rows.

    The contours of a class hold 25, 50, 75 and 95 % of it: what the model believes of these two
    columns alone, whatever the others are. A model without likelihoods has contours of the
    probability of each class instead, at 0.5, 0.75 and 0.95, with the
    other columns at their middle value. The title says which it is.

    Parameters
    ----------
    model
        Any model that predicts classes.
    x, y
        The columns along the axes, of numbers.
    table
        The rows to draw; without it, a sample of those that the model was learned from.
    ax
        Where to draw; without it, on a new figure.

    Examples
    --------
    >>> import satsuma
    >>> model = satsuma.NaiveBayes(satsuma.load("iris"))
    >>> ax = satsuma.plot.likelihoods(model, x="Sepal.Length", y="Sepal.Width")
    >>> ax.get_title("left")
    'Likelihood of each class in NaiveBayes'
    """
    asked = classifier(model)
    for name in (x, y):
        attribute(asked, name, ("num",))
    points = points_of(asked, table)
    mesh = mesh_of(asked, points, (x, y), _STEPS, margin=0.15)
    alone = mesh.batch(asked, {})
    with canvas(ax) as axes:
        if has_density(asked, alone):
            title, note = "Likelihood", "contours hold 25, 50, 75 and 95 % of a class"
            _contours_inside(axes, mesh, density_of(asked, alone, "a pair of values"))
        else:
            title, note = "Probability", _probability_note(asked, x, y)
            _probability_contours(axes, asked, mesh, points)
        scatter(axes, mesh, points.thinned())
        mesh.label(axes)
        entitle(axes, f"{title} of each class in {name_of(asked)}", note)
        keys = [point_key(code, name) for code, name in enumerate(asked.classes)]
        legend(axes, asked.target.name, keys)
    return set_description(
        axes, f"{title} of each of {len(asked.classes)} classes in {name_of(asked)}, as contours "
        f"over {x} and {y}, with {len(points.thinned())} rows as points.",
    )  # fmt: skip


def _probability_note(model: "Classifier", x: str, y: str) -> str:
    told = fixed_note(model, (x, y))
    return "contours at 0.5, 0.75 and 0.95" + (f"; {told}" if told else "")


def _contours_inside(ax: "Axes", mesh: "Mesh", log_density: Floats) -> None:
    for code in range(log_density.shape[1]):
        levels = _levels(log_density[:, code])
        _contours(ax, mesh, log_density[:, code], levels, code)


def _levels(log_density: Floats) -> list[float]:
    """The heights at which a density holds certain shares of itself; logarithms."""
    ordered = np.sort(log_density)[::-1]
    if not np.isfinite(ordered[0]):
        return []
    mass = np.cumsum(np.exp(ordered - ordered[0]))
    found = [float(ordered[int((mass < share * mass[-1]).sum())]) for share in _INSIDE]
    return sorted({level for level in found if np.isfinite(level)})


def _probability_contours(ax: "Axes", model: "Classifier", mesh: "Mesh", points: Points) -> None:
    free = mesh.x.variable.name, mesh.y.variable.name
    probabilities = model.probabilities(mesh.batch(model, fixed_cells(model, points, None, free)))
    for code in range(probabilities.shape[1]):
        _contours(ax, mesh, probabilities[:, code], list(_PROBABILITIES), code)


def _contours(ax: "Axes", mesh: "Mesh", height: Any, levels: list[float], code: int) -> None:
    """Lines at the levels that the height crosses, the higher the thicker."""
    # A height of minus infinity would leave gaps in the lines around it.
    finite = np.maximum(height, min(levels, default=0.0) - 50).reshape(mesh.shape)
    crossed = [level for level in levels if finite.min() < level < finite.max()]
    if crossed:
        ax.contour(
            mesh.x.cells, mesh.y.cells, finite, levels=crossed, colors=[colour(code)],
            linestyles=dash(code), linewidths=np.linspace(0.9, 1.8, len(crossed)),
        )  # fmt: skip
