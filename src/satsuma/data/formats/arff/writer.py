"""ARFF, written: declarations first, then the rows."""

from collections.abc import Sequence
from typing import BinaryIO

from satsuma.data.formats.arff.syntax import quoted
from satsuma.data.formats.serialization import Put, blocks, check_columns, check_unicode
from satsuma.data.table import Table
from satsuma.data.variable import Variable


def arff_put(table: Table) -> Put:
    """Declarations, then the rows; roles are not kept."""
    check_columns(table, "ARFF")
    check_unicode(table, "ARFF")
    head = [f"@relation {quoted(table.name or 'table')}", ""]
    head += [f"@attribute {quoted(v.name)} {_declared(v)}" for v in table.domain]
    start = "\n".join([*head, "", "@data", ""]).encode()

    def put(stream: BinaryIO) -> None:
        stream.write(start)
        stream.writelines(blocks(table, string=quoted, missing="?", line=_line))

    return put


def _declared(variable: Variable) -> str:
    if variable.kind == "sym":
        return "{" + ", ".join(map(quoted, variable.values)) + "}"
    return "numeric" if variable.kind == "num" else "string"


def _line(cells: Sequence[str]) -> str:
    return ",".join(cells) + "\n"
