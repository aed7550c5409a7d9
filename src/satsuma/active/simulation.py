"""Simulation: how many labels each way of choosing rows would have needed, as learning curves."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

import numpy as np

from satsuma.active.active_learning import Active, hide_labels
from satsuma.active.labelling import Labelling
from satsuma.active.oracle import Oracle
from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError
from satsuma.evaluate.results_display import aligned, grid_html
from satsuma.folds import even_order
from satsuma.numerics.arrays import Floats

#: The share of rows that accuracy is measured on.
_TESTED = 0.3


@dataclass(frozen=True)
class Curve:
    """What one run was like: how good it was after how many labels.

    Parameters
    ----------
    labels
        How many were known, each time that it was tested.
    scores
        The accuracy, the error saved, or the share that was found, at these times. It ends where
        the goal was met.
    full
        The accuracy, or the error saved, with all labels; 1 for what is to be found.
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
    """What `simulate` found; it prints, and `plot.labelling_curves` draws it.

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
    numeric
        Whether the target is a number: scores are the error saved, not the accuracy.
    """

    def __init__(
        self,
        curves: dict[str, list[Curve]],
        goal: float,
        sought: str | None,
        rows: int,
        hold: int = 1,
        *,
        numeric: bool = False,
    ) -> None:
        self.curves, self.goal, self.sought = curves, goal, sought
        self.rows, self.hold, self.numeric = rows, hold, numeric

    @property
    def scored(self) -> str:
        """What the scores are: the recall, the accuracy, or the error saved."""
        return "recall" if self.sought else "error saved" if self.numeric else "accuracy"

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
            else f"reach {self.goal:.0%} of the {self.scored} with all labels"
        )
        return f"Labels needed to {what}: the median of {runs} runs, the least and the most"

    def __str__(self) -> str:
        return "\n".join([self._title(), "", *aligned(self._cells())])

    def _repr_html_(self) -> str:
        return grid_html(self._title(), self._cells())


def _told(labels: float) -> str:
    return f"{labels:,.0f}" if np.isfinite(labels) else "not met"


def simulate(
    strategies: Mapping[str, Active] | Sequence[Active],
    table: Table,
    *,
    seeds: int | Sequence[int] = 5,
    sought: str | None = None,
    goal: float = 0.95,
    every: int = 1,
    hold: int = 10,
) -> Simulation:
    """Label a table whose labels are known in several ways, and see how fast each learns.

    For each seed, the model is tested on three rows of ten that are never asked about, after every
    label; the aim is a share of the accuracy of the same learner with all labels. Of a target that
    is a number, it is a share of the error saved: by how much the RMSE is below that of the mean of
    all labels, as a share of the latter. If a class is sought, all rows can be asked about, and the
    aim is to have found a share of that class.

    Parameters
    ----------
    strategies
        By name, or a list; each is used with every seed.
    table
        The rows, with their labels.
    seeds
        As many, or which.
    sought
        A class that is to be found rather than a model learned: screening.
    goal
        The share of the accuracy, or of the error saved, with all labels, or of the rows that are
        sought.
    every
        Labels between two tests of the model.
    hold
        How many tests in a row must be as good, so that a lucky model is not taken for a good one;
        the first of them counts. What was found stays found.

    Examples
    --------
    >>> import satsuma
    >>> from satsuma import Active, NaiveBayes, simulate
    >>> ways = {
    ...     how: Active(learner=NaiveBayes(), acquire=how, budget=25)
    ...     for how in ("uncertain", "random")
    ... }
    >>> found = simulate(ways, satsuma.load("voting"), seeds=2)
    >>> sorted(found.needed)
    ['random', 'uncertain']
    """
    target = table.domain.target
    if target is None or target.kind not in ("sym", "num"):
        raise DomainError("simulate needs a table whose target is a class or a number.")
    if sought is not None and target.kind == "num":
        raise DomainError(f"sought= names a class, and {target.name!r} is a number.")
    if not 0 < goal <= 1:
        raise ParameterError(f"The 'goal' parameter must be above 0 and at most 1, not {goal!r}.")
    known = table[np.flatnonzero(~table.missing(target.name))]
    chosen = _named(strategies)
    runs = list(range(seeds)) if isinstance(seeds, int) else list(seeds)
    curves: dict[str, list[Curve]] = {name: [] for name in chosen}
    for seed in runs:
        for name, how in chosen.items():
            mine = replace(how, seed=seed)
            if sought is None:
                curves[name].append(_learned(mine, known, seed, goal, (every, hold)))
            else:
                curves[name].append(_found(mine, known, sought, seed, goal))
    return Simulation(
        curves, goal, sought, len(known), 1 if sought else hold, numeric=target.kind == "num"
    )


def _named(strategies: Mapping[str, Active] | Sequence[Active]) -> dict[str, Active]:
    if isinstance(strategies, Mapping):
        return dict(strategies)
    names = [each.acquire if isinstance(each.acquire, str) else each.acquire.__name__
             for each in strategies]  # fmt: skip
    if len(set(names)) < len(names):
        raise ParameterError("Two strategies have the same name. Give a dict by name.")
    return dict(zip(names, strategies, strict=True))


@dataclass
class _Run:
    """One labelling, and what was seen of it after each label."""

    how: Active
    pool: Table
    oracle: Oracle

    def go(
        self, look: Callable[[Labelling], float], enough: float, every: int, hold: int
    ) -> tuple[list[int], list[float]]:
        labelling = self.how.begin(hide_labels(self.pool))
        labels, seen = list[int](), list[float]()
        asked = 0
        while asked < self.how.budget:
            rows = labelling.ask(min(self.how.batch, self.how.budget - asked))
            if not rows:
                break
            for row in rows:
                labelling.tell(row, self.oracle.ask(self.pool[row]))
            asked += len(rows)
            if labelling.ready and (asked % every < len(rows) or asked >= self.how.budget):
                labels.append(asked)
                seen.append(look(labelling))
                if min(seen[-hold:]) >= enough and len(seen) >= hold:
                    break
        return labels, seen


def _learned(how: Active, table: Table, seed: int, goal: float, when: tuple[int, int]) -> Curve:
    target = table.domain.target
    assert target is not None
    rng = np.random.default_rng(seed)
    numeric = target.kind == "num"
    order = rng.permutation(len(table)) if numeric else even_order(table.column(target.name), rng)
    cut = round(len(order) * _TESTED)
    test, pool = table[np.sort(order[:cut])], table[np.sort(order[cut:])]
    middle = float(pool.column(target.name).mean()) if numeric else 0.0

    def look(model: Any) -> float:
        return _saved(model, test, middle) if numeric else _right(model, test)

    full = look(how.learner(pool))
    if full <= 0:
        raise DomainError(
            f"With all labels, {type(how.learner).__name__} is no better than the mean of the "
            f"target: there is nothing to reach."
        )
    labels, seen = _Run(how, pool, Oracle(pool)).go(
        lambda labelling: look(labelling.model), goal * full, *when
    )
    return Curve(labels, seen, full)


def _saved(model: Any, test: Table, middle: float) -> float:
    """By how much the RMSE is below that of predicting the mean, as a share of the latter."""
    truth = test.column(model.target.name)
    error = np.sqrt(((model.numbers(model.asked(test)) - truth) ** 2).mean())
    base = np.sqrt(((middle - truth) ** 2).mean())
    return float(1 - error / base) if base > 0 else 0.0


def _right(model: Any, test: Table) -> float:
    truth = test.column(model.target.name)
    said = model.codes(model.asked(test))
    same = {value: code for code, value in enumerate(model.classes)}
    wanted = np.array([same.get(value, -2) for value in test.domain[model.target.name].values])
    return float((said == wanted[truth]).mean())


def _found(how: Active, table: Table, sought: str, seed: int, goal: float) -> Curve:
    target = table.domain.target
    assert target is not None
    relevant = table.column(target.name) == target.code(sought)
    total = int(relevant.sum())
    if total == 0:
        raise DomainError(f"No row of the table is of the class {sought!r}, which is sought.")
    rng = np.random.default_rng(seed)
    start = [int(rng.choice(np.flatnonzero(which))) for which in (relevant, ~relevant)]
    mine = replace(how, start=start, budget=min(how.budget, len(table)), sought=sought)
    labels, seen = _Run(mine, table, Oracle(table)).go(
        lambda labelling: float(relevant[labelling.order].sum()) / total, goal, 1, 1
    )
    return Curve(labels, seen, 1.0)
