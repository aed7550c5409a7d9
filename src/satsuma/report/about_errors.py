"""The section on errors: which class is taken for which, how sure it is, and which rows fool it."""

from typing import Any

import numpy as np

from satsuma.data.columns import Array, Floats
from satsuma.data.summary import cut
from satsuma.report.charts import scatter
from satsuma.report.doubt import counted
from satsuma.report.numbers import cell, listed, percent, told
from satsuma.report.parts import Cell, Figures, Grid, Part, Section, cells
from satsuma.report.story import Story
from satsuma.report.telling import telling

#: Classes of a whole matrix, pairs of classes, rows and columns that are shown.
CLASSES, PAIRS, ROWS, COLUMNS = 12, 12, 10, 6


def about_errors(story: Story) -> Section:
    """Where the model of the learner to take is wrong, on rows that it has not seen."""
    name, results = story.subject, story.comparison.results
    section = Section("errors", "Where it errs")
    section.say(
        f"What {name} said about rows that it had not learned from, in the same folds as above."
    )
    if results.target.kind == "sym":
        _of_classes(section, story, name, results)
    else:
        _of_numbers(section, story, name, results)
    return section


def _of_classes(section: Section, story: Story, name: str, results: Any) -> None:
    target = results.target
    matrix: Floats = results.confusion(name).weights
    total, right = matrix.sum(), np.trace(matrix)
    wrong = matrix.copy()
    np.fill_diagonal(wrong, 0)
    if wrong.any():
        true, said = np.unravel_index(wrong.argmax(), wrong.shape)
        worst = (
            f"Its most frequent error is to take {cut(target.values[int(true)], 40)} for "
            f"{cut(target.values[int(said)], 40)}: {told(wrong[true, said])} of "
            f"{told(matrix[true].sum())} rows."
        )
    else:
        worst = "It makes no error on these rows."
    section.gist = f"{name} is right in {percent(right / total)} of the rows. {worst}"
    section.say(section.gist)
    section.parts.append(_matrix(target, matrix) if len(matrix) <= CLASSES else _pairs(target, wrong))
    chances = results.probabilities(name)
    codes = story.asked.table.column(target.name)
    known = np.flatnonzero((codes >= 0) & ~np.isnan(chances).any(axis=1))
    section.parts.append(_calibration(chances[known], codes[known], name))
    section.parts += _fooled(story, chances, codes, known)


def _matrix(target: Any, matrix: Floats) -> Grid:
    each = np.maximum(matrix.sum(axis=1, keepdims=True), 1e-300)
    lines = [
        [
            Cell(cut(target.values[row], 40)),
            *(
                Cell(told(weight), heat=float(share), strong=row == at)
                for at, (weight, share) in enumerate(zip(weights, shares, strict=True))
            ),
            Cell(percent(shares[row])),
        ]
        for row, (weights, shares) in enumerate(zip(matrix, matrix / each, strict=True))
    ]
    head = ["is", *(f"called {cut(value, 24)}" for value in target.values), "right"]
    return Grid("Confusion matrix: rows are what is true, columns what was said", head, lines)


def _pairs(target: Any, wrong: Floats) -> Grid:
    order = np.argsort(-wrong, axis=None, kind="stable")[:PAIRS]
    pairs = [np.unravel_index(at, wrong.shape) for at in order]
    lines = [
        cells(cut(target.values[int(a)], 40), cut(target.values[int(b)], 40), told(wrong[a, b]))
        for a, b in pairs
        if wrong[a, b]
    ]
    caption = f"The most frequent errors among {len(wrong)} classes"
    return Grid(caption, ["is", "was called", "rows"], lines, (0, 1))


def _calibration(chances: Floats, codes: Array, name: str) -> Part:
    """How often it is right, by how sure it is, in ten bins."""
    sure, right = chances.max(axis=1), chances.argmax(axis=1) == codes
    bins = np.clip(np.ceil(sure * 10).astype(np.intp) - 1, 0, 9)
    counts = np.bincount(bins, minlength=10)
    there = np.flatnonzero(counts)
    said = np.bincount(bins, sure, 10)[there] / counts[there]
    so = np.bincount(bins, right, 10)[there] / counts[there]
    off = float(np.abs(said - so) @ counts[there] / counts.sum())
    gap = float((said - so) @ counts[there] / counts.sum())
    judged = "surer than it should be" if gap > 0.02 else "less sure than it could be" if (
        gap < -0.02) else "about as sure as it should be"  # fmt: skip
    parts = [
        f"of {counted(int(counts[at]), 'row')} that it was {percent(one)} sure of, {percent(other)}"
        for at, one, other in zip(there, said, so, strict=True)
    ]
    text = f"Calibration of {name}. It was right in: {'; '.join(parts)}."
    sizes = 3 + 9 * np.sqrt(counts[there] / counts.max())
    low = min(0.5, float(said.min()) - 0.05, float(so.min()) - 0.05)
    drawn = scatter(
        said, so, ("how sure it was", "how often it was right"), text, sizes=sizes, joined=True,
        span=(low, 1.03),
    )  # fmt: skip
    caption = (
        f"It is {judged}: what it says is {percent(off)} off on average. On the line it would be "
        f"exactly as sure as it should be; larger dots are more rows."
    )
    return Figures([(drawn, caption)])


def _fooled(story: Story, chances: Floats, codes: Array, known: Array) -> list[Part]:
    """The rows that it is wrong about and most sure of."""
    table, target = story.asked.table, story.comparison.results.target
    own = chances[known, codes[known]]
    said = chances[known].argmax(axis=1)
    gap = chances[known].max(axis=1) - own
    order = [int(at) for at in np.argsort(-gap, kind="stable") if said[at] != codes[known][at]]
    if not order:
        return []
    columns = telling(table)[:COLUMNS]
    lines = [
        cells(
            f"{story.asked.rows[known[at]]:,}",
            cut(target.values[int(codes[known[at]])], 32),
            cut(target.values[int(said[at])], 32),
            percent(float(chances[known[at]].max())),
            *(cell(table, int(known[at]), name) for name in columns),
        )
        for at in order[:ROWS]
    ]
    caption = (
        "The errors that it was surest of: see whether the label is right (rows are counted from 0)"
    )
    head = ["row", "is", "was called", "sure", *(cut(name, 24) for name in columns)]
    return [Grid(caption, head, lines, (0, 1, 2))]


def _of_numbers(section: Section, story: Story, name: str, results: Any) -> None:
    table, target = story.asked.table, results.target
    truth, said = table.column(target.name), results.predictions(name)
    known = np.flatnonzero(np.isfinite(truth) & np.isfinite(said))
    is_so, guess = truth[known], said[known]
    off = is_so - guess
    half, most = np.quantile(np.abs(off), [0.5, 0.9])
    called = cut(target.name, 40)
    section.gist = (
        f"Half of the predictions of {name} are within {told(half, 3)} of {called}, nine in ten "
        f"within {told(most, 3)}."
    )
    section.say(section.gist)
    section.parts.append(
        Figures([
            (
                scatter(guess, is_so, ("predicted", "actual"),
                        f"Predicted and actual {called} of {len(known):,} rows. {section.gist}"),
                "Predicted and actual: on the line, they are equal.",
            ),
            (
                scatter(guess, off, ("predicted", "actual − predicted"),
                        f"Errors by prediction, from {told(off.min(), 3)} to "
                        f"{told(off.max(), 3)}.", line="zero"),
                "What is left: a bend or a fan here is something that the model misses.",
            ),
        ])
    )  # fmt: skip
    columns = telling(table)[:COLUMNS]
    worst = np.argsort(-np.abs(off), kind="stable")[:ROWS]
    lines = [
        cells(
            f"{story.asked.rows[known[at]]:,}", told(is_so[at]), told(guess[at]),
            *(cell(table, int(known[at]), each) for each in columns),
        )
        for at in worst
    ]  # fmt: skip
    head = ["row", "actual", "predicted", *(cut(each, 24) for each in columns)]
    section.parts.append(Grid("The rows that it is farthest from (counted from 0)", head, lines))


__all__ = ["about_errors", "listed"]
