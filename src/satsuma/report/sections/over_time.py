"""The section on times: how many rows there are over time, and how the target and numbers move."""

from typing import NamedTuple

import numpy as np

from satsuma.data.phrases import quantity
from satsuma.data.summary import cut
from satsuma.data.times import local_times
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array, Floats, Integers
from satsuma.report.analysis import Analysis
from satsuma.report.elements import Figures, Section
from satsuma.report.target_by_value import Aim
from satsuma.report.wide_charts import Series, series

#: Columns of times that are drawn, numbers beside each, and periods at most.
TIMES, NUMBERS, PERIODS = 3, 4, 60

#: Lengths of a period in days, what it is called, and as what NumPy counts it.
_UNITS = (
    (1 / 24, "hour", "h", 1), (1.0, "day", "D", 1), (7.0, "week", "D", 7), (30.4, "month", "M", 1),
    (91.3, "quarter", "M", 3), (365.2, "year", "Y", 1), (3652.0, "decade", "Y", 10),
    (36525.0, "century", "Y", 100),
)  # fmt: skip

#: A Monday, so that weeks start on one.
_MONDAY = 4


class Periods(NamedTuple):
    """Rows by hour, day, week, month or longer."""

    what: str
    labels: list[str]
    codes: Integers


def periods(times: Array) -> Periods:
    """The period of each time, by the shortest of which there are not too many.

    Examples
    --------
    >>> days = np.array(["2024-01-30", "2024-01-31", "2024-02-02"], "datetime64[ns]")
    >>> periods(days).labels
    ['2024-01-30', '2024-01-31', '2024-02-01', '2024-02-02']
    """
    first, last = times.min(), times.max()
    days = float((last - first) / np.timedelta64(1, "D"))
    whole = not (times.view(np.int64) % (86_400 * 10**9)).any()
    units = _UNITS[1:] if whole else _UNITS
    _, what, unit, step = next((u for u in units if days / u[0] < PERIODS), _UNITS[-1])
    shift = _MONDAY if what == "week" else 0
    counted = (times.astype(f"datetime64[{unit}]").astype(np.int64) - shift) // step
    start, end = int(counted.min()), int(counted.max())
    marks = (np.arange(start, end + 1) * step + shift).astype(f"datetime64[{unit}]")
    labels = [str(mark).replace("T", " ") + (":00" if unit == "h" else "") for mark in marks]
    if what == "quarter":
        labels = [f"{label[:4]} Q{(int(label[5:7]) + 2) // 3}" for label in labels]
    if unit == "h" and str(first)[:10] == str(last)[:10]:
        labels = [label[11:] for label in labels]
    return Periods(what, labels, counted - start)


def time_section(analysis: Analysis) -> Section:
    """For each column of times: rows, the target, and numbers that go with it, over time."""
    table = analysis.table
    section = Section("time", "Over time")
    gists: list[str] = []
    for variable in [v for v in table.domain if v.kind == "time"]:
        known = ~table.missing(variable.name)
        if len(gists) == TIMES or not known.any():
            continue
        column = local_times(table.column(variable.name)[known], variable.time_format)
        if column.min() == column.max():
            continue
        found = periods(column)
        gists.append(_told(variable, column, found))
        section.say(gists[-1])
        section.elements.append(Figures(_charts(analysis, variable, found, known), wide=True))
    if gists:
        section.gist = gists[0]
        section.say(
            "Look for gaps and jumps: something may have been recorded otherwise from then on. If "
            "the target drifts, a model should be tested on later rows than it learned from."
        )
    else:
        section.say("All times are the same, or missing.")
    return section


def _told(variable: Variable, times: Array, found: Periods) -> str:
    counts = np.bincount(found.codes, minlength=len(found.labels))
    most, empty = int(counts.argmax()), int((counts == 0).sum())
    name = cut(variable.name, 40)
    unit = "m" if found.what.endswith("hour") or found.what.endswith("hours") else "D"
    first, last = (str(each.astype(f"datetime64[{unit}]")) for each in (times.min(), times.max()))
    of = "that of " if found.what == "week" else ""
    told = (
        f"{name} goes from {first.replace('T', ' ')} to {last.replace('T', ' ')}; the {found.what} "
        f"with most rows is {of}{found.labels[most]} ({counts[most]:,})"
    )
    gaps = quantity(empty, f"{found.what} has", f"{_plural(found.what)} have")
    return f"{told}, and {gaps} none." if empty else f"{told}."


def _plural(what: str) -> str:
    return "centuries" if what == "century" else f"{what}s"


def _charts(
    analysis: Analysis, variable: Variable, found: Periods, known: Array
) -> list[tuple[Series, str]]:
    name, table = cut(variable.name, 40), analysis.table
    counts = np.bincount(found.codes, minlength=len(found.labels)).astype(np.float64)
    text = f"Rows by {found.what} of {name}: {counts.min():,.0f} to {counts.max():,.0f}."
    drawn = [(series(counts, found.labels, "rows", text), f"Rows by {found.what} of {name}.")]
    aim = analysis.aim
    if aim.column is not None:
        drawn += _of_aim(aim, found, known)
    for each in _moving(analysis, variable.name):
        values = _means(table.column(each)[known], found)
        caption = f"The mean of {cut(each, 40)} by {found.what}."
        if np.isfinite(values).any():
            drawn.append((series(values, found.labels, f"mean {cut(each, 32)}", caption), caption))
    return drawn


def _of_aim(aim: Aim, found: Periods, known: Array) -> list[tuple[Series, str]]:
    assert aim.column is not None
    column, name = aim.column[known], cut(aim.name, 40)
    if not aim.values:
        values = _means(column, found)
        caption = f"The mean of {name} by {found.what}."
        shown = f"mean {cut(aim.name, 32)}"
        return [(series(values, found.labels, shown, caption), caption)] * bool(
            np.isfinite(values).any()
        )
    made: list[tuple[Series, str]] = []
    for code in aim.shown[:3]:
        there = np.where(column >= 0, 100.0 * (column == code), np.nan)
        values = _means(there, found)
        what = f"{name} = {cut(aim.values[code], 24)}"
        caption = f"The share of {what}, in percent, by {found.what}."
        if np.isfinite(values).any():
            made.append((series(values, found.labels, f"{what}, %", caption), caption))
    return made


def _means(column: Floats, found: Periods) -> Floats:
    there = np.isfinite(column)
    codes, n = found.codes[there], len(found.labels)
    sums = np.bincount(codes, column[there], n)
    counts = np.bincount(codes, minlength=n)
    return np.divide(sums, counts, out=np.full(n, np.nan), where=counts > 0)


def _moving(analysis: Analysis, name: str) -> list[str]:
    """The numbers that are most strongly associated with a time."""
    table = analysis.table
    found = analysis.associations.of(name)
    numbers = [n for n in found if table.domain[n].kind == "num" and n != analysis.aim.name]
    return numbers[:NUMBERS]
