"""Row batches: rows of Python's cells, as DB-API cursors give them, as Arrow's record batches."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import Any, cast

from satsuma.data.columns import WHOLE, spell

#: What marks a column of strings that were of several types.
_MIXED = b"satsuma.mixed"

#: A row of cells.
Cells = Sequence[Any]


def batch_of(names: Sequence[str], rows: Sequence[Cells]) -> Any:
    """A record batch of some rows; columns of several types become strings.

    Examples
    --------
    >>> batch_of(["n", "s"], [(1, "a"), (2.5, 3), (None, None)]).to_pylist()[1]
    {'n': 2.5, 's': '3'}
    """
    import pyarrow as pa

    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    made = [_array_of(cells) for cells in columns]
    fields = [
        pa.field(name, array.type, metadata={_MIXED: b""} if mixed else None)
        for name, (array, mixed) in zip(names, made, strict=True)
    ]
    return pa.RecordBatch.from_arrays([array for array, _ in made], schema=pa.schema(fields))


def _array_of(cells: Cells) -> tuple[Any, bool]:
    """An Arrow array, and whether cells of several types became strings."""
    import pyarrow as pa

    types = set(map(type, cells)) - {type(None)}
    if len(types & {date, datetime}) < 2:  # a date would lose the time of another
        with suppress(pa.ArrowException, OverflowError):
            made: Any = pa.array(cells)
            if not isinstance(made.type, pa.BaseExtensionType):  # as a UUID is
                return made, False
    return _spelled(cells), len(types) > 1


def _spelled(cells: Iterable[Any]) -> Any:
    import pyarrow as pa

    return pa.array([None if each is None else spell(each) for each in cells], pa.string())


def is_mixed(field: Any) -> bool:
    """Whether cells of several types became strings in a column."""
    return _MIXED in (field.metadata or {})


def is_beyond(column: Any) -> bool:
    """Whether a column of floats holds one that need not be the number it was made of."""
    import pyarrow.compute as pc

    ends: Any = pc.min_max(column).as_py()
    most = 0 if ends["max"] is None else max(-ends["min"], ends["max"])
    return WHOLE < most < float("inf")


def whole_table(schema: Any, batches: Iterable[Any]) -> tuple[Any, list[str]]:
    """All batches as one Arrow table, and the columns that are strings for their several types."""
    import pyarrow as pa

    held = list(batches)
    mixed = {each.name for batch in held for each in batch.schema if is_mixed(each)}
    if all(each.schema.equals(schema) for each in held):
        return pa.Table.from_batches(held, schema), [each for each in schema.names if each in mixed]
    columns: list[Any] = []
    for at, name in enumerate(schema.names):
        column, spelled = _joined([each.column(at) for each in held])
        columns.append(column)
        mixed |= {name} if spelled else set()
    table = pa.Table.from_arrays(columns, names=schema.names)
    return table, [name for name in schema.names if name in mixed]


def _joined(chunks: Sequence[Any]) -> tuple[Any, bool]:
    import pyarrow as pa

    chunked: Any = pa.chunked_array
    fields = [pa.schema([pa.field("", each.type)]) for each in chunks]
    try:
        of: Any = cast("Any", pa.unify_schemas)(fields, promote_options="permissive").field(0).type
        return chunked([each.cast(of) for each in chunks], of), False
    except pa.ArrowException:
        return chunked([_spelled(each.to_pylist()) for each in chunks]), True


def even_batches(batches: Iterable[Any], size: int) -> Generator[Any]:
    """The same rows in batches of one size, whatever the sizes they come in."""
    held, rows = list[Any](), 0
    for batch in batches:
        if held and not batch.schema.equals(held[0].schema):
            yield from _cut(_together(held), size)
            held, rows = [], 0
        held.append(batch)
        rows += batch.num_rows
        if rows >= size:
            *whole, rest = _cut(_together(held), size)
            yield from whole
            held, rows = ([rest], rest.num_rows) if rest.num_rows < size else ([], 0)
            if not held:
                yield rest
    if held and rows:
        yield from _cut(_together(held), size)


def _together(held: Sequence[Any]) -> Any:
    import pyarrow as pa

    return held[0] if len(held) == 1 else cast("Any", pa).concat_batches(held)


def _cut(batch: Any, size: int) -> list[Any]:
    return [batch.slice(start, size) for start in range(0, max(1, batch.num_rows), size)]
