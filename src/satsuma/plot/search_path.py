"""Search path: the way to the best row, in the goal space and label by label."""

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, NoSuchColumn
from satsuma.plan.search import Search
from satsuma.plot.descriptions import set_description, short
from satsuma.plot.style import GREY, INK, PALETTE, canvas, entitle, legend

if TYPE_CHECKING:
    from satsuma.numerics.arrays import Array

_LABELLED, _PATH, _BEST = PALETTE[0], PALETTE[1], PALETTE[5]


def goal_space(
    found: Search,
    x: str | None = None,
    y: str | None = None,
    *,
    table: Table | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The labelled rows over two goals, and the way from each best row to the next.

    Parameters
    ----------
    found
        What `optimise` returned; of one goal alone, `convergence` is drawn.
    x, y
        The goals; the first two unless given.
    table
        Rows whose goals are known, drawn behind the others: to look back after a simulation.
    ax
        Where to draw; a new figure unless given.

    Examples
    --------
    >>> from satsuma import load, optimise
    >>> from satsuma.plot import goal_space
    >>> cars = load("auto-mpg").with_roles({"mpg": "+", "weight": "-", "car_name": "meta"})
    >>> ax = goal_space(optimise(cars, cars, budget=20))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('mpg (more is better)', 'weight (less is better)')
    """
    if len(found.labelled.domain.goals) == 1:
        return convergence(found, ax=ax)
    across, up = _two_goals(found, x, y)
    with canvas(ax) as axes:
        if table is not None:
            axes.scatter(
                table.column(across.name), table.column(up.name), s=8, color=GREY, alpha=0.3,
                linewidths=0, zorder=1,
            )  # fmt: skip
        _labelled_path(axes, found, across, up)
        _ideal_point(axes, across, up)
        axes.set_xlabel(_axis(across))
        axes.set_ylabel(_axis(up))
        note = f"{_note(found)}; the numbers are those of the labels"
        entitle(axes, "The search in the goal space", note)
        legend(axes, "", _keys(table is not None))
    return set_description(axes, _description(found))


def _two_goals(found: Search, x: str | None, y: str | None) -> tuple[Variable, Variable]:
    names = [goal.name for goal in found.labelled.domain.goals]
    first = x or next(name for name in names if name != y)
    across, up = (_goal(found, name) for name in (first, y or next(n for n in names if n != first)))
    if across == up:
        raise DomainError(f"Both axes are {across.name!r}. Name two goals.")
    return across, up


def _labelled_path(axes: Axes, found: Search, across: Variable, up: Variable) -> None:
    """The labelled rows, the way from each best one to the next, and the best of all."""
    one, other = (found.labelled.column(goal.name) for goal in (across, up))
    steps = _steps(found)
    axes.scatter(one, other, s=28, color=_LABELLED, edgecolors="white", linewidths=0.6, zorder=3)
    axes.plot(one[steps], other[steps], color=_PATH, linewidth=1.6, zorder=2)
    _number(axes, one[steps], other[steps], steps)
    axes.plot(
        one[steps[-1]], other[steps[-1]], "*", color=_BEST, markersize=15,
        markeredgecolor="white", zorder=5,
    )  # fmt: skip


def convergence(found: Search, *, ax: Axes | None = None) -> Axes:
    """The distance of each labelled row to the ideal point, and the best so far, label by label.

    Parameters
    ----------
    found
        What `optimise` returned.
    ax
        Where to draw; a new figure unless given.

    Examples
    --------
    >>> from satsuma import load, optimise
    >>> from satsuma.plot import convergence
    >>> cars = load("auto-mpg").with_roles({"mpg": "+", "weight": "-", "car_name": "meta"})
    >>> ax = convergence(optimise(cars, cars, budget=20))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('label', 'distance to the ideal point')
    """
    with canvas(ax) as axes:
        labels = np.arange(1, len(found.rows) + 1)
        axes.step(labels, found.path, where="post", color=_PATH, linewidth=1.6, zorder=2)
        axes.scatter(
            labels, found.distances, s=28, color=_LABELLED, edgecolors="white", linewidths=0.6,
            zorder=3,
        )  # fmt: skip
        at = int(found.order[0])
        axes.plot(
            at + 1, found.distances[at], "*", color=_BEST, markersize=15, markeredgecolor="white",
            zorder=5,
        )  # fmt: skip
        axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
        axes.set_xlabel("label")
        axes.set_ylabel("distance to the ideal point")
        entitle(axes, "The search, label by label", _note(found))
        best = Line2D([], [], color=_PATH, linewidth=1.6, label="best so far")
        legend(axes, "", [*_keys(behind=False)[:1], best, *_keys(behind=False)[-1:]])
    return set_description(axes, _description(found))


def _goal(found: Search, name: str) -> Variable:
    goals = {goal.name: goal for goal in found.labelled.domain.goals}
    if name not in goals:
        raise NoSuchColumn(name, goals)
    return goals[name]


def _steps(found: Search) -> "Array":
    """The labels at which a better row was found than all before."""
    return np.flatnonzero(np.concatenate([[True], np.diff(found.path) < 0]))


def _number(ax: Axes, across: "Array", up: "Array", steps: "Array") -> None:
    """Write beside each best row, which label it was."""
    pairs = zip(across.tolist(), up.tolist(), steps.tolist(), strict=True)
    for turn, (one, other, at) in enumerate(pairs):
        if not (np.isnan(one) or np.isnan(other)):
            # By turns above and below, so that neighbours are less in each other's way.
            ax.annotate(
                str(at + 1), (one, other), (0, -13 if turn % 2 else 7), ha="center",
                textcoords="offset points", fontsize="small", color=INK, zorder=6,
            )  # fmt: skip


def _ideal_point(ax: Axes, across: Variable, up: Variable) -> None:
    """Write into the corner where both goals are best, and leave some room for it."""
    ax.margins(0.09)
    at = [0.985 if goal.goal == "+" else 0.015 for goal in (across, up)]
    ax.annotate(
        "ideal point", (at[0], at[1]), xycoords="axes fraction", color=_BEST, fontstyle="italic",
        ha="right" if across.goal == "+" else "left", va="top" if up.goal == "+" else "bottom",
    )  # fmt: skip


def _axis(goal: Variable) -> str:
    return f"{short(goal.name)} ({'more' if goal.goal == '+' else 'less'} is better)"


def _note(found: Search) -> str:
    return f"{len(found.rows)} of {len(found.table)} rows labelled"


def _keys(behind: bool) -> list[Line2D]:
    keys = [
        Line2D([], [], linestyle="", marker="o", color=_LABELLED, label="labelled"),
        Line2D([], [], color=_PATH, linewidth=1.6, label="best so far"),
        Line2D([], [], linestyle="", marker="*", markersize=12, color=_BEST, label="best"),
    ]
    if behind:
        keys.append(Line2D([], [], linestyle="", marker=".", color=GREY, label="not labelled"))
    return keys


def _description(found: Search) -> str:
    steps = _steps(found)
    return (
        f"A search for the best of {len(found.table)} rows with {len(found.rows)} labels. The "
        f"distance to the ideal point falls from {found.path[0]:.3g} to {found.path[-1]:.3g} in "
        f"{len(steps) - 1} steps; the best row is found at label {steps[-1] + 1}."
    )
