"""Pareto front: rows that no other is better than in all goals, and the space that they cover."""

import numpy as np

from satsuma.data.table import Table
from satsuma.errors import DomainError
from satsuma.numerics.arrays import Floats, Indices


def goal_losses(table: Table) -> Floats:
    """Rows by goals: from 0, the best of the table, to 1, the worst; missing goals are at 1.

    Examples
    --------
    >>> cars = Table.of(
    ...     [(10, 3), (20, 1)], ["Mpg+", "Lbs-"], target=None, roles={"Mpg+": "+", "Lbs-": "-"}
    ... )
    >>> goal_losses(cars)
    array([[1., 1.],
           [0., 0.]])
    """
    goals = table.domain.goals
    if not goals:
        raise DomainError("There is no front without goals.")
    losses = np.ones((len(table), len(goals)))
    for at, goal in enumerate(goals):
        column: Floats = table.column(goal.name)
        known = column[~np.isnan(column)]
        if not len(known):
            continue
        low, high = known.min(), known.max()
        loss = (column - low) / (high - low) if high > low else np.zeros(len(column))
        loss = loss if goal.goal == "-" else (1 - loss if high > low else loss)
        losses[:, at] = np.where(np.isnan(column), 1.0, loss)
    return losses


def front(losses: Floats) -> Indices:
    """The rows that no other row is as good as in all goals, and better in one.

    Examples
    --------
    >>> front(np.array([[0.0, 1.0], [0.5, 0.5], [0.6, 0.5], [1.0, 0.0]]))
    array([0, 1, 3])
    """
    as_good = (losses[:, None] <= losses).all(axis=2)
    better = (losses[:, None] < losses).any(axis=2)
    return np.flatnonzero(~(as_good & better).any(axis=0))


def hypervolume(losses: Floats) -> float:
    """The share of the space of goals that is worse than some row (Zitzler and Thiele 1998).

    Losses are from 0 to 1, and the worst of all goals is the reference point. It is exact; time
    grows with the number of rows to the power of the number of goals, less one.

    Examples
    --------
    >>> hypervolume(np.array([[0.0, 0.5], [0.5, 0.0]]))
    0.75
    """
    rows = losses[front(losses)]
    if not len(rows):
        return 0.0
    if rows.shape[1] == 1:
        return float(1 - rows.min())
    rows = rows[np.argsort(rows[:, -1], kind="stable")]
    edges = np.append(rows[:, -1], 1.0)
    # Between two values of the last goal, what is covered is that of the rows up to there.
    slices = [hypervolume(rows[: at + 1, :-1]) if edges[at + 1] > edges[at] else 0.0
              for at in range(len(rows))]  # fmt: skip
    return float(np.dot(np.diff(edges), slices))
