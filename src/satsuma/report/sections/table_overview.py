"""The section on the table: what each column holds."""

import numpy as np

from satsuma.data.phrases import quantity
from satsuma.data.summary import cut, summarise, time_span
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array
from satsuma.report.analysis import ASSOCIATED, Analysis
from satsuma.report.charts import frequencies, histogram, time_histogram
from satsuma.report.column_card import KINDS, column_card, role_of
from satsuma.report.elements import Card, CardList, Cell, Chart, Grid, NoteList, Section
from satsuma.report.number_format import (
    format_list,
    format_together,
    format_value,
    median_of,
    percent,
)

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
    shown = list(table.domain)[:ASSOCIATED]
    shown += [v for v in list(table.domain)[ASSOCIATED:] if v.role == "target"]
    left = len(table.domain) - len(shown)
    section.say(f"The first {len(shown)} columns are shown, {left:,} are not." if left else "")
    if table.aside:
        section.say(f"{quantity(len(table.aside), 'row')} of the file could not be read.")
    if table.notes:
        section.elements.append(NoteList("How the table was read", _notes(analysis)))
    cards = [column_card(analysis, variable, at) for at, variable in enumerate(shown)]
    section.elements.append(_grid(analysis, shown, cards))
    section.elements.append(CardList("The columns one by one", cards))
    return section


def _grid(analysis: Analysis, shown: list[Variable], cards: list[Card]) -> Grid:
    table, target = analysis.table, analysis.table.domain.target
    head = ["column", "kind", "role", "missing", "distinct", "shape", "values"]
    with_target = analysis.associations.of(target.name) if target is not None else {}
    rows = [_row(table, v, card) for v, card in zip(shown, cards, strict=True)]
    caption = "Columns; each name leads to all about it"
    if target is None or target.kind == "text" or not with_target:
        return Grid(caption, head, rows, (0, 1, 2, 5, 6), stacks=True, sorts=True)
    for variable, row in zip(shown, rows, strict=True):
        strength = with_target.get(variable.name, 0.0)
        row.insert(5, Cell(f"{strength:.2f}" if strength else "", bar=strength or None))
    caption += f"; the association is that with {cut(target.name, 40)}, from 0 to 1"
    size = len(analysis.associated_rows.rows)
    caption += f", in {size:,} rows drawn at random" * (size < len(table))
    head.insert(5, "association")
    return Grid(caption, head, rows, (0, 1, 2, 5, 6, 7), stacks=True, sorts=True)


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


def _row(table: Table, variable: Variable, card: Card) -> list[Cell]:
    name, missing = variable.name, table.missing(variable.name)
    gaps = int(missing.sum())
    chart, words = _shape(table, variable, missing)
    return [
        Cell(cut(name, 60), link=card.key),
        Cell(KINDS[variable.kind]),
        Cell(role_of(variable), strong=variable.role == "target"),
        Cell(percent(gaps / len(table)) if gaps and len(table) else "none"),
        Cell(dict(card.figures).get("distinct values", "0")),
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
