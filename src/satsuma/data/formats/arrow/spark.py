"""Partitions of a Spark data frame."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

from satsuma.data.column_plan import ColumnPlan
from satsuma.data.formats.arrow.reader import open_arrow
from satsuma.data.formats.arrow.record_batches import ArrowPart
from satsuma.data.parts import Opened

NAME = "<spark>"


def is_spark(thing: object) -> bool:
    """Whether something is a Spark data frame."""
    return type(thing).__module__.partition(".")[0] == "pyspark" and hasattr(thing, "mapInArrow")


def open_spark(frame: Any) -> Opened:
    """The partitions of a Spark data frame."""
    parts = [Executed(at, frame) for at in range(frame.rdd.getNumPartitions())]
    return open_arrow(parts, frame.limit(0).toArrow().schema, NAME)


@dataclass(frozen=True)
class Executed(ArrowPart):
    """A partition of a Spark data frame.

    Parameters
    ----------
    at
        Its number.
    frame
        The data frame.
    """

    at: int
    frame: Any
    what: ClassVar[str] = "partition"
    elsewhere: ClassVar[bool] = True

    @property
    def file(self) -> str:
        """What to call the data frame."""
        return NAME

    @property
    def place(self) -> str:
        """What to call the part."""
        return f"{NAME}, partition {self.at}"

    def record_batches(self, plan: ColumnPlan) -> Iterator[Any]:
        """Arrow's record batches, brought here."""
        del plan
        here = self.frame.mapInArrow(_only(self.at), self.frame.schema)
        yield from here.toArrow().to_batches()


def partition_number() -> int:
    """The number of the partition that is worked on; to be asked in a task."""
    pyspark: Any = import_module("pyspark")  # it need not be there to check types
    return pyspark.TaskContext.get().partitionId()


def _only(wanted: int) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """What lets one partition pass."""

    def passing(found: Iterator[Any]) -> Iterator[Any]:
        if partition_number() == wanted:
            yield from found

    return passing
