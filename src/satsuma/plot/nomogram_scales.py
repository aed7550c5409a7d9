"""Nomogram scales: log-odds, one scale for each column, and that of their sum."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array, Floats
from satsuma.plot.descriptions import short
from satsuma.plot.log_odds import LogOdds
from satsuma.plot.style import GREY, INK, PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Log-odds that are drawn; what adds more stands at the end.
_FAR = 7.0

#: Probabilities on the scale of the total.
_PROBABILITIES = (0.001, 0.01, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.99, 0.999)

#: Where names are written, in rows below a line: first above it, then below, then further above.
_LEVELS = (-0.16, 0.16, -0.37)

#: Share of the width that a letter takes.
_LETTER = 0.0155


@dataclass(frozen=True)
class NomogramScale:
    """What a column adds: along it all, and at the cells that are named.

    `places` says how far from the low end of the column to the high one a named cell is.
    """

    variable: Variable
    line: Floats
    cells: list[str]
    added: Floats
    places: Floats

    @property
    def span(self) -> float:
        """How far it can move the log-odds; infinitely far where it vetoes a class."""
        known = self.line[~np.isnan(self.line)]
        if not len(known) or known.min() == known.max():
            return 0.0
        return float(known.max() - known.min())

    @property
    def folds(self) -> bool:
        """Whether numbers rise and fall, so that they cannot stand along one line."""
        steps = (
            np.diff(np.clip(self.line, -_FAR, _FAR)) if self.variable.kind == "num" else np.zeros(1)
        )
        return bool((steps > 1e-9).any() and (steps < -1e-9).any())


def draw_scales(ax: "Axes", odds: LogOdds, scales: list[NomogramScale]) -> None:
    """Draw a scale for each column, from the top down, and that of the sum below them."""
    ends = _ends(scales)
    ax.vlines(0, -0.6, len(scales) - 0.5, color=GREY, linewidth=0.8, alpha=0.5, zorder=0)
    for row, scale in enumerate(scales):
        if scale.folds:
            _curve(ax, row, scale, ends)
        else:
            _line(ax, row, scale, ends)
    total = len(scales) + 0.35
    _total(ax, total, odds, scales, ends)
    ax.set_xlim(*ends)
    ax.set_ylim(total + 0.6, -0.6)
    names = [short(scale.variable.name) for scale in scales]
    ax.set_yticks([*range(len(scales)), total - 0.18, total + 0.22], [*names, "sum", "probability"])
    ax.tick_params(axis="y", length=0)
    ax.xaxis.set_label_position("top")
    ax.xaxis.tick_top()
    for side in ("left", "right", "bottom"):
        ax.spines[side].set_visible(False)
    ax.spines["top"].set_visible(True)


def _ends(scales: list[NomogramScale]) -> tuple[float, float]:
    """The log-odds that the scale goes from and to."""
    every = np.concatenate([np.zeros(1), *(each.line for each in scales)])
    shown = np.clip(every[~np.isnan(every)], -_FAR, _FAR)
    room = 0.06 * (shown.max() - shown.min() or 1.0)
    return float(shown.min() - room), float(shown.max() + room)


def _line(ax: "Axes", row: float, scale: NomogramScale, ends: tuple[float, float]) -> None:
    """Values along a line, with their names above it and, where it is crowded, below.

    A name that has no room at any level is left out.
    """
    known = np.clip(scale.line[~np.isnan(scale.line)], -_FAR, _FAR)
    ax.hlines(row, known.min(), known.max(), color=PALETTE[0], linewidth=1.6)
    at = np.clip(scale.added, -_FAR, _FAR)
    ax.plot(at, np.full(len(at), row), linestyle="", marker="o", markersize=5, color=PALETTE[0],
            markeredgecolor="white", markeredgewidth=0.6)  # fmt: skip
    full = dict.fromkeys(_LEVELS, -np.inf)  # where the last name at each level ends
    for which in np.argsort(at, kind="stable").tolist():
        name, here = _named(scale, which), float(at[which])
        half = len(name) * _LETTER / 2 * (ends[1] - ends[0])
        level = next((level for level in full if here - half > full[level]), None)
        if level is not None:
            full[level] = here + half
            ax.vlines(here, row, row + level, color=GREY, linewidth=0.6, zorder=1)
            _write(ax, (here, row + level), name, va="bottom" if level < 0 else "top")


def _curve(ax: "Axes", row: float, scale: NomogramScale, ends: tuple[float, float]) -> None:
    """Numbers along a curve: the higher a number, the higher its place."""
    across, up = np.clip(scale.line, -_FAR, _FAR), np.linspace(0.34, -0.34, len(scale.line))
    ax.plot(across, row + up, color=PALETTE[0], linewidth=1.6)
    at, height = np.clip(scale.added, -_FAR, _FAR), row + 0.34 - 0.68 * scale.places
    ax.plot(at, height, linestyle="", marker="o", markersize=4, color=PALETTE[0],
            markeredgecolor="white", markeredgewidth=0.5)  # fmt: skip
    width, named = ends[1] - ends[0], list[tuple[float, float]]()
    for which, (x, y) in enumerate(zip(at.tolist(), height.tolist(), strict=True)):
        if all(abs(x - other) > 0.06 * width or abs(y - level) > 0.2 for other, level in named):
            named.append((x, y))
            _write(ax, (x + 0.011 * width, y), _named(scale, which), va="center", ha="left")


def _named(scale: NomogramScale, which: int) -> str:
    """A value, and a sign where it stands at the end but belongs beyond."""
    name, added = short(scale.cells[which], 16), scale.added[which]
    return f"{name} »" if added > _FAR else f"« {name}" if added < -_FAR else name


def _write(ax: "Axes", at: tuple[float, float], text: str, va: Any, ha: Any = "center") -> None:
    box = {"facecolor": "white", "alpha": 0.8, "linewidth": 0, "pad": 0.3}
    ax.text(*at, text, va=va, ha=ha, fontsize="small", color=INK, bbox=box)


def _total(
    ax: "Axes", row: float, odds: LogOdds, scales: list[NomogramScale], ends: tuple[float, float]
) -> None:
    """The scale of the sum, and of the probability that it means, on a stretch of their own."""
    low, high = _span(odds, scales)
    room = 0.03 * (ends[1] - ends[0])
    left, right = ends[0] + room, ends[1] - room
    ax.hlines(row, left, right, color=INK, linewidth=1.2)

    def marks(side: int, logits: Array, names: list[str]) -> None:
        last, letter = -np.inf, _LETTER * (right - left)
        for logit, name in zip(logits.tolist(), names, strict=True):
            x, half = left + (logit - low) / (high - low) * (right - left), len(name) * letter / 2
            if low <= logit <= high and x - half > last:
                last = x + half
                ax.vlines(x, row, row + 0.1 * side, color=INK, linewidth=0.8)
                _write(ax, (x, row + 0.14 * side), name, va="bottom" if side < 0 else "top")

    if low <= (limit := odds.threshold) <= high and limit:
        x = left + (limit - low) / (high - low) * (right - left)
        ax.plot([x], [row], linestyle="", marker="D", markersize=6, color=PALETTE[5], zorder=4)

    sums: Any = MaxNLocator(8).tick_values(low - odds.start, high - odds.start)
    marks(-1, sums + odds.start, [format_tick(each) for each in sums])
    probabilities = np.array(_PROBABILITIES)
    marks(
        1,
        np.log(probabilities) - np.log1p(-probabilities),
        [f"{probability:g}" for probability in probabilities],
    )


def _span(odds: LogOdds, scales: list[NomogramScale]) -> tuple[float, float]:
    """The least and the greatest sum that the scales can make."""
    reach = [np.clip(each.line[~np.isnan(each.line)], -_FAR, _FAR) for each in scales]
    low = odds.start + sum(float(each.min()) for each in reach if len(each))
    high = odds.start + sum(float(each.max()) for each in reach if len(each))
    low, high = max(low, -_FAR), min(high, _FAR)
    return (low, high) if low < high else (odds.start - 1, odds.start + 1)


def format_tick(number: float) -> str:
    """A number as it stands on a scale."""
    return f"{number:g}".replace("-", "\N{MINUS SIGN}")
