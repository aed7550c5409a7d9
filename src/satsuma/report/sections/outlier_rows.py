"""The section on outliers: rows far from their neighbours, by the anomaly score."""

import numpy as np

from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.learners.anomaly.anomaly import Anomaly
from satsuma.report.analysis import NEAR, Analysis
from satsuma.report.elements import Cell, Grid, Section, cells
from satsuma.report.findings.finding import quantity
from satsuma.report.number_format import DASH, format_cell

#: Rows that are shown, and columns that explain each.
MOST, WHY = 10, 3

#: The score of a row that is twice as far from its neighbours as these are from each other.
OUTLYING = 2 / 3

_CAPTION = (
    "The rows with the highest anomaly scores (rows count from 1; a score of 0.5 is usual, one of "
    "0.67 twice as far)"
)
_HEAD = ["row", "anomaly score", "because of"]


def outlier_section(analysis: Analysis) -> Section:
    """The rows with the highest anomaly scores, and the columns that contribute most."""
    section = Section("outliers", "Outliers")
    some = analysis.sample(NEAR)
    rows = analysis.distance_table[some.rows]
    model = Anomaly(seed=analysis.seed)(rows)
    scores = model.scores(rows)
    outliers = [int(at) for at in np.argsort(-scores, kind="stable") if scores[at] >= OUTLYING]
    section.say(
        "An outlier is a row that is farther from its neighbours than these are from each other. "
        "It may be an error, or the most interesting row.", str(some),
    )  # fmt: skip
    if not outliers:
        section.gist = some.with_size("No row is twice as far from its neighbours as is usual.")
        section.say("Here, no row is twice as far from its neighbours as is usual.")
        return section
    far = quantity(
        len(outliers),
        "row is at least twice as far from its neighbours",
        "rows are at least twice as far from their neighbours",
    )
    section.gist = some.with_size(f"{far} as is usual.")
    lines = [
        [
            *cells(f"{some.rows[at] + 1:,}", f"{scores[at]:.2f}"),
            Cell(_why(rows, at, list(model.why(rows[at]).items()))),
        ]
        for at in outliers[:MOST]
    ]
    section.elements.append(Grid(_CAPTION, _HEAD, lines, (0, 2), (2,)))
    section.say(f"{len(outliers) - MOST:,} more rows are outliers." if outliers[MOST:] else "")
    return section


def _why(rows: Table, at: int, parts: list[tuple[str, float]]) -> str:
    names = [name for name, share in parts if share > 0][:WHY]
    cells_of = [f"{cut(name, 40)} is {format_cell(rows, at, name)}" for name in names]
    return ", ".join(cells_of).replace(f"is {DASH}", "is missing") or "all columns a little"
