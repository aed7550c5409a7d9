"""Delimited text, written: CSV, TSV and Orange's .tab."""

import math
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import BinaryIO

from satsuma.data.formats.delimited.dialect import separator
from satsuma.data.formats.delimited.header import TAB_MISSING
from satsuma.data.formats.delimited.heads import in_front, last_mark, marked_name
from satsuma.data.formats.delimited.orange_heads import (
    KIND_WORDS,
    declares,
    prefixed,
    surely_prefixed,
)
from satsuma.data.formats.serialization import (
    Put,
    cannot_hold,
    check_columns,
    check_times,
    check_unicode,
    strings,
    write_rows,
)
from satsuma.data.formulas import escaped, like_formula, unchanged
from satsuma.data.missing_marks import NUMBER_MISSING, symbol_marks
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import ParameterError, WriteError
from satsuma.kernels.csv import Dialect, number

_TAB_KINDS = {"num": "c", "sym": "d", "text": "s", "time": "t"}
_TAB_ROLES = {"x": "", "target": "class", "meta": "meta", "ignore": "ignore", "weight": "weight"}
_PLAIN = Dialect(1)
_TAKEN = '+-."\r\n\0'


def csv_put(
    table: Table,
    *,
    delimiter: str = ",",
    missing: str = "",
    header: bool = True,
    escape_formulas: bool = False,
    marks: bool | None = None,
) -> Put:
    """Delimited text with one line of names; kinds and roles are kept by marks alone."""
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter.isalnum() or delimiter in _TAKEN:
        raise ParameterError(
            "The 'delimiter' parameter must be one ASCII character that is neither a letter, nor "
            f"a quote, nor a line end, nor part of a number. Got {delimiter!r} instead."
        )
    form = "TSV" if delimiter == "\t" else "CSV"
    found = list(strings(table, unused=False))
    _check(table, form, ("", missing), found)
    if missing in ("", *NUMBER_MISSING):  # what is read without naming the marks
        _check_marks(form, found)
    _check_numbers(table, form, missing)
    quoted = _quoter(delimiter, alone=len(table.domain) == 1)
    spelled = _speller(quoted, escape_formulas)
    heads: list[list[str]] = []
    if header:
        if marks is None:
            marks = _needs_marks(table) or _lost(found)
        heads = [[_head(variable, marks, spelled) for variable in table.domain]]
    return _put(table, heads, delimiter, spelled, quoted(missing))


def _head(variable: Variable, marks: bool, spelled: Callable[[str], str]) -> str:
    if marks:
        return spelled(marked_name(variable))
    # A name that spells a number is taken for one unless it is quoted.
    quoted = number(variable.name, _PLAIN, loose=True) is not None
    return f'"{variable.name}"' if quoted else spelled(variable.name)


def _spells(text: str) -> bool:
    return number(text, _PLAIN) is not None


def _needs_marks(table: Table) -> bool:
    """Whether the names alone would not bring back what is known of the columns.

    So it is for goals, for roles that are said by the ends of names, and for names or first rows
    that would be taken for something else.
    """
    domain = table.domain
    by_end = {"target": "!", "ignore": "X"}
    goals = any(v.goal or by_end.get(v.role) == last_mark(v.name) for v in domain)
    alone = domain.names[0] if len(domain) == 1 else ""
    strange = in_front(domain.names) or surely_prefixed(domain.names)
    return goals or strange or separator(alone.encode()) is not None or _declares(table)


def _declares(table: Table) -> bool:
    """Whether the first two rows would be taken for kinds and roles."""
    rows = [[str(cell or "") for cell in row] for row in table[:2]]
    return len(rows) == 2 and declares(*rows)


def _by_column(found: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    by_column: dict[str, list[str]] = {}
    for name, value in found:
        by_column.setdefault(name, []).append(value)
    return by_column


def _lost(found: Iterable[tuple[str, str]]) -> bool:
    """Whether strings of a column would be taken for numbers, and be missing or infinite there."""
    return any(
        all(_spells(value) or _is_absent(value) for value in values)
        and any(_is_absent(value) or math.isinf(float(value)) for value in values)
        for values in _by_column(found).values()
    )


def _is_absent(value: str) -> bool:
    """Whether a string is a missing cell in a column of numbers."""
    return value.strip(" \t") in ("", *NUMBER_MISSING)


def _check_marks(form: str, found: Iterable[tuple[str, str]]) -> None:
    """Raise where a symbol would be read as a missing cell."""
    for name, values in _by_column(found).items():
        marks = symbol_marks(values)
        for value in values:
            if value in marks:
                raise cannot_hold(form, name, value, "it is the mark of a missing cell")


def tab_put(table: Table, *, escape_formulas: bool = False) -> Put:
    """Orange's three header lines, then the rows; symbols are listed in their order."""
    form = ".tab"
    _check(table, form, TAB_MISSING, list(strings(table)))
    for variable in table.domain:
        if variable.role == "goal":
            raise WriteError(
                f"{form} cannot hold the goal {variable.goal!r} of column {variable.name!r}. "
                "Write to .parquet, which holds it, or give the column another role."
            )
        if prefixed([variable.name]):
            raise cannot_hold(
                form, variable.name, variable.name, "it begins like a type and a role"
            )
    quoted = _quoter("\t", alone=len(table.domain) == 1)
    spelled = _speller(quoted, escape_formulas)
    heads = [
        [spelled(variable.name) for variable in table.domain],
        [quoted(_tab_kind(variable, escape_formulas)) for variable in table.domain],
        [_TAB_ROLES[variable.role] for variable in table.domain],
    ]
    return _put(table, heads, "\t", spelled, "?")


def _tab_kind(variable: Variable, escape_formulas: bool) -> str:
    if not variable.values:
        return _TAB_KINDS[variable.kind]
    values = [escaped(each) for each in variable.values] if escape_formulas else variable.values
    listed = " ".join(re.sub(r"([\\ \t])", r"\\\1", value) for value in values)
    # Values that have become equal, or a list that begins like a formula, cannot be listed.
    if escape_formulas and (like_formula(listed) or len(set(values)) < len(values)):
        return _TAB_KINDS[variable.kind]
    return f"\\{listed}" if listed in KIND_WORDS else listed


def _speller(quoted: Callable[[str], str], escape_formulas: bool) -> Callable[[str], str]:
    """How a string is written: kept from being computed, if that is asked for, and quoted."""
    guarded = escaped if escape_formulas else unchanged
    return lambda text: quoted(guarded(text))


def _check(
    table: Table, form: str, marks: Collection[str], found: Sequence[tuple[str, str]]
) -> None:
    check_columns(table, form)
    check_unicode(table, form)
    check_times(table, form)
    names = [(name, name) for name in table.domain.names]
    for name, value in (*names, *found):
        if "\0" in value:
            raise cannot_hold(form, name, value, "a NUL character is refused in reading")
    for name, _ in names:
        if name != name.strip():
            raise cannot_hold(form, name, name, "blanks around a name are left out in reading")
    for name, value in found:
        if value in marks:
            raise cannot_hold(form, name, value, "it is the mark of a missing cell")


def _check_numbers(table: Table, form: str, missing: str) -> None:
    """Raise if a number is written like a missing cell."""
    try:
        taken = float(missing)
    except ValueError:
        return
    for variable, column in zip(table.domain, table.columns, strict=True):
        if variable.kind == "num" and (column == taken).any():
            raise cannot_hold(form, variable.name, taken, "it is the mark of a missing cell")


def _quoter(delimiter: str, *, alone: bool) -> Callable[[str], str]:
    """How a cell is quoted: whatever might part cells, end lines or be left out is."""
    special = re.compile(rf'[",;|\t\r\n{re.escape(delimiter)}]|^[\s\ufeff]|\s$')

    def quoted(cell: str) -> str:
        if special.search(cell) or (alone and not cell):
            return '"' + cell.replace('"', '""') + '"'
        return cell

    return quoted


def _put(
    table: Table,
    heads: Sequence[Sequence[str]],
    delimiter: str,
    spelled: Callable[[str], str],
    missing: str,
) -> Put:
    before = ["", *[delimiter] * (len(table.domain) - 1)]

    def put(stream: BinaryIO) -> None:
        stream.write("".join(delimiter.join(each) + "\n" for each in heads).encode())
        write_rows(stream, table, string=spelled, missing=missing, before=before)

    return put
