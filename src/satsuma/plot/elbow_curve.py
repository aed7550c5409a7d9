"""Elbow curve: the score of each number of clusters, and which one was chosen."""

from typing import TYPE_CHECKING

from satsuma.learners.kmeans.choose_k import ChosenK
from satsuma.plot.descriptions import set_description
from satsuma.plot.plot_data import drawn_as
from satsuma.plot.style import GREY, INK, PALETTE, canvas, entitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Numbers of clusters that are written below the curve at most.
_TICKS = 12

_NAMES = {"elbow": "inertia", "silhouette": "mean silhouette", "gap": "gap"}


def elbow(chosen: ChosenK, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the curve that k was chosen by, with the k that was chosen.

    For ``elbow``, the line between the ends is drawn, too: the knee is the point farthest from it.
    A gap has its standard error.

    Parameters
    ----------
    chosen
        What `choose_k` returned.
    ax
        Where to draw; a new figure unless given.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import plot
    >>> ax = plot.elbow(satsuma.choose_k(satsuma.load("iris"), ks=range(1, 6)))
    >>> plot.describe(ax)
    'The inertia for 1 to 5 clusters; k = 2 was chosen: there the cost bends most, from 41.17 to
    12.13 and then 4.627.'
    """
    drawn_as(chosen, ChosenK, "plot.elbow draws what choose_k(…) returned")
    ks, scores, name = chosen.ks, chosen.scores, _NAMES[chosen.method]
    score = float(scores[ks.index(chosen.k)])
    with canvas(ax) as drawn:
        if chosen.method == "elbow":
            drawn.plot(
                [ks[0], ks[-1]], [scores[0], scores[-1]], color=GREY, linewidth=0.9,
                linestyle=(0, (4, 3)),
            )  # fmt: skip
        if chosen.error is not None:
            drawn.errorbar(ks, scores, chosen.error, fmt="none", ecolor=GREY, capsize=2)
        drawn.plot(ks, scores, color=PALETTE[0], marker="o", markersize=4)
        drawn.axvline(chosen.k, color=INK, linewidth=0.9, linestyle=(0, (1, 2)))
        drawn.plot([chosen.k], [score], color=PALETTE[1], marker="o", markersize=9, linestyle="")
        drawn.annotate(
            f"k = {chosen.k}", (chosen.k, score), (8, 8), textcoords="offset points", color=INK
        )
        drawn.set_xlabel("k")
        drawn.set_ylabel(name)
        drawn.set_xticks(ks if len(ks) <= _TICKS else ks[:: -(-len(ks) // _TICKS)])
        entitle(drawn, f"How many clusters: {chosen.k}")
        told = (
            f"The {name} for {ks[0]} to {ks[-1]} clusters; k = {chosen.k} was chosen: {chosen.why}."
        )
        return set_description(drawn, told)
