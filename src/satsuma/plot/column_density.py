"""The distribution of one column in all rows of a table, whatever the class."""

from typing import TYPE_CHECKING

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, NoSuchColumn
from satsuma.likelihoods.kde import KDE
from satsuma.numerics.arrays import Floats
from satsuma.plot.axis_scales import MOST_VALUES
from satsuma.plot.descriptions import set_description, short, some
from satsuma.plot.plot_data import MOST_POINTS
from satsuma.plot.style import GREY, INK, canvas, colour, entitle
from satsuma.tallies.values import Values

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Steps along a column of numbers, and bars of its histogram.
_STEPS, _BARS = 400, 30


def column_density(table: Table, column: str, ax: "Axes | None") -> "Axes":
    """The distribution of a column; see `density`."""
    variable = _shown(table, column)
    known = np.flatnonzero(~table.missing(column))
    if not len(known):
        raise DomainError(f"All cells of column {column!r} are missing: there is nothing to draw.")
    cells, weights = table.column(column)[known], table.weights
    weight = np.ones(len(known)) if weights is None else weights[known]
    if not weight.sum() > 0:
        raise DomainError(f"All rows in which {column!r} is known have a weight of zero.")
    lost = len(table) - len(known)
    note = f"{len(known):,} rows" + (f", {lost:,} missing" if lost else "")
    if variable.kind == "sym":
        return _bars(variable, cells, weight, note, ax)
    with canvas(ax) as axes:
        told = _curve(axes, variable, cells, weight)
        axes.set(xlabel=short(column, 60), ylabel="density")
        entitle(axes, f"Distribution of {short(column)}", note)
    return set_description(axes, f"Distribution of {column} in {note}; {told}.")


def _shown(table: Table, column: str) -> Variable:
    if column not in table.domain:
        raise NoSuchColumn(column, table.domain.names)
    variable = table.domain[column]
    if variable.kind not in ("num", "sym"):
        raise DomainError(
            f"Column {column!r} is {variable.kind!r}, and this plot needs one that is 'num' or "
            f"'sym'."
        )
    return variable


def _curve(ax: "Axes", variable: Variable, cells: Floats, weight: Floats) -> str:
    """Draw numbers, and tell where they are."""
    low, high = float(cells.min()), float(cells.max())
    thin = np.linspace(0, len(cells) - 1, min(MOST_POINTS, len(cells))).astype(np.intp)
    ax.plot(
        cells[thin], np.full(len(thin), 0.012), "|", transform=ax.get_xaxis_transform(),
        color=GREY, markersize=7, markeredgewidth=0.8, alpha=0.6, zorder=2,
    )  # fmt: skip
    if low == high:
        return f"all of them are {low:.4g}"
    heights, edges = np.histogram(cells, np.linspace(low, high, _BARS + 1), weights=weight)
    heights = heights / (weight.sum() * np.diff(edges))
    ax.stairs(heights, edges, fill=True, color=colour(0), alpha=0.22)
    room = 0.12 * (high - low)
    steps = np.linspace(low - room, high + room, _STEPS)
    dense = _density(variable, cells, weight, steps)
    ax.plot(steps, dense, color=colour(0), linewidth=2)
    # Where one number is very frequent, its peak would leave nothing to see of the others.
    ax.set_ylim(0, 1.05 * max(min(float(dense.max()), 5 * float(heights.max())), heights.max()))
    ax.set_xlim(float(steps[0]), float(steps[-1]))
    first, middle, last = np.quantile(cells, [0.25, 0.5, 0.75]).tolist()
    peak = float(steps[dense.argmax()])
    return (
        f"from {low:.4g} to {high:.4g}, half of the rows between {first:.4g} and {last:.4g}, the "
        f"median at {middle:.4g}, the peak at {peak:.4g}"
    )


def _density(variable: Variable, cells: Floats, weight: Floats, steps: Floats) -> Floats:
    """A kernel density estimate at some numbers: that of `KDE`, with all rows in one class."""
    column = Variable(variable.name)
    one = Variable(f"{variable.name} class", "sym", ("all",), "target")
    weights = Variable(f"{variable.name} weight", role="weight")
    none = np.zeros(len(cells), np.int32)
    rows = Table(Domain([column, one, weights]), [cells, none, weight], check=False)
    said = KDE().conclude(Values.of(rows))
    return np.exp(said.log_evidence(Table(Domain([column]), [steps], check=False))[:, 0])


def _bars(
    variable: Variable, cells: Floats, weight: Floats, note: str, ax: "Axes | None"
) -> "Axes":
    """Draw the share of each value; of many, the most frequent ones."""
    shares = np.bincount(cells, weight, len(variable.values)) / weight.sum()
    shown = np.sort(np.argsort(-shares, kind="stable")[:MOST_VALUES])
    if len(variable.values) > MOST_VALUES:
        note += f"; the {MOST_VALUES} most frequent of {len(variable.values)} values"
    with canvas(ax, height=max(2.0, 1.2 + 0.28 * len(shown))) as axes:
        axes.barh(np.arange(len(shown)), shares[shown], 0.8, color=colour(0))
        for at, share in enumerate(shares[shown]):
            axes.annotate(
                f"{share:.1%}", (share, at), (4, 0), textcoords="offset points", va="center",
                fontsize="small", color=INK,
            )  # fmt: skip
        names = [short(variable.values[int(code)], 20) for code in shown]
        axes.set_yticks(range(len(shown)), names)
        axes.set(
            ylim=(len(shown) - 0.5, -0.5), xlim=(0, 1.15 * float(shares.max())),
            xlabel="share of the rows", ylabel=short(variable.name, 60),
        )  # fmt: skip
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        entitle(axes, f"Distribution of {short(variable.name)}", note)
    order = np.argsort(-shares, kind="stable")
    told = some([f"{variable.values[int(code)]} {shares[code]:.0%}" for code in order], 4)
    return set_description(axes, f"Distribution of {variable.name} in {note}: {told}.")
