"""Column card: all about one column, folded away under its name."""

from satsuma.data.summary import cut
from satsuma.data.variable import Variable
from satsuma.report.analysis import Analysis
from satsuma.report.charts import large_histogram
from satsuma.report.column_statistics import column_statistics
from satsuma.report.elements import Card, Chart
from satsuma.report.number_format import format_list
from satsuma.report.target_by_value import Groups

#: Tables of more columns have no large histograms, and columns that a card names.
PICTURED, NAMED = 60, 5

KINDS = {"num": "number", "sym": "symbol", "text": "text", "time": "time"}
ROLES = {
    "x": "attribute", "target": "target", "goal": "goal", "meta": "meta", "ignore": "ignored",
    "weight": "weight",
}  # fmt: skip


def role_of(variable: Variable) -> str:
    """The role of a column in a word; of a goal, which way is better."""
    return ROLES[variable.role] + (f" {variable.goal}" if variable.goal else "")


def column_card(analysis: Analysis, variable: Variable, at: int) -> Card:
    """Figures, the values with the target of each, and what the column goes with."""
    table, name = analysis.table, variable.name
    groups = Groups.of(table, variable)
    charts: list[tuple[Chart, str]] = []
    if variable.kind == "num" and len(table.domain) <= PICTURED:
        drawn = large_histogram(table.column(name)[~table.missing(name)], cut(name, 60))
        charts = [(drawn, "")] if drawn else []
    return Card(
        f"column-{at + 1}",
        cut(name, 60),
        f"{KINDS[variable.kind]}, {role_of(variable)}",
        column_statistics(table, variable),
        charts,
        groups.grid(name, analysis.aim) if groups else None,
        _notes(analysis, variable),
    )


def _notes(analysis: Analysis, variable: Variable) -> list[str]:
    """What was found about a column, and which others it goes with."""
    notes = [each.sentence for each in analysis.findings if each.column == variable.name]
    found = analysis.associations.of(variable.name)
    told = [f"{cut(name, 32)} ({strength:.2f})" for name, strength in found.items()]
    if told:
        notes.append(f"Goes most with {format_list(told[:NAMED], NAMED, 50)}.")
    return notes
