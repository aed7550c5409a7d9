"""What ensembles and other learners of learners share: rows, their weights, and threads."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from satsuma.data.column_names import free_name
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import DomainError
from satsuma.errors.parameter_checks import refuse
from satsuma.kernels.threads import TILE, available, limited, map_tiles
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


def training_rows(table: Table, learner: str) -> Table:
    """The rows whose target is known and whose weight is not zero; an error where none is."""
    target = table.domain.target
    assert target is not None
    used = ~table.missing(target.name)
    if table.weights is not None:
        used &= table.weights > 0
    if not used.any():
        raise DomainError(
            f"{learner} was given no row of a known target whose weight is not zero. "
            f"Give some rows a target and a weight."
        )
    return table if used.all() else table[np.flatnonzero(used)]


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


def on_threads(task: Callable[[int], T], count: int) -> list[T]:
    """What comes of tasks 0, 1, …, in order. They share the threads that there are."""
    share = max(1, available() // count)

    def run(at: int, _: int) -> T:
        with limited(share):  # a thread of the pool has not heard of the limit of its caller
            return task(at)

    return map_tiles(run, count, tile=1)


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

    on_threads(tile, max(1, -(-len(batch) // TILE)))
    return found
