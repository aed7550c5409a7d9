"""What results look like to a person: printed, in a notebook, and as a data frame."""

import html
from typing import TYPE_CHECKING

import numpy as np

from satsuma.data.summary import cut, width
from satsuma.evaluate.curve import Curve
from satsuma.evaluate.results import Results
from satsuma.evaluate.scores.score import SHOWN

if TYPE_CHECKING:
    import pandas as pd

#: Characters of a learner's name that are shown.
NAME = 48


def show(results: Results) -> str:
    """A title, then a line for each learner, best first."""
    notes = ["", *results.notes] if results.notes else []
    return "\n".join([title(results), "", *aligned(cells(results)), *notes])


def aligned(lines: list[list[str]]) -> list[str]:
    """Cells in columns, the first to the left and the others to the right."""
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(
            text + " " * (room - width(text)) if at == 0 else " " * (room - width(text)) + text
            for at, (text, room) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def show_html(results: Results) -> str:
    """The same as a piece of HTML."""
    return grid_html(" ".join([title(results), *results.notes]), cells(results))


def show_curve(curve: Curve, score: str = "") -> str:
    """A line for each number of rows learned from."""
    return "\n".join([_curve_title(curve, score), "", *aligned(_curve_cells(curve, score))])


def show_curve_html(curve: Curve, score: str = "") -> str:
    """The same as a piece of HTML."""
    return grid_html(_curve_title(curve, score), _curve_cells(curve, score))


def _curve_title(curve: Curve, score: str) -> str:
    first = curve.results[0]
    return f"{first.target.name}: {first.score_name(score)}, the more rows are learned from"


def _curve_cells(curve: Curve, score: str) -> list[list[str]]:
    found = curve.scores(score)
    lines = [["rows", *(cut(name, NAME) for name in found)]]
    for at, size in enumerate(curve.sizes):
        lines.append([f"{size:,}", *(number(float(means[at])) for means in found.values())])
    return lines


def grid_html(told: str, lines: list[list[str]]) -> str:
    """A sentence and a table, as HTML."""
    head, *rest = lines
    rows = [_html_row("th", head), *(_html_row("td", line) for line in rest)]
    return "\n".join(
        ["<div>", f"<p>{html.escape(told)}</p>", "<table>", *rows, "</table>", "</div>"]
    )


def _html_row(tag: str, line: list[str]) -> str:
    sides = ["left"] + ["right"] * (len(line) - 1)
    made = (
        f'<{tag} style="text-align: {side}">{html.escape(text)}</{tag}>'
        for side, text in zip(sides, line, strict=True)
    )
    return f"<tr>{''.join(made)}</tr>"


def title(results: Results) -> str:
    """What was predicted, and how it was tested."""
    return f"{results.target.name}: {results.what}"


def cells(results: Results, score: str = "") -> list[list[str]]:
    """The head and a line for each learner, best first by a score: the usual one unless given."""
    ranks, seconds = results.rank(score), results.seconds
    scores = {each: results.scores(each) for each in SHOWN[results.target.kind]}
    lines = [["learner", *scores, "seconds", "rank"]]
    for name, rank in ranks.items():
        found = [number(each[name]) for each in scores.values()]
        lines.append([cut(name, NAME), *found, f"{seconds[name]:.3g}", str(rank)])
    return lines


def number(score: float) -> str:
    """A score, as it is shown."""
    if np.isnan(score):
        return "?"
    return f"{score:.4f}" if abs(score) < 1000 else f"{score:.5g}"


def frame(results: Results) -> "pd.DataFrame":
    """A row for each learner, best first."""
    import pandas as pd

    ranks, seconds = results.rank(), results.seconds
    columns = {score: results.scores(score) for score in SHOWN[results.target.kind]}
    made = {score: [found[name] for name in ranks] for score, found in columns.items()}
    index = pd.Index(list(ranks), name="learner")
    return pd.DataFrame(
        {**made, "seconds": [seconds[name] for name in ranks], "rank": list(ranks.values())}, index
    )
