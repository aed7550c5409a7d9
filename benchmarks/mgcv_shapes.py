"""Shapes of `Additive` beside those of mgcv's `bam`, a column at a time.

The figures of mgcv (`method = "fREML"`, thin plate splines) are kept in `tests/golden/mgcv.json`:
its smooths along each column of numbers, and their standard errors.
"""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

KNOWN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "tests" / "golden" / "mgcv.json").read_text("utf-8")
)

HEAD = """## Shapes beside mgcv's

`Additive(pairs=0)` and `bam(method = "fREML")` of mgcv on the columns of numbers of three tables,
rows without a missing value. Of the columns of a table: the correlation of the two shapes over the
rows, and how often they differ by less than two standard errors of their difference."""


class Likeness(NamedTuple):
    """How alike two shapes of a column are, over the rows of the table.

    Parameters
    ----------
    correlation
        Of what the column adds in the one and in the other.
    within
        The share of rows where they differ by less than two standard errors of the difference.
    """

    correlation: float
    within: float


def likeness(name: str) -> dict[str, Likeness]:
    """How alike the shapes of each column of a shipped table are."""
    import satsuma

    known, table = KNOWN[name], satsuma.load(name)
    table = table.select([*known, table.domain.target.name])
    complete = ~np.any([table.missing(column) for column in known], axis=0)
    table = table[np.flatnonzero(complete)]
    model = satsuma.Additive(pairs=0)(table)
    return {
        column: _alike(table.column(column), model.shape(column), theirs)
        for column, theirs in known.items()
    }


def _alike(cells: Any, shape: Any, theirs: dict[str, Any]) -> Likeness:
    bins = np.minimum(np.searchsorted(shape.bins, cells), len(shape.effects) - 2)
    both = [shape.effects[bins], np.interp(cells, theirs["at"], theirs["effects"])]
    ours, curve = (each - each.mean() for each in both)
    errors = np.hypot(shape.errors[bins], np.interp(cells, theirs["at"], theirs["errors"]))
    within = np.abs(ours - curve) < 2 * errors
    return Likeness(float(np.corrcoef(ours, curve)[0, 1]), float(within.mean()))


def markdown() -> str:
    """The table."""
    lines = [HEAD, "", "| table | columns | median correlation | least | within two errors |"]
    lines.append("|---|---|---|---|---|")
    for name in KNOWN:
        found = likeness(name)
        each = [one.correlation for one in found.values()]
        least = min(found, key=lambda column: found[column].correlation)
        within = float(np.mean([one.within for one in found.values()]))
        cells = f"{np.median(each):.3f} | {min(each):.3f} ({least}) | {within:.3f}"
        lines.append(f"| {name} | {len(found)} | {cells} |")
        print(lines[-1], flush=True)
    return "\n".join([*lines, ""])
