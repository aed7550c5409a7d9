"""On Spark: partitions are worked on by its executors, who add up what comes of them."""

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from satsuma.data.formats.arrow.dask import Held
from satsuma.data.formats.arrow.spark import NAME, partition_number
from satsuma.engines.merge_tree import total
from satsuma.engines.thread_pool import (
    Item,
    Progress,
    Stop,
    Work,
    WorkerPool,
    single_threaded,
    unheard,
)
from satsuma.errors import SatsumaError

#: How many are added up in one task. A power of two: so the tree is that of `merging.Tree`.
FAN = 64

_SCHEMA = "at long, made binary"


@dataclass(frozen=True)
class Executors(WorkerPool):
    """The executors that hold a Spark data frame.

    Spark's own `treeReduce` adds up in the order in which results happen to come in. Here the order
    is that of the partitions, so that the same partitions give the same sum to the last bit.

    Parameters
    ----------
    frame
        The data frame.
    """

    frame: Any

    def total(self, work: Work, items: Sequence[Item], progress: Progress | None) -> Any:
        """What comes of the items, added up by the executors."""
        functions: Any = import_module("pyspark.sql.functions")
        told = progress or unheard
        told(0, len(items))
        known = {each.at: replace(each, part=Held(each.at, (), NAME)) for each in items}
        made = self.frame.mapInArrow(_working(work, known), _SCHEMA)
        count = max(known, default=0) + 1
        while count > 1:
            made = made.groupBy(functions.expr(f"at div {FAN}")).applyInArrow(_adding, _SCHEMA)
            count = -(-count // FAN)
        rows = sorted(made.collect(), key=lambda row: row["at"])
        found = _total([pickle.loads(row["made"]) for row in rows])  # noqa: S301 - our own
        told(len(items), len(items))
        if isinstance(found, _Failed):
            raise found.error
        return found


@dataclass(frozen=True)
class _Failed:
    """What went wrong. It comes home as a result: Spark would make a text of it."""

    error: SatsumaError


def _total(values: Sequence[Any]) -> Any:
    failed = next((each for each in values if isinstance(each, _Failed)), None)
    return total(values) if failed is None else failed


def _row(at: int, made: Any) -> Any:
    import pyarrow as pa

    return pa.table(
        {"at": pa.array([at], pa.int64()), "made": pa.array([pickle.dumps(made)], pa.binary())}
    )


def _working(work: Work, known: dict[int, Item]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Work on one partition, which finds out its number where it is."""

    def working(rows: Iterator[Any]) -> Iterator[Any]:
        item = known.get(partition_number())
        if item is None:
            return
        held = replace(item, part=Held(item.at, rows, NAME))
        try:
            made = single_threaded(work)(held, Stop())
        except SatsumaError as error:
            made = _Failed(error)
        yield from _row(item.at, made).to_batches()

    return working


def _adding(some: Any) -> Any:
    """The sum of what came of neighbours, each in its place; those that are missing add nothing."""
    places = some["at"].to_pylist()
    found = dict(zip(places, some["made"].to_pylist(), strict=True))
    first = places[0] // FAN * FAN
    values = [pickle.loads(found[at]) if at in found else None for at in range(first, first + FAN)]  # noqa: S301 - our own
    return _row(first // FAN, _total(values))
