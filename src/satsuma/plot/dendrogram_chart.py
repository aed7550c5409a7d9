"""Dendrogram: how rows are joined to clusters, and how far apart they are."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.errors import ParameterError
from satsuma.learners.row_clusters.agglomerative import AgglomerativeModel
from satsuma.plot.descriptions import set_description
from satsuma.plot.plot_data import drawn_as
from satsuma.plot.style import GREY, INK, canvas, colour, entitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from satsuma.learners.model import Model

#: Clusters that have a colour of their own; the others are grey.
_COLOURED = 8


def dendrogram(model: "Model", *, ends: int = 30, ax: "Axes | None" = None) -> "Axes":
    """Draw how clusters were joined: the higher a bar, the farther apart are the two below it.

    The dashed line is where the clusters of the model are cut off; each has a colour, and its
    number stands below it.

    Parameters
    ----------
    model
        Of `Agglomerative`.
    ends
        How many clusters are drawn at the bottom, at most; the joins inside them are left out, and
        how many rows they have stands in brackets.
    ax
        Where to draw; a new figure unless given.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import plot
    >>> ax = plot.dendrogram(satsuma.Agglomerative(satsuma.load("iris")))
    >>> ax.get_title("left")
    '150 rows in 2 clusters'
    """
    drawing = "plot.dendrogram draws the models of Agglomerative"
    model = drawn_as(model, AgglomerativeModel, drawing)
    if ends < 2:
        raise ParameterError(f"ends must be a whole number of at least 2. Got {ends!r} instead.")
    shape = _shape(model, max(ends, model.k))
    wide = len(shape["leaves"]) if shape else 1
    with canvas(ax, min(12.0, max(5.0, 0.28 * wide + 1.4)), 3.8) as drawn:
        if shape:
            _draw(drawn, model, shape)
        drawn.set_ylabel(f"distance ({model.learner.linkage} linkage)")
        for side in ("top", "right", "bottom"):
            drawn.spines[side].set_visible(False)
        n, k = len(model.label), model.k
        entitle(drawn, f"{n:,} row{'s' * (n != 1)} in {k} cluster{'s' * (k != 1)}")
        return set_description(drawn, _description(model))


def _shape(model: AgglomerativeModel, ends: int) -> dict[str, Any]:
    """Where SciPy puts the bars; nothing for a single row."""
    if not len(model.merges):
        return {}
    hierarchy: Any = import_module("scipy.cluster.hierarchy")
    return hierarchy.dendrogram(model.merges, p=ends, truncate_mode="lastp", no_plot=True)


def _draw(ax: "Axes", model: AgglomerativeModel, shape: dict[str, Any]) -> None:
    cut = _cut_height(model)
    members = _members(model)
    at = {10.0 * place + 5: node for place, node in enumerate(shape["leaves"])}
    clusters = {x: int(model.label[members(node)[0]]) for x, node in at.items()}
    for xs, ys in zip(shape["icoord"], shape["dcoord"], strict=True):
        between = {c for x, c in clusters.items() if xs[0] <= x <= xs[3]}
        same = len(between) == 1 and ys[1] <= cut
        line = _colour(between.pop()) if same else GREY
        ax.plot(xs, ys, color=line, linewidth=1.2, solid_joinstyle="miter")
    if 0 < cut < np.inf:
        ax.axhline(cut, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
    names = [f"{clusters[x]} ({len(members(node)):,})" for x, node in at.items()]
    ax.set_xticks(list(at), names, rotation=90, fontsize=7.5)
    ax.set_xlim(0, 10 * len(at))
    ax.set_ylim(0, 1.05 * float(model.heights[-1]) or 1.0)
    ax.set_xlabel("cluster (rows)")
    ax.tick_params(axis="x", length=0)


def _colour(cluster: int) -> Any:
    return colour(cluster) if cluster < _COLOURED else GREY


def _cut_height(model: AgglomerativeModel) -> float:
    """Halfway between the last join inside of a cluster and the first between two."""
    heights, k = model.heights, model.k
    if k == 1:
        return np.inf
    above = float(heights[-(k - 1)])
    below = float(heights[-k]) if k <= len(heights) else 0.0
    return (above + below) / 2


def _members(model: AgglomerativeModel) -> Any:
    """What gives the rows below a node of the joins."""
    n = len(model.label)

    def below(node: int) -> list[int]:
        waiting, found = [node], list[int]()
        while waiting:
            each = waiting.pop()
            if each < n:
                found.append(each)
            else:
                waiting += model.merges[each - n, :2].astype(int).tolist()
        return found

    return below


def _description(model: AgglomerativeModel) -> str:
    sizes = ", ".join(f"{size:,}" for size in np.bincount(model.label)[:_COLOURED].tolist())
    far = f" The last join is at {model.heights[-1]:.3g}." if len(model.heights) else ""
    return (
        f"A dendrogram of {len(model.label):,} rows by {model.learner.linkage} linkage, in "
        f"{model.k} clusters; rows of the largest: {sizes}.{far}"
    )
