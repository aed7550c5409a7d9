"""Writing JSON lines: one object a line."""

import json
from typing import BinaryIO

from satsuma.data.formats.serialization import Put, check_times, check_unicode, write_rows
from satsuma.data.table import Table
from satsuma.errors import WriteError


def jsonl_put(table: Table) -> Put:
    """One object a line, every key in every line; kinds, unused values and roles are not kept."""
    check_unicode(table, "JSON lines")
    check_times(table, "JSON lines")
    if not len(table):
        raise WriteError(
            "JSON lines cannot hold a table without rows: its columns would be lost. "
            "Write it to .parquet, which holds it."
        )
    before = [f", {_string(name)}: " for name in table.domain.names]
    before[0] = "{" + before[0].removeprefix(", ")

    def put(stream: BinaryIO) -> None:
        write_rows(stream, table, string=_string, missing="null", before=before, end="}\n")

    return put


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
