"""Labelling curves: accuracy by the number of labels, for each acquisition function."""

from typing import TYPE_CHECKING

import numpy as np

from satsuma.active.simulation import Simulation
from satsuma.plot.descriptions import set_description, short
from satsuma.plot.plot_data import drawn_as
from satsuma.plot.style import GREY, PALETTE, canvas, entitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Points of a curve.
_POINTS = 200


def labelling_curves(simulation: Simulation, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the learning curves of a simulation: the median of the runs, and all of them as a band.

    Parameters
    ----------
    simulation
        What `simulate` returned.
    ax
        Where to draw; a new figure unless given.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import Active, NaiveBayes, plot, simulate
    >>> ways = [
    ...     Active(learner=NaiveBayes(), acquire=how, budget=20) for how in ("uncertain", "random")
    ... ]
    >>> ax = plot.labelling_curves(simulate(ways, satsuma.load("voting"), seeds=2))
    >>> ax.get_xlabel()
    'labels'
    """
    drawn_as(simulation, Simulation, "plot.labelling_curves draws what simulate(…) returned")
    last = max(curve.labels[-1] for own in simulation.curves.values() for curve in own
               if curve.labels)  # fmt: skip
    places = np.unique(np.linspace(1, last, _POINTS).round())
    with canvas(ax) as drawn:
        for at, (name, own) in enumerate(simulation.curves.items()):
            runs = np.array([curve.at(places) for curve in own])
            known = ~np.isnan(runs).any(axis=0)
            colour = PALETTE[at % len(PALETTE)]
            low, high = runs[:, known].min(axis=0), runs[:, known].max(axis=0)
            drawn.fill_between(places[known], low, high, color=colour, alpha=0.15, linewidth=0)
            middle = np.median(runs[:, known], axis=0)
            drawn.plot(places[known], middle, color=colour, label=short(name))
        full = float(np.mean([curve.full for own in simulation.curves.values() for curve in own]))
        drawn.axhline(simulation.goal * full, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)))
        drawn.set_xlabel("labels")
        drawn.set_ylabel(simulation.scored)
        drawn.legend(frameon=False)
        needed = ", ".join(f"{name} {_format_count(n)}" for name, n in simulation.needed.items())
        entitle(drawn, f"Labels to reach {simulation.goal:.0%}: {needed}")
        told = f"The {simulation.scored} by number of labels; labels needed for "
        return set_description(drawn, f"{told}{simulation.goal:.0%}: {needed}.")


def _format_count(labels: float) -> str:
    return f"{labels:.0f}" if np.isfinite(labels) else "too many"
