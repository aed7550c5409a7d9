"""Opening what speaks Arrow: schemas say most of what is to be known."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from satsuma.data.column_plan import ColumnPlan
from satsuma.data.domain import Domain
from satsuma.data.files import Readable, RemoteFile, label, open_bytes
from satsuma.data.formats.arrow import record_batches as arrow
from satsuma.data.formats.arrow.arrow_times import time_format
from satsuma.data.formats.arrow.conversion import arrow_columns, index_of, read_said
from satsuma.data.notes import note
from satsuma.data.parts import Opened, Part, check_names
from satsuma.data.profile import Profile
from satsuma.data.readings import SAMPLE
from satsuma.data.time_formats import DATE
from satsuma.data.times import read_strings
from satsuma.data.variable import Variable
from satsuma.errors import ReadError
from satsuma.kernels.csv import TimeFormat


def open_columnar(
    sources: Sequence[Readable], form: str, kinds: Mapping[str, str] | None, *, whole: bool
) -> Opened:
    """Parquet or Feather files as parts; one file that is read whole is one."""
    if whole and len(sources) == 1:
        (source,) = sources
        with arrow.naming(label(source), f"{form} file"):
            found, notes = arrow_columns(_whole(source, form), kinds)
        return Opened.holding(found, notes, file=label(source))
    paths = list(map(label, sources))
    opened = [(_row_groups if form == "parquet" else _record_batches)(each) for each in sources]
    schema = opened[0][1]
    for path, (_, each) in zip(paths, opened, strict=True):
        check_names(path, _names_of(each), paths[0], _names_of(schema))
    return open_arrow([part for parts, _ in opened for part in parts], schema, paths[0])


def _whole(source: Readable, form: str) -> Any:
    """All of a file as an Arrow table, decoded by several threads."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with open_bytes(source) as stream:
        try:
            if form == "parquet":
                return pq.read_table(stream)
            found = _read_ipc(stream)
            # The indices of a damaged file would lead outside of memory.
            found.validate(full=True)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise ReadError(
                f"this is not a whole {form} file: {error}",
                file=label(source),
                remedy="Write it again, or say what it is with format=.",
            ) from None
        return found


def _read_ipc(stream: Any) -> Any:
    """An Arrow file in either of its two forms."""
    import pyarrow as pa

    start = stream.read(6)
    stream.seek(0)
    opened = pa.ipc.open_file(stream) if start == b"ARROW1" else pa.ipc.open_stream(stream)
    return opened.read_all()


def _row_groups(source: Readable) -> tuple[list[Part], Any]:
    """The parts of a Parquet file, and its schema."""
    _must_exist(source)
    with arrow.naming(label(source), "Parquet file"), arrow.open_parquet(source) as file:
        count, schema = file.metadata.num_row_groups, file.schema_arrow
        footer = file.metadata if isinstance(source, RemoteFile) else None
    return [arrow.RowGroup(source, at, footer) for at in range(count)], schema


def _record_batches(source: Readable) -> tuple[list[Part], Any]:
    """The parts of an Arrow file, and its schema."""
    import pyarrow as pa

    _must_exist(source)
    with arrow.naming(label(source), "Feather file"), arrow.open_feather(source) as stream:
        whole = stream.read(6) == b"ARROW1"
        stream.seek(0)
        if not whole:
            return [arrow.RecordBatch(source, None)], pa.ipc.open_stream(stream).schema
        opened = pa.ipc.open_file(stream)
        count, schema = opened.num_record_batches, opened.schema
    return [arrow.RecordBatch(source, at) for at in range(count)], schema


def _must_exist(source: Readable) -> None:
    if not isinstance(source, RemoteFile):  # that one was found already
        open_bytes(source).close()


def fragments(dataset: Any) -> list[Part]:
    """The parts of a dataset."""
    try:
        files = list(dataset.get_fragments())
    except ValueError:  # it is filtered: only the whole of it can be asked for its rows
        return [arrow.Stream(dataset)]
    found: list[Part] = []
    for file in files:
        some = file.split_by_row_group() if hasattr(file, "split_by_row_group") else [file]
        found += [arrow.Fragment(each, dataset.schema) for each in some]
    return found


def _names_of(schema: Any) -> list[str]:
    """The names of columns, without an index of pandas."""
    index, _ = index_of(schema)
    return [name for name in schema.names if name not in index]


def open_query(stream: arrow.Stream) -> Opened:
    """A query as one part."""
    with arrow.naming(stream.place, stream.what):
        schema = next((batch.schema for batch in stream.record_batches()), None)
    if schema is None:
        raise ReadError("the query gives no rows", file=stream.file)
    return open_arrow([stream], schema, stream.file)


def open_arrow(parts: Sequence[Part], schema: Any, file: str) -> Opened:
    """Parts that speak Arrow, with what a schema says of them."""
    names = _names_of(schema)
    for name in names:
        if not name or names.count(name) > 1:
            told = (
                f"{names.count(name)} columns are called {name!r}" if name else "a nameless column"
            )
            raise ReadError(told, file=file, remedy="Give each column a name of its own.")
    said, notes = read_said(schema)
    lengths = (name for name in names if str(schema.field(name).type).startswith("duration"))
    notes = [
        *index_of(schema)[1],
        *notes,
        *(note("lengths of time", name=name) for name in lengths),
    ]
    found = [_column(name, schema.field(name).type, said.get(name)) for name in names]
    fixed = frozenset(variable.name for variable, sure in found if sure)
    plan = ColumnPlan(Domain(variable for variable, _ in found), fixed=fixed)
    near = not any(part.elsewhere for part in parts[:1])
    return Opened(list(parts), _guessed(plan, parts) if near else plan, notes)


def with_time_formats(opened: Opened, names: Sequence[str]) -> Opened:
    """The same with columns of strings as times, in the format that the first strings have."""
    forms = {name: _first_format(opened, name) for name in names}
    return replace(opened, plan=opened.plan.with_formats(forms))


def _first_format(opened: Opened, name: str) -> TimeFormat:
    strings = first_strings(opened, name)
    try:
        return read_strings(strings)[0] if strings else DATE
    except ValueError as error:
        raise ReadError(
            f"column {name!r} is to hold times, but {error.args[0]!r} is no time, or may be two",
            file=opened.parts[0].file,
            remedy=f"Write times as 2024-12-31, or pass kinds={{{name!r}: 'sym'}}.",
        ) from None


def first_strings(opened: Opened, name: str) -> list[str]:
    """Some strings of a column: those of the first part in which there are any."""
    at = opened.plan.domain.index(name)
    for part in opened.parts:
        for raw in _first([part], opened.plan):
            if strings := [each for each in raw.values[at] if each.strip()]:
                return strings[:SAMPLE]
    return []


def _column(name: str, of: Any, said: Variable | None) -> tuple[Variable, bool]:
    """A column by its type and by what is said of it, and whether its kind is sure."""
    import pyarrow.types as t

    numbers = t.is_floating(of) or t.is_integer(of) or t.is_decimal(of) or t.is_null(of)
    if numbers or t.is_duration(of):
        if said is not None and said.kind == "num":
            return said, True
        return Variable(name), False
    if (form := time_format(of)) is not None:
        own = Variable(name, "time", format=form)
        return said if said is not None and said.kind == "time" else own, True
    sure = t.is_boolean(of) or t.is_temporal(of) or t.is_dictionary(of)
    if said is None or said.kind in ("num", "time"):
        return Variable(name, "sym"), sure
    return said, True


def _guessed(plan: ColumnPlan, parts: Sequence[Part]) -> ColumnPlan:
    """The plan with what the first rows look like: text among strings, flags among numbers."""
    for raw in _first(parts, plan):
        profile = Profile()
        profile.add(raw, plan.domain, 0)
        texts = (name for name, words in profile.words.items() if words.are_text)
        plan = plan.with_variables({name: ("text", ()) for name in texts if name not in plan.fixed})
        plan = plan.with_flags(profile)
    return plan


def _first(parts: Sequence[Part], plan: ColumnPlan) -> Iterator[Any]:
    return islice(parts[0].read(plan), 1) if parts else iter(())
