"""Cluster profiles: in which columns each cluster differs most from the others."""

from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.data.table import Table

Groups = npt.NDArray[np.integer[Any]]

#: Columns of a profile.
MOST = 3


def cluster_profiles(table: Table, groups: Groups) -> list[dict[str, Any]]:
    """The profile of each cluster: how many rows it has, and in which columns it differs most."""
    found: list[dict[str, Any]] = []
    for group in np.unique(groups).tolist():
        mine = groups == group
        apart = [_apart(table, at, mine) for at in _attributes(table)]
        apart = sorted((each for each in apart if each), key=lambda each: -each[0])[:MOST]
        found.append(
            {
                "cluster": int(group),
                "rows": int(mine.sum()),
                "like": {name: value for _, name, value in apart},
                "mostly": _mostly(table, mine),
            }
        )
    return found


def _attributes(table: Table) -> list[int]:
    return [at for at, v in enumerate(table.domain) if v.role == "x" and v.kind != "text"]


def _apart(table: Table, at: int, mine: npt.NDArray[np.bool_]) -> tuple[float, str, Any] | None:
    """How unlike the others rows are in a column, its name, and what they have there."""
    variable, column = table.domain[at], table.columns[at]
    known = ~table.missing(at)
    ours, others = column[mine & known], column[~mine & known]
    if not len(ours):
        return None
    if variable.kind == "num":
        mean = float(ours.mean())
        spread = float(column[known].std()) or 1.0
        return (
            abs(mean - float(others.mean() if len(others) else mean)) / spread,
            variable.name,
            mean,
        )
    counts = np.bincount(ours, minlength=len(variable.values)) / len(ours)
    beside = np.bincount(others, minlength=len(variable.values)) / max(1, len(others))
    code = int((counts - beside).argmax())
    return float(counts[code] - beside[code]) * 2, variable.name, variable.values[code]


def _mostly(table: Table, mine: npt.NDArray[np.bool_]) -> str | None:
    """The class that is most frequent, and its share."""
    target = table.domain.target
    if target is None or target.kind != "sym":
        return None
    codes = table.column(target.name)[mine]
    codes = codes[codes >= 0]
    if not len(codes):
        return None
    counts = np.bincount(codes)
    code = int(counts.argmax())
    return f"{target.values[code]} {counts[code] / len(codes):.0%}"
