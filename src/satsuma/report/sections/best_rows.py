"""The section on goals: the rows that are best by all of them."""

import numpy as np

from satsuma.data.summary import cut
from satsuma.measures.ideal_point import distance_to_ideal
from satsuma.report.analysis import Analysis
from satsuma.report.elements import Grid, Section, cells
from satsuma.report.number_format import format_cell

#: Rows and columns that are shown.
ROWS, COLUMNS = 10, 6


def best_rows_section(analysis: Analysis) -> Section:
    """The rows nearest to where every goal has its best value."""
    table = analysis.table
    away = distance_to_ideal(table)(table)
    best = [int(row) for row in np.argsort(away, kind="stable")[:ROWS]]
    goals = [v.name for v in table.domain.goals]
    others = [v.name for v in table.domain.attributes if v.kind in ("num", "sym")][:COLUMNS]
    section = Section("goals", "The best rows")
    section.gist = (
        f"The best row by {'its goal' if len(goals) == 1 else 'all goals'} is row {best[0] + 1:,}, "
        f"{away[best[0]]:.2f} from the ideal point; the median row is {np.median(away):.2f} away."
    )
    section.say(
        "The ideal point has the best value of every goal (Menzies calls it heaven); the distance "
        "to it goes from 0 to 1, over all goals."
    )
    names = [*goals, *others]
    lines = [
        cells(
            f"{row + 1:,}", f"{away[row]:.2f}", *(format_cell(table, row, name) for name in names)
        )
        for row in best
    ]
    head = ["row", "distance", *(cut(name, 24) for name in names)]
    caption = "The rows nearest to the ideal point (rows count from 1); goals first"
    section.elements.append(Grid(caption, head, lines))
    section.say(
        "Take the best of these that you can have. Where no row is good enough, the section above "
        "says what the best rows have more often than the others."
    )
    return section
