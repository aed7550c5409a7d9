"""The section on outliers: rows far from their neighbours, by the anomaly score."""

import numpy as np

from satsuma.data.phrases import quantity
from satsuma.learners.anomaly.anomaly import Anomaly
from satsuma.report.analysis import NEAR, Analysis
from satsuma.report.elements import Cell, Grid, Section, cells
from satsuma.report.number_format import percent
from satsuma.report.outlier_reasons import OutlierReasons

#: Rows that are shown.
MOST = 10

#: The score of a row that is twice as far from its neighbours as these are from each other, and
#: the share of rows that can be outliers.
OUTLYING, SHARE = 2 / 3, 0.03

_CAPTION = (
    "The rows with the highest anomaly scores (rows count from 1; a score of 0.5 is usual, one of "
    "0.67 twice as far)"
)
_HEAD = ["row", "anomaly score", "what is unusual"]


def outlier_section(analysis: Analysis) -> Section:
    """The rows with the highest anomaly scores, and what is unusual about each."""
    section = Section("outliers", "Outliers")
    some = analysis.sample(NEAR)
    rows = analysis.distance_table[some.rows]
    model = Anomaly(seed=analysis.seed)(rows)
    scores = model.scores(rows)
    order = np.argsort(-scores, kind="stable")[: max(1, int(SHARE * len(rows)))]
    outliers = [int(at) for at in order if scores[at] >= OUTLYING]
    section.say(
        f"An outlier is a row that is at least twice as far from its neighbours as these are from "
        f"each other; at most {percent(SHARE)} of the rows are called so, those with the highest "
        f"scores. It may be an error, or the most interesting row: check it at its source.",
        str(some),
    )
    if not outliers:
        section.gist = some.with_size("No row is twice as far from its neighbours as is usual.")
        section.say("Here, no row is twice as far from its neighbours as is usual.")
        return section
    find = OutlierReasons(rows)
    reasons = [
        find(at, [name for name, share in model.why(rows[at]).items() if share])
        for at in outliers[:MOST]
    ]
    far = quantity(len(outliers), "row is an outlier", "rows are outliers")
    first = next((f" Row {some.rows[at] + 1:,}: {why[0]}." for at, why in
                  zip(outliers, reasons, strict=False) if why), "")  # fmt: skip
    section.gist = some.with_size(f"{far} ({percent(len(outliers) / len(rows))}).{first}")
    lines = [
        [
            *cells(f"{some.rows[at] + 1:,}", f"{scores[at]:.2f}"),
            Cell("; ".join(why) or "no value by itself, but all of them together"),
        ]
        for at, why in zip(outliers, reasons, strict=False)
    ]
    section.elements.append(Grid(_CAPTION, _HEAD, lines, (0, 2), (2,)))
    if more := len(outliers) - MOST if outliers[MOST:] else 0:
        section.say(f"{quantity(more, 'more row is an outlier', 'more rows are outliers')}.")
    return section
