"""On Dask: parts are worked on by its workers, who add up what comes of them."""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any
from uuid import uuid4

from satsuma.data.formats.arrow.dask import Held, Partition, batches_of
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
from satsuma.errors import ReadError, SatsumaError, require_extra

#: What is added up in one task, and the sums that are waited for at a time. Powers of two: so the
#: tree is that of `merging.MergeTree`.
FAN, SUMS = 8, 64


def _module(name: str) -> Any:
    """A module that is annotated in part, or not at all."""
    return import_module(name)


@dataclass(frozen=True)
class Workers(WorkerPool):
    """The workers of a Dask client.

    A task holds where rows are, and what is to be done with them. So when a worker is lost with all
    that it had, Dask has its tasks done again by another.

    Parameters
    ----------
    client
        Whose; the one in use if None, and Dask's threads in this process if there is none.
    """

    client: Any = None

    def total(self, work: Work, items: Sequence[Item], progress: Progress | None) -> Any:
        """What comes of the items, added up by the workers."""
        if not items:
            return None
        size = FAN
        while len(items) > size * SUMS:
            size *= FAN
        run = f"satsuma-{uuid4().hex}"
        leaves = _leaves(work, items, run)
        sums = [_sum(some) for some in _some(leaves, size)]
        client = self._client()
        told = progress or unheard
        told(0, len(items))
        found = _here(sums) if client is None else _there(client, sums, items, size, told)
        told(len(items), len(items))
        return found

    def _client(self) -> Any:
        if self.client is not None:
            return self.client
        try:
            return _module("distributed").default_client()
        except (ImportError, ValueError):
            return None


@dataclass(frozen=True)
class _Leaf:
    """Work on one part. The work is sent once, and not with each part."""

    item: Item

    def __call__(self, work: Work, rows: Any = None) -> Any:
        item = self.item
        if rows is not None:
            held = Held(item.at, batches_of(rows), Partition.name)
            item = replace(item, part=held)
        return single_threaded(work)(item, Stop())


def _leaves(work: Work, items: Sequence[Item], run: str) -> list[Any]:
    """A task for each part."""
    with require_extra("dask", "A scan on Dask", "dask"):
        cloudpickle, delayed = _module("cloudpickle"), _module("dask").delayed
    # A task, not scattered data: what is scattered is lost with the worker that has it.
    load = delayed(pickle.loads, pure=False)
    job = load(cloudpickle.dumps(work), dask_key_name=f"{run}-work")
    found: list[Any] = []
    for item in items:
        rows: list[Any] = []
        if isinstance(item.part, Partition):
            rows = [item.part.rows]
            item = replace(item, part=Held(item.at, (), Partition.name))  # noqa: PLW2901
        leaf = delayed(_Leaf(item), pure=False, traverse=False)
        found.append(leaf(job, *rows, dask_key_name=f"{run}-part-{item.at}"))
    return found


def _sum(values: Sequence[Any]) -> Any:
    """A task for the sum of what some tasks make, by way of sums of a few."""
    delayed = _module("dask").delayed
    while len(values) > 1:
        values = [
            some[0] if len(some) == 1 else delayed(total, pure=False)(list(some))
            for some in _some(values, FAN)
        ]
    return values[0]


def _some(values: Sequence[Any], size: int) -> list[Sequence[Any]]:
    return [values[start : start + size] for start in range(0, len(values), size)]


def _here(sums: Sequence[Any]) -> Any:
    """The sum by Dask's threads in this process."""
    return _module("dask").compute(_sum(sums), scheduler="threads")[0]


def _there(
    client: Any, sums: Sequence[Any], items: Sequence[Item], size: int, told: Progress
) -> Any:
    """The sum by the workers of a client; only this comes here."""
    distributed = _module("distributed")
    futures = client.compute(list(sums))
    try:
        for done, future in enumerate(distributed.as_completed(futures), start=1):
            if future.status != "finished":
                future.result()  # which raises what went wrong
            told(min(done * size, len(items) - 1), len(items))
        if len(futures) == 1:
            return futures[0].result()
        return client.submit(total, futures, pure=False).result()
    except distributed.KilledWorker as error:
        raise _deadly(str(error.task), items) from None
    finally:
        client.cancel(futures)


def _deadly(task: str, items: Sequence[Item]) -> SatsumaError:
    _, _, number = task.rpartition("-part-")
    place = next((each.part.place for each in items if str(each.at) == number), "")
    return ReadError(
        "several workers died over this, one after the other",
        file=place,
        remedy="Give workers more memory, or make parts smaller.",
    )
