"""What results look like to a person: printed, in a notebook, as a data frame, and as a plot."""

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from satsuma.data.grids import aligned, grid_html
from satsuma.data.summary import cut
from satsuma.evaluate.results import Results
from satsuma.evaluate.scores import SHOWN

if TYPE_CHECKING:
    import pandas as pd

#: Characters of a learner's name that are shown.
NAME = 48


def show(results: Results) -> str:
    """A title, then a line for each learner, best first."""
    notes = ["", *results.notes] if results.notes else []
    return "\n".join([title(results), "", *aligned(cells(results)), *notes])


def show_html(results: Results) -> str:
    """The same as a piece of HTML."""
    return grid_html(" ".join([title(results), *results.notes]), cells(results))


def title(results: Results) -> str:
    """What was predicted, and how it was tested."""
    return f"{results.target.name}: {results.what}"


def cells(results: Results, score: str = "") -> list[list[str]]:
    """The head and a line for each learner, best first by a score: the usual one unless given."""
    ranks, seconds = results.rank(score), results.seconds
    scores = {each: results.scores(each) for each in SHOWN[results.target.kind]}
    lines = [["learner", *scores, "seconds", "rank"]]
    for name, rank in ranks.items():
        found = [number(each[name]) for each in scores.values()]
        lines.append([cut(name, NAME), *found, f"{seconds[name]:.3g}", str(rank)])
    return lines


def number(score: float) -> str:
    """A score, as it is shown."""
    if np.isnan(score):
        return "?"
    return f"{score:.4f}" if abs(score) < 1000 else f"{score:.5g}"


def percent(share: float) -> str:
    """A share, as it is shown.

    Examples
    --------
    >>> percent(0.12345), percent(float("nan"))
    ('12.3 %', '?')
    """
    return "?" if np.isnan(share) else f"{100 * share:.3g} %"


def interval(low: float, high: float) -> str:
    """An interval, as it is shown.

    Examples
    --------
    >>> interval(0.81234, 0.9), interval(float("nan"), float("nan"))
    ('0.812-0.900', '?')
    """
    if np.isnan(low):
        return "?"
    digits = 3 if max(abs(low), abs(high)) < 100 else 0
    mark = " to " if low < 0 else "-"
    return f"{low:,.{digits}f}{mark}{high:,.{digits}f}"


def frame(results: Results, score: Any = "") -> "pd.DataFrame":
    """A row for each learner, best first by a score: the usual one unless given."""
    import pandas as pd

    ranks, seconds = results.rank(score), results.seconds
    columns = {each: results.scores(each) for each in SHOWN[results.target.kind]}
    columns.setdefault(results.score_name(score), results.scores(score))
    made = {score: [found[name] for name in ranks] for score, found in columns.items()}
    index = pd.Index(list(ranks), name="learner")
    return pd.DataFrame(
        {**made, "seconds": [seconds[name] for name in ranks], "rank": list(ranks.values())}, index
    )


def draw(results: Results, score: str, ax: Any) -> Any:
    """The score of each fold as a dot and the mean as a bar, the best learner on top."""
    axes, name = new_axes() if ax is None else ax, results.score_name(score)
    folds, means = results.by_fold(score), results.scores(score)
    rising = results.rises(score)
    order = sorted(means, key=lambda one: means[one], reverse=not rising)
    for at, learner in enumerate(order):
        axes.plot(folds[learner], np.full(len(folds[learner]), at), "o", color="C0", alpha=0.4)
        axes.plot([means[learner]], [at], "|", color="black", markersize=18, markeredgewidth=2)
    axes.set_yticks(range(len(order)), order)
    axes.set_xlabel(name)
    axes.set_title(results.what)
    return axes


def new_axes() -> Any:
    """An Axes of matplotlib that no window shows."""
    from matplotlib.figure import Figure

    # Without pyplot: nothing is kept open, and no window system is looked for.
    return cast("Any", Figure)(layout="constrained").add_subplot()
