"""Wide charts: of many columns, or over time, with a text for those who do not see them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from satsuma.data.summary import cut
from satsuma.numerics.arrays import Floats
from satsuma.report.charts import Axis
from satsuma.report.number_format import format_number, percent

#: The side of a cell of a heat map, room for the names of its rows, and above its columns.
CELL, NAMES, ABOVE = 22, 150, 120

#: The height of a stripe of missing values, its length, and in how many parts it is drawn.
STRIPE, LONG, PARTS = 20, 420, 60

#: The size of a series, and the room around it.
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BELOW = 640, 190, 56, 14, 22, 26


@dataclass(frozen=True)
class Heatmap:
    """How strongly each of some columns goes with each of those before it."""

    kind: ClassVar[str] = "heatmap"
    alt: str
    cells: Sequence[tuple[int, int, float, str]]
    rows: Sequence[tuple[int, str]]
    columns: Sequence[tuple[int, str]]
    width: int
    height: int
    side: int = CELL - 2


@dataclass(frozen=True)
class Missingness:
    """Stripes, one a column, from the first row of the table to the last: full where missing."""

    kind: ClassVar[str] = "missingness"
    alt: str
    stripes: Sequence[tuple[int, str, str, Sequence[tuple[float, float]]]]
    width: int
    height: int
    left: int = NAMES
    long: int = LONG
    high: int = STRIPE - 4
    part: float = round(LONG / PARTS, 2)


@dataclass(frozen=True)
class Series:
    """Numbers over time, as a line; where one is not known, the line is broken."""

    kind: ClassVar[str] = "series"
    alt: str
    lines: Sequence[str]
    points: Sequence[tuple[float, float, str]]
    across: Sequence[tuple[float, str]]
    up: Sequence[tuple[float, str]]
    name: str
    width: int = WIDTH
    height: int = HEIGHT
    frame: tuple[int, int, int, int] = (LEFT, TOP, WIDTH - RIGHT, HEIGHT - BELOW)


def heatmap(names: Sequence[str], strength: Floats, text: str) -> Heatmap:
    """The lower half of a matrix: what is 0 or not known is left empty."""
    short = [cut(name, 20) for name in names]
    cells = [
        (
            NAMES + CELL * j, ABOVE + CELL * (i - 1), round(float(strength[i, j]), 2),
            f"{short[i]} and {short[j]}: {strength[i, j]:.2f}",
        )
        for i in range(1, len(names)) for j in range(i) if strength[i, j] > 0
    ]  # fmt: skip
    rows = [(ABOVE + CELL * (i - 1), short[i]) for i in range(1, len(names))]
    columns = [(NAMES + CELL * j, short[j]) for j in range(len(names) - 1)]
    size = CELL * (len(names) - 1)
    return Heatmap(text, cells, rows, columns, NAMES + size + 110, ABOVE + size)


def missingness(names: Sequence[str], shares: Floats, totals: Floats, text: str) -> Missingness:
    """Stripes from shares of missing values by column and part of the table."""
    stripes = [
        (
            STRIPE * at, cut(name, 20), percent(float(totals[at])),
            [
                (round(NAMES + LONG / PARTS * part, 1), round(float(share), 2))
                for part, share in enumerate(shares[at]) if share > 0
            ],
        )
        for at, name in enumerate(names)
    ]  # fmt: skip
    return Missingness(text, stripes, NAMES + LONG + 60, STRIPE * len(names))


def series(values: Floats, labels: Sequence[str], name: str, text: str) -> Series:
    """A line through values in their order; ticks say when the first of some is."""
    known = np.isfinite(values)
    low, high = float(values[known].min()), float(values[known].max())
    low = 0.0 if 0 <= low <= 0.6 * high else low
    room = (high - low) or abs(low) or 1.0
    up = Axis(low, high + 0.05 * room, HEIGHT - BELOW, TOP)
    across = Axis(0, max(1, len(values) - 1), LEFT, WIDTH - RIGHT)
    order: Floats = np.arange(len(values), dtype=np.float64)
    places = list(zip(across.at(order), up.at(values), strict=True))
    runs = np.split(np.arange(len(values)), np.flatnonzero(np.diff(known.astype(int))) + 1)
    lines = [
        "M" + "L".join(f"{places[at][0]} {places[at][1]}" for at in run.tolist())
        for run in runs
        if known[run[0]]
    ]
    points = [
        (*places[at], f"{labels[at]}: {format_number(float(values[at]), 4)}")
        for at in np.flatnonzero(known).tolist()
    ]
    count = min(6, len(labels))
    some = sorted({round(at * (len(labels) - 1) / max(1, count - 1)) for at in range(count)})
    ticks = [(places[at][0], labels[at]) for at in some]
    return Series(text, lines, points, ticks, up.ticks(4, format_number), name)
