"""Decision regions: which class a model predicts, over two columns."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.lines import Line2D

from satsuma.errors import DomainError
from satsuma.numerics.arrays import Array, Floats
from satsuma.plot.axis_scales import Mesh, scale_of, scatter
from satsuma.plot.descriptions import set_description, short
from satsuma.plot.plot_data import Points, attribute, classifier, fixed_cells, name_of, points_of
from satsuma.plot.style import INK, canvas, colours, entitle, legend, patch_key

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from satsuma.data.table import Table
    from satsuma.learners.model import Classifier, Model

#: Steps along a column of numbers.
_STEPS = 240

#: How much colour an uncertain prediction gets, and a certain one.
_FAINT, _FULL = 0.10, 0.62


def regions(
    model: "Model",
    *,
    x: str,
    y: str,
    table: "Table | None" = None,
    given: Mapping[str, object] | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Which class a model predicts, over two columns: the fuller the colour, the more probable.

    The other columns are held at their middle value: the median of numbers, the most frequent of
    symbols. The points are rows; a cross is a row that is misclassified, when it is
    predicted from all of its columns. Rows without a value in `x` or `y` are not drawn.

    Parameters
    ----------
    model
        Any model that predicts classes.
    x, y
        The columns along the axes, of numbers or of symbols.
    table
        The rows to draw and to take middle values from; without it, a sample of those that the
        model was learned from.
    given
        Values of other columns, to hold them at instead; None for missing.
    ax
        Where to draw; without it, on a new figure.

    Examples
    --------
    >>> import satsuma
    >>> iris = satsuma.load("iris")
    >>> ax = satsuma.plot.regions(
    ...     satsuma.NaiveBayes(iris), x="Petal.Length", y="Petal.Width", table=iris
    ... )
    >>> ax.get_xlabel()
    'Petal.Length'
    """
    asked = classifier(model)
    points = points_of(asked, table)
    mesh = mesh_of(asked, points, (x, y), _STEPS)
    batch = mesh.batch(asked, fixed_cells(asked, points, given, (x, y)))
    codes, probabilities = np.asarray(asked.codes(batch)), asked.probabilities(batch)
    sure = probabilities[np.arange(len(batch)), codes]
    shown, wrong = points.thinned(), wrong_of(asked, points.thinned())
    with canvas(ax) as axes:
        image = _painted(codes, sure, len(asked.classes)).reshape(*mesh.shape, 3)
        axes.imshow(
            image, extent=mesh.extent, origin="lower", aspect="auto", interpolation="nearest"
        )
        _borders(axes, mesh, codes, probabilities)
        scatter(axes, mesh, shown, wrong)
        mesh.label(axes)
        entitle(axes, f"Decision regions of {name_of(asked)}", fixed_note(asked, (x, y), given))
        keys = [patch_key(code, name) for code, name in enumerate(asked.classes)]
        legend(axes, asked.target.name, keys, _wrong_key(wrong, shown) if wrong.any() else ())
    return set_description(axes, _description(asked, mesh, codes, wrong, shown))


def mesh_of(
    model: "Classifier", points: Points, names: tuple[str, str], steps: int, margin: float = 0.04
) -> Mesh:
    """Two columns of a model as the axes of a plot."""
    if names[0] == names[1]:
        raise DomainError(f"x and y are both {names[0]!r}. Name two columns.")
    first, second = (attribute(model, name) for name in names)
    return Mesh(scale_of(points, first, steps, margin), scale_of(points, second, steps, margin))


def wrong_of(model: "Classifier", points: Points) -> Array:
    """Which rows the model gets wrong; one whose class is not known is not among them."""
    if not len(points):
        return np.zeros(0, np.bool_)
    return (points.truth >= 0) & (np.asarray(model.codes(points.rows)) != points.truth)


def fixed_note(
    model: "Classifier", free: tuple[str, ...], given: Mapping[str, object] | None = None
) -> str:
    """What the columns that are not shown are held at, in words."""
    told = [f"{short(k)} = {'?' if v is None else v}" for k, v in (given or {}).items()]
    rest = len(model.domain.attributes) - len(free) - len(told)
    if rest:
        told.append("the other columns at their middle value" if rest > 1 else
                    "the other column at its middle value")  # fmt: skip
    return ", ".join(told)


def _painted(codes: Array, sure: Floats, classes: int) -> Floats:
    """Colours of pixels: white, with as much of the colour of the class as it is sure."""
    even = 1 / max(classes, 2)
    above = np.clip((sure - even) / (1 - even), 0, 1)
    much = (_FAINT + (_FULL - _FAINT) * above)[:, None]
    return 1 - much * (1 - colours(classes)[codes])


def _borders(ax: "Axes", mesh: Mesh, codes: Array, probabilities: Floats) -> None:
    """A line where the decision changes; a gap between symbols."""
    if mesh.x.is_symbolic or mesh.y.is_symbolic:
        for at in range(1, len(mesh.x.cells) if mesh.x.is_symbolic else 0):
            ax.axvline(at - 0.5, color="white", linewidth=4)
        for at in range(1, len(mesh.y.cells) if mesh.y.is_symbolic else 0):
            ax.axhline(at - 0.5, color="white", linewidth=4)
        return
    for code in np.unique(codes)[1:]:
        lead: Floats = probabilities[:, code] - np.delete(probabilities, code, axis=1).max(axis=1)
        # The decision is the model's own, which need not be for the most probable class.
        lead = np.where(codes == code, np.maximum(lead, 1e-9), np.minimum(lead, -1e-9))
        height = lead.reshape(mesh.shape)
        ax.contour(mesh.x.cells, mesh.y.cells, height, levels=[0], colors=[INK], linewidths=0.8)


def _wrong_key(wrong: Array, points: Points) -> list[Line2D]:
    told = f"misclassified:\n{int(wrong.sum())} of {int((points.truth >= 0).sum())} rows"
    return [Line2D([], [], linestyle="", marker="X", markersize=7, color="white",
                   markeredgecolor=INK, label=told)]  # fmt: skip


def _description(
    model: "Classifier", mesh: Mesh, codes: Array, wrong: Array, points: Points
) -> str:
    share = np.bincount(codes, minlength=len(model.classes)) / len(codes)
    most = [f"{model.classes[code]} {share[code]:.0%}" for code in np.argsort(-share, kind="stable")
            if share[code]][:4]  # fmt: skip
    known = int((points.truth >= 0).sum())
    errors = f" Of {known} rows, {int(wrong.sum())} are misclassified." if known else ""
    return (
        f"Decision regions of {name_of(model)} over {mesh.x.variable.name} and "
        f"{mesh.y.variable.name}; shares of the area: {', '.join(most)}.{errors}"
    )
