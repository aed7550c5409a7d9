"""Plot images: plots of `satsuma.plot` as data URLs, which hold all of their data."""

import base64
import io
import warnings
from typing import TYPE_CHECKING, Any, cast

import matplotlib as mpl

from satsuma.plot.descriptions import describe
from satsuma.report.elements import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The same drawing is the same file: no random names, no date, no program.
_SAME = {"svg.hashsalt": "satsuma", "svg.fonttype": "path"}
_NOTHING = {"Date": None, "Creator": None, "Format": None, "Type": None}

#: Pixels of a page to an inch.
_PIXELS = 96


def plot_image(ax: "Axes", caption: str) -> Picture:
    """An Axes as a picture of the page. It is shown as an image: nothing in it can run."""
    figure = cast("Any", ax.figure)
    held = io.BytesIO()
    with mpl.rc_context(cast("Any", _SAME)), warnings.catch_warnings():
        # A name in letters that the font lacks is drawn as boxes; the words beside it have it.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure.savefig(held, format="svg", metadata=_NOTHING)
    data = base64.b64encode(held.getvalue()).decode("ascii")
    width = round(float(figure.get_size_inches()[0]) * _PIXELS)
    return Picture(f"data:image/svg+xml;base64,{data}", describe(ax), caption, width)
