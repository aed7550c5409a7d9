"""Column statistics: exact figures of all rows of a column, as they stand on its card."""

from collections.abc import Sequence

import numpy as np

from satsuma.data.table import Table
from satsuma.data.times import spell_time
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array, Floats
from satsuma.report.number_format import format_number, format_value, percent

#: The quantiles that are shown, with what they are called.
QUANTILES = ((0.0, "least"), (0.05, "5 %"), (0.25, "25 %"), (0.5, "median"), (0.75, "75 %"),
             (0.95, "95 %"), (1.0, "greatest"))  # fmt: skip

Figures = list[tuple[str, str]]


def column_statistics(table: Table, variable: Variable) -> Figures:
    """The figures of a column, by name: how many values there are, and where they lie.

    Examples
    --------
    >>> table = Table.of([(1, "a"), (2, "b"), (9, "a")], ["n", "s"], target=None)
    >>> dict(column_statistics(table, table.domain["n"]))["median"]
    '2'
    >>> column_statistics(table, table.domain["s"])[:2]
    [('known values', '3'), ('distinct values', '2')]
    """
    column, missing = table.column(variable.name), table.missing(variable.name)
    known = column[~missing]
    gaps = int(missing.sum())
    found = [("known values", f"{len(known):,}")]
    if gaps:
        found.append(("missing values", f"{gaps:,} ({percent(gaps / len(table))})"))
    if not len(known):
        return found
    if variable.kind == "num":
        return [*found, *_of_numbers(np.sort(known))]
    if variable.kind == "time":
        return [*found, *_of_times(np.sort(known.view(np.int64)), variable)]
    if variable.kind == "sym":
        return [*found, *_of_symbols(np.bincount(known), variable)]
    return [*found, *_of_text(known.tolist())]


def quantiles(ordered: Floats, at: Sequence[float]) -> list[float]:
    """Quantiles of numbers in order, with straight lines between them, as NumPy's.

    Huge numbers do not overflow.

    Examples
    --------
    >>> quantiles(np.array([1.0, 2.0, 4.0]), [0, 0.25, 1])
    [1.0, 1.5, 4.0]
    """
    found: list[float] = []
    for share in at:
        place = share * (len(ordered) - 1)
        low = int(place)
        part = place - low
        one, other = float(ordered[low]), float(ordered[min(low + 1, len(ordered) - 1)])
        found.append(one if part == 0 or one == other else one * (1 - part) + other * part)
    return found


def _of_numbers(ordered: Floats) -> Figures:
    distinct = 1 + int((ordered[1:] != ordered[:-1]).sum())
    found = [("distinct values", f"{distinct:,}")]
    if distinct == 1:
        return found
    places = quantiles(ordered, [share for share, _ in QUANTILES])
    found += [
        (name, format_value(number)) for (_, name), number in zip(QUANTILES, places, strict=True)
    ]
    # In units of the largest, so that no sum of huge numbers overflows.
    unit = float(np.abs(ordered[[0, -1]]).max())
    scaled = ordered / unit
    mean, spread = float(scaled.mean()), float(scaled.std(ddof=1))
    found.append(("mean", format_number(mean * unit)))
    found.append(("standard deviation", format_number(spread * unit)))
    if spread > 0:
        skewness = float((((scaled - mean) / spread) ** 3).mean())
        found.append(("skewness", format_number(skewness, 2)))
    for name, count in (("zeros", ordered == 0), ("negative", ordered < 0)):
        if some := int(count.sum()):
            found.append((name, f"{some:,} ({percent(some / len(ordered))})"))
    return found


def _of_times(ordered: Array, variable: Variable) -> Figures:
    distinct = 1 + int((ordered[1:] != ordered[:-1]).sum())
    places = [(name, int(share * (len(ordered) - 1))) for share, name in QUANTILES]
    spelled = [
        (name, spell_time(int(ordered[at]), variable.time_format) or "") for name, at in places
    ]
    return [("distinct values", f"{distinct:,}"), *spelled]


def _of_symbols(counts: Array, variable: Variable) -> Figures:
    seen = counts[counts > 0]
    found = [("distinct values", f"{len(seen):,}")]
    if unseen := len(variable.values) - len(seen):
        found.append(("values never seen", f"{unseen:,}"))
    if len(seen) > 1:
        found.append(("most frequent", f"{seen.max():,} ({percent(seen.max() / seen.sum())})"))
        if once := int((seen == 1).sum()):
            found.append(("seen only once", f"{once:,}"))
    return found


def _of_text(cells: list[str]) -> Figures:
    lengths = np.sort(np.array([len(cell) for cell in cells]))
    return [
        ("distinct values", f"{len(set(cells)):,}"),
        ("characters, median", f"{int(np.median(lengths)):,}"),
        ("characters, greatest", f"{lengths[-1]:,}"),
    ]
