"""Tree diagram: the splits of a tree from the top down, and the predictions at the leaves."""

from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from satsuma.errors import DomainError, ParameterError
from satsuma.kernels.tree import depths
from satsuma.learners.tree.model import Readable, RegressionTreeModel, TreeModel
from satsuma.learners.tree.show import rounded
from satsuma.numerics.arrays import Integers
from satsuma.plot.descriptions import set_description, short
from satsuma.plot.style import GREY, INK, canvas, colour, entitle
from satsuma.plot.tree_layout import (
    LETTERS,
    PAD,
    Layout,
    Place,
    diagram,
    list_box,
    nested_list,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from satsuma.learners.model import Model
    from satsuma.learners.tree.node import Node

#: How much colour a leaf gets whose classes are even, and one that is pure.
_FAINT, _FULL = 0.15, 0.65

#: Characters of a name, and of a line of a label; lines of a label, characters of a condition.
_ROOM, _LABEL, _LINES, _CONDITION = 22, 20, 3, 70

#: A figure of our own is no larger than this, and has such a margin, in points.
_WIDEST, _HIGHEST, _MARGIN = 11 * 72.0, 11.5 * 72.0, 8.0

#: Nodes that any picture can show, and how small letters may get in an Axes of the user.
_MOST, _SMALLEST = 62, 0.75


def tree(model: "Model", *, depth: int | None = None, ax: "Axes | None" = None) -> "Axes":
    """Draw a tree: each box is a split by a column, branches are its values, leaves predictions.

    A leaf has the colour of its class, the fuller the purer, and shows the weight of its rows and
    the share of them that are of its class; of numbers, it shows mean and standard deviation. A
    tree that is too wide to be drawn from the top down is drawn as a list, its branches one
    below the other; one that is too large for that is cut at the depth that there is room for, and
    the nodes that are left out are counted.

    Parameters
    ----------
    model
        Of `Tree`, `RegressionTree`, `ID3` or `ModelTree`.
    depth
        The most splits that are drawn one below the other; None for as many as there is room for.
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
    if depth is not None and depth < 0:
        raise ParameterError(f"depth must be a whole number of at least 0. Got {depth!r} instead.")
    room = None if ax is None else (_points(ax, ax.bbox.width), _points(ax, ax.bbox.height))
    picture = _picture(model, depth, room)
    wide, high = (each + 2 * _MARGIN for each in picture.size)
    figure = max(4.0, wide / 72 + 0.1), max(1.2, high / 72 + 0.4)
    with canvas(ax, *figure) as drawn:
        room = (72 * figure[0] - 6, high) if room is None else room
        scale = min(1.0, room[0] / wide, room[1] / high)
        _draw(drawn, picture, scale)
        spare = max(0.0, room[0] / scale - wide) * (0.5 if picture.layout is diagram else 0.0)
        drawn.set_xlim(-_MARGIN - spare, room[0] / scale - _MARGIN - spare)
        drawn.set_ylim(room[1] / scale - _MARGIN, -_MARGIN)
        drawn.axis("off")
        entitle(drawn, f"A tree of {short(model.target.name)}")
        return set_description(drawn, _description(model, len(picture.places)))


def _points(ax: "Axes", pixels: float) -> float:
    return 72 * pixels / ax.get_figure(root=True).dpi  # pyright: ignore[reportOptionalMemberAccess]


class _Picture(NamedTuple):
    """Nodes, where they are placed, and how large it gets."""

    nodes: "list[Node]"
    places: list[Place]
    layout: Layout
    size: tuple[float, float]


def _picture(model: Readable, depth: int | None, room: tuple[float, float] | None) -> _Picture:
    """All of the tree from the top down if there is room, else as a list, cut if need be."""
    deep = depths(model.flat)
    most = int(deep.max()) if depth is None else min(depth, int(deep.max()))
    wide, high = (_WIDEST, _HIGHEST) if room is None else (each / _SMALLEST for each in room)
    for level in range(most, -1, -1):
        if level and np.count_nonzero(deep <= level) > _MOST:
            continue
        for layout in (diagram, nested_list):
            nodes, places = _placed(model, deep, level, layout)
            size = layout(places)
            if not level or (size[0] <= wide and size[1] <= high):
                return _Picture(nodes, places, layout, size)
    raise AssertionError("a root alone is always drawn")  # pragma: no cover


def _placed(
    model: Readable, deep: Integers, level: int, layout: Layout
) -> "tuple[list[Node], list[Place]]":
    """The nodes down to a level, each before its branches, and what is written at each."""
    nodes, places = list["Node"](), list[Place]()
    waiting: list[tuple[Node, str, Place | None]] = [(model.root, "", None)]
    while waiting:
        node, label, above = waiting.pop()
        goes_on = node.attribute is not None and node.depth < level
        if not goes_on:
            text = _answer(node, deep, " " if layout is nested_list else "\n")
        else:
            text = "" if layout is nested_list else short(node.attribute or "", _ROOM)
        place = Place(label, text, above, node.depth)
        if above is not None:
            above.below.append(place)
        nodes.append(node)
        places.append(place)
        if goes_on:
            labels = _labels(node, layout)
            below = [each for _, each in node.groups]
            waiting += [(each, told, place) for each, told in zip(below, labels, strict=True)][::-1]
    return nodes, places


def _labels(node: "Node", layout: Layout) -> list[str]:
    if layout is nested_list:
        return [short(each, _CONDITION) for each in node.conditions]
    return [_wrapped(each) for each in node.branches]


def _wrapped(label: str) -> str:
    """What leads to a branch in a few short lines; values that have no room are counted."""
    lines = wrap(short(label, 10 * _LABEL), _LABEL, break_on_hyphens=False) or [""]
    if len(lines) <= _LINES:
        return "\n".join(lines)
    kept = "\n".join(lines[: _LINES - 1])
    more = label.count(", ") - kept.replace("\n", " ").count(", ")
    return f"{kept}\n… {more} more" if more > 0 and kept.endswith(",") else f"{kept} …"


def _answer(node: "Node", deep: Integers, between: str) -> str:
    """What is predicted at a node, on how many rows, and what is not drawn below it."""
    trust = node.model.trust_at(node.index)
    if isinstance(node.value, str):
        sure = "" if trust == 1 else f", {trust:.0%}"
        told = f"{short(node.value, _ROOM)}{between}({_rows(node.n)}{sure})"
    else:
        told = f"{rounded(node.value, 4)} ± {rounded(trust, 2)}{between}({_rows(node.n)})"
    if node.attribute is None:
        return told
    after = deep[node.index + 1 :] <= node.depth
    more = int(after.argmax()) if after.any() else len(after)
    return f"{told}{between}… {more} nodes below"


def _rows(weight: float) -> str:
    """What rows weigh; where some are spread over branches, to one decimal."""
    return rounded(weight, 6) if weight == round(weight) else f"{weight:.1f}"


def _draw(ax: "Axes", picture: _Picture, scale: float) -> None:
    as_list = picture.layout is nested_list
    for node, place in zip(picture.nodes, picture.places, strict=True):
        x = list_box(place) if as_list else place.x
        if place.above is not None:
            _draw_line(ax, place, place.above, as_list=as_list)
            low = place.y if as_list else place.y - place.box[1] / 2 - place.label_size[1] / 2
            ax.text(
                place.x, low, place.label, fontsize=LETTERS * scale, color=INK, va="center",
                ha="left" if as_list else "center", linespacing=1.15, zorder=2,
                gid="label",
            )  # fmt: skip
        if place.text:
            inside = PAD * LETTERS if as_list else 0
            ax.text(
                x + inside, place.y, place.text, fontsize=LETTERS * scale, color="black",
                ha="left" if as_list else "center", va="center", linespacing=1.15, zorder=3,
                gid="box",
                bbox={
                    "boxstyle": f"round,pad={0.15 if as_list else PAD}",
                    "facecolor": _shade(node, drawn_on=bool(place.below)),
                    "edgecolor": INK,
                    "linewidth": 0.8,
                    "linestyle": "--" if node.attribute and not place.below else "-",
                },
            )  # fmt: skip


def _draw_line(ax: "Axes", place: Place, above: Place, *, as_list: bool) -> None:
    """The way from a node to the one below it, in right angles."""
    if as_list:
        if above.above is None:
            return
        x = above.x + 5
        path = [(x, above.y + 6), (x, place.y), (place.x - 2, place.y)]
    else:
        lowest = above.y + above.box[1] / 2
        top = place.y - place.box[1] / 2 - place.label_size[1]
        turn = min(each.y - each.box[1] / 2 - each.label_size[1] for each in above.below) - 6
        path = [(above.x, lowest), (above.x, turn), (place.x, turn), (place.x, top)]
    ax.plot(*zip(*path, strict=True), color=GREY, linewidth=0.9, zorder=1)


def _shade(node: "Node", *, drawn_on: bool) -> tuple[float, float, float] | str:
    from matplotlib.colors import to_rgb

    model = node.model
    if drawn_on:
        return "white"
    if isinstance(model, TreeModel):
        least = 1 / len(model.classes) if len(model.classes) > 1 else 0.0
        sure = max(0.0, (model.trust_at(node.index) - least) / (1 - least))
        code = model.target.code(model.value_at(node.index))
    elif isinstance(model, RegressionTreeModel):
        ends = model.mean[model.column < 0]
        spread = float(np.ptp(ends))
        sure = (float(model.mean[node.index]) - float(ends.min())) / spread if spread else 0.0
        code = 0
    else:
        return "white"
    full = _FAINT + (_FULL - _FAINT) * min(max(sure, 0.0), 1.0)
    red, green, blue = (1 - full + full * part for part in to_rgb(colour(code)))
    return red, green, blue


def _description(model: Readable, shown: int) -> str:
    told = f"A tree of {model.target.name} with {model.size} nodes"
    root = model.root
    asks = f", which splits by {root.attribute} first" if root.attribute else ""
    part = f"; {shown} of them are drawn" if shown < model.size else ""
    return f"{told}{asks}{part}."
