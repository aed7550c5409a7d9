"""Style: what all plots have in common. Colours, the canvas, the legend and the title."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from satsuma.numerics.arrays import Floats
from satsuma.plot.descriptions import short

if TYPE_CHECKING:
    from matplotlib.artist import Artist

#: Colours that can be told apart with any kind of colour vision (Okabe and Ito 2008).
PALETTE = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#4D4D4D",
)  # fmt: skip

#: What is drawn where there is no class to give it a colour.
GREY = "#8C8C8C"

#: What is written beside the data: less loud than the data.
INK = "#333333"

#: Markers and dashes of the first eight classes, of the next eight, and so on.
_MARKERS = ("o", "s", "^", "D")
_DASHES = ("-", "--", "-.", ":")

#: Classes that a legend names; it counts the others.
MOST_NAMED = 12

#: The look of a plot that is made here, whatever the settings of the user are.
_LOOK = {
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "legend.frameon": False,
    "xtick.color": INK,
    "ytick.color": INK,
}

#: Settings that have a say in what a plot looks like.
_SETTINGS = (
    "axes", "contour", "figure", "font", "hatch", "image", "legend", "lines", "markers",
    "mathtext", "patch", "scatter", "text", "xtick", "ytick",
)  # fmt: skip


@contextmanager
def canvas(ax: Axes | None, width: float = 6.4, height: float = 4.2) -> Generator[Axes]:
    """The Axes to draw on: the one given, or that of a new figure in our own look.

    On an Axes that is given, the user's settings stand. A new figure is made without pyplot:
    nothing is kept open, and no window system is looked for.
    """
    if ax is not None:
        yield ax
        return
    with mpl.rc_context(cast("Any", {**_plain(), **_LOOK})):
        axes = Figure(figsize=(width, height), dpi=120, layout="constrained").add_subplot()
        # Ticks are made when a plot is drawn; by then the settings are the user's again.
        axes.tick_params(labelsize=8.5, labelfontfamily="DejaVu Sans", color=INK, labelcolor=INK)
        yield axes


def _plain() -> dict[str, Any]:
    """The settings as matplotlib ships them."""
    shipped: Any = mpl.rcParamsDefault
    return {key: each for key, each in shipped.items() if key.split(".")[0] in _SETTINGS}


def colour(code: int) -> str | tuple[float, float, float]:
    """The colour of a class: after eight, darker ones of the same hues, and then lighter ones."""
    plain, turn = PALETTE[code % len(PALETTE)], code // len(PALETTE) % 3
    if not turn:
        return plain
    other = 0.0 if turn == 1 else 1.0
    red, green, blue = (0.55 * part + 0.45 * other for part in to_rgb(plain))
    return (red, green, blue)


def colours(classes: int) -> Floats:
    """The colours of all classes: an array (classes, 3)."""
    return np.array([to_rgb(colour(code)) for code in range(classes)]).reshape(classes, 3)


def marker(code: int) -> str:
    """The marker of the points of a class."""
    return _MARKERS[code // len(PALETTE) % len(_MARKERS)]


def dash(code: int) -> Any:
    """The dashes of the line of a class."""
    return _DASHES[code // len(PALETTE) % len(_DASHES)]


def line_key(code: int, name: str) -> Line2D:
    """The entry of a class in a legend of lines."""
    return Line2D([], [], color=colour(code), linestyle=dash(code), linewidth=2, label=short(name))


def patch_key(code: int, name: str) -> Patch:
    """The entry of a class in a legend of areas."""
    return Patch(color=colour(code), label=short(name))


def point_key(code: int, name: str) -> Line2D:
    """The entry of a class in a legend of points."""
    return Line2D(
        [], [], linestyle="", marker=marker(code), markersize=6, color=colour(code),
        markeredgecolor="white", label=short(name),
    )  # fmt: skip


def legend(
    ax: Axes, title: str, classes: "Sequence[Artist]", others: "Sequence[Artist]" = ()
) -> None:
    """A legend beside the data, never over it; so many classes are named, the others counted."""
    named = list(classes[:MOST_NAMED])
    if more := len(classes) - len(named):
        named.append(Line2D([], [], linestyle="", label=f"and {more} more"))
    ax.legend(
        handles=[*named, *others],
        title=short(title),
        loc="upper left",
        bbox_to_anchor=(1.01, 1.0),
        borderaxespad=0.0,
        frameon=False,
        alignment="left",
        handlelength=1.6,
    )


def legend_height(classes: int) -> float:
    """How high a plot must be, in inches, for its legend."""
    return 1.1 + 0.2 * (min(classes, MOST_NAMED) + 2)


def entitle(ax: Axes, title: str, note: str = "", pad: float | None = None) -> None:
    """What is shown, and under it, smaller, what must be known to read it.

    A title of the user's own takes their place, be it there already or set later.
    """
    if ax.get_title():
        return
    ours = [ax.set_title(title, loc="left", pad=20 if note else pad)]
    if note:
        # The title has one size: the note stands in an annotation of its own, right below it.
        ours.append(
            ax.annotate(
                note, (0, 1), (0, 6), xycoords="axes fraction", textcoords="offset points",
                fontsize="small", color=GREY, annotation_clip=False,
            )
        )  # fmt: skip

    def give_way(theirs: Any) -> None:
        for each in ours:
            each.set_text("" if theirs.get_text() else each.get_text())

    ax.title.add_callback(give_way)
