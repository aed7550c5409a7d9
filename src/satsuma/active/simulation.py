"""Simulation: learning curves of ways to choose rows, and the labels that each needed."""

from dataclasses import dataclass
from statistics import median

import numpy as np

from satsuma.data.columns import Floats
from satsuma.evaluate.show import aligned, grid_html


@dataclass(frozen=True)
class Curve:
    """What one run was like: how good it was after how many labels.

    Parameters
    ----------
    labels
        How many were known, each time that it was tested.
    scores
        The accuracy, or the share that was found, at these times. It ends where the goal was met.
    full
        The accuracy with all labels; 1 for what is to be found.
    """

    labels: list[int]
    scores: list[float]
    full: float

    def needed(self, goal: float, hold: int = 1) -> float:
        """The labels until the goal was met for so many tests in a row; infinity if never."""
        row = 0
        for at, score in enumerate(self.scores):
            row = row + 1 if score >= goal * self.full else 0
            if row == hold:
                return float(self.labels[at - hold + 1])
        return np.inf

    def at(self, labels: Floats) -> Floats:
        """The score after so many labels; the last one stays as it is, none is NaN."""
        if not self.labels:
            return np.full(len(labels), np.nan)
        place = np.searchsorted(self.labels, labels, side="right") - 1
        found = np.array(self.scores)[np.maximum(place, 0)]
        return np.where(place >= 0, found, np.nan)


class Simulation:
    """What `simulate` found; it prints, and `plot.labels` draws it.

    Parameters
    ----------
    curves
        A curve for each seed, by name of the strategy.
    goal
        The share of the accuracy with all labels, or of what is sought.
    sought
        The class that was to be found, if one was.
    rows
        How many rows there are.
    hold
        How many tests in a row must meet the goal.
    """

    def __init__(
        self,
        curves: dict[str, list[Curve]],
        goal: float,
        sought: str | None,
        rows: int,
        hold: int = 1,
    ) -> None:
        self.curves, self.goal, self.sought = curves, goal, sought
        self.rows, self.hold = rows, hold

    @property
    def by_seed(self) -> dict[str, list[float]]:
        """The labels needed in each run, by name; infinity where they were not enough."""
        return {
            name: [each.needed(self.goal, self.hold) for each in own]
            for name, own in self.curves.items()
        }

    @property
    def needed(self) -> dict[str, float]:
        """The median of the labels needed, by name, the fewest first."""
        found = {name: float(median(own)) for name, own in self.by_seed.items()}
        return dict(sorted(found.items(), key=lambda one: one[1]))

    @property
    def work_saved(self) -> dict[str, float]:
        """Work saved over sampling (Cohen et al. 2006): the share of rows that need not be read."""
        return {name: 1 - each / self.rows - (1 - self.goal) for name, each in self.needed.items()}

    def rank(self) -> dict[str, int]:
        """Ranks from 1; strategies whose runs lie within each other's range share one."""
        ranks: dict[str, int] = {}
        spans = {name: (min(own), max(own)) for name, own in self.by_seed.items()}
        rank, most = 0, -np.inf
        for name in self.needed:
            if not rank or self.needed[name] > most:
                rank, most = rank + 1, spans[name][1]
            ranks[name] = rank
        return ranks

    def _cells(self) -> list[list[str]]:
        head = ["strategy", "labels", "from", "to", "rank"]
        lines, ranks = [[*head, "work saved"] if self.sought else head], self.rank()
        for name, labels in self.needed.items():
            own = self.by_seed[name]
            line = [name, _told(labels), _told(min(own)), _told(max(own)), str(ranks[name])]
            saved = self.work_saved[name]
            lines.append([*line, f"{saved:.1%}" if np.isfinite(saved) else "?"]
                         if self.sought else line)  # fmt: skip
        return lines

    def _title(self) -> str:
        runs = len(next(iter(self.curves.values())))
        what = (
            f"find {self.goal:.0%} of {self.sought!r} among {self.rows:,} rows"
            if self.sought
            else f"reach {self.goal:.0%} of the accuracy with all labels"
        )
        return f"Labels needed to {what}: the median of {runs} runs, the least and the most"

    def __str__(self) -> str:
        return "\n".join([self._title(), "", *aligned(self._cells())])

    def _repr_html_(self) -> str:
        return grid_html(self._title(), self._cells())


def _told(labels: float) -> str:
    return f"{labels:,.0f}" if np.isfinite(labels) else "not met"
