"""Descriptions: names as they are shown, and what a plot shows as a sentence (alternative text)."""

from collections.abc import Sequence
from typing import Any, cast

from matplotlib.axes import Axes

from satsuma.data.summary import cut

#: Characters of a name that are shown.
LONGEST = 28


def short(name: str, longest: int = LONGEST) -> str:
    """A name as it is shown: not too long, and with no part taken for a formula.

    What cannot be printed is spelled out: no font could draw it.

    Examples
    --------
    >>> short("the share of the population that earns more", 20)
    'the share of the po…'
    """
    return cut(" ".join(name.split()), longest).replace("$", r"\$")


def some(parts: Sequence[str], most: int = 5) -> str:
    """A list in words, not too long.

    Examples
    --------
    >>> some(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    more = len(parts) - most
    return ", ".join(parts[:most]) + (f" and {more} more" if more > 0 else "")


def set_description(ax: Axes, sentence: str) -> Axes:
    """Keep the description of a plot with it; see `describe`."""
    cast("Any", ax).satsuma_description = sentence
    return ax


def describe(ax: Axes) -> str:
    """What a plot shows, in words: for a reader who does not see it.

    Parameters
    ----------
    ax
        What a function of `satsuma.plot` returned. Of any other Axes, the title and the names of
        its axes are told.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from satsuma.plot import describe
    >>> ax = Figure().add_subplot(title="Growth", xlabel="age", ylabel="height")
    >>> describe(ax)
    'Growth: height against age.'
    """
    told = getattr(ax, "satsuma_description", None)
    if isinstance(told, str):
        return told
    title = ax.get_title("left") or ax.get_title() or ax.get_title("right") or "A plot"
    names = [name for name in (ax.get_ylabel(), ax.get_xlabel()) if name]
    return f"{title}: {' against '.join(names)}." if names else f"{title}."
