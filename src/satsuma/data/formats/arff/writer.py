"""ARFF, written: declarations first, then the rows."""

from collections.abc import Mapping
from dataclasses import replace
from typing import BinaryIO

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.formats.arff.java_patterns import java_pattern
from satsuma.data.formats.arff.syntax import quoted
from satsuma.data.formats.serialization import (
    Put,
    cannot_hold,
    check_columns,
    check_times,
    check_unicode,
    write_rows,
)
from satsuma.data.table import Table
from satsuma.data.times import spell_times
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Times


def arff_put(table: Table) -> Put:
    """Declarations, then the rows; roles are not kept."""
    check_columns(table, "ARFF")
    check_unicode(table, "ARFF")
    check_times(table, "ARFF")
    patterns: dict[str, str] = {}
    for variable, column in zip(table.domain, table.columns, strict=True):
        if variable.kind == "time":
            table, patterns[variable.name] = _dated(table, variable, column)
    head = [f"@relation {quoted(table.name or 'table')}", ""]
    head += [f"@attribute {quoted(v.name)} {_declared(v, patterns)}" for v in table.domain]
    start = "\n".join([*head, "", "@data", ""]).encode()

    before = ["", *[","] * (len(table.domain) - 1)]

    def put(stream: BinaryIO) -> None:
        stream.write(start)
        write_rows(stream, table, string=quoted, missing="?", before=before)

    return put


def _dated(table: Table, variable: Variable, column: Times) -> tuple[Table, str]:
    """The table with a format that Java has a pattern for, and the pattern."""
    found = java_pattern(variable.time_format, column)
    if found is None:
        finest = spell_times(column[~np.isnat(column)][:1], variable.time_format)[0]
        why = "its dates go to the millisecond"
        raise cannot_hold("ARFF", variable.name, finest, why)
    form, pattern = found
    domain = Domain(replace(v, format=form) if v is variable else v for v in table.domain)
    named = quoted(pattern) if '"' in pattern or "\\" in pattern else f'"{pattern}"'
    return Table(domain, table.columns, name=table.name, check=False), named


def _declared(variable: Variable, patterns: Mapping[str, str]) -> str:
    if variable.kind == "time":
        return f"date {patterns[variable.name]}"
    if variable.kind == "sym":
        return "{" + ", ".join(map(quoted, variable.values)) + "}"
    return "numeric" if variable.kind == "num" else "string"
