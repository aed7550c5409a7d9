"""Telling: what is to be said about a source."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from satsuma.data.column_plan import Plan
from satsuma.data.formats.delimited.assembly import spelling_notes
from satsuma.data.formats.delimited.parts import TextPart
from satsuma.data.profile import MOST_CHARACTERS
from satsuma.data.variable import Variable
from satsuma.engines.source_index import Settled

if TYPE_CHECKING:
    from satsuma.engines.scan import Scan


def notes_of(guess: Plan, found: Settled) -> Iterator[str]:
    """What could be doubted."""
    for name in (variable.name for variable in found.plan.domain if variable.name in guess.by_name):
        if found.plan.domain[name].kind != "num":
            yield (
                f"Column {name!r} is numeric by its name, but not all of its cells are numbers; "
                f"read as symbols."
            )
    for name in guess.soft:
        if found.plan.domain[name].kind != "num":
            yield f"Column {name!r} is a goal by its name but holds no numbers; read as no goal."
    for name, words in found.look.words.items():
        if isinstance(found.parts[0], TextPart) and name not in guess.strict:
            yield from spelling_notes(found.plan.domain[name], words.values)
        if words.too_many:
            yield (
                f"Column {name!r} has distinct strings of more than {MOST_CHARACTERS:,} "
                f"characters; read as text."
            )
    if count := found.look.blank:
        part, line = found.look.first_blank
        place = f"{found.parts[part].file}, line {found.lines[part] + line}"
        lines = "1 blank line was" if count == 1 else f"{count} blank lines were"
        yield f"{lines} left out, the first at {place}."
    if count := found.look.left_out:
        part, row = found.look.aside[0]
        place = f"{found.parts[part].file}, line {found.lines[part] + row.line}"
        rows = "1 row was" if count == 1 else f"{count} rows were"
        yield f"{rows} kept aside, the first at {place}."


def told(source: "Scan") -> str:
    """A source in some lines: what is known of it without a pass over its rows."""
    files = list(dict.fromkeys(part.file for part in source.parts))
    where = files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more files"
    parts = "1 part" if len(source.parts) == 1 else f"{len(source.parts):,} parts"
    if not source.settled:
        return f"Scan of {where} in {parts}; rows not counted yet"
    rows, columns = source.shape
    lines = [f"Scan of {where} in {parts}: {rows:,} rows, {columns} columns"]
    return "\n".join([*lines, *map(_column, source.domain)])


def _column(variable: Variable) -> str:
    role = "" if variable.role == "x" else f", {variable.goal or variable.role}"
    count = len(variable.values)
    values = f", {count:,} value{'' if count == 1 else 's'}" if variable.kind == "sym" else ""
    return f"  {variable.name}: {variable.kind}{values}{role}"
