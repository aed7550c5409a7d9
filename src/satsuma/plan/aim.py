"""Aim: what advice moves a row towards: the ideal point, a class, or a large or small number."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from satsuma.data.row import Row
from satsuma.data.table import Table
from satsuma.engines.timed_source import with_time_features
from satsuma.errors import DomainError, ParameterError, hint
from satsuma.measures.ideal_point import distance_to_ideal
from satsuma.numerics.arrays import Floats
from satsuma.plan.goal_tree import DISTANCE

#: The probability that an interval holds what it is of.
LEVEL = 0.95


@dataclass(frozen=True)
class Aim:
    """How good each of some rows is, and how that is told.

    Parameters
    ----------
    values
        A number for each row.
    sign
        1 if it is to be large, -1 if it is to be small.
    name
        What it is called.
    wanted
        The class that is wanted, if one is: numbers are 1 for its rows, and 0 for others.
    """

    values: Floats
    sign: int
    name: str
    wanted: str | None = None

    def told(self, mean: float, spread: float | None = None) -> str:
        """What rows are like, in words."""
        if self.wanted is not None:
            return f"{mean:.0%} are {self.wanted}"
        of = " from the ideal point" if self.name == DISTANCE else ""
        return f"{mean:.3g}{of}" if spread is None else f"{mean:.3g} ± {spread:.3g}{of}"

    def interval(self, now: Floats, then: Floats) -> tuple[float, float]:
        """An interval of what is gained: of numbers by Welch (1947), of shares by Agresti, Caffo.

        Examples
        --------
        >>> aim = Aim(np.zeros(0), -1, "cost")
        >>> low, high = aim.interval(np.array([5.0, 6, 7]), np.array([1.0, 2, 3]))
        >>> round(low, 2), round(high, 2)
        (1.73, 6.27)
        """
        if self.wanted is not None:  # (2000): one of each added to both groups
            now, then = (np.append(each, [0.0, 1.0]) for each in (now, then))
            spreads = [each.mean() * (1 - each.mean()) / len(each) for each in (now, then)]
            freedom = np.inf
        elif min(len(now), len(then)) < 2:
            return -np.inf, np.inf
        else:
            spreads = [each.var(ddof=1) / len(each) for each in (now, then)]
            parts = [s * s / (len(e) - 1) for s, e in zip(spreads, (now, then), strict=True)]
            freedom = sum(spreads) ** 2 / sum(parts) if sum(parts) else np.inf
        middle = self.sign * float(then.mean() - now.mean())
        half = _quantile(float(freedom)) * float(np.sqrt(sum(spreads)))
        return middle - half, middle + half


def _quantile(freedom: float) -> float:
    from scipy import stats

    t: Any = cast("Any", stats).t
    return float(t.ppf((1 + LEVEL) / 2, freedom))


def known_rows(table: Table) -> Table:
    """The rows of which the goals, or the target, are known."""
    goals = table.domain.goals
    names = [goal.name for goal in goals] or [cast("Any", table.domain.target).name]
    unknown = np.all([table.missing(name) for name in names], axis=0)
    known = with_time_features(table[np.flatnonzero(~unknown)], unlabelled=True)
    if not len(known):
        what = "goals" if goals else "target"
        raise DomainError(f"The {what} of all rows are missing: label some first.")
    return known


def aim_of(table: Table, row: Row | Mapping[str, object], wanted: str | None) -> Aim:
    """What is wanted of the rows of a table: by its goals, else by its target."""
    target = table.domain.target
    if table.domain.goals:
        if wanted is not None:
            raise ParameterError("wanted= is for a target. Goals say themselves what is wanted.")
        return Aim(distance_to_ideal(table)(table), -1, DISTANCE)
    assert target is not None
    column = table.column(target.name)
    if target.kind == "num":
        if wanted not in ("+", "-"):
            raise ParameterError(
                f"Say whether {target.name!r} is to be large or small: wanted='+' or wanted='-'. "
                f"Got {wanted!r}."
            )
        return Aim(column, 1 if wanted == "+" else -1, target.name)
    chosen = _other_class(target.values, target.name, row) if wanted is None else wanted
    if chosen not in target.values:
        raise ParameterError(
            f"wanted must be a class of {target.name!r}. {hint(chosen, list(target.values))}"
        )
    return Aim(1.0 * (column == target.code(chosen)), 1, f"{target.name} = {chosen}", chosen)


def _other_class(classes: tuple[str, ...], name: str, row: Row | Mapping[str, object]) -> str:
    """Of two classes, the one that a row is not of."""
    known = name in row.domain if isinstance(row, Row) else name in row
    own = row[name] if known else None
    if len(classes) != 2 or own not in classes:
        raise ParameterError(f"Say which class is wanted: wanted={classes[0]!r}, for example.")
    return classes[1 - classes.index(cast("str", own))]
