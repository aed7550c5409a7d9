"""Table output: rows to a file or to stdout, with formulas escaped unless that is not wanted."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from satsuma.data.domain import Domain, free_name
from satsuma.data.formats import WRITING, find_format
from satsuma.data.formats.delimited.writer import csv_put
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.data.write import write
from satsuma.errors import WriteError
from satsuma.numerics.arrays import Array


def check_output(out: str | None, *read: str, table: bool = True) -> None:
    """Raise before any work is done for a file that could not be written.

    Parameters
    ----------
    out
        The file that is to be written, if any.
    read
        The files that are read: none of them may be written over.
    table
        Whether it is a table, whose ending says the format.
    """
    if out is None:
        return
    path = Path(out)
    if table:
        find_format(out, None, WriteError)
    if not path.parent.is_dir():
        raise WriteError(f"{out}: there is no folder {str(path.parent)!r}. Make it first.")
    if path.is_dir():
        raise WriteError(f"{out}: this is a folder. Name a file in it.")
    if any(path.exists() and Path(each).exists() and path.samefile(each) for each in read):
        raise WriteError(f"{out}: this file is being read. Write to another one.")


def escapes_formulas(out: str, raw: bool) -> bool:
    """Whether formulas are escaped in a file: where a spreadsheet opens it, unless not wanted."""
    return not raw and "escape_formulas" in WRITING[find_format(out, None, WriteError).name]


def write_table(table: Table, out: str, raw: bool) -> None:
    """Write a table to a file, whole or not at all."""
    options: Any = {"escape_formulas": True} if escapes_formulas(out, raw) else {}
    if "marks" in WRITING[find_format(out, None, WriteError).name]:
        options["marks"] = False  # for people and their spreadsheets, names stay as they were
    write(table, out, **options)


def write_rows(tables: Iterable[Table], raw: bool) -> None:
    """Write tables with the same columns to stdout, as CSV with one line of names."""
    sys.stdout.flush()
    stream: Any = sys.stdout.buffer
    for at, table in enumerate(tables):
        csv_put(table, header=at == 0, escape_formulas=not raw, marks=False)(stream)
    stream.flush()


def with_columns(table: Table, more: Sequence[tuple[Variable, Array]]) -> Table:
    """A copy of a table with more columns; a name that is taken gets a number behind."""
    variables, columns = list(table.domain), list(table.columns)
    taken = set(table.domain.names)
    for variable, column in more:
        name = free_name(variable.name, taken)
        taken.add(name)
        variables.append(Variable(name, variable.kind, variable.values, "meta"))
        columns.append(column)
    return Table(Domain(variables), columns, name=table.name)
