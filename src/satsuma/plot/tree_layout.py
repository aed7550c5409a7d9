"""Tree layout: where the boxes and labels of a tree stand, so that none is upon another.

Lengths are in points, measured from the top left corner.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

#: The size of the letters, what a box has about them, and how far lines of a text are apart.
LETTERS, PAD, LINE = 8.5, 0.35, 1.25

#: Between neighbours, and between what is one below the other.
_BESIDE, _BELOW = 10.0, 16.0

#: How far a line of a list is from the one above it, and from the left of the one it belongs to.
_ROW, _INDENT = 17.0, 18.0


@dataclass
class Place:
    """A node as it is drawn: its texts, and where they stand.

    Parameters
    ----------
    label
        What leads to it.
    text
        What stands in its box; a line of a list has none where the tree goes on.
    above
        The place of its parent; None for the root.
    level
        How many splits are above it.
    """

    label: str
    text: str
    above: "Place | None"
    level: int
    x: float = 0.0
    y: float = 0.0
    below: "list[Place]" = field(default_factory=list["Place"])

    @property
    def box(self) -> tuple[float, float]:
        """The width and the height of its box."""
        if not self.text:
            return 0.0, 0.0
        wide, high = extent(self.text)
        return wide + 2 * PAD * LETTERS + 2, high + 2 * PAD * LETTERS

    @property
    def label_size(self) -> tuple[float, float]:
        """The width and the height of its label."""
        return extent(self.label) if self.label else (0.0, 0.0)


@lru_cache(maxsize=4096)
def _width(line: str) -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    return float(
        text_to_path.get_text_width_height_descent(line, FontProperties(size=LETTERS), False)[0]
    )


def extent(text: str) -> tuple[float, float]:
    """The width and the height of a text."""
    lines = text.split("\n")
    return max(_width(line) for line in lines), LINE * LETTERS * len(lines)


def diagram(places: Sequence[Place]) -> tuple[float, float]:
    """Place nodes from the top down, each in the middle above its branches; how large it gets.

    A label stands right above its box. Each subtree is moved to the right until it is clear of
    those to its left, level by level (after Reingold and Tilford 1981).

    Parameters
    ----------
    places
        Each before its branches.
    """
    edges = _shift_apart(places)
    for place in places:
        place.x += 0.0 if place.above is None else place.above.x
    left = min(low for low, _ in edges)
    for place in places:
        place.x -= left
    top = 0.0
    for level in range(len(edges)):
        here = [place for place in places if place.level == level]
        boxes = top + max(place.label_size[1] for place in here)
        for place in here:
            place.y = boxes + place.box[1] / 2
        top = boxes + max(place.box[1] for place in here) + _BELOW
    return max(high for _, high in edges) - left, top - _BELOW


def _shift_apart(places: Sequence[Place]) -> list[tuple[float, float]]:
    """Set `x` of nodes from their parents; how far all goes to the left and right by level."""
    outlines: dict[int, list[tuple[float, float]]] = {}
    for place in reversed(places):
        half = max(place.box[0], place.label_size[0]) / 2
        merged: list[tuple[float, float]] = []
        for each in place.below:
            mine = outlines.pop(id(each))
            pairs = zip(merged, mine, strict=False)
            each.x = max((old[1] - new[0] + _BESIDE for old, new in pairs), default=0.0)
            moved = [(low + each.x, high + each.x) for low, high in mine]
            both = [(old[0], new[1]) for old, new in zip(merged, moved, strict=False)]
            merged = both + merged[len(both) :] + moved[len(both) :]
        middle = (place.below[0].x + place.below[-1].x) / 2 if place.below else 0.0
        for each in place.below:
            each.x -= middle
        rest = [(low - middle, high - middle) for low, high in merged]
        outlines[id(place)] = [(-half, half), *rest]
    return outlines[id(places[0])]


def nested_list(places: Sequence[Place]) -> tuple[float, float]:
    """Place nodes one line below the other, set in by their level; how large it gets.

    `x` is where the label begins; the box stands to its right.
    """
    lines = [place for place in places if place.above is not None] or list(places)
    for row, place in enumerate(lines):
        place.x, place.y = _INDENT * max(place.level - 1, 0), _ROW * (row + 0.5)
    return max(list_box(place) + place.box[0] for place in lines), _ROW * len(lines)


def list_box(place: Place) -> float:
    """Where the box of a line of a list begins."""
    return place.x + place.label_size[0] + (10.0 if place.label else 0.0)


#: A way of placing nodes.
Layout = Callable[[Sequence[Place]], tuple[float, float]]
