"""Tree diagram: the splits of a tree from the top down, and the predictions at the leaves."""

from typing import TYPE_CHECKING

import numpy as np

from satsuma.errors import DomainError, ParameterError
from satsuma.learners.tree.model import Readable, TreeModel
from satsuma.plot.descriptions import set_description, short
from satsuma.plot.style import GREY, INK, canvas, colour, entitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from satsuma.learners.model import Model
    from satsuma.learners.tree.node import Node

#: How much colour a leaf gets whose classes are even, and one that is pure.
_FAINT, _FULL = 0.15, 0.65

#: Characters of a name in a box and on a branch.
_ROOM = 18


def tree(model: "Model", *, depth: int = 4, ax: "Axes | None" = None) -> "Axes":
    """Draw a tree: each box is a split by a column, branches are its values, leaves predictions.

    A leaf has the colour of its class, the fuller the purer, and shows the weight of its rows.

    Parameters
    ----------
    model
        Of `Tree`, `RegressionTree`, `ID3` or `ModelTree`.
    depth
        Splits that are drawn one below the other; what is below them is left out, and counted.
    ax
        Where to draw; a new figure unless given.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import plot
    >>> ax = plot.tree(satsuma.ID3(satsuma.load("tennis")))
    >>> ax.get_title("left")
    'A tree of play'
    """
    if not isinstance(model, Readable):
        raise DomainError(
            f"plot.tree draws the models of Tree, RegressionTree, ID3 and ModelTree, not a "
            f"{type(model).__name__}."
        )
    if depth < 0:
        raise ParameterError(f"depth must be a whole number of at least 0. Got {depth!r} instead.")
    at = _places(model.root, depth)
    wide = 1 + max(x for x, _ in at.values())
    deep = 1 + max(-y for _, y in at.values())
    with canvas(ax, max(4.0, 1.35 * wide), max(2.2, 1.25 * deep)) as drawn:
        for node in model.root:
            if node.index in at:
                _draw(drawn, node, at)
        drawn.set_xlim(-0.6, wide - 0.4)
        drawn.set_ylim(0.4 - deep, 0.5)
        drawn.axis("off")
        entitle(drawn, f"A tree of {short(model.target.name)}")
        return set_description(drawn, _description(model, len(at)))


def _places(root: "Node", depth: int) -> dict[int, tuple[float, float]]:
    """Where nodes stand: leaves side by side, others in the middle of what is below them."""
    at: dict[int, tuple[float, float]] = {}
    nodes = [node for node in root if node.depth <= depth]
    ends = 0
    for node in nodes:
        if node.attribute is None or node.depth == depth:
            at[node.index] = (float(ends), -float(node.depth))
            ends += 1
    for node in reversed(nodes):
        if node.index not in at:
            below = [at[each.index][0] for _, each in node.groups]
            at[node.index] = (float(np.mean([below[0], below[-1]])), -float(node.depth))
    return at


def _draw(ax: "Axes", node: "Node", at: dict[int, tuple[float, float]]) -> None:
    x, y = at[node.index]
    for label, below in node.branches.items():
        if below.index in at:
            to = at[below.index]
            ax.plot([x, to[0]], [y, to[1]], color=GREY, linewidth=0.9, zorder=1)
            ax.text(
                (x + to[0]) / 2, (y + to[1]) / 2, short(label, _ROOM), fontsize=8, color=INK,
                ha="center", va="center", zorder=2,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
            )  # fmt: skip
    ax.text(
        x, y, _node_text(node, at), fontsize=8.5, color="black", ha="center", va="center", zorder=3,
        bbox={"boxstyle": "round,pad=0.35", "facecolor": _shade(node), "edgecolor": INK},
    )  # fmt: skip


def _node_text(node: "Node", at: dict[int, tuple[float, float]]) -> str:
    if node.attribute is not None and all(each.index in at for _, each in node.groups):
        return short(node.attribute, _ROOM)
    value = node.value if isinstance(node.value, str) else f"{node.value:.4g}"
    more = "" if node.attribute is None else f"\n… {sum(1 for _ in node) - 1} below"
    return f"{short(value, _ROOM)}\n{node.n:.6g}{more}"


def _shade(node: "Node") -> tuple[float, float, float] | str:
    from matplotlib.colors import to_rgb

    model = node.model
    if node.attribute is not None or not isinstance(model, TreeModel):
        return "white"
    least = 1 / len(model.classes) if len(model.classes) > 1 else 0.0
    sure = max(0.0, (model.trust_at(node.index) - least) / (1 - least))
    full = _FAINT + (_FULL - _FAINT) * sure
    parts = to_rgb(colour(model.target.code(model.value_at(node.index))))
    red, green, blue = (1 - full + full * part for part in parts)  # opaque: branches end behind it
    return red, green, blue


def _description(model: Readable, shown: int) -> str:
    told = f"A tree of {model.target.name} with {model.size} nodes"
    root = model.root
    asks = f", which splits by {root.attribute} first" if root.attribute else ""
    part = f"; {shown} of them are drawn" if shown < model.size else ""
    return f"{told}{asks}{part}."
