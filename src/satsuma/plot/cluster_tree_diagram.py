"""Cluster tree: the splits of rows from the top down, and the clusters at the leaves."""

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import to_rgb

from satsuma.errors import ParameterError
from satsuma.learners.rp0.show import pole_description
from satsuma.learners.rp0.tree import ClusterTree
from satsuma.plot.descriptions import set_description, short
from satsuma.plot.plot_data import drawn_as
from satsuma.plot.style import GREY, INK, PALETTE, canvas, entitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from satsuma.learners.model import Model
    from satsuma.learners.rp0.cluster_node import ClusterNode

#: Characters of what a side of a split is like.
_ROOM = 22

#: The width of the thickest branch, that of all rows.
_THICK = 14.0


def cluster_tree(model: "Model", *, depth: int = 3, ax: "Axes | None" = None) -> "Axes":
    """Draw a tree of clusters: each branch shows what its pole has that the other one has not.

    The more rows go down a branch, the thicker it is. A box below shows the number of a cluster, or
    how many there are further down, and how many rows they have.

    Parameters
    ----------
    model
        Of `RP0`.
    depth
        Splits that are drawn one below the other; what is below them is counted.
    ax
        Where to draw; a new figure unless given.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import plot
    >>> ax = plot.cluster_tree(satsuma.RP0(satsuma.load("iris"), M=30))
    >>> ax.get_title("left")
    '150 rows in 4 clusters'
    """
    model = drawn_as(model, ClusterTree, "plot.cluster_tree draws the models of RP0")
    if depth < 0:
        raise ParameterError(f"depth must be a whole number of at least 0. Got {depth!r} instead.")
    nodes, at = _places(model.root, depth)
    wide = 1 + max(x for x, _ in at.values())
    deep = 1 + max(-y for _, y in at.values())
    with canvas(ax, max(4.0, 1.5 * wide), max(2.2, 1.35 * deep)) as drawn:
        for node in nodes:
            _draw(drawn, node, at, model.root.n)
        drawn.set_xlim(-0.6, wide - 0.4)
        drawn.set_ylim(0.4 - deep, 0.5)
        drawn.axis("off")
        rows, k = model.root.n, model.k
        entitle(drawn, f"{rows} rows in {k} cluster{'s' * (k != 1)}")
        return set_description(drawn, _description(model, len(nodes)))


def _places(
    root: "ClusterNode", depth: int
) -> "tuple[list[ClusterNode], dict[int, tuple[float, float]]]":
    """The nodes that are drawn, and where: ends side by side, others between those below."""
    nodes, waiting = list["ClusterNode"](), [(root, 0)]
    levels: dict[int, int] = {}
    while waiting:
        node, level = waiting.pop()
        nodes.append(node)
        levels[node.at] = level
        if level < depth:
            waiting += [(below, level + 1) for below in node.below[::-1]]
    at: dict[int, tuple[float, float]] = {}
    for node in nodes:
        if not node.below or levels[node.at] == depth:
            at[node.at] = (float(len(at)), -float(levels[node.at]))
    for node in reversed(nodes):
        if node.at not in at:
            middle = np.mean([at[below.at][0] for below in node.below])
            at[node.at] = (float(middle), -float(levels[node.at]))
    return nodes, at


def _draw(ax: "Axes", node: "ClusterNode", at: dict[int, tuple[float, float]], every: int) -> None:
    x, y = at[node.at]
    inside = [below for below in node.below if below.at in at]
    for below in inside:
        to = at[below.at]
        ax.plot(
            [x, to[0]], [y, to[1]], color=GREY, alpha=0.55, zorder=1, solid_capstyle="round",
            linewidth=max(0.8, _THICK * below.n / every),
        )  # fmt: skip
        told = "\n".join(short(part, _ROOM) for part in pole_description(below).split(", "))
        ax.text(
            (x + to[0]) / 2, (y + to[1]) / 2, told, fontsize=7.5, color=INK, ha="center",
            va="center", zorder=2,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0, "alpha": 0.85},
        )  # fmt: skip
    ax.text(
        x, y, _node_text(node, bool(inside)), fontsize=8.5, color="black", ha="center", va="center",
        zorder=3,
        bbox={"boxstyle": "round,pad=0.35", "facecolor": _shade(node), "edgecolor": INK},
    )  # fmt: skip


def _node_text(node: "ClusterNode", divided: bool) -> str:
    rows = f"{node.n} row{'s' * (node.n != 1)}"
    if node.cluster is not None:
        return f"cluster {node.cluster}\n{rows}"
    if divided:
        return f"{rows}\n{node.gap:.2f} apart"
    return f"{sum(1 for each in node if each.cluster is not None)} clusters\n{rows}"


def _shade(node: "ClusterNode") -> tuple[float, float, float] | str:
    if node.cluster is None:
        return "white"
    red, green, blue = (0.65 + 0.35 * part for part in to_rgb(PALETTE[4]))
    return red, green, blue


def _description(model: ClusterTree, shown: int) -> str:
    root = model.root
    told = f"A tree that splits {root.n} rows into {model.k} clusters"
    if root.below:
        first, second = (pole_description(below) for below in root.below)
        told += f", first into those like {first} and those like {second}"
    nodes = model.k + len(model.below)
    return told + (f"; {shown} of its {nodes} nodes are drawn." if shown < nodes else ".")
