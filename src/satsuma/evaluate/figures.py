"""Drawings of results. Each takes an Axes, or makes one, and returns it; none is shown."""

from typing import TYPE_CHECKING, Any, cast

import numpy as np

if TYPE_CHECKING:
    from satsuma.evaluate.curve import Curve
    from satsuma.evaluate.results import Results


def draw_results(results: "Results", score: str, ax: Any) -> Any:
    """The score of each fold as a dot and the mean as a bar, the best learner on top."""
    axes, name = _axes(ax), results.score_name(score)
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


def draw_curve(curve: "Curve", score: str, ax: Any) -> Any:
    """The score against the number of rows learned from."""
    axes = _axes(ax)
    for name, means in curve.scores(score).items():
        axes.plot(curve.sizes, means, "o-", label=name)
    axes.set_xlabel("rows learned from")
    axes.set_ylabel(curve.results[0].score_name(score))
    axes.legend()
    return axes


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    from matplotlib.figure import Figure

    # Without pyplot: nothing is kept open, and no window system is looked for.
    return cast("Any", Figure)(layout="constrained").add_subplot()
