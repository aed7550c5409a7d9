"""The section on the table: what each column holds."""

import numpy as np

from satsuma.data.summary import cut, summarise
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array
from satsuma.report.analysis import Story
from satsuma.report.charts import Chart, frequencies, histogram
from satsuma.report.elements import Cell, Grid, Section
from satsuma.report.findings.finding import counted
from satsuma.report.number_format import listed, middle, percent, told, told_together

#: Columns that are shown.
MOST = 100

KINDS = {"num": "number", "sym": "symbol", "text": "text"}
ROLES = {
    "x": "attribute", "target": "target", "goal": "goal", "meta": "beside", "ignore": "ignored",
    "weight": "weight",
}  # fmt: skip


def about_table(story: Story) -> Section:
    """What is in the table, column by column."""
    table = story.table
    section = Section("table", "The table", _gist(table, story.drawn_from))
    if story.drawn_from is not None:
        section.say(
            f"The rows are a sample, drawn by chance from {story.drawn_from:,}: all figures on "
            f"this page are of the {counted(len(table), 'row')} in the sample."
        )
    section.say(_target(table))
    shown = list(table.domain)[:MOST]
    shown += [v for v in list(table.domain)[MOST:] if v.role == "target"]
    left = len(table.domain) - len(shown)
    section.say(f"The first {len(shown)} columns are shown, {left:,} are not." if left else "")
    section.say(*table.notes[:10])
    if table.aside:
        section.say(f"{counted(len(table.aside), 'row')} of the file could not be read.")
    rows = [_row(table, variable) for variable in shown]
    head = ["column", "kind", "role", "missing", "shape", "values"]
    section.parts.append(Grid("Columns", head, rows, (0, 1, 2, 4, 5), stacks=True))
    return section


def holes(table: Table) -> int:
    """Missing cells."""
    return sum(int(table.missing(name).sum()) for name in table.domain.names)


def _gist(table: Table, drawn_from: int | None) -> str:
    kinds = [v.kind for v in table.domain]
    made = [
        counted(kinds.count(kind), noun, plural)
        for kind, noun, plural in (
            ("num", "column of numbers", "columns of numbers"),
            ("sym", "column of symbols", "columns of symbols"),
            ("text", "column of text", "columns of text"),
        )
        if kind in kinds
    ]
    missing, total = holes(table), len(table) * len(table.domain)
    gaps = f"{percent(missing / total)} of its cells are missing" if missing else "nothing missing"
    rows = counted(len(table), "row")
    rows = rows if drawn_from is None else f"{rows}, drawn by chance from {drawn_from:,},"
    size = f"There are {rows} and {counted(len(kinds), 'column')}"
    return f"{size} ({listed(made)}), with {gaps}." if not missing else (
        f"{size} ({listed(made)}); {gaps}.")  # fmt: skip


def _target(table: Table) -> str:
    target = table.domain.target
    if target is None:
        if goals := [f"{v.name} ({v.goal})" for v in table.domain.goals]:
            return f"These are to be made large (+) or small (-): {listed(goals, 8)}."
        return "No column is the target: nothing is predicted."
    known = table.column(target.name)[~table.missing(target.name)]
    if not len(known) or target.kind == "text":
        return f"{target.name} is the target."
    if target.kind == "num":
        least, median, most = told_together(float(known.min()), middle(known), float(known.max()))
        return (
            f"{cut(target.name, 60)} is to be predicted: a number from {least} to {most}, "
            f"median {median}."
        )
    counts = np.bincount(known, minlength=len(target.values))
    order = [int(code) for code in np.argsort(-counts, kind="stable") if counts[code]]
    shares = [f"{target.values[c]} ({percent(counts[c] / len(known))})" for c in order]
    return f"{cut(target.name, 60)} is to be predicted: {listed(shares, 6, 60)}."


def _row(table: Table, variable: Variable) -> list[Cell]:
    name, missing = variable.name, table.missing(variable.name)
    gaps = int(missing.sum())
    role = ROLES[variable.role] + (f" {variable.goal}" if variable.goal else "")
    chart, words = _shape(table, variable, missing)
    return [
        Cell(cut(name, 60)),
        Cell(KINDS[variable.kind]),
        Cell(role, strong=variable.role == "target"),
        Cell(percent(gaps / len(table)) if gaps and len(table) else "none"),
        Cell("", chart),
        Cell(words),
    ]


def _shape(table: Table, variable: Variable, missing: Array) -> tuple[Chart | None, str]:
    column, short = table.column(variable.name), cut(variable.name, 60)
    if variable.kind == "text":
        return None, summarise(variable, column, 90)
    if variable.kind == "sym":
        return frequencies(column, variable.values, short), summarise(variable, column, 90)
    known = column[~missing]
    if not len(known):
        return None, "none"
    low, half, high = float(known.min()), middle(known), float(known.max())
    if low == high:
        return None, f"always {told(low)}"
    least, median, most = told_together(low, half, high)
    return histogram(known, short), f"{least} to {most}, median {median}"
