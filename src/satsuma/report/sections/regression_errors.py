"""Errors of a regression: predicted and actual values, residuals, and the largest errors."""

import numpy as np

from satsuma.data.summary import cut
from satsuma.report.analysis import Analysis
from satsuma.report.charts import scatter
from satsuma.report.elements import Figures, Grid, Section, cells
from satsuma.report.feature_ranking import rank_features, symbol_columns
from satsuma.report.number_format import MINUS, format_cell, format_number

#: Rows and columns that are shown.
ROWS, COLUMNS = 10, 6


def add_regression_errors(section: Section, analysis: Analysis, name: str) -> None:
    """Add predicted and actual values, the residuals, and the rows with the largest errors."""
    table, results = analysis.compared_rows.table, analysis.comparison.results
    target = results.target
    truth, predicted = table.column(target.name), results.predictions(name)
    known = np.flatnonzero(np.isfinite(truth) & np.isfinite(predicted))
    is_so, guess = truth[known], predicted[known]
    off = is_so - guess
    half, most = np.quantile(np.abs(off), [0.5, 0.9])
    called = cut(target.name, 40)
    gist = (
        f"Half of the predictions of {name} are within {format_number(half, 3)} of {called}, nine "
        f"in ten within {format_number(most, 3)}."
    )
    section.gist = analysis.compared_rows.with_size(gist)
    section.say(gist)
    section.elements.append(
        Figures([
            (
                scatter(guess, is_so, ("predicted", "actual"),
                        f"Predicted and actual {called} of {len(known):,} rows. {gist}"),
                "Predicted and actual: on the line, they are equal.",
            ),
            (
                scatter(guess, off, ("predicted", f"actual {MINUS} predicted"),
                        f"Residuals by prediction, from {format_number(off.min(), 3)} to "
                        f"{format_number(off.max(), 3)}.", line="zero"),
                "Residuals: a bend or a fan here is something that the model misses.",
            ),
        ])
    )  # fmt: skip
    columns = rank_features(table)[:COLUMNS]
    worst: list[int] = np.argsort(-np.abs(off), kind="stable")[:ROWS].tolist()
    lines = [
        cells(
            f"{analysis.compared_rows.rows[known[at]] + 1:,}",
            format_number(float(is_so[at])), format_number(float(guess[at])),
            *(format_cell(table, int(known[at]), each) for each in columns),
        )
        for at in worst
    ]  # fmt: skip
    head = ["row", "actual", "predicted", *(cut(each, 24) for each in columns)]
    caption = "The rows with the largest errors (rows count from 1)"
    section.elements.append(Grid(caption, head, lines, (0, *symbol_columns(table, columns, 3))))
