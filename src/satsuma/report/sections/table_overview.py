"""The section on the table: what each column holds."""

import numpy as np

from satsuma.data.summary import cut, summarise, time_span
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array
from satsuma.report.analysis import Analysis
from satsuma.report.charts import Chart, frequencies, histogram, time_histogram
from satsuma.report.elements import Cell, Grid, NoteList, Section
from satsuma.report.findings.finding import quantity
from satsuma.report.number_format import (
    format_list,
    format_together,
    format_value,
    median_of,
    percent,
)

#: Columns that are shown.
MOST = 100

KINDS = {"num": "number", "sym": "symbol", "text": "text", "time": "time"}
ROLES = {
    "x": "attribute", "target": "target", "goal": "goal", "meta": "meta", "ignore": "ignored",
    "weight": "weight",
}  # fmt: skip


#: Notes of the reader that are shown.
NOTES = 20


def table_overview_section(analysis: Analysis) -> Section:
    """What is in the table, column by column."""
    table = analysis.table
    section = Section("table", "The table", _gist(table, analysis.drawn_from))
    if analysis.drawn_from is not None:
        section.say(
            f"The rows are a sample, drawn at random from {analysis.drawn_from:,}: all figures on "
            f"this page are of the {quantity(len(table), 'row')} in the sample."
        )
    section.say(_target(table))
    shown = list(table.domain)[:MOST]
    shown += [v for v in list(table.domain)[MOST:] if v.role == "target"]
    left = len(table.domain) - len(shown)
    section.say(f"The first {len(shown)} columns are shown, {left:,} are not." if left else "")
    if table.aside:
        section.say(f"{quantity(len(table.aside), 'row')} of the file could not be read.")
    rows = [_row(table, variable) for variable in shown]
    head = ["column", "kind", "role", "missing", "shape", "values"]
    section.elements.append(Grid("Columns", head, rows, (0, 1, 2, 4, 5), stacks=True))
    if table.notes:
        section.elements.append(NoteList("How the table was read", _notes(analysis)))
    return section


def _notes(analysis: Analysis) -> list[str]:
    """What the reader decided, in the words of where the page is made."""
    notes = analysis.table.notes
    left = len(notes) - NOTES
    more = [f"{quantity(left, 'more note')} of the reader: table.notes."] if left > 0 else []
    return [*map(analysis.wording, notes[:NOTES]), *more]


def missing_values(table: Table) -> int:
    """The number of missing values."""
    return sum(int(table.missing(name).sum()) for name in table.domain.names)


def _gist(table: Table, drawn_from: int | None) -> str:
    kinds = [v.kind for v in table.domain]
    made = [
        quantity(kinds.count(kind), noun, plural)
        for kind, noun, plural in (
            ("num", "column of numbers", "columns of numbers"),
            ("sym", "column of symbols", "columns of symbols"),
            ("text", "column of text", "columns of text"),
            ("time", "column of times", "columns of times"),
        )
        if kind in kinds
    ]
    missing, total = missing_values(table), len(table) * len(table.domain)
    gaps = (
        f"{percent(missing / total)} of the values are missing" if missing else "no missing value"
    )
    rows = quantity(len(table), "row")
    rows = rows if drawn_from is None else f"{rows}, drawn at random from {drawn_from:,},"
    size = f"There are {rows} and {quantity(len(kinds), 'column')}"
    return f"{size} ({format_list(made)}), with {gaps}." if not missing else (
        f"{size} ({format_list(made)}); {gaps}.")  # fmt: skip


def _target(table: Table) -> str:
    target = table.domain.target
    if target is None:
        if goals := [f"{v.name} ({v.goal})" for v in table.domain.goals]:
            return f"The goals are to be large (+) or small (-): {format_list(goals, 8)}."
        return "No column is the target, so nothing is predicted."
    known = table.column(target.name)[~table.missing(target.name)]
    if not len(known) or target.kind in ("text", "time"):
        return f"{target.name} is the target."
    if target.kind == "num":
        least, median, most = format_together(
            float(known.min()), median_of(known), float(known.max())
        )
        return (
            f"{cut(target.name, 60)} is the target, a number from {least} to {most}, "
            f"median {median}."
        )
    counts = np.bincount(known, minlength=len(target.values))
    order = [int(code) for code in np.argsort(-counts, kind="stable") if counts[code]]
    shares = [f"{target.values[c]} ({percent(counts[c] / len(known))})" for c in order]
    return f"{cut(target.name, 60)} is the target, with classes {format_list(shares, 6, 60)}."


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
    if variable.kind == "time":
        drawn = time_histogram(known, variable.time_format, short)
        return drawn, time_span(variable, known)
    low, half, high = float(known.min()), median_of(known), float(known.max())
    if low == high:
        return None, f"always {format_value(low)}"
    least, median, most = format_together(low, half, high)
    return histogram(known, short), f"{least} to {most}, median {median}"
