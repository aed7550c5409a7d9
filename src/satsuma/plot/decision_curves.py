"""Curves of decisions: ROC, precision and recall, thresholds, and cumulative gain."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.errors import DomainError
from satsuma.evaluate.cost_scores import Cost, measure_of
from satsuma.evaluate.decision_curve import DecisionCurve, Thoughts
from satsuma.evaluate.results import Results
from satsuma.evaluate.thresholds import threshold as choose_threshold
from satsuma.evaluate.thresholds import two_by_two
from satsuma.plot.descriptions import set_description, short, some
from satsuma.plot.style import GREY, canvas, colour, dash, entitle, legend, line_key

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def roc(
    results: Results,
    value: str | None = None,
    *,
    learners: Sequence[str] | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """The ROC curve: how much of a class is found, by how much of the rest is called so.

    Rows of all folds are taken together. The nearer to the upper left corner, the better; on the
    diagonal a learner orders rows by chance.

    Parameters
    ----------
    results
        What `cross_validate` or `hold_out` returned: predictions for rows not learned from.
    value
        The class; the rarer of two unless given.
    learners
        Names of those that are drawn; all unless given.
    ax
        Where to draw; a new figure unless given.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import Logistic, cross_validate, plot
    >>> results = cross_validate(Logistic(), satsuma.load("voting"), folds=5)
    >>> print(plot.describe(plot.roc(results)))
    ROC curves of party = republican; area: Logistic 0.99...
    """
    return _draw(_ROC, results, value, learners, ax)


def precision_recall(
    results: Results,
    value: str | None = None,
    *,
    learners: Sequence[str] | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Precision by recall: of the rows called a class the share that is so, as more are found.

    It shows more than the ROC curve where the class is rare.

    Parameters
    ----------
    results, value, learners, ax
        As in `plot.roc`.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import Logistic, cross_validate, plot
    >>> results = cross_validate(Logistic(), satsuma.load("voting"), folds=5)
    >>> print(plot.describe(plot.precision_recall(results)))
    Precision by recall of party = republican; average precision: Logistic 0.9...
    """
    return _draw(_PRECISION_RECALL, results, value, learners, ax)


def gain(
    results: Results,
    value: str | None = None,
    *,
    learners: Sequence[str] | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Cumulative gain: the share of a class that is found, by the share of rows looked at.

    Rows are looked at from the most probable one on; the diagonal is looking at random.

    Parameters
    ----------
    results, value, learners, ax
        As in `plot.roc`.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import Logistic, cross_validate, plot
    >>> results = cross_validate(Logistic(), satsuma.load("titanic"), folds=5)
    >>> print(plot.describe(plot.gain(results, "yes")))
    Cumulative gain of survived = yes; found in a fifth of the rows: Logistic 0.4...
    """
    return _draw(_GAIN, results, value, learners, ax)


def threshold(
    results: Results,
    value: str | None = None,
    *,
    by: Any = "F1",
    learner: str | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Precision, recall and F1, or costs, by the probability from which on rows are called a class.

    The best threshold is marked, see `satsuma.threshold`.

    Parameters
    ----------
    results, value, ax
        As in `plot.roc`.
    by
        ``F1``, or a `Cost` or a `Profit`, which is drawn as a share of its greatest amount.
    learner
        Which of several learners.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import Logistic, cross_validate, plot
    >>> results = cross_validate(Logistic(), satsuma.load("titanic"), folds=5)
    >>> print(plot.describe(plot.threshold(results, "yes")))
    Thresholds of survived = yes: Call a row 'yes' from a probability of 0.3...
    """
    curve = Thoughts.of(_checked(results, "threshold"), None, learner).curve(value)
    by = measure_of(by)
    best = choose_threshold(results, by=by, value=curve.value, learner=learner)
    drawn = {"precision": curve.precision, "recall": curve.recall, "rows called so": curve.called}
    if isinstance(by, Cost):
        code = results.target.code(curve.value)
        amounts = curve.costs(two_by_two(by.matrix(results.target), code))
        drawn[by.name] = amounts / (np.abs(amounts).max() or 1.0)
    else:
        drawn["F1"] = curve.f1
    with canvas(ax) as axes:
        at = np.clip(np.append(curve.thresholds, 0.0), 0.0, 1.0)
        for code, each in enumerate(drawn.values()):
            axes.plot(at, np.append(each, each[-1]), color=colour(code), linewidth=2,
                      linestyle=dash(code), drawstyle="steps-pre")  # fmt: skip
        axes.axvline(best.threshold, color=GREY, linewidth=1.2, linestyle=(0, (4, 3)), zorder=1)
        axes.set_xlabel(f"call a row {short(curve.value)} from this probability on")
        axes.set_ylabel("share" if "F1" in drawn else f"share; {by.name} by its greatest amount")
        axes.set_xlim(-0.01, 1.01)
        legend(axes, "", [line_key(code, name) for code, name in enumerate(drawn)])
        title = f"Thresholds of {short(results.target.name)} = {short(curve.value)}"
        entitle(axes, title, f"from {best.threshold:.3g} on: {best.by}")
    return set_description(axes, f"Thresholds of {results.target.name} = {curve.value}: {best}")


def _checked(results: Any, name: str) -> Results:
    if not isinstance(results, Results) or results.target.kind != "sym":
        raise DomainError(
            f"plot.{name} draws the results of learners of classes: "
            f"plot.{name}(cross_validate(NaiveBayes(), table))."
        )
    return results


@dataclass(frozen=True)
class _Chart:
    """What is drawn of each learner, and what is said about it.

    Parameters
    ----------
    name
        The function of `plot` that draws it.
    title, told
        What is drawn, and what the figure of each learner is called.
    x, y
        What is on the axes.
    points, figure
        The points of a curve, and the figure beside it.
    level
        Where a learner that knows nothing is: a horizontal line; the diagonal unless given.
    """

    name: str
    title: str
    told: str
    x: str
    y: str
    points: Callable[[DecisionCurve], tuple[Any, Any]]
    figure: Callable[[DecisionCurve], float]
    level: Callable[[DecisionCurve], float] | None = None


_RECALL = "recall: share of {rows} that is found"
_ROC = _Chart(
    "roc", "ROC curves", "area",
    "rate of false positives: share of the others called so", _RECALL,
    lambda curve: (curve.false_alarms, curve.recall),
    lambda curve: curve.area,
)  # fmt: skip
_PRECISION_RECALL = _Chart(
    "precision_recall", "Precision by recall", "average precision",
    _RECALL, "precision: share of the rows called so that is so",
    lambda curve: (curve.recall[1:], curve.precision[1:]),
    lambda curve: curve.average_precision,
    lambda curve: float(curve.precision[-1]),
)  # fmt: skip
_GAIN = _Chart(
    "gain", "Cumulative gain", "found in a fifth of the rows",
    "share of rows looked at", _RECALL,
    lambda curve: (curve.called, curve.recall),
    lambda curve: float(np.interp(0.2, curve.called, curve.recall)),
)  # fmt: skip


def _draw(
    chart: _Chart,
    results: Any,
    value: str | None,
    learners: Sequence[str] | None,
    ax: "Axes | None",
) -> "Axes":
    """A line for each learner, beside a legend with its figure."""
    names = _checked(results, chart.name).learners if learners is None else learners
    found = {name: Thoughts.of(results, None, name).curve(value) for name in names}
    figures = {name: chart.figure(each) for name, each in found.items()}
    first, target = next(iter(found.values())), results.target.name
    rows = f"{short(target)} = {short(first.value)}"
    with canvas(ax) as axes:
        for code, each in enumerate(found.values()):
            x, y = chart.points(each)
            axes.plot(x, y, color=colour(code), linestyle=dash(code), linewidth=2, zorder=2)
        axes.set_xlabel(chart.x.format(rows=rows))
        axes.set_ylabel(chart.y.format(rows=rows))
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(-0.02, 1.02)
        told = [f"{short(name, 18)}: {each:.3f}" for name, each in figures.items()]
        legend(axes, chart.told, [line_key(at, each) for at, each in enumerate(told)])
        entitle(axes, f"{chart.title} of {short(target)}", results.what)
        dashed: dict[str, Any] = {"color": GREY, "linewidth": 0.9, "linestyle": (0, (4, 3))}
        if chart.level is None:
            axes.plot([0, 1], [0, 1], zorder=1, **dashed)
        else:
            axes.axhline(chart.level(first), zorder=1, **dashed)
    listed = some([f"{name} {each:.3f}" for name, each in figures.items()])
    told = f"{chart.title} of {target} = {first.value}; {chart.told}: {listed}."
    return set_description(axes, told)
