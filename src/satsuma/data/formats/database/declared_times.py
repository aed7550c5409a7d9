"""Declared times: columns of strings of which the database says that they are dates or times.

Their format is that of the first rows. If another string does not have it, the column stays as it
is, and that is told.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from satsuma.data.cells import Found
from satsuma.data.formats.arrow.arrow_types import as_symbols, coded_times, is_string
from satsuma.data.formats.arrow.conversion import arrow_columns
from satsuma.data.formats.arrow.reader import first_strings
from satsuma.data.formats.arrow.record_batches import BATCH
from satsuma.data.notes import note
from satsuma.data.parts import Opened
from satsuma.data.readings import SAMPLE
from satsuma.data.times import read_times, sure_format
from satsuma.data.variable import Variable


def columns_with_times(
    rows: Any, kinds: Mapping[str, str] | None, declared: Sequence[str]
) -> tuple[list[Found], list[str]]:
    """The columns of an Arrow table, and what is to be told of them."""
    times, notes = dict[str, Found](), list[str]()
    strings = [each.name for each in rows.schema if is_string(each.type)]
    for name in declared:
        if name in (kinds or ()) or strings.count(name) != 1:
            continue
        try:
            times[name] = _times(name, rows.column(name))
        except ValueError as error:
            notes.append(note("no times", name=name, cell=error.args[0]))
    found, told = arrow_columns(rows, {**dict.fromkeys(times, "sym"), **(kinds or {})})
    return [times.get(each.variable.name, each) for each in found], [*told, *notes]


def _times(name: str, data: Any) -> Found:
    """A column of strings as times. Raises `ValueError` with a cell that is none."""
    symbols = as_symbols(name, data)
    first = int(symbols.column[:BATCH].max(initial=-1)) + 1
    values = symbols.variable.values
    sample = [each for each in values[:first] if each.strip()][:SAMPLE]
    form = sure_format(sample)
    if form is None:
        raise ValueError(*sample[:1])
    return Found(
        Variable(name, "time", format=form), coded_times(symbols, read_times(values, form))
    )


def opened_with_times(opened: Opened, declared: Sequence[str]) -> Opened:
    """A source with the columns planned as times whose first strings are."""
    for name in filter(opened.plan.domain.__contains__, declared):
        variable = opened.plan.domain[name]
        strings = first_strings(opened, name) if variable.kind in ("sym", "text") else []
        if not strings:
            continue
        if (form := sure_format(strings)) is not None:
            opened = replace(opened, plan=opened.plan.with_formats({name: form}))
        else:
            told = note("no times", name=name, cell=strings[0])
            opened = replace(opened, notes=[*opened.notes, told])
    return opened
