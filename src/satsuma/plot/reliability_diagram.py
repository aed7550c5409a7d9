"""Calibration: the reliability diagram, how often probabilities are right."""

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from satsuma.errors import DomainError
from satsuma.evaluate.reliability import Reliability
from satsuma.evaluate.results import Results
from satsuma.numerics.arrays import Array, Floats
from satsuma.plot.descriptions import set_description, short, some
from satsuma.plot.style import GREY, canvas, colour, entitle, legend

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes


def calibration(
    results: Results,
    value: str | None = None,
    *,
    learners: "Sequence[str] | None" = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """The reliability diagram: the share of rows that are right, by what was promised of them.

    On the diagonal, nine of ten rows of a probability of 90 % are right; below it a model promises
    too much. Rows are in ten bins of probability, with 95 % confidence as a band; a larger dot is
    more rows.

    Parameters
    ----------
    results
        What `cross_validate` or `hold_out` returned: predictions for rows not learned from.
    value
        The class whose probability is drawn; that of the most probable one unless given.
    learners
        Names of those that are drawn; all unless given.
    ax
        Where to draw; a new figure unless given.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import NaiveBayes, cross_validate, plot
    >>> both = {"plain": NaiveBayes(calibrate=False), "calibrated": NaiveBayes()}
    >>> results = cross_validate(both, satsuma.load("voting"), folds=5)
    >>> print(plot.describe(plot.calibration(results)))
    Right rows by predicted probability; mean distance: plain 0.087, calibrated 0.031.
    """
    given: Any = results
    if not isinstance(given, Results) or results.target.kind != "sym":
        raise DomainError(
            "plot.calibration draws the results of learners of classes: "
            "plot.calibration(cross_validate(NaiveBayes(), table))."
        )
    names = list(results.learners) if learners is None else list(learners)
    found = {name: _reliability(results, name, value) for name in names}
    with canvas(ax) as axes:
        low = _draw(axes, list(found.values()))
        axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
        of = "predicted class" if value is None else f"{results.target.name} = {value}"
        axes.set_xlabel(f"probability of {'the ' if value is None else ''}{short(of)}")
        axes.set_ylabel("share of rows that are so")
        axes.set_xlim(low, 1.02)
        axes.set_ylim(low, 1.02)
        told = [f"{short(name)}: {each.error:.3f}" for name, each in found.items()]
        lines = [
            Line2D([], [], color=colour(at), marker="o", markersize=5, linewidth=2, label=label)
            for at, label in enumerate(told)
        ]
        band = Patch(color=GREY, alpha=0.25, linewidth=0, label="95 % confidence")
        legend(axes, "calibration error", lines, [band])
        note = "below the line: more was promised than came true"
        entitle(axes, f"Calibration of {short(results.target.name)}", note)
    off = some([f"{name} {each.error:.3f}" for name, each in found.items()])
    which = "Right rows" if value is None else f"Rows of {value}"
    return set_description(axes, f"{which} by predicted probability; mean distance: {off}.")


def _reliability(results: Results, name: str, value: str | None) -> Reliability:
    """Of all repeats together; a row counts once."""
    code = None if value is None else results.target.code(value)
    thought, truth, weights = list[Floats](), list[Array](), list[Floats]()
    for at, trial in enumerate(results.trials):
        tested = trial.parts >= 0
        thought.append(results.probabilities(name, at)[tested])
        truth.append(trial.truth[tested])
        each = np.ones(len(trial.truth)) if trial.weights is None else trial.weights
        weights.append(each[tested])
    found = Reliability.of(
        np.concatenate(thought), np.concatenate(truth), np.concatenate(weights), code
    )
    repeats = len(results.trials)
    return Reliability(found.predicted, found.right, found.weight / repeats, found.size / repeats)


def _draw(axes: "Axes", found: "Sequence[Reliability]") -> float:
    """Bands, lines and dots; the lowest number that is drawn."""
    most = max((float(each.weight.max(initial=0)) for each in found), default=1.0) or 1.0
    for at, each in enumerate(found):
        low, high = each.interval()
        axes.fill_between(each.predicted, low, high, color=colour(at), alpha=0.15, linewidth=0)
        axes.plot(each.predicted, each.right, color=colour(at), linewidth=2, zorder=2)
        sizes = 8 + 70 * each.weight / most
        axes.scatter(each.predicted, each.right, s=sizes.tolist(), color=colour(at),
                     edgecolors="white", linewidths=0.8, zorder=3)  # fmt: skip
    least = [min(each.predicted.min(initial=1), each.right.min(initial=1)) for each in found]
    return max(-0.02, float(min(least, default=0.0)) - 0.06)
