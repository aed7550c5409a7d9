"""The section on clusters: rows that are alike, and what is frequent in each cluster."""

import numpy as np

from satsuma.data.phrases import quantity
from satsuma.data.table import Table
from satsuma.errors import DomainError, SatsumaError
from satsuma.learners.kmeans.choose_k import ChosenK, choose_k
from satsuma.learners.kmeans.kmeans import KMeans
from satsuma.numerics.arrays import Array
from satsuma.plan.contrast import contrast
from satsuma.plot.cluster_map import clusters
from satsuma.report.analysis import NEAR, Analysis
from satsuma.report.elements import Cell, Grid, Section, plot_image
from satsuma.report.number_format import DASH, MINUS, format_condition, format_list, percent

#: Clusters that are tried, and rows with which.
MOST, TRIED = 8, 1_000

#: Silhouettes of clusters that are clear, and of those that may be none (Rousseeuw 1987).
CLEAR, WEAK = 0.5, 0.25


def cluster_section(analysis: Analysis) -> Section:
    """Clusters by k-means: a map, and what is frequent in each."""
    section = Section("clusters", "Clusters")
    some = analysis.sample(NEAR)
    rows = analysis.distance_table[some.rows]
    if len(rows) < 10:
        raise DomainError(f"Clusters of {quantity(len(rows), 'row')} would say nothing.")
    tried = rows[np.linspace(0, len(rows) - 1, min(len(rows), TRIED)).astype(np.intp)]
    learner = KMeans(starts=3, seed=analysis.seed)
    chosen = choose_k(tried, "silhouette", range(2, MOST + 1), learner=learner, seed=analysis.seed)
    model = KMeans(k=chosen.k, starts=5, seed=analysis.seed)(rows)
    groups = model.clusters(rows)
    if len(np.unique(groups)) < 2:
        raise DomainError("All rows are alike, so that there are no clusters.")
    clear = _clear(chosen)
    section.gist = some.with_size(
        f"The rows fall into {quantity(chosen.k, 'cluster')}, which are {clear}."
    )
    section.say(
        f"By k-means, {chosen.k} clusters fit best of 2 to {MOST}: they are {clear} (silhouette "
        f"{chosen.scores.max():.2f}, from {MINUS}1 to 1). The target is not used.", str(some),
    )  # fmt: skip
    map_of = clusters(model, table=rows, seed=analysis.seed)
    section.elements.append(plot_image(map_of, "Rows that are alike are near each other."))
    section.elements.append(_grid(rows, groups, chosen.k))
    section.say(
        "If you know what sort of rows a cluster has, give it a name, and look at the sorts one by "
        "one. If not, do not build on the clusters."
    )
    return section


def _clear(chosen: ChosenK) -> str:
    best = float(chosen.scores.max())
    return "well separated" if best >= CLEAR else "weakly separated" if best >= WEAK else (
        "hardly separated and may not be real")  # fmt: skip


def _grid(rows: Table, groups: Array, k: int) -> Grid:
    target = rows.domain.target
    classes = target is not None and target.kind == "sym"
    head = ["cluster", "rows", "more frequent than in the other clusters"]
    lines: list[list[Cell]] = []
    for group in range(k):
        mine = groups == group
        line = [Cell(str(group)), Cell(f"{int(mine.sum()):,}"), Cell(_apart(rows, mine))]
        lines.append([*line, Cell(_classes(rows, mine))] if classes else line)
    head = [*head, str(target.name)] if classes and target else head
    return Grid("Clusters", head, lines, (0, 2, 3), (2, 3))


def _apart(rows: Table, mine: Array) -> str:
    """What is significantly more frequent in a cluster than in the others."""
    try:
        found = [each for each in contrast(rows, mine) if each.effect > 0]
    except SatsumaError:
        return DASH
    first: dict[str, str] = {}
    for each in found:
        one, other = each.shares
        first.setdefault(
            each.column, f"{format_condition(each)} ({percent(one)} against {percent(other)})"
        )
    return "; ".join(list(first.values())[:3]) or "nothing significantly"


def _classes(rows: Table, mine: Array) -> str:
    target = rows.domain.target
    assert target is not None
    codes = rows.column(target.name)[mine]
    counts = np.bincount(codes[codes >= 0], minlength=len(target.values))
    order = [int(c) for c in np.argsort(-counts, kind="stable") if counts[c]]
    return format_list(
        [f"{target.values[c]} ({percent(counts[c] / counts.sum())})" for c in order], 3
    )
