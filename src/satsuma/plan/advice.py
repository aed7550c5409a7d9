"""Advice: do this, not that; the smallest change that makes a row more like the best ones."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from satsuma.data.row import Row
from satsuma.data.table import Table
from satsuma.data.time_features import time_of_feature
from satsuma.engines import check_rows
from satsuma.errors import DomainError, NoSuchColumn, ParameterError
from satsuma.learners.counterfactual import Change
from satsuma.learners.queries import filled, one_row
from satsuma.learners.tree.model import RegressionTreeModel
from satsuma.numerics.arrays import Floats
from satsuma.plan.aim import Aim, aim_of, known_rows
from satsuma.plan.goal_tree import LEAF, DecisionPath, decision_paths, goal_tree, nearest_cell

#: However many rows there are, advice may rest on this many.
_ENOUGH_ROWS = 10


@dataclass(frozen=True)
class Option:
    """Changes, and what they promise.

    Parameters
    ----------
    changes
        What is to be done.
    then
        What rows that are so are like, on average: their distance to the ideal point, the share of
        the wanted class, or the mean of the target.
    spread
        Their standard deviation.
    n
        How many were seen.
    gain
        By how much better they are than rows that are as the row is now.
    interval
        A 95 % interval of that.
    """

    changes: tuple[Change, ...]
    then: float
    spread: float
    n: int
    gain: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Advice:
    """What to change in a row, and what may be expected of it.

    Parameters
    ----------
    now
        What rows like it are like: how far from the ideal point, or the share of the wanted class,
        or the mean of the target.
    options
        Changes of one column, of two, and so on, each promising more than those before.
    chosen
        The option with the fewest changes that promises enough; None if nothing promises more.
    tree
        Of the rows that were seen: why this is advised.
    aim
        What is wanted.
    """

    now: float
    options: Sequence[Option]
    chosen: Option | None
    tree: RegressionTreeModel
    aim: Aim

    @property
    def changes(self) -> tuple[Change, ...]:
        """What is to be done; nothing, if nothing promises more."""
        return self.chosen.changes if self.chosen else ()

    @property
    def gain(self) -> float:
        """By how much better rows are that are as advised."""
        return self.chosen.gain if self.chosen else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """A 95 % interval of the gain; from 0 to 0 if nothing is advised."""
        return self.chosen.interval if self.chosen else (0.0, 0.0)

    def __str__(self) -> str:
        if self.chosen is None:
            return (
                f"Leave it: of rows like it, {self.aim.told(self.now)}, and no change that may be "
                f"made promises more"
            )
        then = self.chosen
        lines = [str(change) for change in then.changes]
        rows = "1 row that is" if then.n == 1 else f"{then.n} rows that are"
        now = f"{self.now:.0%}" if self.aim.wanted else f"{self.now:.3g}"
        low, high = then.interval
        lines.append(f"{rows} so: {self.aim.told(then.then, then.spread)}; rows like it now: {now}")
        lines.append(f"gained: {then.gain:.3g}, 95 % interval {low:.3g} to {high:.3g}")
        return "\n".join(lines)


def advise(
    row: Row | Mapping[str, object],
    table: Table,
    *,
    wanted: str | None = None,
    fixed: Iterable[str] = (),
    enough: float = 0.5,
    support: int | None = None,
) -> Advice:
    """The smallest change to a row that moves it towards the best rows: do this, not that.

    A small tree parts rows near the ideal point, where every goal has its best value, from those
    far from it; or rows of a class from others; or large numbers from small ones. The decision path
    to each leaf says what a row must be like; the changes are those that bring a row there. A
    missing cell is to be set.

    Parameters
    ----------
    row
        A row, or a dict; goals are not needed.
    table
        Rows whose goals, or whose target, are known; others are left out.
    wanted
        Where there are no goals: the class of the target to move to (of two, the one that the row
        is not of, unless given), or ``+`` or ``-`` for a target that is a number.
    fixed
        Columns that cannot be changed.
    enough
        The share of the greatest gain that will do: from 0, the fewest changes, to 1, the most
        gain.
    support
        The least rows that advice may rest on; unless given, the square root of their number, at
        least 3 and at most 10.

    Notes
    -----
    What is expected is what was seen: the mean of the rows that are as advised. These may differ in
    more than what is advised, so it is no promise of what a change would cause. The interval of the
    gain is of the difference of two means (Welch 1947), or of two shares (Agresti and Caffo 2000);
    the tree was chosen by the same rows, so that it is rather too narrow than too wide.

    Examples
    --------
    >>> from satsuma import Table, advise
    >>> rows = [(size, size) for size in range(6)]
    >>> table = Table.of(rows, ["size", "Cost-"], target=None, roles={"Cost-": "-"})
    >>> print(advise({"size": 5}, table))
    do size ≤ 2.5, not 5
    3 rows that are so: 0.2 ± 0.2 from the ideal point; rows like it now: 0.8
    gained: 0.6, 95 % interval 0.147 to 1.05
    """
    check_rows("advise takes a row and", table, sources=False)
    if not table.domain.goals and table.domain.target is None:
        raise DomainError(
            "There is nothing to move towards without goals or a target. Say which columns are to "
            "be large or small: table.with_roles({'Mpg': '+', 'Lbs': '-'})."
        )
    known = known_rows(table)
    aim = aim_of(known, row, wanted)
    tree = goal_tree(known, aim.values, aim.name)
    return advise_by_tree(row, known, aim, tree, fixed=fixed, enough=enough, support=support)


def advise_by_tree(
    row: Row | Mapping[str, object],
    rows: Table,
    aim: Aim,
    tree: RegressionTreeModel,
    *,
    fixed: Iterable[str],
    enough: float,
    support: int | None = None,
) -> Advice:
    """Advice by a tree of rows, of which it is known how good they are."""
    if not 0 <= enough <= 1:
        raise ParameterError(f"enough must be a share, from 0 to 1. Got {enough!r}.")
    if support is not None and support < 1:
        raise ParameterError(f"support must be at least 1. Got {support!r}.")
    least = max(LEAF, min(round(len(rows) ** 0.5), _ENOUGH_ROWS)) if support is None else support
    given = [fixed] if isinstance(fixed, str) else list(fixed)
    names = [v.name for v in tree.domain.attributes]
    if unknown := [name for name in given if name not in rows.domain]:
        raise NoSuchColumn(unknown[0], names)
    asked = filled(one_row(row, tree.domain), tree.domain)
    now = float(tree.numbers(asked)[0])
    paths = list(decision_paths(tree.root))
    own = next((path.leads(rows) for path in paths if path.leads(asked)[0]), None)
    like = aim.values if own is None or not own.any() else aim.values[own]
    found = [_option(asked, rows, aim, path, (now, like)) for path in paths]
    may = [
        option
        for option in found
        if option is not None
        and option.n >= least
        and option.gain > 0
        and not any(
            name in given for c in option.changes for name in (c.column, time_of_feature(c.column))
        )
    ]
    options = _front(may)
    wanted = enough * options[-1].gain if options else 0.0
    chosen = next((each for each in options if each.gain >= wanted), None)
    return Advice(now, options, chosen, tree, aim)


def _option(
    asked: Table, rows: Table, aim: Aim, path: DecisionPath, before: tuple[float, Floats]
) -> Option | None:
    """What brings a row to a leaf; nothing, if no row was seen there or it is there already."""
    there = path.leads(rows)
    wrong = [name for name in path.columns if not path.holds(asked, name)[0]]
    if not there.any() or not wrong:
        return None
    like, seen = rows[np.flatnonzero(there)], aim.values[there]
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
    then = float(seen.mean())
    now, like_now = before
    gain = aim.sign * (then - now)
    return Option(tuple(changes), then, spread, len(seen), gain, aim.interval(like_now, seen))


def _front(options: list[Option]) -> list[Option]:
    """Those that promise more than any with as few changes, from the fewest changes on."""
    front: list[Option] = []
    for option in sorted(options, key=lambda each: (len(each.changes), -each.gain)):
        if not front or option.gain > front[-1].gain:
            front.append(option)
    return front
