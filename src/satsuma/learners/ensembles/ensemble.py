"""What ensembles and other learners of learners share: checks, weights, and sums of predictions."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from satsuma.data.domain import Domain, free_name
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import refuse
from satsuma.kernels.threads import TILE, map_tasks
from satsuma.learners.learner import Learner
from satsuma.learners.takes import Takes
from satsuma.numerics.arrays import Floats

T = TypeVar("T")


def takes_of_member(inner: Any) -> Takes:
    """What the learner inside takes; all rows must be in memory."""
    known: Takes = inner.takes if isinstance(inner, Learner) else Takes()
    return replace(known, rounds="rows")


def check_inside(outer: object, name: str, inner: Any) -> None:
    """Raise unless a parameter is a learner that predicts something, with right parameters."""
    if not isinstance(inner, Learner) or inner.takes.target == "nothing":
        raise refuse(outer, name, "a learner that predicts something")
    inner.check()


def with_weights(table: Table, weights: Floats) -> Table:
    """The same rows with other weights; no other column is copied.

    Examples
    --------
    >>> table = Table.of([(1, "a"), (2, "b")], ["n", "s"])
    >>> with_weights(with_weights(table, np.ones(2)), np.array([0.5, 3.0]))[1]
    Row(n=2, s='b', weight=3)
    """
    weight = table.domain.weight
    if weight is None:
        weight = Variable(free_name("weight", table.domain.names), "num", role="weight")
    kept = table.select(name for name in table.domain.names if name != weight.name)
    return Table(Domain([*kept.domain, weight]), [*kept.columns, weights], check=False)


def summed_predictions(
    ask: Callable[[int, Table], Floats], models: int, batch: Table, width: int
) -> Floats:
    """The sum of the predictions of models 0, 1, …, in order: rows by `width`.

    Tiles of rows go to threads, and each through all models, so that the predictions of no more
    than one model are in memory beside their sum.
    """
    found = np.zeros((len(batch), width))

    def tile(at: int) -> None:
        rows = slice(at * TILE, (at + 1) * TILE)
        part = batch if len(batch) <= TILE else batch[rows]
        for model in range(models):
            found[rows] += ask(model, part)

    map_tasks(tile, range(max(1, -(-len(batch) // TILE))))
    return found
