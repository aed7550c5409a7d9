"""Opening JSON lines: what the first lines say."""

import os
from itertools import islice, pairwise
from typing import Any

from satsuma.data.column_plan import ColumnPlan, Opened, Part
from satsuma.data.columns import from_cells
from satsuma.data.domain import Domain
from satsuma.data.files import GZIP, ZSTD, open_path
from satsuma.data.formats.jsonl import parts as lines
from satsuma.data.formats.jsonl.reader import record_of
from satsuma.data.variable import Variable
from satsuma.errors import ReadError

#: Lines that are looked at beforehand.
_SAMPLE = 1000


def open_lines(paths: list[str]) -> Opened:
    """Files of JSON lines as parts."""
    parts = [part for path in paths for part in _parts(path)]
    records = [
        record_of(line, paths[0], at)
        for at, line in enumerate(islice(parts[0].lines(), _SAMPLE), 1)
        if line.strip()
    ]
    if records and not any(records):
        raise ReadError(
            f"the first {len(records)} rows are without a single cell",
            file=paths[0],
            remedy="Give each row at least one key; its value may be missing.",
        )
    variables, booleans = list[Variable](), set[str]()
    for name in dict.fromkeys(key for each in records for key in each):
        cells = [each.get(name) for each in records]
        known = [cell for cell in cells if cell is not None]
        if known and all(isinstance(cell, bool) for cell in known):
            booleans.add(name)
            variables.append(Variable(name, "sym", ("False", "True")))
        else:
            variables.append(Variable(name, from_cells(name, cells)[0].kind))
    plan = ColumnPlan(Domain(variables), fixed=frozenset(booleans), booleans=frozenset(booleans))
    held: list[Part] = [*parts]
    return Opened(held, plan)


def _parts(path: str) -> list[lines.LinesPart]:
    with open_path(path) as stream:
        magic: Any = stream.read(4)
        size = os.fstat(stream.fileno()).st_size
    if magic[:2] == GZIP or magic == ZSTD:
        return [lines.LinesPart(path, 0, None)]
    edges = [*range(0, max(size, 1), lines.PART), size]
    return [lines.LinesPart(path, low, high) for low, high in pairwise(edges)]
