"""The section on missing values: where they are, which come together, and what they say."""

import numpy as np

from satsuma.data.phrases import quantity
from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.measures.informative_missing import informative_columns
from satsuma.numerics.arrays import Array
from satsuma.report.analysis import Analysis
from satsuma.report.elements import Cell, Figures, Grid, Section
from satsuma.report.number_format import format_list, percent
from satsuma.report.target_by_value import Groups
from satsuma.report.wide_charts import PARTS, missingness
from satsuma.tallies.target_where_missing import TargetWhereMissing

#: Columns that are drawn, patterns in the table, columns that speak of the target.
COLUMNS, PATTERNS, SPEAKING = 30, 8, 10

#: Columns whose patterns are told apart: bits of a number.
_BITS = 62


def missing_section(analysis: Analysis) -> Section:
    """A stripe for each column with missing values, and which are missing together."""
    table = analysis.table
    section = Section("missing", "Missing values")
    masks = {name: gaps for name in table.domain.names if (gaps := table.missing(name)).any()}
    counts = {name: int(gaps.sum()) for name, gaps in masks.items()}
    worst = max(counts, key=lambda name: counts[name])
    whole = len(table) - _any(masks)
    section.gist = (
        f"{quantity(len(masks), 'column has', 'columns have')} missing values, most of all "
        f"{cut(worst, 40)} ({percent(counts[worst] / len(table))}); "
        f"{percent(whole / len(table))} of the rows are complete."
    )
    section.say(section.gist)
    section.elements.append(_stripes(table, masks, counts))
    patterns = _patterns(masks, counts)
    if len(masks) > 1:
        section.elements.append(patterns)
    _add_speaking(section, analysis)
    return section


def _any(masks: dict[str, Array]) -> int:
    return int(np.logical_or.reduce(list(masks.values())).sum())


def _stripes(table: Table, masks: dict[str, Array], counts: dict[str, int]) -> Figures:
    most = sorted(masks, key=lambda name: -counts[name])[:COLUMNS]
    names = [name for name in masks if name in most]
    parts = min(PARTS, len(table))
    starts = np.arange(parts) * len(table) // parts
    sizes = np.diff(np.append(starts, len(table)))
    shares = np.stack([np.add.reduceat(masks[n].astype(np.int64), starts) / sizes for n in names])
    shares = np.repeat(shares, -(-PARTS // parts), axis=1)[:, :PARTS] if parts < PARTS else shares
    totals = np.array([counts[name] / len(table) for name in names])
    told = [f"{cut(n, 40)} {percent(float(t))}" for n, t in zip(names, totals, strict=True)]
    drawn = missingness(names, shares, totals, f"Missing values by column: {', '.join(told)}.")
    caption = "From the first row on the left to the last on the right; filled is missing."
    if len(names) < len(masks):
        caption += f" The {len(names)} columns with most missing values, of {len(masks)}."
    return Figures([(drawn, caption)], wide=True)


def _patterns(masks: dict[str, Array], counts: dict[str, int]) -> Grid:
    """Which columns are missing in the same rows, and in how many."""
    names = sorted(masks, key=lambda name: -counts[name])[:_BITS]
    bits = np.zeros(len(next(iter(masks.values()))), np.int64)
    for at, name in enumerate(names):
        bits |= masks[name].astype(np.int64) << at
    found, sizes = np.unique(bits, return_counts=True)
    order = np.argsort(-sizes, kind="stable")[:PATTERNS].tolist()
    lines: list[list[Cell]] = []
    for at in order:
        missing = [name for bit, name in enumerate(names) if int(found[at]) >> bit & 1]
        what = format_list(missing, 8) if missing else "none: the row is complete"
        share = float(sizes[at] / len(bits))
        lines.append([Cell(what), Cell(f"{sizes[at]:,}"), Cell(percent(share), bar=share)])
    more = len(found) - len(order)
    caption = "Which columns are missing together"
    caption += f" ({quantity(more, 'rarer pattern is', 'rarer patterns are')} left out)" * bool(
        more
    )
    return Grid(caption, ["missing in the same row", "rows", "share"], lines, (0, 2), (0,))


def _add_speaking(section: Section, analysis: Analysis) -> None:
    """Add how the target differs where a column is missing, as far as that is significant."""
    table, aim = analysis.table, analysis.aim
    target = table.domain.target
    if target is None or aim.column is None or table.missing(target.name).all():
        return
    known = table[~table.missing(target.name)]
    speaking = list(informative_columns(TargetWhereMissing.of(known)))
    if not speaking:
        section.say(
            f"Whether a value is missing says nothing significant about {cut(target.name, 40)}. "
            f"Nothing has to be filled in: learners take missing values as they are."
        )
        return
    head: list[str] = []
    lines: list[list[Cell]] = []
    for name in speaking[:SPEAKING]:
        missing = table.missing(name).astype(np.int64)
        made = Groups([f"{cut(name, 40)} is known", f"{cut(name, 40)} is missing"], missing)
        grid = made.grid(name, aim)
        head, lines = list(grid.head), [*lines, *map(list, grid.rows)]
    caption = f"Columns whose missing values say something about {cut(target.name, 40)}"
    head[0] = "where"
    section.elements.append(Grid(caption, head, lines, tuple(range(len(head)))))
    section.say(
        "Keep these missing values as they are, rather than filling them in: they are information. "
        "Make sure that they are missing for the same reason in new rows."
    )
