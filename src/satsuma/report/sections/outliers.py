"""The section on odd rows: those unlike the rows around them."""

import numpy as np

from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.learners.anomaly.learner import Anomaly
from satsuma.report.analysis import NEAR, Story
from satsuma.report.elements import Cell, Grid, Section, cells
from satsuma.report.findings.finding import counted
from satsuma.report.number_format import DASH, cell

#: Rows that are shown, and columns that tell why.
MOST, WHY = 10, 3

#: The score of a row that is twice as far from the rows around it as these are from each other.
ODD = 2 / 3


def about_odd(story: Story) -> Section:
    """The oddest rows, and what is odd about them."""
    section = Section("odd", "Odd rows")
    some = story.some(NEAR)
    rows = story.comparable[some.rows]
    model = Anomaly(seed=story.seed)(rows)
    scores = model.scores(rows)
    odd = [int(at) for at in np.argsort(-scores, kind="stable") if scores[at] >= ODD]
    section.say(
        "A row is odd that is farther from the rows around it than these are from each other. It "
        "may be a slip, or the most interesting one.", str(some),
    )  # fmt: skip
    if not odd:
        section.gist = some.alone("No row is twice as far from the rows around it as is usual.")
        section.say("Here, none is twice as far from them as is usual.")
        return section
    rows_are = counted(len(odd), "row is", "rows are")
    section.gist = some.alone(f"{rows_are} at least twice as far from the rows around as is usual.")
    grid = [
        [
            *cells(f"{some.rows[at] + 1:,}", f"{scores[at]:.2f}"),
            Cell(_why(rows, at, list(model.why(rows[at]).items()))),
        ]
        for at in odd[:MOST]
    ]
    section.parts.append(
        Grid(
            "The oddest rows, counted from 1 (a score of 0.5 is usual, one of 0.67 twice as far)",
            ["row", "score", "what is odd about it"],
            grid,
            (0, 2),
            (2,),
        )
    )
    section.say(f"{len(odd) - MOST:,} more rows are odd." if odd[MOST:] else "")
    return section


def _why(rows: Table, at: int, parts: list[tuple[str, float]]) -> str:
    names = [name for name, share in parts if share > 0][:WHY]
    told = [f"{cut(name, 40)} is {cell(rows, at, name)}" for name in names]
    return ", ".join(told).replace(f"is {DASH}", "is missing") or "all of it a little"
