"""The section on errors: where the chosen learner is wrong, on rows that it was not trained on."""

import numpy as np

from satsuma.data.phrases import quantity
from satsuma.data.summary import cut
from satsuma.data.variable import Variable
from satsuma.evaluate.reliability import Reliability
from satsuma.numerics.arrays import Array, Floats
from satsuma.report.analysis import Analysis
from satsuma.report.charts import scatter
from satsuma.report.elements import Cell, Element, Figures, Grid, Section, cells
from satsuma.report.feature_ranking import rank_features, symbol_columns
from satsuma.report.number_format import MINUS, format_cell, format_number, percent

#: Rows that a dot of the calibration plot stands for, at least.
FEWEST = 5

#: Classes of a whole matrix, pairs of classes, rows and columns that are shown.
CLASSES, PAIRS, ROWS, COLUMNS = 12, 12, 10, 6


def error_section(analysis: Analysis) -> Section:
    """Predictions for rows that were not trained on, beside the true values."""
    name, target = analysis.chosen_learner, analysis.comparison.results.target
    section = Section("errors", "Where the model is wrong")
    section.say(
        f"Predictions of {name} for rows that it was not trained on, in the same folds as above.",
        str(analysis.compared_rows),
    )
    add = _add_classification_errors if target.kind == "sym" else _add_regression_errors
    add(section, analysis, name)
    return section


# Of a classifier


def _add_classification_errors(section: Section, analysis: Analysis, name: str) -> None:
    """Add the confusion matrix, the calibration, and the errors with the highest probability."""
    results = analysis.comparison.results
    target = results.target
    matrix: Floats = results.confusion(name).weights
    total, right = matrix.sum(), np.trace(matrix)
    wrong = matrix.copy()
    np.fill_diagonal(wrong, 0)
    if wrong.any():
        true, predicted = np.unravel_index(wrong.argmax(), wrong.shape)
        worst = (
            f"Its most frequent error is to predict {cut(target.values[int(predicted)], 40)} for "
            f"{cut(target.values[int(true)], 40)}: {format_number(wrong[true, predicted])} of "
            f"{format_number(matrix[true].sum())} rows."
        )
    else:
        worst = "It makes no error on these rows."
    gist = f"The accuracy of {name} is {percent(right / total)}. {worst}"
    section.gist = analysis.compared_rows.with_size(gist)
    section.say(gist)
    section.elements.append(
        _matrix(target, matrix) if len(matrix) <= CLASSES else _pairs(target, wrong)
    )
    probabilities = results.probabilities(name)
    codes = analysis.compared_rows.table.column(target.name)
    known = np.flatnonzero((codes >= 0) & ~np.isnan(probabilities).any(axis=1))
    section.elements.append(_calibration(probabilities[known], codes[known], name))
    section.elements += _confident_errors(analysis, probabilities, codes, known)


def _matrix(target: Variable, matrix: Floats) -> Grid:
    each = np.maximum(matrix.sum(axis=1, keepdims=True), 1e-300)
    lines = [
        [
            Cell(cut(target.values[row], 40)),
            *(
                Cell(format_number(weight), heat=float(share), strong=row == at)
                for at, (weight, share) in enumerate(zip(weights, shares, strict=True))
            ),
            Cell(percent(shares[row])),
        ]
        for row, (weights, shares) in enumerate(zip(matrix, matrix / each, strict=True))
    ]
    head = ["true class", *(f"predicted {cut(value, 24)}" for value in target.values), "recall"]
    return Grid(
        "Confusion matrix: true classes in the rows, predicted ones in the columns", head, lines
    )


def _pairs(target: Variable, wrong: Floats) -> Grid:
    order: list[int] = np.argsort(-wrong, axis=None, kind="stable")[:PAIRS].tolist()
    pairs = [divmod(at, len(wrong)) for at in order]
    lines = [
        cells(
            cut(target.values[a], 40), cut(target.values[b], 40), format_number(float(wrong[a, b]))
        )
        for a, b in pairs
        if wrong[a, b]
    ]
    caption = f"The most frequent errors among {len(wrong)} classes"
    return Grid(caption, ["true class", "predicted", "rows"], lines, (0, 1))


def _calibration(probabilities: Floats, codes: Array, name: str) -> Element:
    """The accuracy by the probability of the predicted class, in ten bins."""
    found = Reliability.of(probabilities, codes, np.ones(len(codes)))
    # The accuracy of one row or two says nothing.
    there = np.flatnonzero(found.weight >= min(FEWEST, found.weight.max()))
    judged = "overconfident" if found.gap > 0.02 else "underconfident" if (
        found.gap < -0.02) else "well calibrated"  # fmt: skip
    predicted, accuracy, counts = (
        each[there] for each in (found.predicted, found.right, found.weight)
    )
    parts = [
        f"{percent(other)} of {quantity(int(count), 'row')} at a probability of {percent(one)}"
        for count, one, other in zip(counts, predicted, accuracy, strict=True)
    ]
    text = f"Calibration of {name}. Predicted rightly: {'; '.join(parts)}."
    sizes = 3 + 9 * np.sqrt(counts / counts.max())
    low = min(0.5, float(predicted.min()) - 0.05, float(accuracy.min()) - 0.05)
    drawn = scatter(
        predicted, accuracy, ("predicted probability", "accuracy"), text, sizes=sizes,
        span=(low, 1.03), spelled=percent,
    )  # fmt: skip
    caption = (
        f"Calibration: the model is {judged}; its probabilities are {percent(found.error)} off on "
        f"average. On the line, the accuracy is the predicted probability; larger dots are more "
        f"rows."
    )
    return Figures([(drawn, caption)])


def _confident_errors(
    analysis: Analysis, probabilities: Floats, codes: Array, known: Array
) -> list[Element]:
    """The rows that are predicted wrongly with the highest probability."""
    table, target = analysis.compared_rows.table, analysis.comparison.results.target
    own = probabilities[known, codes[known]]
    predicted = probabilities[known].argmax(axis=1)
    gap = probabilities[known].max(axis=1) - own
    order = [int(at) for at in np.argsort(-gap, kind="stable") if predicted[at] != codes[known][at]]
    if not order:
        return []
    columns = rank_features(table)[:COLUMNS]
    lines = [
        cells(
            f"{analysis.compared_rows.rows[known[at]] + 1:,}",
            cut(target.values[int(codes[known[at]])], 32),
            cut(target.values[int(predicted[at])], 32),
            percent(float(probabilities[known[at]].max())),
            *(format_cell(table, int(known[at]), name) for name in columns),
        )
        for at in order[:ROWS]
    ]
    caption = (
        "The errors with the highest probability: check whether the label is right (rows count "
        "from 1)"
    )
    head = ["row", "true class", "predicted", "probability", *(cut(name, 24) for name in columns)]
    return [Grid(caption, head, lines, (0, 1, 2, *symbol_columns(table, columns, 4)))]


# Of a regression


def _add_regression_errors(section: Section, analysis: Analysis, name: str) -> None:
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
    section.elements.append(_residual_charts(guess, is_so, called, gist))
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
    caption = (
        "The rows with the largest errors: check whether the actual number is right (rows count "
        "from 1)"
    )
    section.elements.append(Grid(caption, head, lines, (0, *symbol_columns(table, columns, 3))))


def _residual_charts(guess: Floats, is_so: Floats, called: str, gist: str) -> Figures:
    off = is_so - guess
    return Figures([
        (
            scatter(guess, is_so, ("predicted", "actual"),
                    f"Predicted and actual {called} of {len(guess):,} rows. {gist}"),
            "Predicted and actual: on the line, they are equal.",
        ),
        (
            scatter(guess, off, ("predicted", f"actual {MINUS} predicted"),
                    f"Residuals by prediction, from {format_number(off.min(), 3)} to "
                    f"{format_number(off.max(), 3)}.", line="zero"),
            "Residuals: a bend or a fan here is something that the model misses.",
        ),
    ])  # fmt: skip
