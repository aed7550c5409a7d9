"""Errors in classes: which is taken for which, how sure it is, and which rows fool it."""

import numpy as np

from satsuma.data.summary import cut
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array, Floats
from satsuma.report.analysis import Story
from satsuma.report.charts import scatter
from satsuma.report.elements import Cell, Figures, Grid, Part, Section, cells
from satsuma.report.feature_ranking import telling, words_in
from satsuma.report.findings.finding import counted
from satsuma.report.number_format import cell, percent, told

#: Rows that a dot of the calibration stands for, at least.
FEWEST = 5

#: Classes of a whole matrix, pairs of classes, rows and columns that are shown.
CLASSES, PAIRS, ROWS, COLUMNS = 12, 12, 10, 6


def tell_of_classes(section: Section, story: Story, name: str) -> None:
    """The confusion matrix, calibration, and the errors that it was surest of."""
    results = story.comparison.results
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
    told_of_it = f"{name} is right in {percent(right / total)} of the rows. {worst}"
    section.gist = story.asked.alone(told_of_it)
    section.say(told_of_it)
    section.parts.append(
        _matrix(target, matrix) if len(matrix) <= CLASSES else _pairs(target, wrong)
    )
    chances = results.probabilities(name)
    codes = story.asked.table.column(target.name)
    known = np.flatnonzero((codes >= 0) & ~np.isnan(chances).any(axis=1))
    section.parts.append(_calibration(chances[known], codes[known], name))
    section.parts += _fooled(story, chances, codes, known)


def _matrix(target: Variable, matrix: Floats) -> Grid:
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


def _pairs(target: Variable, wrong: Floats) -> Grid:
    order: list[int] = np.argsort(-wrong, axis=None, kind="stable")[:PAIRS].tolist()
    pairs = [divmod(at, len(wrong)) for at in order]
    lines = [
        cells(cut(target.values[a], 40), cut(target.values[b], 40), told(float(wrong[a, b])))
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
    # Where it was so sure of one row or two, chance alone says how often it was right.
    there = np.flatnonzero(counts >= min(FEWEST, counts.max()))
    said = np.bincount(bins, sure, 10)[there] / counts[there]
    so = np.bincount(bins, right, 10)[there] / counts[there]
    off = float(np.abs(said - so) @ counts[there] / counts[there].sum())
    gap = float((said - so) @ counts[there] / counts[there].sum())
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
        said, so, ("how sure it was", "how often it was right"), text, sizes=sizes,
        span=(low, 1.03), spelled=percent,
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
            f"{story.asked.rows[known[at]] + 1:,}",
            cut(target.values[int(codes[known[at]])], 32),
            cut(target.values[int(said[at])], 32),
            percent(float(chances[known[at]].max())),
            *(cell(table, int(known[at]), name) for name in columns),
        )
        for at in order[:ROWS]
    ]
    caption = (
        "The errors that it was surest of: see whether the label is right (rows are counted from 1)"
    )
    head = ["row", "is", "was called", "sure", *(cut(name, 24) for name in columns)]
    return [Grid(caption, head, lines, (0, 1, 2, *words_in(table, columns, 4)))]
