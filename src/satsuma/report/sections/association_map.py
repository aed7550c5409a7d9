"""The section on associations: which columns go together, whatever their kinds."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from satsuma.data.phrases import quantity
from satsuma.data.summary import cut
from satsuma.data.table import Table
from satsuma.measures.association import FEWEST
from satsuma.numerics.arrays import Array, Floats
from satsuma.report.analysis import Analysis
from satsuma.report.elements import Cell, Figures, Grid, Section
from satsuma.report.wide_charts import heatmap

#: Columns of the map, and pairs in the table.
COLUMNS, PAIRS = 24, 30

#: Rank correlations from here on have a direction.
_DIRECTED = 0.1

_MEANING = (
    "An association of 0 is none, and 1 means that one column follows from the other. Of two "
    "columns that say nearly the same, one may be enough. What goes together need not be the cause "
    "of the other."
)
_METHOD = (
    "How it is measured: for numbers it is about the size of the correlation, but a bent relation "
    "counts as well, and symbols are on the same scale (the informational coefficient of "
    "correlation by Linfoot 1957, with Miller's correction, as a share of the most that two "
    "columns can have). Only significant associations are shown, by Pearson's chi-square after "
    "Holm's correction."
)


def association_section(analysis: Analysis) -> Section:
    """A map of the columns that go together most, and a list of pairs."""
    section = Section("associations", "What goes together")
    some, found = analysis.associated_rows, analysis.associations
    pairs = found.pairs()
    if not pairs:
        section.gist = some.with_size("No two columns are significantly associated.")
        section.say("No two columns are significantly associated.", str(some))
        return section
    first = pairs[0]
    section.gist = some.with_size(
        f"{quantity(len(pairs), 'pair')} of columns {'is' if len(pairs) == 1 else 'are'} "
        f"associated; most strongly {cut(first.one, 40)} and {cut(first.other, 40)} "
        f"({first.strength:.2f} of 1)."
    )
    section.say(_MEANING, str(some))
    section.elements.append(_map(analysis))
    lines = [
        [
            Cell(cut(pair.one, 40)), Cell(cut(pair.other, 40)),
            Cell(f"{pair.strength:.2f}", bar=pair.strength),
            Cell(_how(some.table, pair.one, pair.other)),
        ]
        for pair in pairs[:PAIRS]
    ]  # fmt: skip
    caption = "The strongest associations" if pairs[PAIRS:] else "All significant associations"
    section.elements.append(
        Grid(
            caption, ["column", "goes with", "association", "how"], lines, (0, 1, 2, 3), sorts=True
        )
    )
    section.say(f"{len(pairs) - PAIRS:,} weaker pairs are not listed." if pairs[PAIRS:] else "")
    section.say(_METHOD)
    return section


def _map(analysis: Analysis) -> Figures:
    found = analysis.associations
    strength = np.where(found.p < 0.05, found.strength, 0.0)
    np.fill_diagonal(strength, 0.0)
    there = np.flatnonzero(strength.max(axis=1) > 0)
    if len(there) > COLUMNS:
        order = np.argsort(-strength.max(axis=1), kind="stable")
        there = np.sort(order[:COLUMNS])
    names = [found.names[at] for at in there.tolist()]
    kept = strength[np.ix_(there, there)]
    order = _side_by_side(kept)
    text = f"Map of the associations of {len(names)} columns; the table below lists the strongest."
    caption = "The fuller a square, the stronger the association of its row and its column."
    if len(there) < len(found.names):
        caption += f" {len(there)} of {len(found.names)} columns are shown."
    drawn = heatmap([names[at] for at in order], kept[np.ix_(order, order)], text)
    return Figures([(drawn, caption)], wide=True)


def _side_by_side(strength: Floats) -> list[int]:
    """An order in which columns that go together are near each other."""
    if len(strength) < 3:
        return list(range(len(strength)))
    from scipy.cluster import hierarchy

    made = cast("Any", hierarchy)
    apart = (1 - strength)[np.triu_indices(len(strength), 1)]
    return made.leaves_list(made.linkage(apart, "average", optimal_ordering=True)).tolist()


def _how(table: Table, one: str, other: str) -> str:
    """What two columns have in common, in a few words."""
    kinds = [table.domain[name].kind for name in (one, other)]
    known = ~(table.missing(one) | table.missing(other))
    columns = [table.column(name)[known] for name in (one, other)]
    if kinds == ["sym", "sym"]:
        return _together(table, one, other, *columns)
    numbers = [each.view(np.int64) if each.dtype.kind == "M" else each for each in columns]
    if "sym" not in kinds:
        return _direction(*numbers)
    at = kinds.index("sym")
    name, values = (other, one)[at], table.domain[(one, other)[at]].values
    return _highest(numbers[1 - at], columns[at], values, name)


def _direction(one: Array, other: Array) -> str:
    ranks = [np.argsort(np.argsort(each, kind="stable")) for each in (one, other)]
    found = float(np.corrcoef(ranks[0], ranks[1])[0, 1]) if len(one) > 2 else 0.0
    if abs(found) < _DIRECTED:
        return "not in one direction"
    return "one rises with the other" if found > 0 else "one falls as the other rises"


def _highest(numbers: Array, codes: Array, values: Sequence[str], name: str) -> str:
    """The values for which a number is highest and lowest."""
    counts = np.bincount(codes, minlength=len(values))
    often = np.flatnonzero(counts >= FEWEST)
    medians = [float(np.median(numbers[codes == code])) for code in often.tolist()]
    if len(often) < 2 or min(medians) == max(medians):
        return ""
    ends = (int(often[np.argmax(medians)]), int(often[np.argmin(medians)]))
    high, low = (cut(values[code], 24) for code in ends)
    return f"{cut(name, 24)} is highest for {high}, lowest for {low}"


def _together(table: Table, one: str, other: str, first: Array, second: Array) -> str:
    """The two values that come together most beyond what chance would bring."""
    k = len(table.domain[other].values)
    counts = np.bincount(first.astype(np.int64) * k + second,
                         minlength=len(table.domain[one].values) * k).reshape(-1, k)  # fmt: skip
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / max(1, counts.sum())
    a, b = np.unravel_index(int((counts - expected).argmax()), counts.shape)
    values = (table.domain[one].values[int(a)], table.domain[other].values[int(b)])
    return f"{cut(values[0], 24)} often with {cut(values[1], 24)}"
