"""Advice: do this, not that; the smallest change that brings a row nearer to the ideal point."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from satsuma.data.row import Row
from satsuma.data.table import Table
from satsuma.data.time_features import time_of_feature
from satsuma.engines.timed_source import with_time_features
from satsuma.errors import DomainError, NoSuchColumn, ParameterError
from satsuma.learners.counterfactual import Change
from satsuma.learners.queries import filled, one_row
from satsuma.learners.tree.model import RegressionTreeModel
from satsuma.measures.ideal_point import distance_to_ideal
from satsuma.numerics.arrays import Floats
from satsuma.plan.goal_tree import DecisionPath, decision_paths, goal_tree, nearest_cell


@dataclass(frozen=True)
class Option:
    """Changes, and what they promise.

    Parameters
    ----------
    changes
        What is to be done.
    then
        How far rows that are so are from the ideal point, on average.
    spread
        Their standard deviation.
    n
        How many were seen.
    """

    changes: tuple[Change, ...]
    then: float
    spread: float
    n: int


@dataclass(frozen=True)
class Advice:
    """What to change in a row, and what may be expected of it.

    Parameters
    ----------
    now
        How far rows like it are from the ideal point.
    options
        Changes of one column, of two, and so on, each promising more than those before.
    chosen
        The option with the fewest changes that promises enough; None if nothing promises more.
    tree
        Of the rows that were seen: why this is advised.
    """

    now: float
    options: Sequence[Option]
    chosen: Option | None
    tree: RegressionTreeModel

    @property
    def changes(self) -> tuple[Change, ...]:
        """What is to be done; nothing, if nothing promises more."""
        return self.chosen.changes if self.chosen else ()

    @property
    def gain(self) -> float:
        """By how much nearer to the ideal point rows are that are as advised."""
        return self.now - self.chosen.then if self.chosen else 0.0

    def __str__(self) -> str:
        if self.chosen is None:
            return (
                f"Leave it: rows like it are {self.now:.3g} from the ideal point, and no change "
                f"that may be made promises more"
            )
        then = self.chosen
        lines = [str(change) for change in then.changes]
        rows = "1 row that is" if then.n == 1 else f"{then.n} rows that are"
        lines.append(
            f"{rows} so: {then.then:.3g} ± {then.spread:.3g} from the ideal point; rows like it "
            f"now: {self.now:.3g}"
        )
        return "\n".join(lines)


def advise(
    row: Row | Mapping[str, object],
    table: Table,
    *,
    fixed: Iterable[str] = (),
    enough: float = 0.5,
) -> Advice:
    """The smallest change to a row that moves it towards the best rows: do this, not that.

    A small tree parts rows near the ideal point, where every goal has its best value, from those
    far from it. The decision path to each leaf says what a row must be like; the changes are those
    that bring a row there. A missing cell is to be set.

    Parameters
    ----------
    row
        A row, or a dict; goals are not needed.
    table
        Rows whose goals are known; those without any are left out.
    fixed
        Columns that cannot be changed.
    enough
        The share of the greatest gain that will do: from 0, the fewest changes, to 1, the most
        gain.

    Notes
    -----
    What is expected is what was seen: the mean of the rows that are as advised. These may differ in
    more than what is advised, so it is no promise of what a change would cause.

    Examples
    --------
    >>> rows = [(size, size) for size in range(6)]
    >>> table = Table.of(rows, ["size", "Cost-"], target=None, roles={"Cost-": "-"})
    >>> print(advise({"size": 5}, table))
    do size ≤ 2.5, not 5
    3 rows that are so: 0.2 ± 0.2 from the ideal point; rows like it now: 0.8
    """
    if not table.domain.goals:
        raise DomainError(
            "There is nothing to move towards without goals. Say which columns are to be large or "
            "small: table.with_roles({'Mpg': '+', 'Lbs': '-'})."
        )
    unknown = np.all([table.missing(goal.name) for goal in table.domain.goals], axis=0)
    known = with_time_features(table[np.flatnonzero(~unknown)], unlabelled=True)
    if not len(known):
        raise DomainError("The goals of all rows are missing: label some first, by optimise.")
    distances = distance_to_ideal(known)(known)
    return advise_by_tree(
        row, known, distances, goal_tree(known, distances), fixed=fixed, enough=enough
    )


def advise_by_tree(
    row: Row | Mapping[str, object],
    rows: Table,
    distances: Floats,
    tree: RegressionTreeModel,
    *,
    fixed: Iterable[str],
    enough: float,
) -> Advice:
    """Advice by a tree of rows, of which the distance to the ideal point is known."""
    if not 0 <= enough <= 1:
        raise ParameterError(f"enough must be a share, from 0 to 1. Got {enough!r}.")
    given = [fixed] if isinstance(fixed, str) else list(fixed)
    names = [v.name for v in tree.domain.attributes]
    if unknown := [name for name in given if name not in rows.domain]:
        raise NoSuchColumn(unknown[0], names)
    asked = filled(one_row(row, tree.domain), tree.domain)
    now = float(tree.numbers(asked)[0])
    found = [_option(asked, rows, distances, path) for path in decision_paths(tree.root)]
    may = [
        option
        for option in found
        if option is not None
        and option.then < now
        and not any(
            name in given for c in option.changes for name in (c.column, time_of_feature(c.column))
        )
    ]
    options = _front(may)
    wanted = enough * (now - options[-1].then) if options else 0.0
    chosen = next((each for each in options if now - each.then >= wanted), None)
    return Advice(now, options, chosen, tree)


def _option(asked: Table, rows: Table, distances: Floats, path: DecisionPath) -> Option | None:
    """What brings a row to a leaf; nothing, if no row was seen there or it is there already."""
    there = path.leads(rows)
    wrong = [name for name in path.columns if not path.holds(asked, name)[0]]
    if not there.any() or not wrong:
        return None
    like, seen = rows[np.flatnonzero(there)], distances[there]
    changes = [
        Change(
            name,
            asked.cell(0, name),
            nearest_cell(like, name, asked.cell(0, name)),
            path.condition(name),
        )
        for name in wrong
    ]
    spread = float(seen.std(ddof=1)) if len(seen) > 1 else 0.0
    return Option(tuple(changes), float(seen.mean()), spread, len(seen))


def _front(options: list[Option]) -> list[Option]:
    """Those that promise more than any with as few changes, from the fewest changes on."""
    front: list[Option] = []
    for option in sorted(options, key=lambda each: (len(each.changes), each.then)):
        if not front or option.then < front[-1].then:
            front.append(option)
    return front
