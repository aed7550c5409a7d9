"""Curves of decisions: ROC, precision and recall, thresholds, and cumulative gain."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from satsuma.errors import DomainError
from satsuma.evaluate.cost_scores import Cost
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
    found = _curves(results, value, learners, "roc")
    rest = "rate of false positives: share of the others called so"
    chart = _Chart("ROC curves", "area", rest, _found(results, found))
    return _diagonal(
        _draw(
            results, found, chart, lambda each: (each.false_alarms, each.recall),
            lambda each: each.area, ax=ax,
        )
    )  # fmt: skip


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
    found = _curves(results, value, learners, "precision_recall")
    precision = "precision: share of the rows called so that is so"
    chart = _Chart("Precision by recall", "average precision", _found(results, found), precision)
    axes = _draw(
        results, found, chart, lambda each: (each.recall[1:], each.precision[1:]),
        lambda each: each.average_precision, ax=ax,
    )  # fmt: skip
    share = next(iter(found.values())).precision[-1]
    axes.axhline(share, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    return axes


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
    found = _curves(results, value, learners, "gain")
    looked = "share of rows looked at"
    chart = _Chart(
        "Cumulative gain", "found in a fifth of the rows", looked, _found(results, found)
    )
    return _diagonal(
        _draw(
            results, found, chart, lambda each: (each.called, each.recall),
            lambda each: float(np.interp(0.2, each.called, each.recall)), ax=ax,
        )
    )  # fmt: skip


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


def _curves(
    results: Any, value: str | None, learners: Sequence[str] | None, plot: str
) -> dict[str, DecisionCurve]:
    names = _checked(results, plot).learners if learners is None else learners
    return {name: Thoughts.of(results, None, name).curve(value) for name in names}


def _found(results: Results, found: dict[str, DecisionCurve]) -> str:
    value = next(iter(found.values())).value
    return f"recall: share of {short(results.target.name)} = {short(value)} that is found"


@dataclass(frozen=True)
class _Chart:
    """What is drawn: its title, what is told of each learner, and the names of the axes."""

    title: str
    told: str
    x: str
    y: str


def _draw(
    results: Results,
    found: dict[str, DecisionCurve],
    chart: _Chart,
    points: Callable[[DecisionCurve], tuple[Any, Any]],
    figure: Callable[[DecisionCurve], float],
    *,
    ax: "Axes | None",
) -> "Axes":
    """A line for each learner, beside a legend with its figure."""
    figures = {name: figure(each) for name, each in found.items()}
    with canvas(ax) as axes:
        for code, each in enumerate(found.values()):
            x, y = points(each)
            axes.plot(x, y, color=colour(code), linestyle=dash(code), linewidth=2, zorder=2)
        axes.set_xlabel(chart.x)
        axes.set_ylabel(chart.y)
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(-0.02, 1.02)
        told = [f"{short(name, 18)}: {each:.3f}" for name, each in figures.items()]
        legend(axes, chart.told, [line_key(at, each) for at, each in enumerate(told)])
        entitle(axes, f"{chart.title} of {short(results.target.name)}", results.what)
    value = next(iter(found.values())).value
    listed = some([f"{name} {each:.3f}" for name, each in figures.items()])
    told = f"{chart.title} of {results.target.name} = {value}; {chart.told}: {listed}."
    return set_description(axes, told)


def _diagonal(axes: "Axes") -> "Axes":
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    return axes
