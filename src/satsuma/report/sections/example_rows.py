"""The section on rows: some of them as they are, and those that are there more than once."""

import numpy as np

from satsuma.data.phrases import quantity
from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.report.analysis import Analysis
from satsuma.report.elements import Cell, Grid, Section
from satsuma.report.findings.row_findings import compared_columns, row_hashes
from satsuma.report.number_format import format_cell

#: Rows from the top, drawn ones, columns; groups of duplicates, and rows of each that are named.
FIRST, DRAWN, COLUMNS, GROUPS, NAMED = 5, 5, 24, 10, 5


def rows_section(analysis: Analysis) -> Section:
    """A few rows, and the duplicates."""
    table = analysis.table
    section = Section("rows", "Some of the rows")
    rows = list(range(min(FIRST, len(table))))
    if len(table) > FIRST:
        rng = np.random.default_rng([analysis.seed, 5])
        left = np.arange(FIRST, len(table))
        rows += sorted(rng.choice(left, min(DRAWN, len(left)), replace=False).tolist())
    shown = _shown(table)
    more = len(table.domain) - len(shown)
    caption = "The first rows, and some drawn at random (rows count from 1)"
    caption += f"; {more:,} columns are left out" if more else ""
    section.elements.append(_grid(table, rows, shown, caption))
    if any(finding.kind == "duplicate rows" for finding in analysis.findings):
        section.elements.append(_duplicates(table))
    return section


def _shown(table: Table) -> list[Variable]:
    target = table.domain.target
    rest = [v for v in table.domain if v is not target]
    return [*([target] if target else []), *rest][:COLUMNS]


def _grid(table: Table, rows: list[int], shown: list[Variable], caption: str) -> Grid:
    lines = [
        [Cell(f"{row + 1:,}"), *(Cell(format_cell(table, row, v.name, 24)) for v in shown)]
        for row in rows
    ]
    words = [1 + at for at, v in enumerate(shown) if v.kind != "num"]
    return Grid(caption, ["row", *(cut(v.name, 24) for v in shown)], lines, (0, *words))


def _duplicates(table: Table) -> Grid:
    """Rows that are there more than once, those that are there most often first."""
    used = compared_columns(table)
    hashes = row_hashes(table, [v.name for v in used])
    order = np.argsort(hashes, kind="stable")
    starts = np.flatnonzero(np.append(True, hashes[order][1:] != hashes[order][:-1]))
    sizes = np.diff(np.append(starts, len(order)))
    groups = np.flatnonzero(sizes > 1)
    most = sorted(groups.tolist(), key=lambda at: (-sizes[at], order[starts[at]]))[:GROUPS]
    shown = [v for v in _shown(table) if v in used]
    lines: list[list[Cell]] = []
    for at in most:
        rows = order[starts[at] : starts[at] + sizes[at]]
        named = ", ".join(f"{row + 1:,}" for row in rows[:NAMED].tolist())
        named += ", …" if len(rows) > NAMED else ""
        first = int(rows[0])
        cells = [Cell(format_cell(table, first, v.name, 24)) for v in shown]
        lines.append([Cell(named), Cell(f"{sizes[at]:,}"), *cells])
    words = [2 + at for at, v in enumerate(shown) if v.kind != "num"]
    caption = f"Rows that are alike: {quantity(len(groups), 'such group')}"
    caption += f", of which the {len(most)} largest are listed" if len(groups) > len(most) else ""
    head = ["rows", "times", *(cut(v.name, 24) for v in shown)]
    return Grid(caption, head, lines, (0, *words), sorts=True)
