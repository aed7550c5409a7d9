"""Errors in numbers: predicted and actual, what is left, and the rows that are farthest off."""

import numpy as np

from satsuma.data.summary import cut
from satsuma.report.analysis import Story
from satsuma.report.charts import scatter
from satsuma.report.elements import Figures, Grid, Section, cells
from satsuma.report.feature_ranking import telling, words_in
from satsuma.report.number_format import MINUS, cell, told

#: Rows and columns that are shown.
ROWS, COLUMNS = 10, 6


def tell_of_numbers(section: Section, story: Story, name: str) -> None:
    """Predicted beside actual numbers, what is left, and the rows that it is farthest from."""
    table, results = story.asked.table, story.comparison.results
    target = results.target
    truth, said = table.column(target.name), results.predictions(name)
    known = np.flatnonzero(np.isfinite(truth) & np.isfinite(said))
    is_so, guess = truth[known], said[known]
    off = is_so - guess
    half, most = np.quantile(np.abs(off), [0.5, 0.9])
    called = cut(target.name, 40)
    gist = (
        f"Half of the predictions of {name} are within {told(half, 3)} of {called}, nine in ten "
        f"within {told(most, 3)}."
    )
    section.gist = story.asked.alone(gist)
    section.say(gist)
    section.parts.append(
        Figures([
            (
                scatter(guess, is_so, ("predicted", "actual"),
                        f"Predicted and actual {called} of {len(known):,} rows. {gist}"),
                "Predicted and actual: on the line, they are equal.",
            ),
            (
                scatter(guess, off, ("predicted", f"actual {MINUS} predicted"),
                        f"Errors by prediction, from {told(off.min(), 3)} to "
                        f"{told(off.max(), 3)}.", line="zero"),
                "What is left: a bend or a fan here is something that the model misses.",
            ),
        ])
    )  # fmt: skip
    columns = telling(table)[:COLUMNS]
    worst: list[int] = np.argsort(-np.abs(off), kind="stable")[:ROWS].tolist()
    lines = [
        cells(
            f"{story.asked.rows[known[at]] + 1:,}", told(float(is_so[at])), told(float(guess[at])),
            *(cell(table, int(known[at]), each) for each in columns),
        )
        for at in worst
    ]  # fmt: skip
    head = ["row", "actual", "predicted", *(cut(each, 24) for each in columns)]
    caption = "The rows that it is farthest from (counted from 1)"
    section.parts.append(Grid(caption, head, lines, (0, *words_in(table, columns, 3))))
