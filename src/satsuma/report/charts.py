"""Charts: small drawings in the colours of the page, each with a text for those who do not see it.

Places are in units of the drawing; the templates turn them into SVG and add nothing of their own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from matplotlib.ticker import MaxNLocator

from satsuma.data.histogram import Histogram, as_ticks
from satsuma.data.summary import cut
from satsuma.data.times import spell_time
from satsuma.kernels.csv import TimeFormat
from satsuma.numerics.arrays import Codes, Floats, Times
from satsuma.report.number_format import format_number, percent

#: Bars of a small histogram, parts of a whole that are drawn, and their size.
BARS, PARTS, WIDE, HIGH = 20, 8, 120, 28

#: Bars of a large histogram, and its size.
MANY, LARGE = 30, (320, 90)

#: The size of a chart that stands by itself, and the room for what is written beside it.
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BELOW = 360, 300, 46, 10, 10, 42

#: The size of a strip of scores.
STRIP, THIN = 150, 16

#: Points of a scatter at most.
POINTS = 400


@dataclass(frozen=True)
class Bars:
    """A histogram; of a large one, each bar can be pointed at, and says what it is."""

    kind: ClassVar[str] = "bars"
    alt: str
    bars: Sequence[tuple[float, float, float, float]]
    labels: Sequence[str] = ()
    width: int = WIDE
    height: int = HIGH


@dataclass(frozen=True)
class Shares:
    """Parts of a whole side by side, the largest first, each with how full its colour is."""

    kind: ClassVar[str] = "shares"
    alt: str
    parts: Sequence[tuple[float, float, float]]
    width: int = WIDE
    height: int = 12


@dataclass(frozen=True)
class Strip:
    """Scores of the folds on a line, with their mean; None where it is beyond the line's end."""

    kind: ClassVar[str] = "strip"
    alt: str
    points: Sequence[float]
    mean: float | None
    beyond: int = 0
    width: int = STRIP
    height: int = THIN


@dataclass(frozen=True)
class Scatter:
    """Points on two axes, with a line where predictions would be right.

    Parameters
    ----------
    alt
        What it shows, in words, for those who do not see it.
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
    alt: str
    points: Sequence[tuple[float, float, float]]
    line: tuple[float, float, float, float]
    across: Sequence[tuple[float, str]]
    up: Sequence[tuple[float, str]]
    names: tuple[str, str]
    width: int = WIDTH
    height: int = HEIGHT
    frame: tuple[int, int, int, int] = (LEFT, TOP, WIDTH - RIGHT, HEIGHT - BELOW)


def histogram(known: Floats, name: str) -> Bars | None:
    """The shape of numbers; None where there are none, or all are the same."""
    known = known[np.isfinite(known)]
    if not len(known) or known.min() == known.max():
        return None
    made = Histogram.of(known, BARS)
    at = int(made.heights.argmax())
    share = percent(made.counts[at] / len(known))
    text = f"Histogram of {name}: {share} of the values are {made.label(at)}."
    return Bars(text, _bars(made, WIDE, HIGH))


def large_histogram(known: Floats, name: str) -> Bars | None:
    """The same in more bars, with a label for each."""
    known = known[np.isfinite(known)]
    if not len(known) or known.min() == known.max():
        return None
    made = Histogram.of(known, MANY)
    there = [at for at, count in enumerate(made.counts.tolist()) if count]
    labels = [f"{made.label(at)}: {made.counts[at]:,} rows" for at in there]
    return Bars(
        f"Histogram of {name} in {len(made.counts)} ranges.", _bars(made, *LARGE), labels, *LARGE
    )


def time_histogram(known: Times, form: TimeFormat, name: str) -> Bars | None:
    """The shape of times; None where there are none, or all are the same."""
    if not len(known) or known.min() == known.max():
        return None
    tick, ticks = as_ticks(known)
    made = Histogram.of(ticks, BARS)
    at = int(made.heights.argmax())
    ends = [known.dtype.type(0, "ns") + tick * int(made.edges[at + k] - k) for k in (0, 1)]
    first, last = (spell_time(int(end.astype(np.int64)), form) for end in ends)
    share = percent(made.counts[at] / len(known))
    text = f"Histogram of {name}: {share} of the values are from {first} to {last}."
    return Bars(text, _bars(made, WIDE, HIGH))


def frequencies(codes: Codes, values: Sequence[str], name: str) -> Shares | None:
    """How often values occur, the most frequent first; None where there are none."""
    known = codes[codes >= 0]
    if not len(known):
        return None
    shares = np.sort(np.bincount(known))[::-1] / len(known)
    most = cut(values[int(np.bincount(known).argmax())], 40)
    text = f"Shares of the values of {name}: {most} is the most frequent, {percent(shares[0])}."
    starts = np.concatenate([[0.0], np.cumsum(shares)[:-1]]) * WIDE
    wide = np.maximum(shares * WIDE - 1, 0.4)
    full = [max(0.25, 1 - 0.22 * at) for at in range(PARTS)]
    parts = zip(
        starts[:PARTS].round(1).tolist(), wide[:PARTS].round(1).tolist(), full, strict=False
    )
    drawn = [part for part in parts if part[1] > 0.4]
    if len(drawn) < len(shares):  # the others together, faint
        start = float(starts[len(drawn)].round(1))
        drawn.append((start, round(WIDE - start, 1), 0.15))
    return Shares(text, drawn)


def _bars(made: Histogram, width: int, height: int) -> list[tuple[float, float, float, float]]:
    heights, widths = made.heights, made.widths
    step = width / max(8, len(widths))
    starts = np.concatenate([[0.0], np.cumsum(widths)[:-1]]) * step
    tall = np.maximum(heights / heights.max() * height, (heights > 0) * 1.0)
    return [
        (round(at, 1), round(height - high, 1), round(wide * step - 1, 1), round(high, 1))
        for at, wide, high in zip(starts.tolist(), widths.tolist(), tall.tolist(), strict=True)
        if high
    ]


def strip(scores: Floats, mean: float, span: tuple[float, float], text: str) -> Strip:
    """Scores on the line from the least to the greatest that is shown."""
    low, high = span
    room = (high - low) or 1.0
    inside = scores[(scores >= low) & (scores <= high)]

    def place(score: float) -> float:
        return round(6 + (score - low) / room * (STRIP - 12), 1)

    if low <= mean <= high:
        return Strip(text, [place(each) for each in inside.tolist()], place(mean))
    return Strip(text, [], None, 1 if mean > high else -1)


def scatter(
    x: Floats,
    y: Floats,
    names: tuple[str, str],
    text: str,
    *,
    line: str = "equal",
    sizes: Floats | None = None,
    span: tuple[float, float] | None = None,
    spelled: Callable[[float], str] = format_number,
) -> Scatter:
    """Points; the line is where both are ``equal``, or where y is ``zero``."""
    sizes = np.full(len(x), 2.6) if sizes is None else sizes
    if len(x) > POINTS:
        some = np.linspace(0, len(x) - 1, POINTS).astype(np.intp)
        x, y, sizes = x[some], y[some], sizes[some]
    both = np.concatenate([x, y]) if line == "equal" else x
    wide = span or _wide(both)
    tall = wide if line == "equal" else _wide(np.concatenate([y, [0.0]]))
    across, up = Axis(*wide, LEFT, WIDTH - RIGHT), Axis(*tall, HEIGHT - BELOW, TOP)
    ends = wide if line == "equal" else (0.0, 0.0)
    points = zip(across.at(x), up.at(y), sizes.round(1).tolist(), strict=True)
    return Scatter(
        text, list(points),
        (float(across.start), up.at(np.array([ends[0]]))[0],
         float(across.end), up.at(np.array([ends[1]]))[0]),
        across.ticks(5, spelled), up.ticks(6, spelled), names,
    )  # fmt: skip


def _wide(numbers: Floats) -> tuple[float, float]:
    low, high = float(numbers.min()), float(numbers.max())
    room = 0.04 * (high - low) or abs(low) / 2 or 1.0
    return low - room, high + room


@dataclass(frozen=True)
class Axis:
    """Numbers along a side of a drawing, from one place to another."""

    low: float
    high: float
    start: int
    end: int

    def at(self, numbers: Floats) -> list[float]:
        """Where numbers are drawn."""
        along = (numbers - self.low) / (self.high - self.low)
        return (self.start + along * (self.end - self.start)).round(1).tolist()

    def ticks(self, most: int, spelled: Callable[[float], str]) -> list[tuple[float, str]]:
        """Places of round numbers, and these as text."""
        ticker = MaxNLocator(most, steps=[1, 2, 5, 10])
        marks: Floats = np.array(ticker.tick_values(self.low, self.high))
        inside = marks[(marks >= self.low) & (marks <= self.high)].round(12)
        return list(zip(self.at(inside), map(spelled, inside.tolist()), strict=True))
