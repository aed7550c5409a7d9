"""Recall: how relevant rows were found, label by label, and where to stop."""

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from satsuma.active.stop_by_recall import finds_of, recall_advice, stop_point
from satsuma.errors import ParameterError
from satsuma.plot.descriptions import set_description, short
from satsuma.plot.style import GREY, INK, canvas, colour, entitle, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from satsuma.active.labelling import Labelling
    from satsuma.active.recall import Finds


def recall(
    labelling: "Labelling",
    *,
    sought: str | None = None,
    relevant: int | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Relevant rows found against labels given, with the first advice to stop.

    At the end of the line is how many there may be in all, as `stop_advice` estimates; the dashed
    line is what reading in any order would have found.

    Parameters
    ----------
    labelling
        Rows and the labels so far.
    sought
        The relevant class; see `stop_advice`.
    relevant
        How many relevant rows there are, where that is known.
    ax
        Where to draw; without it, on a new figure.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma.active.active_learning import Active, hide_labels
    >>> from satsuma import Oracle
    >>> voting = satsuma.load("voting")
    >>> how = Active(learner=satsuma.NaiveBayes(), acquire="certain", budget=30)
    >>> done = how(hide_labels(voting), Oracle(voting))
    >>> satsuma.plot.recall(done, sought="republican").get_ylabel()
    'rows of republican found'
    """
    wanted = labelling.sought if sought is None else sought
    if wanted is None:
        raise ParameterError(
            "plot.recall shows how rows of a class were found, and none is sought here. "
            "Name it: sought=…."
        )
    finds = finds_of(labelling, wanted)
    stop = stop_point(finds)
    with canvas(ax) as axes:
        _draw(axes, finds, stop, relevant)
        axes.set_xlabel("labels given")
        axes.set_ylabel(f"rows of {short(wanted)} found")
        note = f"{finds.total:,} found with {len(finds.found):,} labels of {finds.rows:,} rows"
        entitle(axes, f"Finding {short(labelling.target.name)} = {short(wanted)}", note)
    return set_description(axes, f"{note}; {_stopping(finds, stop)}.")


def _stopping(finds: "Finds", stop: int | None) -> str:
    """What the advice to stop was, and how many rows are expected among the rest."""
    told = "no advice to stop yet" if stop is None else f"first advice to stop after {stop:,}"
    if stop is not None:
        told += f", with {finds.up_to(stop).total:,} found"
    advice = recall_advice(finds)
    if np.isnan(advice.value):
        return f"{told}; too few were found to say how many are left"
    expected = f"{advice.unfound:.1f} are expected among the rest"
    return f"{told}; {expected}, at most {advice.most_unfound:,}"


def _draw(axes: "Axes", finds: "Finds", stop: int | None, relevant: int | None) -> None:
    labels, counts = len(finds.found), np.concatenate([[0], np.cumsum(finds.found)])
    rest = finds.rest(0.95)
    keys: list[Any] = [Line2D([], [], color=colour(0), linewidth=2, label="found")]
    axes.step(np.arange(labels + 1), counts, where="post", color=colour(0), linewidth=2)
    total = finds.total + (0.0 if np.isnan(rest.expected) else rest.expected)
    total = total if relevant is None else relevant
    axes.plot([0, labels], [0, total * labels / finds.rows], color=GREY, linestyle="--")
    keys.append(Line2D([], [], color=GREY, linestyle="--", label="in any order"))
    top = float(max(total, counts[-1]))
    if rest.most <= max(finds.total, 1):  # more than that is as good as unknown
        axes.fill_between(
            [labels, 1.04 * labels], finds.total + rest.least, finds.total + rest.most,
            color=colour(0), alpha=0.3, linewidth=0,
        )  # fmt: skip
        keys.append(Patch(color=colour(0), alpha=0.3, label="in all, estimated"))
        top = max(top, finds.total + rest.most)
    if relevant is not None:
        axes.axhline(relevant, color=INK, linewidth=0.8)
        keys.append(Line2D([], [], color=INK, linewidth=0.8, label="all there are"))
    if stop is not None:
        axes.axvline(stop, color=colour(5), linestyle=":")
        axes.plot([stop], [counts[stop]], marker="o", color=colour(5))
        label = f"advice to stop: {stop:,}"
        keys.append(Line2D([], [], color=colour(5), linestyle=":", marker="o", label=label))
    axes.set_xlim(0, 1.05 * labels)
    axes.set_ylim(0, 1.06 * top)
    legend(axes, "", [], keys)
