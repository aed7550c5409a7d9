"""Charts: small drawings in the colours of the page, told in words, worked out to the last point.

Places are in units of the drawing; the templates turn them into SVG and add nothing of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from matplotlib.ticker import MaxNLocator

from satsuma.data.columns import Array, Codes, Floats
from satsuma.report.numbers import told

#: Bars of a small histogram, and its size.
BARS, WIDE, HIGH = 20, 120, 28

#: The size of a chart that stands by itself, and the room for what is written beside it.
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BELOW = 360, 300, 46, 10, 10, 42

#: The size of a strip of scores.
STRIP, THIN = 150, 16

#: Points of a scatter at most.
POINTS = 400


@dataclass(frozen=True)
class Bars:
    """A small histogram."""

    kind: ClassVar[str] = "bars"
    told: str
    bars: Sequence[tuple[float, float, float, float]]
    width: int = WIDE
    height: int = HIGH


@dataclass(frozen=True)
class Strip:
    """Scores of the folds on a line, with their mean."""

    kind: ClassVar[str] = "strip"
    told: str
    points: Sequence[float]
    mean: float
    width: int = STRIP
    height: int = THIN


@dataclass(frozen=True)
class Scatter:
    """Points on two axes, with a line that tells what would be right.

    Parameters
    ----------
    told
        What it shows, in words.
    points
        Where each is, and how large.
    line
        From where to where the line goes.
    across, up
        Ticks: place and text.
    names
        What the axes are called.
    """

    kind: ClassVar[str] = "scatter"
    told: str
    points: Sequence[tuple[float, float, float]]
    line: tuple[float, float, float, float]
    across: Sequence[tuple[float, str]]
    up: Sequence[tuple[float, str]]
    names: tuple[str, str]
    joined: bool = False
    width: int = WIDTH
    height: int = HEIGHT
    frame: tuple[int, int, int, int] = (LEFT, TOP, WIDTH - RIGHT, HEIGHT - BELOW)


Chart = Bars | Strip | Scatter


def histogram(known: Floats, name: str) -> Bars | None:
    """The shape of numbers; None where there are none, or all are the same."""
    known = known[np.isfinite(known)]
    if not len(known) or known.min() == known.max():
        return None
    # In units of the largest, so that no difference of huge numbers overflows.
    unit = float(np.abs(known).max())
    distinct = len(np.unique(known[:1000]))
    counts, edges = np.histogram(known / unit, min(BARS, max(2, distinct)))
    at = int(counts.argmax())
    most = f"{told(edges[at] * unit, 3)} to {told(edges[at + 1] * unit, 3)}"
    share = counts[at] / counts.sum()
    return Bars(f"Histogram of {name}: {share:.0%} of the values are {most}.", _bars(counts))


def frequencies(codes: Codes, values: Sequence[str], name: str) -> Bars | None:
    """How often values occur, the most frequent first; None where there are none."""
    known = codes[codes >= 0]
    if not len(known):
        return None
    counts = np.sort(np.bincount(known))[::-1]
    most = values[int(np.bincount(known).argmax())]
    shown = counts[counts > 0][:BARS]
    text = f"Frequencies of {name}: {most} is the most frequent, {shown[0] / len(known):.0%}."
    return Bars(text, _bars(shown))


def _bars(counts: Array) -> list[tuple[float, float, float, float]]:
    step = WIDE / max(8, len(counts))
    tall = np.maximum(counts / counts.max() * HIGH, (counts > 0) * 1.0)
    return [
        (round(at * step, 1), round(HIGH - high, 1), round(step - 1, 1), round(high, 1))
        for at, high in enumerate(tall.tolist())
        if high
    ]


def strip(scores: Floats, mean: float, span: tuple[float, float], text: str) -> Strip:
    """Scores between the least and the greatest of all learners."""
    low, high = span
    room = (high - low) or 1.0

    def place(score: float) -> float:
        return round(6 + (score - low) / room * (STRIP - 12), 1)

    return Strip(text, [place(each) for each in scores[np.isfinite(scores)].tolist()], place(mean))


def scatter(
    x: Floats,
    y: Floats,
    names: tuple[str, str],
    text: str,
    *,
    line: str = "equal",
    sizes: Floats | None = None,
    joined: bool = False,
    span: tuple[float, float] | None = None,
) -> Scatter:
    """Points; the line is where both are ``equal``, or where y is ``zero``."""
    sizes = np.full(len(x), 2.6) if sizes is None else sizes
    if len(x) > POINTS:
        some = np.linspace(0, len(x) - 1, POINTS).astype(np.intp)
        x, y, sizes = x[some], y[some], sizes[some]
    both = np.concatenate([x, y]) if line == "equal" else x
    wide = span or _wide(both)
    tall = wide if line == "equal" else _wide(np.concatenate([y, [0.0]]))
    across, up = _Axis(*wide, LEFT, WIDTH - RIGHT), _Axis(*tall, HEIGHT - BELOW, TOP)
    ends = wide if line == "equal" else (0.0, 0.0)
    points = zip(across.at(x), up.at(y), sizes.round(1).tolist(), strict=True)
    return Scatter(
        text, list(points),
        (float(across.start), up.at(np.array([ends[0]]))[0],
         float(across.end), up.at(np.array([ends[1]]))[0]),
        across.ticks(5), up.ticks(6), names, joined,
    )  # fmt: skip


def _wide(numbers: Floats) -> tuple[float, float]:
    low, high = float(numbers.min()), float(numbers.max())
    room = 0.04 * (high - low) or abs(low) / 2 or 1.0
    return low - room, high + room


@dataclass(frozen=True)
class _Axis:
    low: float
    high: float
    start: int
    end: int

    def at(self, numbers: Floats) -> list[float]:
        along = (numbers - self.low) / (self.high - self.low)
        return (self.start + along * (self.end - self.start)).round(1).tolist()

    def ticks(self, most: int) -> list[tuple[float, str]]:
        marks: Floats = np.array(MaxNLocator(most).tick_values(self.low, self.high))
        inside = marks[(marks >= self.low) & (marks <= self.high)]
        return list(zip(self.at(inside), map(told, inside.tolist()), strict=True))
