"""What may be wrong with rows and with the target: repetitions, rare classes, unknown targets."""

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.report.findings.finding import Doubt, counted, named, share

#: A class is rare that has fewer rows, or a smaller share of them.
FEW, SHARE = 10, 0.05


def row_doubts(table: Table) -> list[Doubt]:
    """The doubts about rows and the target."""
    return [*_target(table), *_repeated(table), *_wide(table)]


def _target(table: Table) -> Iterator[Doubt]:
    target = table.domain.target
    if target is None:
        return
    name, missing = target.name, int(table.missing(target.name).sum())
    if missing == len(table):
        told = f"The target {named(name)} is missing in all rows: there is nothing to learn from."
        yield Doubt(name, "no target", told, "Fill it in for some rows, or take another target.")
        return
    if missing:
        told = f"The target {named(name)} is missing in {counted(missing, 'row')}"
        yield Doubt(
            name, "target missing", f"{told} of {len(table):,}: nothing is learned from them.",
            "Fill it in, or leave those rows out.",
        )  # fmt: skip
    known = table.column(name)[~table.missing(name)]
    if target.kind == "text":
        told = f"The target {named(name)} is text: nothing here learns to write."
        yield Doubt(name, "text target", told, "Give it the kind 'sym' or 'num', or take another.")
    elif (known == known[0]).all():
        value = named(target.values[int(known[0])]) if target.kind == "sym" else f"{known[0]:g}"
        told = f"The target {named(name)} is {value} in all rows: there is nothing to predict."
        yield Doubt(name, "one class", told, "Add rows of other classes, or take another target.")
    elif target.kind == "sym":
        yield from _rare(table, np.bincount(known, minlength=len(target.values)))


def _rare(table: Table, counts: npt.NDArray[np.intp]) -> Iterator[Doubt]:
    target = table.domain.target
    assert target is not None
    name, rows = target.name, int(counts.sum())
    # Of many classes each has a small share; rare is one that has less than half an even one.
    even = rows / np.count_nonzero(counts)
    few = min(max(FEW, SHARE * rows), even / 2)
    rare = [int(c) for c in np.argsort(counts, kind="stable") if counts[c] < few]
    seen = [f"{named(target.values[c])} {counts[c]:,}" for c in rare if counts[c]]
    if seen:
        more = "" if len(seen) <= 4 else f" and {len(seen) - 4} more"
        yield Doubt(
            name, "rare class",
            f"Some classes of {named(name)} are rare among {counted(rows, 'row')}: "
            f"{', '.join(seen[:4])}{more}.",
            "Do not judge by the share of right answers alone; gather more rows of these classes.",
        )  # fmt: skip
    if unseen := [named(target.values[c]) for c in rare if not counts[c]]:
        more = "" if len(unseen) <= 4 else f" and {len(unseen) - 4} more"
        told = f"No row has {', '.join(unseen[:4])}{more}, which {named(name)} may be."
        yield Doubt(name, "class not seen", told, "No model can predict it: gather rows of it.")


def _repeated(table: Table) -> Iterator[Doubt]:
    used = [v for v in table.domain if v.role in ("x", "target", "goal")]
    if len(used) < 2:
        return
    distinct = np.unique(_marks(table, [v.name for v in used])).size
    again, room = len(table) - distinct, _room(table, [v.name for v in used])
    # Where columns have so few values that rows must meet, that rows are alike says nothing.
    if again and room > math.log(10 * len(table)):
        told = f"{counted(again, 'row')} of {len(table):,} ({share(again, len(table))})"
        yield Doubt(
            None, "repeated rows",
            f"{told} repeat{'s' if again == 1 else ''} an earlier row in {_compared(table, used)}.",
            "If one thing was recorded twice, keep it once: a model tested on a row that it was "
            "learned from looks better than it is. If they are different things, let them be.",
        )  # fmt: skip


def _compared(table: Table, used: list[Variable]) -> str:
    """The columns in which rows were compared, in words."""
    left = [named(v.name) for v in table.domain if v not in used]
    if not left:
        return "every column"
    more = f" and {len(left) - 1:,} more are" if len(left) > 1 else " is"
    aim = ", and in the target" if table.domain.target else ""
    return f"every column that is learned from{aim} ({left[0]}{more} left out)"


def _marks(table: Table, names: list[str]) -> npt.NDArray[np.uint64]:
    """A number for each row, the same for rows that are alike (and for others next to never)."""
    marks = np.zeros(len(table), np.uint64)
    for name in names:
        column = table.column(name)
        if table.domain[name].kind == "num":
            cells = np.where(np.isnan(column), np.nan, column + 0.0).view(np.uint64)
        elif table.domain[name].kind == "sym":
            cells = column.astype(np.int64).view(np.uint64)
        else:
            codes: dict[str | None, int] = {}
            found = (codes.setdefault(cell, len(codes)) for cell in column)
            cells = np.fromiter(found, np.uint64, len(column))
        marks = (marks ^ cells) * np.uint64(0x9E3779B97F4A7C15)
        marks ^= marks >> np.uint64(29)
        marks *= np.uint64(0xBF58476D1CE4E5B9)
        marks ^= marks >> np.uint64(32)
    return marks


def _room(table: Table, names: list[str]) -> float:
    """The logarithm of how many different rows there could be."""
    room = 0.0
    for name in names:
        kind, column = table.domain[name].kind, table.column(name)
        seen = len(set(column)) if kind == "text" else len(np.unique(column))
        room += math.log(max(1, seen))
    return room


def _wide(table: Table) -> Iterator[Doubt]:
    columns = len(table.domain.attributes)
    if not columns:
        told = "There is no column to learn from."
        yield Doubt(None, "no attributes", told, "Give some columns the role 'x'.")
    elif len(table) < columns:
        told = f"There are fewer rows ({len(table):,}) than columns to learn from ({columns:,})"
        yield Doubt(
            None, "more columns than rows", f"{told}: chance makes some look telling.",
            "Trust only what holds on rows that were not learned from; leave columns out.",
        )  # fmt: skip
