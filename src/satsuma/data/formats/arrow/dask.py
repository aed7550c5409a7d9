"""Partitions of a Dask data frame: descriptions of rows that are made where they are needed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, ClassVar

from satsuma.data.column_plan import ColumnPlan
from satsuma.data.formats.arrow.conversion import index_note
from satsuma.data.formats.arrow.reader import open_arrow
from satsuma.data.formats.arrow.record_batches import ArrowPart
from satsuma.data.parts import Opened


def is_frame(thing: object) -> bool:
    """Whether something is a Dask data frame."""
    family = type(thing).__module__.partition(".")[0]
    return family in ("dask", "dask_expr") and hasattr(thing, "to_delayed")


def open_frame(frame: Any) -> Opened:
    """The partitions of a Dask data frame."""
    dispatch: Any = import_module("dask.dataframe.dispatch")  # annotated in part
    parts = [Partition(at, rows) for at, rows in enumerate(frame.to_delayed())]
    meta = dispatch.make_meta(frame)
    schema = as_arrow(meta).schema
    objects = [name for name, of in zip(schema.names, schema.types, strict=True) if of == "null"]
    opened = open_arrow(parts, _told(schema, parts, objects), Partition.name)
    plan = replace(opened.plan, fixed=opened.plan.fixed.difference(objects))
    opened = replace(opened, plan=plan)
    names = [str(name) for name in meta.index.names if name is not None]
    return replace(opened, notes=[index_note(names), *opened.notes]) if names else opened


def as_arrow(frame: Any) -> Any:
    """A pandas data frame as Arrow's table, without its index."""
    import pyarrow as pa

    return pa.Table.from_pandas(frame, preserve_index=False)


def _told(schema: Any, parts: Sequence["Partition"], objects: Sequence[str]) -> Any:
    """The schema with what the first partition tells of columns of objects, which may be any."""
    if not objects or not parts:
        return schema
    dask: Any = import_module("dask")
    first = dask.delayed(_schema)(parts[0].rows).compute()
    for name in objects:
        schema = schema.set(schema.get_field_index(name), first.field(name))
    return schema


def _schema(frame: Any) -> Any:
    return as_arrow(frame).schema


class _Numbered(ArrowPart):
    """A partition of a data frame, called by its number."""

    at: int
    name: str
    what: ClassVar[str] = "partition"

    @property
    def file(self) -> str:
        """What to call the data frame."""
        return self.name

    @property
    def place(self) -> str:
        """What to call the part."""
        return f"{self.name}, partition {self.at}"


@dataclass(frozen=True)
class Held(_Numbered):
    """A part of a data frame, its rows at hand: this is what workers read.

    Parameters
    ----------
    at
        Its number.
    found
        Arrow's record batches.
    name
        What to call the data frame.
    """

    at: int
    found: Any
    name: str

    def record_batches(self, plan: ColumnPlan) -> Iterator[Any]:
        """Arrow's record batches."""
        del plan
        yield from self.found


@dataclass(frozen=True)
class Partition(_Numbered):
    """A partition of a Dask data frame, as the graph that makes it.

    Parameters
    ----------
    at
        Its number.
    rows
        What makes a pandas data frame of it.
    name
        What to call the data frame.
    """

    at: int
    rows: Any
    name: str = "<dask>"
    elsewhere: ClassVar[bool] = True

    def record_batches(self, plan: ColumnPlan) -> Iterator[Any]:
        """Arrow's record batches, brought here."""
        del plan
        yield from batches_of(self.rows.compute())


def batches_of(frame: Any) -> Sequence[Any]:
    """The record batches of a pandas data frame."""
    return as_arrow(frame).to_batches()
