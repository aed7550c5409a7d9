"""Contrast bars: how frequent the conditions are in which two sets of rows differ."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from satsuma.errors import SatsumaError
from satsuma.plan.contrast import Contrast, Contrasts
from satsuma.plot.descriptions import set_description, short, some
from satsuma.plot.style import GREY, INK, PALETTE, canvas, entitle, legend

#: Characters of a condition that are shown.
_LONGEST = 36


def contrasts(found: Contrasts, *, most: int = 10, ax: Axes | None = None) -> Axes:
    """The shares of best and rest that have a value or a range, the greatest difference on top.

    Parameters
    ----------
    found
        What `contrast` returned.
    most
        How many are drawn.
    ax
        Where to draw; a new figure unless given.

    Examples
    --------
    >>> from satsuma import contrast, load
    >>> from satsuma.plot import contrasts
    >>> iris = load("iris")
    >>> ax = contrasts(contrast(iris, iris["Species"] == "setosa"))
    >>> ax.get_yticklabels()[0].get_text()
    'Petal.Length <= 2.45'
    """
    if not len(found):
        raise SatsumaError(
            "There is no contrast to draw: none is significant. "
            "contrast(table, best, alpha=1) keeps all."
        )
    shown = found[:most]
    best, rest = found.sizes
    with canvas(ax, height=1.5 + 0.42 * len(shown)) as axes:
        _bars(axes, shown)
        more = f"; {len(found) - len(shown)} more not shown" if len(found) > len(shown) else ""
        entitle(axes, "In what the best rows differ", f"p corrected for {found.tests} tests{more}")
        keys = [
            Patch(color=PALETTE[0], label=f"best ({best})"),
            Patch(color=GREY, label=f"rest ({rest})"),
        ]
        legend(axes, "", keys)
    told = [
        f"{each.condition} ({each.shares[0]:.0%} against {each.shares[1]:.0%})" for each in shown
    ]
    return set_description(axes, f"In what {best} rows differ from {rest}: {some(told)}.")


def _bars(axes: Axes, shown: Sequence[Contrast]) -> None:
    """Two bars for each condition, with the effect behind them."""
    places = np.arange(len(shown))
    for at, (name, colour) in enumerate((("best", PALETTE[0]), ("rest", GREY))):
        shares = [each.shares[at] for each in shown]
        axes.barh(places + 0.2 * (2 * at - 1), shares, 0.36, color=colour, label=name)
    for place, each in zip(places.tolist(), shown, strict=True):
        axes.annotate(
            f"{100 * each.effect:+.0f} points, p {each.corrected:.1g}",
            (max(each.shares), place), (5, 0), textcoords="offset points", va="center",
            fontsize="small", color=INK,
        )  # fmt: skip
    axes.set_yticks(places, [short(each.condition, _LONGEST) for each in shown])
    axes.invert_yaxis()
    # Room for what is written at the end of the bars.
    axes.set_xlim(0, 1.42)
    axes.set_xticks(np.linspace(0, 1, 6), [f"{share:.0%}" for share in np.linspace(0, 1, 6)])
    axes.set_xlabel("share of the rows")
